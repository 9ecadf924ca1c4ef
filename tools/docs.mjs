#!/usr/bin/env node
// Writes the generated pages of docs/, and plugin.yaml, from tables in the sources. test/docs.test.ts fails if one is
// out of date.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { planPage } from './plan-page/index.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { outputFiles } = await build({
  absWorkingDir: root,
  stdin: {
    contents: [
      ...['options', 'diagnostics', 'diagnostics-schema', 'plugin', 'cel', 'templates'].map(
        (page) => `./tools/pages/${page}.ts`,
      ),
      './test/languages/cel/spec/verdicts.ts',
    ]
      .map((module) => `export * from '${module}';`)
      .join('\n'),
    resolveDir: root,
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const pages = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
writeFileSync(`${root}docs/options.md`, pages.optionsPage());
writeFileSync(`${root}docs/diagnostics.md`, pages.diagnosticsPage());
writeFileSync(`${root}data/diagnostics.schema.json`, pages.diagnosticsSchemaFile());
writeFileSync(`${root}docs/cel.md`, pages.celPage(pages.specFigure()));
writeFileSync(`${root}docs/templates.md`, pages.templatesPage());
writeFileSync(`${root}data/plan-page.json`, planPage());
writeFileSync(`${root}plugin.yaml`, pages.pluginYaml());
writeFileSync(`${root}plugin-discovery.yaml`, pages.pluginDiscoveryYaml());
writeFileSync(`${root}examples/argocd/discovery/config.yaml`, pages.pluginDiscoveryConfigMap());
writeFileSync(`${root}examples/argocd/sidecar/config.yaml`, pages.pluginConfigMap());
