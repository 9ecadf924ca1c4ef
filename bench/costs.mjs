#!/usr/bin/env node
// Measures every command by every dimension of test/bombs/growth, and prints the rows above a bound:
// npm run costs -- [--command NAME] [--dimension TEXT] [--kilobytes N] [--part N/M] [--rows FILE] [--known] [--write]
// Each call is measured with a quarter of the input that --kilobytes allows, with a sixteenth if that takes long enough
// to be measured, and with all of it unless these figures show that it is far below the bounds. `--part 2/7` measures the second of seven parts of the dimensions.
// `--rows FILE` adds each row to a file, and measures what the file lacks; with `--known` it measures nothing. `--write`
// puts the worst rows of each command into docs/performance.md, with the number of pairs that were measured. The program
// fails if a row is above a bound, or a call ends with a bug.
import { execFileSync, fork } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/** A call that takes so many seconds of CPU more than twice what it may is stopped, and so is one that takes none for so many. */
const MOST_CPU = 8;
const MOST_IDLE = 600;
const POLL_MS = 2000;
/** A working copy of more files measures the file system. */
const MOST_FILES = 1000;
/** Seconds from which the growth of a row is measured: below, it is the noise of the machine. */
const FLOOR = 0.1;
const MOST_TIMES = 6;
const BUG = 3;

const { values } = parseArgs({
  options: {
    command: { type: 'string' },
    dimension: { type: 'string' },
    kilobytes: { type: 'string', default: '950' },
    rows: { type: 'string' },
    known: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
    write: { type: 'boolean', default: false },
  },
});

/** The seconds of CPU of the whole input: 2 for one below 1 MB, and less in proportion. */
const MOST_SECONDS = (2 * Number(values.kilobytes)) / 950;
/** Rendered objects beyond so many may take more, each of them. */
const MOST_OBJECTS = 20_000;
const SECONDS_OF_OBJECT = 75e-6;
/**
 * Commands and calls that read two versions, render one with two versions of kro, or validate the package before and
 * after an edit: each of them may take what one takes.
 */
const COMPARING = [
  'diff',
  'compat',
  'plan',
  'mcp plan',
  'validate p --fix --dry-run',
  'lsp rename',
  'lsp actions',
  'lsp fix all',
];
/** An exploration renders hundreds of instances: it may take so many times what one rendering takes. */
const EXPLORING = 'validate p --explore';
const EXPLORATIONS = 15;
/** The seconds of CPU of an evaluation of a policy: each policy is evaluated for each object that it matches. */
const SECONDS_OF_EVALUATION = 3e-6;
/** A dimension of pairs has so many objects at most. */
const MOST_PAIRS = 100_000;
/** How many objects, and evaluations of policies, a dimension has that does not only grow by its length. */
let objectsOf = {};
let evaluationsOf = {};

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
/** The number of pairs of each command, of all dimensions. */
const pairCounts = new Map();

const folder = mkdtempSync(join(tmpdir(), 'render-rgd-costs-'));
let rows;
try {
  rows = await measureTable();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
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
  const { dimensions, pairsOf, sizeOf, OBJECTS, EVALUATIONS } = await import(pathToFileURL(program).href);
  objectsOf = OBJECTS;
  evaluationsOf = EVALUATIONS;
  const [part, parts] = values.part.split('/').map(Number);
  const found = knownRows();
  for (const make of Object.values(dimensions)) {
    for (const { command } of pairsOf(make).pairs) pairCounts.set(command, (pairCounts.get(command) ?? 0) + 1);
  }
  if (values.known) return found;
  for (const [index, [dimension, make]] of Object.entries(dimensions).entries()) {
    if (index % parts !== part % parts) continue;
    if (values.dimension !== undefined && !dimension.includes(values.dimension)) continue;
    const n = Math.min(largest(make, sizeOf, Number(values.kilobytes) * 1000), mostOf(dimension));
    const { pairs } = pairsOf(make);
    const known = new Set(found.filter((row) => row.dimension === dimension).map(({ call }) => call));
    const wanted = pairs.filter(
      ({ command, call }) => !known.has(call) && (values.command === undefined || command === values.command),
    );
    const calls = wanted.map(({ call }) => call);
    const kilobytes = Math.round(sizeOf(make, n) / 1000);
    const most = wanted.map(({ command, call }) => mostSeconds({ dimension, n, command, call }));
    await measureRows(program, { dimension, n, most, calls }, wanted, (row) => {
      const complete = { commit, dimension, n, kilobytes, ...row };
      found.push(complete);
      if (values.rows !== undefined) appendFileSync(values.rows, `${JSON.stringify(complete)}\n`);
      if (faultOf(complete) !== undefined) console.log(lineOf(complete));
    });
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

/** Returns the largest number of things of a dimension that has an object for each pair of them. */
function mostOf(dimension) {
  return isOfPairs(objectsOf[dimension]) ? Math.floor(Math.sqrt(MOST_PAIRS)) : Number.POSITIVE_INFINITY;
}

function isOfPairs(count) {
  return count !== undefined && count(4) === 16;
}

/** Returns the rows of an earlier run. */
function knownRows() {
  if (values.rows === undefined || !existsSync(values.rows)) return [];
  const lines = readFileSync(values.rows, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Measures a dimension. A call that does not end is stopped, and the others are measured in a new process. */
async function measureRows(program, task, pairs, onRow) {
  let left = task.calls;
  while (left.length > 0) {
    const most = task.most.slice(task.calls.length - left.length);
    const stopped = await measureIn(program, { ...task, most, calls: left }, onRow);
    if (stopped === undefined) break;
    const { command } = pairs.find(({ call }) => call === stopped.call);
    onRow({ call: stopped.call, command, whole: stopped.cpu, code: stopped.code, stopped: stopped.why });
    left = left.slice(left.indexOf(stopped.call) + 1);
  }
}

/** Runs a process; returns the call at which it was stopped or failed. */
function measureIn(program, task, onRow) {
  return new Promise((resolve) => {
    const child = fork(new URL('support/costs-child.mjs', import.meta.url), [pathToFileURL(program).href], {
      execArgv: ['--expose-gc', '--max-old-space-size=4096'],
    });
    let current = task.calls[0];
    const mostCpu = () => MOST_CPU + 2 * task.most[task.calls.indexOf(current)];
    let isLate = false;
    let since = { seconds: 0, at: performance.now() };
    const timer = setInterval(() => {
      const isIdle = performance.now() - since.at > MOST_IDLE * 1000;
      if (cpuSecondsOf(child.pid) - since.seconds < mostCpu() && !isIdle) return;
      isLate = true;
      child.kill('SIGKILL');
    }, POLL_MS);
    child.on('message', (message) => {
      since = { seconds: cpuSecondsOf(child.pid), at: performance.now() };
      if (message.begins !== undefined) current = message.begins;
      else onRow(message);
    });
    child.on('exit', (code) => {
      clearInterval(timer);
      if (code === 0) return resolve(undefined);
      resolve({
        call: current,
        cpu: mostCpu(),
        code: isLate ? 0 : BUG,
        why: isLate ? 'did not end' : 'the process failed',
      });
    });
    child.send(task);
  });
}

/** Returns the seconds of CPU of a process and of its children that ended; 0 after its end. */
function cpuSecondsOf(pid) {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  const fields = readFileSync(path, 'utf8').split(') ').at(-1).split(' ');
  // The ticks of a second: user and system time, of the process and of its children.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** Returns how often the largest input takes the seconds of a quarter of it; undefined below what can be measured. */
function growthOf({ sixteenth, quarter, whole }) {
  if (quarter === undefined || quarter < FLOOR) return undefined;
  return whole === undefined ? quarter / sixteenth : whole / quarter;
}

function exponentOf(row) {
  const growth = growthOf(row);
  const times = growsByPairs(row.dimension) ? 16 : 4;
  return growth === undefined ? undefined : Math.log(growth) / Math.log(times);
}

/** Returns the seconds of the whole input, measured or four times those of a quarter. */
function secondsOf({ quarter, whole }) {
  return whole ?? 4 * quarter;
}

/** Returns the seconds of CPU that the whole input may take. */
function mostSeconds({ dimension, n, command, call }) {
  const versions = COMPARING.includes(command) || COMPARING.includes(call) ? 2 : 1;
  const objects = versions * (objectsOf[dimension]?.(n) ?? 0);
  const evaluations = versions * (evaluationsOf[dimension]?.(n) ?? 0);
  const ofObjects = Math.max(0, objects - MOST_OBJECTS) * SECONDS_OF_OBJECT;
  const times = call === EXPLORING ? EXPLORATIONS : versions;
  return times * MOST_SECONDS + ofObjects + evaluations * SECONDS_OF_EVALUATION;
}

/** Returns which bound a row is above. */
function faultOf(row) {
  if (row.stopped !== undefined) return row.stopped;
  if (row.code === BUG) return 'ends with a bug';
  const most = mostSeconds(row);
  if (row.whole > most) return `takes more than ${most.toFixed(1)} s`;
  if (growthOf(row) > mostTimes(row)) return 'grows faster than its input';
  return undefined;
}

/** Returns how much four times the things may cost: they are sixteen times the pairs. */
function mostTimes({ dimension }) {
  return growsByPairs(dimension) ? 4 * MOST_TIMES : MOST_TIMES;
}

function growsByPairs(dimension) {
  return isOfPairs(objectsOf[dimension]) || isOfPairs(evaluationsOf[dimension]);
}

function lineOf(row) {
  const exponent = exponentOf(row);
  const figures = `${secondsOf(row).toFixed(2)} s${exponent === undefined ? '' : `, exponent ${exponent.toFixed(2)}`}`;
  return `${row.call}, by ${row.dimension} (${row.n}, ${row.kilobytes} kB): ${figures}, code ${row.code}`;
}

/** The table has a line for each command, with its largest figures and where they were measured. */
function write() {
  const commands = [...pairCounts.keys()].sort();
  const lines = commands.map((command) => {
    const own = rows.filter((row) => row.command === command);
    const slowest = own.toSorted((a, b) => secondsOf(b) - secondsOf(a))[0];
    const steepest = own
      .filter((row) => exponentOf(row) !== undefined)
      .toSorted((a, b) => exponentOf(b) - exponentOf(a))[0];
    return [
      command,
      `${own.length} of ${pairCounts.get(command)}`,
      `${own.filter((row) => faultOf(row) !== undefined).length}`,
      slowest === undefined ? '' : `${secondsOf(slowest).toFixed(1)}, ${slowest.dimension}`,
      steepest === undefined ? '' : `${exponentOf(steepest).toFixed(2)}, ${steepest.dimension}`,
    ];
  });
  const commits = [...new Set(rows.map((row) => row.commit))].sort().join(', ');
  const all = [...pairCounts.values()].reduce((sum, count) => sum + count, 0);
  const about = `${rows.length} of ${all} pairs measured, ${wrong.length} above a bound (commit ${commits}).`;
  const head = ['', 'pairs measured', 'above a bound', 'most CPU seconds', 'largest exponent'];
  const table = markdownTable([head, ...lines]);
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error('docs/performance.md has no place for the costs');
  writeFileSync(PAGE, `${page.slice(0, start + START.length)}\n${about}\n\n${table}\n\n${page.slice(end)}`);
}
