import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { standardNames } from '../src/languages/gotemplate/index.ts';
import { celPage } from '../tools/pages/cel.ts';
import { diagnosticsPage } from '../tools/pages/diagnostics.ts';
import { diagnosticsSchemaFile } from '../tools/pages/diagnostics-schema.ts';
import { optionsPage } from '../tools/pages/options.ts';
import { pluginConfigMap, pluginDiscoveryConfigMap, pluginDiscoveryYaml, pluginYaml } from '../tools/pages/plugin.ts';
import { FAILING } from '../tools/pages/templates/examples.ts';
import { templateFunctions, templatesPage } from '../tools/pages/templates.ts';
import { planPage } from '../tools/plan-page/index.mjs';
import { specFigure } from './languages/cel/spec/verdicts.ts';

const page = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

describe('generated pages (npm run docs writes them)', () => {
  it('options.md is up to date', () => expect(page('options.md')).toBe(optionsPage()));
  it('diagnostics.md is up to date', () => expect(page('diagnostics.md')).toBe(diagnosticsPage()));
  it('diagnostics.schema.json is up to date', () =>
    expect(page('../data/diagnostics.schema.json')).toBe(diagnosticsSchemaFile()));
  it('cel.md is up to date', () => expect(page('cel.md')).toBe(celPage(specFigure())));
  it('templates.md is up to date', () => expect(page('templates.md')).toBe(templatesPage()));
  it('the page of plan -o html is up to date', () => expect(page('../data/plan-page.json')).toBe(planPage()));
  it('plugin.yaml is up to date', () => expect(page('../plugin.yaml')).toBe(pluginYaml()));
  it('the ConfigMap with plugin.yaml is up to date', () =>
    expect(page('../examples/argocd/sidecar/config.yaml')).toBe(pluginConfigMap()));
  it('plugin-discovery.yaml is up to date', () => expect(page('../plugin-discovery.yaml')).toBe(pluginDiscoveryYaml()));
  it('the patch with plugin-discovery.yaml is up to date', () =>
    expect(page('../examples/argocd/discovery/config.yaml')).toBe(pluginDiscoveryConfigMap()));
});

describe('the functions of templates in the docs', () => {
  const functions = templateFunctions();

  it('are complete, with mustX listed as X', () => {
    const names = functions.map(({ name }) => name);
    const isListed = (name: string): boolean =>
      names.includes(name) || names.includes(name.replace(/^must(.)/, (_, first: string) => first.toLowerCase()));
    expect(standardNames().filter((name) => !isListed(name))).toEqual([]);
  });

  it('have examples that render together, except for failing ones', () => {
    const results = new Map(functions.map(({ name, result }) => [name, result]));
    expect(results.get('slugify')).toBe('`data-platform`');
    expect(results.get('fail')).toContain('replicas must be odd');
    const failing = functions.filter(({ result }) => result.startsWith('error: ')).map(({ name }) => name);
    expect(failing).toEqual(FAILING);
  });
});
