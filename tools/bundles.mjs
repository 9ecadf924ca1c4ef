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
 * No import or export statement is left in the command, so it runs as it is whatever package.json is above it. All
 * modules are in one scope, which the executable has as bytecode; for Node `buildCommand` takes it apart.
 */
export const commandBundle = (root) => ({
  ...common(root),
  entryPoints: ['src/shells/main.ts'],
  outfile: 'dist/render-rgd.js',
  platform: 'node',
  format: 'iife',
  // Node reads all of it at every start. `node --enable-source-maps` has the names in traces.
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  banner: { js: '#!/usr/bin/env node\nvar require=(name)=>process.getBuiltinModule(name);' },
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
