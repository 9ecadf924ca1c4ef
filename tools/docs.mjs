#!/usr/bin/env node
// Writes the pages of docs/ that come from tables in the sources. test/docs.test.ts fails when one is out of date.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { outputFiles } = await build({
  absWorkingDir: root,
  stdin: {
    contents: "export * from './src/pages/options.ts'; export * from './src/pages/diagnostics.ts';",
    resolveDir: root,
  },
  bundle: true,
  write: false,
  format: 'esm',
});
const pages = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
writeFileSync(`${root}docs/options.md`, pages.optionsPage());
writeFileSync(`${root}docs/diagnostics.md`, pages.diagnosticsPage());
