import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { celPage } from '../tools/pages/cel.ts';
import { diagnosticsPage } from '../tools/pages/diagnostics.ts';
import { optionsPage } from '../tools/pages/options.ts';
import { pluginConfigMap, pluginDiscoveryConfigMap, pluginDiscoveryYaml, pluginYaml } from '../tools/pages/plugin.ts';
import { planPage } from '../tools/plan-page/index.mjs';
import { specFigure } from './languages/cel/spec/verdicts.ts';

const page = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

describe('generated pages (npm run docs writes them)', () => {
  it('options.md is up to date', () => expect(page('options.md')).toBe(optionsPage()));
  it('diagnostics.md is up to date', () => expect(page('diagnostics.md')).toBe(diagnosticsPage()));
  it('cel.md is up to date', () => expect(page('cel.md')).toBe(celPage(specFigure())));
  it('the page of plan -o html is up to date', () => expect(page('../data/plan-page.json')).toBe(planPage()));
  it('plugin.yaml is up to date', () => expect(page('../plugin.yaml')).toBe(pluginYaml()));
  it('the ConfigMap with plugin.yaml is up to date', () =>
    expect(page('../examples/argocd/sidecar/config.yaml')).toBe(pluginConfigMap()));
  it('plugin-discovery.yaml is up to date', () => expect(page('../plugin-discovery.yaml')).toBe(pluginDiscoveryYaml()));
  it('the patch with plugin-discovery.yaml is up to date', () =>
    expect(page('../examples/argocd/discovery/config.yaml')).toBe(pluginDiscoveryConfigMap()));
});
