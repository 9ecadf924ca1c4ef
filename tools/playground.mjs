#!/usr/bin/env node
// Builds dist-playground/, the playground as static files; `-- --out FOLDER` names another folder,
// and `-- --fetch` lets the page open addresses of GitHub.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPlayground } from './playground/index.mjs';
import { sizesOf } from './playground/sizes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string' }, fetch: { type: 'boolean' } } });
const out = values.out === undefined ? join(root, 'dist-playground') : resolve(values.out);
await buildPlayground(root, out, { fetches: values.fetch === true });
for (const { file, bytes, gzip, first } of sizesOf(out)) {
  console.log(
    `${file.padEnd(44)} ${String(bytes).padStart(9)} ${String(gzip).padStart(9)} gzip${first ? ', first load' : ''}`,
  );
}
