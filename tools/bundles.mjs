// The esbuild options of each bundle: the command, and each entry of the library.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { versionOf } from './package.mjs';

/** JavaScript engines parse a text as JSON several times faster than they evaluate the same object as an expression. */
const parsedTables = {
  name: 'parsed-tables',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]data[\\/][^\\/]*\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default /* @__PURE__ */ JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

/** Texts that few calls of the command read, which are an eighth of their size so. */
const compressedTexts = {
  name: 'compressed-texts',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]kubernetes-(descriptions|minors)\.json$/ }, ({ path }) => {
      const { text } = JSON.parse(readFileSync(path, 'utf8'));
      const compressed = brotliCompressSync(Buffer.from(text)).toString('base64');
      const decompressed = `process.getBuiltinModule("node:zlib").brotliDecompressSync(Buffer.from("${compressed}","base64"))`;
      return { contents: `export default{get text(){return ${decompressed}.toString()}};`, loader: 'js' };
    });
  },
};

const common = (root) => ({
  plugins: [parsedTables],
  absWorkingDir: root,
  bundle: true,
  target: 'es2022',
  legalComments: 'eof',
  logLevel: 'warning',
  metafile: true,
  define: { RENDER_RGD_VERSION: JSON.stringify(versionOf(root)), RENDER_RGD_FUNCTIONS: 'undefined' },
});

/** V8 compiles functions faster than arrow functions, whose first token does not tell what they are. */
const supported = { arrow: false };

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
  supported,
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
  plugins: [compressedTexts, parsedTables, dynamicImports, loadedLater(root)],
  supported,
  sourcemap: 'inline',
  sourcesContent: false,
});

/**
 * The command imports dynamically what it loads on demand: its other commands with their help, and the servers for editors
 * and assistants, which are separate files.
 */
const dynamicImports = {
  name: 'dynamic-imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\./ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import' || path === './loaded.ts') return undefined;
      const [, name] = /\/(lsp|mcp)-server\.ts$/.exec(path) ?? [];
      if (name !== undefined) return { path: `./${name}.mjs`, external: true };
      return { errors: [{ text: `import ${path} statically: import() of a module slows down every start` }] };
    });
  },
};

/** Modules with functions that a rendering of usual YAML, without patterns and without ResourceSets, does not call. */
const LATER = [
  'src/flux/expand.ts',
  'src/graph/compile.ts',
  'src/graph/kind.ts',
  'src/kubernetes/schema/minors.ts',
  'src/languages/cel/re2.ts',
  'src/yaml/tree/events.ts',
  'src/yaml/tree/flow.ts',
  'src/yaml/tree/parse.ts',
  'src/yaml/tree/read.ts',
  'src/yaml/tree/scalar.ts',
];

/** Replaces these modules by functions that load all of them. */
const loadedLater = (root) => ({
  name: 'loaded-later',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^\./ }, ({ path, resolveDir, namespace, kind }) => {
      const name = relative(root, join(resolveDir, path));
      if (namespace === 'later' || kind !== 'import-statement' || !LATER.includes(name)) return undefined;
      return { path: name, namespace: 'when-called' };
    });
    onResolve({ filter: /^later$/ }, ({ path }) => ({ path, namespace: 'later' }));
    onLoad({ filter: /./, namespace: 'when-called' }, ({ path }) => ({ contents: whenCalled(root, path) }));
    onLoad({ filter: /./, namespace: 'later' }, () => ({
      contents: LATER.map((path) => `export*from"./${path}";`).join(''),
      resolveDir: root,
    }));
  },
});

function whenCalled(root, path) {
  const text = readFileSync(join(root, path), 'utf8');
  const names = [...text.matchAll(/^export (?:function|const (?=\w+ = \()) ?(\w+)/gm)].map(([, name]) => name);
  const others = text.match(/^export (?!function|interface|type|const \w+ = \().*/m);
  if (others) throw new Error(`${path}: a module that is loaded later exports functions only, not ${others[0]}`);
  return names.map((name) => `export const ${name}=(...all)=>import("later").${name}(...all);`).join('');
}

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
