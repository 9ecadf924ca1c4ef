#!/usr/bin/env node
// Builds dist/, the package: the command (one file that needs nothing beside Node), the library and its declarations.
// With --no-types only what runs is built, and dist/ is no package then.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { versionOf, writeBareManifest, writePackage } from './package.mjs';
import { describeBundles } from './supply-chain/index.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const common = {
  absWorkingDir: root,
  bundle: true,
  target: 'es2022',
  legalComments: 'eof',
  logLevel: 'warning',
  metafile: true,
  define: { RENDER_RGD_VERSION: JSON.stringify(versionOf(root)) },
};

/**
 * No import or export statement is left in the command, so it runs as it is whatever package.json is above it. Nothing
 * is loaded later than at its start: esbuild puts all modules into one scope then, which Node compiles once and not
 * twice (docs/performance.md).
 */
const command = {
  ...common,
  entryPoints: ['src/shells/main.ts'],
  outfile: 'dist/render-rgd.js',
  platform: 'node',
  format: 'iife',
  // Node reads all of it at every start. `node --enable-source-maps` has the names in traces.
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  banner: { js: '#!/usr/bin/env node\nvar require=(name)=>process.getBuiltinModule(name);' },
};

const library = {
  ...common,
  entryPoints: ['src/index.ts'],
  outfile: 'dist/index.mjs',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  format: 'esm',
  minifyWhitespace: true,
};

const withTypes = !process.argv.includes('--no-types');
if (withTypes) rmSync(`${root}dist`, { recursive: true, force: true });
describeBundles(await Promise.all([build(command), build(library)]), root, `${root}dist`);
chmodSync(`${root}dist/render-rgd.js`, 0o755);
if (!withTypes) writeBareManifest(root);
else {
  writePackage(root);
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  execFileSync(process.execPath, [tsc, '-p', `${root}tools/tsconfig.types.json`], { stdio: 'inherit' });
}
