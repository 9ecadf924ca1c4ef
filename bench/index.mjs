#!/usr/bin/env node
// Runs the benches of this folder and prints their tables: `npm run bench`, or `npm run bench -- compile` for one.
// `--short` measures less, for CI; `--write` puts the tables into docs/performance.md. A bench is a file that exports
// `title` and `run({ short })`, which yields the lines of a table (the first is its head) and what is claimed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform } from 'node:os';
import { parseArgs } from 'node:util';
import { figureText, markdownTable } from './support/table.mjs';

const PAGE = new URL('../docs/performance.md', import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});
const files = readdirSync(new URL('.', import.meta.url)).filter((file) => /^(?!index).*\.mjs$/.test(file));
const wanted = files.filter((file) => positionals.length === 0 || positionals.includes(file.replace('.mjs', '')));

const parts = [];
const claims = [];
for (const file of wanted.sort()) {
  const { title, run } = await import(`./${file}`);
  const result = await run({ short: values.short });
  show(`### ${title}\n\n${markdownTable(result.lines)}`);
  claims.push(...result.claims);
}
show(`### Targets\n\n${markdownTable([['', 'measured', 'target', ''], ...claims.map(claimLine)])}`);
if (values.write) write();

function show(part) {
  parts.push(part);
  console.log(`${part}\n`);
}

function claimLine(claim) {
  const { name, figure, target, unit } = claim;
  const met = isMet(claim) ? 'met' : '**missed**';
  return [name, `${figureText(figure)} ${unit}`.trim(), `at most ${target} ${unit}`.trim(), met];
}

function isMet({ figure, target }) {
  return figure <= target;
}

function write() {
  const machine = `Node ${process.versions.node}, ${platform()} ${arch()}, ${availableParallelism()} cores (${cpus()[0].model.trim()})`;
  const page = readFileSync(PAGE, 'utf8');
  const [before, , after] = page.split(/(?<=<!-- bench -->\n)|(?=<!-- end of bench -->)/);
  writeFileSync(PAGE, `${before}\nMeasured with ${machine}.\n\n${parts.join('\n\n')}\n\n${after}`);
}
