#!/usr/bin/env node
// Builds dist/, the package: the command (one file that only needs Node), the playground that it serves, the library
// and its declarations. With --no-types only executable files are built, and dist/ is not a package.
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { LIBRARY, libraryBundles, serverBundle, workerBundle } from './bundles.mjs';
import { buildCommand } from './command.mjs';
import { writeDeclarations } from './declarations.mjs';
import { writeBareManifest, writePackage } from './package.mjs';
import { buildPlayground } from './playground/index.mjs';
import { describeBundles } from './supply-chain/index.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const withTypes = !process.argv.includes('--no-types');
if (withTypes) rmSync(`${root}dist`, { recursive: true, force: true });
const bundles = await Promise.all([
  buildCommand(root),
  ...[serverBundle(root, 'lsp'), serverBundle(root, 'mcp'), ...libraryBundles(root), workerBundle(root)].map((bundle) =>
    build(bundle),
  ),
]);
describeBundles(
  withTypes ? [...bundles, await buildPlayground(root, `${root}dist/playground`)] : bundles,
  root,
  `${root}dist`,
);
chmodSync(`${root}dist/render-rgd.js`, 0o755);
if (!withTypes) writeBareManifest(root);
else {
  writePackage(root);
  await writeDeclarations(root, LIBRARY);
}
