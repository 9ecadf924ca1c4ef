// Combines the declarations of each entry of the library in one file: tsc writes one for each source file, with
// internal declarations, and rollup-plugin-dts keeps the exported ones.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** Writes dist/NAME.d.mts for each `{ name, source }`; `source` is the path of a module of src. */
export async function writeDeclarations(root, entries) {
  const emitted = mkdtempSync(join(root, 'dist/types-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const project = join(root, 'tools/tsconfig.types.json');
    execFileSync(process.execPath, [tsc, '-p', project, '--outDir', emitted], { stdio: 'inherit' });
    for (const { name, source } of entries) {
      const input = join(emitted, source.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'));
      const bundle = await rollup({ input, plugins: [tables(root), dts()], onwarn: refuse });
      await bundle.write({ file: join(root, `dist/${name}.d.mts`), format: 'es' });
    }
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

/** Declares the tables of `data` by their keys: their texts are strings. */
const tables = (root) => ({
  name: 'tables',
  resolveId: (source) => (source.endsWith('.json') ? join(root, 'data', `${basename(source, '.json')}.d.ts`) : null),
  load: (id) =>
    id.startsWith(join(root, 'data/'))
      ? `declare const table: ${typeOf(JSON.parse(readFileSync(id.replace(/\.d\.ts$/, '.json'), 'utf8')))};\nexport default table;`
      : null,
});

const typeOf = (value) =>
  JSON.stringify(value, (_, part) => (typeof part === 'string' ? 'string' : part), 2).replaceAll(
    ': "string"',
    ': string',
  );

function refuse({ message }) {
  throw new Error(message);
}
