// What esbuild is told for each bundle: the command, and each entry of the library.
import { versionOf } from './package.mjs';

const common = (root) => ({
  absWorkingDir: root,
  bundle: true,
  target: 'es2022',
  legalComments: 'eof',
  logLevel: 'warning',
  metafile: true,
  define: { RENDER_RGD_VERSION: JSON.stringify(versionOf(root)) },
});

/**
 * The command has no import or export statement, so it runs whatever package.json is above it. All modules share one
 * scope.
 */
export const commandBundle = (root) => ({
  ...common(root),
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/render-rgd.js',
  platform: 'node',
  format: 'iife',
  // Node reads all of it at every start. `node --enable-source-maps` has the names in traces.
  minify: true,
  plugins: [besides],
  sourcemap: 'linked',
  sourcesContent: false,
  banner: { js: '#!/usr/bin/env node\nvar require=(name)=>process.getBuiltinModule(name);' },
});

/** The language server is a file of its own, which the command loads when it is asked for. */
const besides = {
  name: 'language-server',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/lsp-server\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './lsp.mjs', external: true } : undefined,
    );
  },
};

/** The language server over standard input and output, whole by itself. */
export const serverBundle = (root) => ({
  ...common(root),
  entryPoints: ['src/cli/lsp-server.ts'],
  outfile: 'dist/lsp.mjs',
  platform: 'node',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  // Its libraries are CommonJS.
  banner: {
    js: 'import{createRequire as render_rgd_require}from"node:module";const require=render_rgd_require(import.meta.url);',
  },
});

/** The entries of the library, by the module of src that each is made of. */
export const LIBRARY = [
  { name: 'index', source: 'src/api/index.ts' },
  { name: 'tools', source: 'src/api/tools/index.ts' },
  { name: 'cel', source: 'src/api/cel/index.ts' },
];

const library = (root) => ({
  ...common(root),
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  platform: 'neutral',
  mainFields: ['module', 'main'],
  format: 'esm',
  minifyWhitespace: true,
});

const entriesOf = (names) =>
  LIBRARY.filter(({ name }) => names.includes(name)).map(({ name, source }) => ({ in: source, out: name }));

/**
 * `index` and `tools` have the renderer in common, in a file of its own: a program that takes both has it once. CEL is
 * whole by itself.
 */
export const libraryBundles = (root) => [
  { ...library(root), entryPoints: entriesOf(['index', 'tools']), splitting: true, chunkNames: 'renderer' },
  { ...library(root), entryPoints: entriesOf(['cel']) },
];

/** The language server for the worker of a page, whole by itself. */
export const workerBundle = (root) => ({
  ...library(root),
  platform: 'browser',
  entryPoints: [{ in: 'src/api/language-worker.ts', out: 'language-worker' }],
  minify: true,
});
