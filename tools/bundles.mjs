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
 * No import or export statement is left in the command, so it runs as it is whatever package.json is above it. Nothing
 * is loaded later than at its start: esbuild puts all modules into one scope then, which Node compiles once and not
 * twice (docs/performance.md).
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
  { name: 'cel', source: 'src/api/cel/index.ts' },
];

/** Each entry is whole by itself: whoever takes one gets nothing of the other. */
export const libraryBundles = (root) =>
  LIBRARY.map(({ name, source }) => ({
    ...common(root),
    entryPoints: [source],
    outfile: `dist/${name}.mjs`,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    minifyWhitespace: true,
  }));
