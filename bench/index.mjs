#!/usr/bin/env node
// Runs the benchmarks of this folder and prints their tables: `npm run bench`, or `npm run bench -- compile` for one.
// `--short` measures less, for CI; `--write` writes the tables to docs/performance.md; `--beside COMMIT` builds another
// commit too, and compares only with that. A benchmark is a file that
// exports `title` and `run({ short })`, which returns the lines of a table (the first is its head) and its claims.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform } from 'node:os';
import { parseArgs } from 'node:util';
import { helm } from './support/helm.mjs';
import { figureText, markdownTable } from './support/table.mjs';

const BENCHES = [
  'render',
  'resourceset',
  'fleet',
  'versions',
  'plan',
  'compile',
  'hostile',
  'bombs',
  'bounds',
  'commands',
  'playground',
  'language',
];
const START = '<!-- bench -->\n';
const END = '<!-- end of bench -->';
const PAGE = new URL('../docs/performance.md', import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    beside: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) throw new Error(`there is no bench ${unknown.join(', ')}, only ${BENCHES.join(', ')}`);
const chosen = BENCHES.filter((name) => positionals.length === 0 || positionals.includes(name));
const wanted = values.beside === undefined ? chosen : ['beside'];

const parts = [];
const claims = [];
for (const name of wanted) {
  const { title, run } = await import(`./${name}.mjs`);
  const result = await run({ short: values.short, beside: values.beside });
  show(`### ${title}\n\n${markdownTable(result.lines)}`);
  claims.push(...result.claims);
}
if (claims.length > 0)
  show(`### Targets\n\n${markdownTable([['', 'measured', 'target', ''], ...claims.map(claimLine)])}`);
if (values.write) write();

function show(part) {
  parts.push(part);
  console.log(`${part}\n`);
}

function claimLine({ name, figure, target, unit }) {
  const verdict = figure <= target ? 'met' : '**missed**';
  return [name, `${figureText(figure)} ${unit}`.trim(), `at most ${target} ${unit}`.trim(), verdict];
}

function machine() {
  const tools = [`Node ${process.versions.node}`];
  if (helm !== undefined) tools.push(`helm ${execFileSync(helm, ['version', '--short'], { encoding: 'utf8' }).trim()}`);
  return `${tools.join(' and ')}, ${platform()} ${arch()}, ${availableParallelism()} cores (${cpus()[0].model.trim()})`;
}

function write() {
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error('docs/performance.md has no place for the tables');
  const tables = ['', `Measured with ${machine()}.`, ...parts, ''].join('\n\n').slice(1);
  writeFileSync(PAGE, page.slice(0, start + START.length) + tables + page.slice(end));
}
