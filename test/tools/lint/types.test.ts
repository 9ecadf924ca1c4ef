import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findings } from '../../../tools/lint/types.mjs';
import { temporaryFolder } from '../../temporary.ts';

/** Each line of a source that is a finding ends with its rule in a comment. */
const SOURCE = `
import { EventEmitter } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
type Table = Record<string, number>;
declare const table: Table;
declare const maybe: Table | undefined;
declare const nested: { fields?: Table };
declare const list: string[];
declare const key: string;
declare const step: string | number;
declare const literal: 'a' | 'b';
declare const work: () => Promise<void>;
declare const takesVoid: (run: () => void) => void;
declare const problem: { message: string; hint?: string; code: string };
export const said = problem.message.includes('namespace'); // sentence
export const hinted = (problem.hint ?? '').startsWith('did you mean'); // sentence
export const trimmed = problem.message.trim().split(' '); // sentence
export const matched = /^write/.test(problem.hint ?? ''); // sentence
export const found = /^write/.exec(String(problem.message)); // sentence
export const composed = \`\${problem.code} \${problem.hint}\`.match(/a/); // sentence
export const same = problem.message === 'not found'; // sentence
export const read = table[key]; // read
export const optional = maybe?.[key]; // read
export const inside = nested.fields?.[step]; // read
export const cast = table[key as 'a']; // read
export const named = { a: 1, b: 2 }[key]; // read
export const other = Object.hasOwn(nested, key) ? table[key] : 0; // read
export const inverted = Object.hasOwn(table, key) ? 0 : table[key]; // read
for (const one of list) console.log(table[one]); // read
for (const one of Object.keys(nested)) console.log(table[one]); // read
table[key] = 1; // write
table[key] += 1; // write
export const has = key in table; // in
Object.assign(table, nested.fields); // assign
Object.assign(table, { ...maybe }); // assign
work(); // floating
void work(); // floating
if (has) work().then(() => {}); // floating
if (has) work().finally(() => {}); // floating
has && work(); // floating
takesVoid(work); // misused
takesVoid(async () => {}); // misused
setTimeout(async () => {}, 1); // misused
setTimeout(work, 1); // misused
export function watched(): FSWatcher {
  return watch('a'); // watcher
}

export const byCode = problem.code === 'not-found' || problem.code.startsWith('lint-');
export const none = problem.message === '' || problem.message.length > 9;
export function explained(): string {
  // sentence: only indents it
  return problem.message.replace(/^/gm, '  ');
}
export const ofLiteral = { a: 1, b: 2 }[literal];
export const item = list[0];
export const own = Object.hasOwn(table, key) ? table[key] : 0;
export const and = key !== '' && Object.hasOwn(table, key) && table[key] === 1;
export const not = !Object.hasOwn(table, key) ? 0 : table[key];
export function early(): number | undefined {
  if (!Object.hasOwn(table, key)) return undefined;
  return table[key];
}
for (const one of Object.keys(table)) console.log(table[one]);
for (const one in table) console.log(table[one]);
for (const [one] of Object.entries(table)) console.log(table[one]);
const keys = Object.keys(table);
export const sum = keys.reduce((all, one) => all + (table[one] ?? 0), 0);
export const some = keys.filter((one) => table[one] === 1).map((one) => table[one]);
Object.assign(table, { a: 1 });
delete table[key];
await work();
work().catch(() => {});
work().then(
  () => {},
  () => {},
);
takesVoid(() => {
  work().catch(() => {});
});
new EventEmitter().emit('a');
export function heard(): FSWatcher {
  const watcher = watch('a');
  watcher.on('error', () => {});
  return watcher;
}
`;

test('finds what may read an inherited key, lose a promise, or end the program, and nothing else', () => {
  const file = join(temporaryFolder('lint'), 'source.ts');
  writeFileSync(file, SOURCE);
  const expected = SOURCE.split('\n').flatMap((line, index) => {
    const [, rule] = / \/\/ (\w+)$/.exec(line) ?? [];
    return rule === undefined ? [] : [`${index + 1} ${rule}`];
  });
  const found = findings([file]).map(({ line, rule }) => `${line} ${rule}`);
  expect(found).toEqual(expected);
});
