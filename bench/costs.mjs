#!/usr/bin/env node
// Measures every command by every dimension of test/bombs/growth, and prints the rows above a bound:
// npm run costs -- [--command NAME] [--dimension TEXT] [--kilobytes N] [--json FILE] [--write]
// The larger input is as large as --kilobytes allows, and the smaller one has a quarter of its things. `--write` puts
// the table into docs/performance.md. The program fails if a row is above a bound, or a call ends with a bug.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { markdownTable } from './support/table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = new URL('../docs/performance.md', import.meta.url);
const START = '<!-- costs -->\n';
const END = '<!-- end of costs -->';
/** A call that takes longer is stopped. */
const MOST_MS = 60_000;
/** A working copy of more files measures the file system. */
const MOST_FILES = 1000;
/** Seconds from which the exponent of a row is measured: below, it is the noise of the machine. */
const FLOOR = 0.3;
const BUG = 3;

const { values } = parseArgs({
  options: {
    command: { type: 'string' },
    dimension: { type: 'string' },
    kilobytes: { type: 'string', default: '950' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'render-rgd-costs-'));
let rows;
try {
  rows = await measureTable();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, undefined, 1));
const wrong = rows.filter((row) => faultOf(row) !== undefined);
const summary = `${rows.length} rows, ${wrong.length} above a bound`;
console.log(`\n${summary}`);
for (const row of wrong) console.log(`${faultOf(row)}: ${lineOf(row)}`);
if (values.write) write();
if (wrong.length > 0) process.exitCode = 1;

async function measureTable() {
  const program = join(folder, 'measured.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/bombs/growth/measured.ts'],
    bundle: true,
    outfile: program,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    loader: { '.yaml': 'text' },
  });
  const { dimensions, pairsOf, sizeOf } = await import(pathToFileURL(program).href);
  const found = [];
  for (const [dimension, make] of Object.entries(dimensions)) {
    if (values.dimension !== undefined && !dimension.includes(values.dimension)) continue;
    const n = largest(make, sizeOf, Number(values.kilobytes) * 1000);
    const { pairs } = pairsOf(make);
    const wanted = pairs.filter(({ command }) => values.command === undefined || command === values.command);
    const calls = wanted.map(({ call }) => call);
    const kilobytes = Math.round(sizeOf(make, n) / 1000);
    for (const row of await rowsOf(program, { dimension, n, floor: FLOOR, calls }, wanted)) {
      const whole = { dimension, n, kilobytes, ...row };
      found.push(whole);
      if (faultOf(whole) !== undefined) console.log(lineOf(whole));
    }
    console.log(`# ${dimension}: ${n}, ${kilobytes} kB, ${calls.length} calls`);
  }
  return found;
}

/** Returns the largest number of things whose files are below a number of bytes. */
function largest(make, sizeOf, bytes) {
  const fits = (n) => sizeOf(make, n) <= bytes && Object.keys(make(n)).length <= MOST_FILES;
  let low = 4;
  let high = 8;
  while (fits(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > low / 50 + 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the rows of a dimension. A call that does not end is stopped, and the others are measured in a new process. */
async function rowsOf(program, task, pairs) {
  const found = [];
  let left = task.calls;
  while (left.length > 0) {
    const stopped = await measureIn(program, { ...task, calls: left }, (row) => found.push(row));
    if (stopped === undefined) break;
    const { command } = pairs.find(({ call }) => call === stopped.call);
    found.push({ call: stopped.call, command, last: MOST_MS / 1000, code: stopped.code, stopped: stopped.why });
    left = left.slice(left.indexOf(stopped.call) + 1);
  }
  return found;
}

/** Runs a process; returns the call at which it was stopped or failed. */
function measureIn(program, task, onRow) {
  return new Promise((resolve) => {
    const child = fork(new URL('support/costs-child.mjs', import.meta.url), [pathToFileURL(program).href], {
      execArgv: ['--expose-gc', '--max-old-space-size=4096'],
    });
    let current = task.calls[0];
    let isLate = false;
    let timer;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, MOST_MS);
    };
    watch();
    child.on('message', (message) => {
      watch();
      if (message.begins !== undefined) current = message.begins;
      else onRow(message);
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (code === 0) return resolve(undefined);
      resolve({ call: current, code: isLate ? 0 : BUG, why: isLate ? 'did not end' : 'the process failed' });
    });
    child.send(task);
  });
}

function exponentOf({ first, last }) {
  return first === undefined ? undefined : Math.log(last / first) / Math.log(4);
}

/** Returns which bound a row is above. */
function faultOf(row) {
  if (row.stopped !== undefined) return row.stopped;
  if (row.code === BUG) return 'ends with a bug';
  if (row.last > 2) return 'takes more than 2 s';
  if (row.first !== undefined && row.last / row.first > 6) return 'grows faster than its input';
  return undefined;
}

function lineOf(row) {
  const exponent = exponentOf(row);
  const figures = `${row.last.toFixed(2)} s${exponent === undefined ? '' : `, exponent ${exponent.toFixed(2)}`}`;
  return `${row.call}, by ${row.dimension} (${row.n}, ${row.kilobytes} kB): ${figures}, code ${row.code}`;
}

/** The table has a line for each dimension, and a column for each command: the call that takes the longest. */
function write() {
  const commands = [...new Set(rows.map(({ command }) => command))];
  const names = [...new Set(rows.map(({ dimension }) => dimension))];
  const lines = names.map((dimension) => {
    const own = rows.filter((row) => row.dimension === dimension);
    const cells = commands.map((command) => cellOf(own.filter((row) => row.command === command)));
    return [dimension, `${own[0].kilobytes}`, ...cells];
  });
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error('docs/performance.md has no place for the costs');
  const table = markdownTable([['', 'kB', ...commands], ...lines]);
  writeFileSync(PAGE, `${page.slice(0, start + START.length)}\n${summary}.\n\n${table}\n\n${page.slice(end)}`);
}

function cellOf(own) {
  if (own.length === 0) return '';
  const worst = own.toSorted((a, b) => b.last - a.last)[0];
  const exponents = own.map(exponentOf).filter((one) => one !== undefined);
  const text = worst.stopped === undefined ? worst.last.toFixed(2) : `over ${worst.last}`;
  return exponents.length === 0 ? text : `${text} (${Math.max(...exponents).toFixed(1)})`;
}
