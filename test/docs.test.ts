import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { celPage } from '../src/pages/cel.ts';
import { diagnosticsPage } from '../src/pages/diagnostics.ts';
import { optionsPage } from '../src/pages/options.ts';
import { pluginConfigMap, pluginDiscoveryConfigMap, pluginDiscoveryYaml, pluginYaml } from '../src/pages/plugin.ts';
import { housePage } from '../tools/house.mjs';
import { specFigure } from './cel/spec/verdicts.ts';

const page = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

describe('generated pages (npm run docs writes them)', () => {
  it('options.md is up to date', () => expect(page('options.md')).toBe(optionsPage()));
  it('diagnostics.md is up to date', () => expect(page('diagnostics.md')).toBe(diagnosticsPage()));
  it('house.md shows the imports as they are', () => expect(page('house.md')).toBe(housePage()));
  it('cel.md is up to date', () => expect(page('cel.md')).toBe(celPage(specFigure())));
  it('plugin.yaml is up to date', () => expect(page('../plugin.yaml')).toBe(pluginYaml()));
  it('so is the ConfigMap with it', () =>
    expect(page('../examples/argocd/sidecar/config.yaml')).toBe(pluginConfigMap()));
  it('plugin-discovery.yaml is up to date', () => expect(page('../plugin-discovery.yaml')).toBe(pluginDiscoveryYaml()));
  it('so is the patch with it', () =>
    expect(page('../examples/argocd/discovery/config.yaml')).toBe(pluginDiscoveryConfigMap()));
});
