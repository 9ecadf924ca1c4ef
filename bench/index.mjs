#!/usr/bin/env node
// Runs the benches of this folder and prints a table of each: `npm run bench`, or `npm run bench -- compile` for one.
// A bench is a file that exports `title` and `rows()`; a row has a name, a figure, its unit, and maybe a target.
import { readdirSync } from 'node:fs';

const wanted = process.argv.slice(2);
const files = readdirSync(new URL('.', import.meta.url)).filter(
  (file) => file.endsWith('.mjs') && file !== 'index.mjs',
);
let missed = 0;
for (const file of files.sort()) {
  if (wanted.length > 0 && !wanted.includes(file.replace('.mjs', ''))) continue;
  const { title, rows } = await import(`./${file}`);
  console.log(`\n${title}\n`);
  const results = await rows();
  console.log(table(results));
  missed += results.filter(({ figure, target }) => target !== undefined && figure > target).length;
}
if (missed > 0) console.error(`\n${missed} figures are beyond their targets`);
process.exitCode = missed > 0 ? 1 : 0;

/** The ratio is to the first row of the table. */
function table(results) {
  const [first] = results;
  const lines = results.map(({ name, figure, unit, target, note = '' }) => [
    name,
    `${round(figure)} ${unit}`,
    round(figure / first.figure),
    target === undefined ? '' : `${target} ${unit}`,
    note,
  ]);
  const all = [['', 'figure', 'ratio', 'target', ''], ...lines];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function round(figure) {
  return figure >= 100 ? figure.toFixed(0) : figure.toPrecision(3);
}
