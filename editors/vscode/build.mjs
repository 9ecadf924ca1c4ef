#!/usr/bin/env node
// Bundles the extension, and copies the language server: run `npm run build` in the repository first.
import { copyFileSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const server = `${root}dist/lsp.mjs`;
const worker = `${root}dist/language-worker.mjs`;
for (const file of [server, worker])
  if (!existsSync(file)) throw new Error(`there is no ${file}: run npm run build in the repository first`);
const shared = { absWorkingDir: here, bundle: true, minify: true, target: 'es2022', logLevel: 'warning' };
const vscode = { format: 'cjs', external: ['vscode'] };
await Promise.all([
  build({ ...shared, ...vscode, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', platform: 'node' }),
  build({ ...shared, ...vscode, entryPoints: ['src/browser.ts'], outfile: 'dist/browser.js', platform: 'browser' }),
  // Workers of VS Code are not modules.
  build({ ...shared, entryPoints: [worker], outfile: 'dist/worker.js', platform: 'browser', format: 'iife' }),
]);
copyFileSync(server, `${here}dist/lsp.mjs`);
copyFileSync(`${here}src/server.mjs`, `${here}dist/server.mjs`);
copyFileSync(`${root}LICENSE`, `${here}LICENSE`);
