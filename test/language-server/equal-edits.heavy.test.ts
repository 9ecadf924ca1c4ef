import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { drawFrom, seed } from '../seed.ts';
import { reported, validated } from './equal.ts';

const EDITS = 300;
const examples = new URL('../../examples/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'render-rgd-edits-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PARTS = ['', 'x', ' ', '\n', ':', '"', '${', '}', '- a', 'schema.spec.', '1', 'status'];

/** Returns the folders of examples with an RGD, whose files are copied. */
function packages(): { folder: string; files: string[] }[] {
  return readdirSync(examples)
    .filter((name) => statSync(join(examples, name)).isDirectory())
    .map((name) => {
      const target = join(folder, name);
      cpSync(join(examples, name), target, { recursive: true, filter: (path) => !/\/expected[^/]*$/.test(path) });
      const files = readdirSync(target, { recursive: true })
        .map((file) => join(target, String(file)))
        .filter((file) => file.endsWith('.yaml'))
        .filter((file) => readFileSync(file, 'utf8').includes('ResourceGraphDefinition'));
      return { folder: target, files };
    })
    .filter(({ files }) => files.length > 0);
}

it('an edited RGD has the diagnostics of validate in an editor that opens it', { timeout: 600_000 }, async () => {
  const draw = drawFrom(seed);
  const all = packages();
  const others: string[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    const one = all[draw(all.length)] as (typeof all)[number];
    const file = one.files[draw(one.files.length)] as string;
    const before = readFileSync(file, 'utf8');
    const at = draw(before.length);
    const after = before.slice(0, at) + PARTS[draw(PARTS.length)] + before.slice(at + draw(4));
    writeFileSync(file, after);
    const [own, expected] = [reported(one.folder), await validated(one.folder)];
    writeFileSync(file, before);
    if (own.join('\n') !== expected.join('\n'))
      others.push(
        `edit ${edit} of ${file} at ${at}:\n- ${own.filter((line) => !expected.includes(line)).join('\n- ')}\n+ ${expected.filter((line) => !own.includes(line)).join('\n+ ')}`,
      );
  }
  expect(others).toEqual([]);
});
