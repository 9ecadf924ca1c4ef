#!/usr/bin/env node
// Feeds mutants of real inputs to the command and to the KRM function, in one process:
//
//   npm run fuzz -- [--runs 10000] [--seed N] [--seconds 15] [--memory 1024] [--keep FOLDER] [FILE|FOLDER...]
//   npm run fuzz -- --seed N --only INDEX [FILE|FOLDER...]
//
// Mutants are made of test/, examples/ and the files and folders given. A finding is printed with the seed and the
// number that make its input again (for the same files); --only prints that input. What it checks is in test/fuzz.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
// Beneath node_modules, so that packages are found from there.
const folder = mkdtempSync(join(root, 'node_modules/.fuzz-'));
try {
  const outfile = join(folder, 'fuzz.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/fuzz/main.ts'],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', outfile, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
