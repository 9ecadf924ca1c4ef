// The esbuild options of each bundle: the command, and each entry of the library.
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
 * The command has no import or export statement, so it runs with any package.json above it. tools/command.mjs makes its
 * entry of the chunks.
 */
export const commandBundle = (root) => ({
  ...common(root),
  outfile: 'dist/render-rgd.js',
  platform: 'node',
  format: 'iife',
  // Node parses all of it at every start. `node --enable-source-maps` restores names in stack traces.
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  banner: { js: '#!/usr/bin/env node\n"use strict";var require=(name)=>process.getBuiltinModule(name);' },
});

/** The sources of the command, split where it imports its other commands. */
export const commandChunks = (root) => ({
  ...common(root),
  entryPoints: ['src/cli/main.ts'],
  outdir: 'dist',
  write: false,
  platform: 'node',
  format: 'esm',
  splitting: true,
  minify: true,
  plugins: [dynamicImports],
  sourcemap: 'inline',
  sourcesContent: false,
});

/**
 * The command imports dynamically what it loads on demand: its other commands, and the servers for editors and
 * assistants, which are separate files.
 */
const dynamicImports = {
  name: 'dynamic-imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\./ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import' || path === './commands.ts') return undefined;
      const [, name] = /\/(lsp|mcp)-server\.ts$/.exec(path) ?? [];
      if (name !== undefined) return { path: `./${name}.mjs`, external: true };
      return { errors: [{ text: `import ${path} statically: import() of a module slows down every start` }] };
    });
  },
};

/** The server of a protocol over standard input and output, self-contained: `lsp` or `mcp`. */
export const serverBundle = (root, name) => ({
  ...common(root),
  entryPoints: [`src/cli/${name}-server.ts`],
  outfile: `dist/${name}.mjs`,
  platform: 'node',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  // Its libraries are CommonJS.
  banner: {
    js: 'import{createRequire as render_rgd_require}from"node:module";const require=render_rgd_require(import.meta.url);',
  },
});

/** The entries of the library, by their module in src. */
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
 * `index` and `tools` share the renderer in a separate file: a program with both contains it once. CEL is
 * self-contained.
 */
export const libraryBundles = (root) => [
  { ...library(root), entryPoints: entriesOf(['index', 'tools']), splitting: true, chunkNames: 'renderer' },
  { ...library(root), entryPoints: entriesOf(['cel']) },
];

/** The language server for a web worker, self-contained. */
export const workerBundle = (root) => ({
  ...library(root),
  platform: 'browser',
  entryPoints: [{ in: 'src/api/language-worker.ts', out: 'language-worker' }],
  minify: true,
});
