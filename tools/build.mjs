#!/usr/bin/env node
// Builds dist/, the package: the command (one file that needs nothing beside Node), the library and its declarations.
// With --no-types only what runs is built, and dist/ is no package then.
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { LIBRARY, libraryBundles } from './bundles.mjs';
import { writeDeclarations } from './declarations.mjs';
import { writeBareManifest, writePackage } from './package.mjs';
import { buildCommand } from './parts.mjs';
import { describeBundles } from './supply-chain/index.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const withTypes = !process.argv.includes('--no-types');
if (withTypes) rmSync(`${root}dist`, { recursive: true, force: true });
describeBundles(
  await Promise.all([buildCommand(root), ...libraryBundles(root).map((bundle) => build(bundle))]),
  root,
  `${root}dist`,
);
chmodSync(`${root}dist/render-rgd.js`, 0o755);
if (!withTypes) writeBareManifest(root);
else {
  writePackage(root);
  await writeDeclarations(root, LIBRARY);
}
