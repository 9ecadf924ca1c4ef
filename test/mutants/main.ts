import { parseArgs } from 'node:util';
import { replaceSection, table } from '../fidelity/page.ts';
import { equivalentOf } from './equivalent.ts';
import { testsByDistance } from './graph.ts';
import type { Mutant } from './mutators.ts';
import { ProgramRun } from './programs.ts';
import { type Outcome, percent, rowsOf, survivorText } from './report.ts';
import { TestRun } from './run.ts';
import { draw, filesIn, mutantsIn, nearestTests } from './sample.ts';
import type { Finding, Task } from './state.ts';

/** The processor time in milliseconds that a mutant may take in the tests of its folder, in other ones, and in long ones. */
const BUDGET = { near: 8000, wide: 6000, heavy: 20_000 };
/** How many test files are run for one mutant in a process of its own. */
const ALONE = 4;
/** More than so many percent may not survive. */
const MOST = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    line: { type: 'string' },
    near: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const [folder = 'src'] = positionals;
const candidates = mutantsIn(folder).filter(({ line }) => values.line === undefined || line === Number(values.line));
const sample = draw(candidates, Number(values.count), Number(values.seed));
const tests = filesIn('test').filter(
  (file) =>
    file.endsWith('.test.ts') &&
    !/\.(heavy|isolated)\.test\.ts$/.test(file) &&
    !/^test\/(e2e|bombs|fuzz|mutants|tools)\//.test(file),
);
const heavy = filesIn('test').filter((file) => /\.heavy\.test\.ts$/.test(file));
const mutants = new Map([...sample.entries()].filter(([, mutant]) => equivalentOf(mutant) === undefined));
const killed = new Set<number>();
const reachedBy = new Map<number, Set<string>>();
/** The test files in which a mutant is in effect only when a module is loaded, or in the first run of a test. */
const outside = new Map<number, Set<string>>();

console.log(`${sample.length} of ${candidates.length} mutants of ${folder}, seed ${values.seed}`);
const run = new TestRun(mutants);
try {
  await run.start();
  await tryNear();
  if (!values.near) {
    await tryAmong(tests, BUDGET.wide);
    await tryAmong(heavy, BUDGET.heavy);
    for (const id of open().filter((one) => outside.has(one))) await tryAlone(id);
  }
} finally {
  await run.close();
}
if (!values.near) tryPrograms();
report();

function open(): number[] {
  return [...mutants.keys()].filter((id) => !killed.has(id));
}

/** Tries each mutant in the tests of its folder. */
async function tryNear(): Promise<void> {
  const openIn: Record<string, number[]> = {};
  for (const [id, { file }] of mutants) {
    for (const test of nearestTests(file, tests)) {
      openIn[test] ??= [];
      openIn[test].push(id);
    }
  }
  await tryAll(Object.keys(openIn).sort(), BUDGET.near, openIn);
}

/** Tries each mutant in the other ones of these tests that load its file: the fewest imports away first. */
async function tryAmong(some: readonly string[], budget: number): Promise<void> {
  const left = open();
  const sources = [...new Set(left.map((id) => fileOf(id)))];
  const byDistance = testsByDistance(sources, some);
  const openIn: Record<string, number[]> = {};
  const rank = new Map<string, number>();
  for (const id of left) {
    const near = new Set(nearestTests(fileOf(id), tests));
    for (const [at, test] of (byDistance.get(fileOf(id)) ?? []).entries()) {
      if (near.has(test)) continue;
      openIn[test] ??= [];
      openIn[test].push(id);
      rank.set(test, Math.min(at, rank.get(test) ?? at));
    }
  }
  const files = [...rank].sort(([, one], [, other]) => one - other).map(([test]) => test);
  await tryAll(files, budget, openIn);
}

function fileOf(id: number): string {
  return (mutants.get(id) as Mutant).file;
}

/** Tries each mutant in each of the tests that reaches it, all in one process. */
async function tryAll(files: readonly string[], budget: number, openIn?: Task['openIn']): Promise<void> {
  if (open().length === 0 || files.length === 0) return;
  const task: Task = { count: sample.length, open: open(), budget };
  const { findings, failed, isEnded } = await run.run(files, openIn === undefined ? task : { ...task, openIn });
  for (const finding of findings) note(finding);
  if (isEnded) {
    const last = findings.findLast((finding) => finding.type === 'try');
    if (last !== undefined) killed.add(last.mutant);
    return tryAll(files, budget, openIn);
  }
  if (failed.length > 0) console.log(`without a mutant, tests fail: ${failed.join(', ')}`);
  console.log(`${files.length} test files: ${killed.size} killed, ${open().length} left`);
}

function note(finding: Finding): void {
  if (finding.type === 'killed') killed.add(finding.mutant);
  if (finding.type === 'unusable') console.log(`cannot run twice: ${finding.test}`);
  if (finding.type === 'reached') add(reachedBy, finding);
  if (finding.type === 'loaded' || finding.type === 'cached') add(outside, finding);
}

function add(files: Map<number, Set<string>>, { mutant, file }: { mutant: number; file: string }): void {
  files.set(mutant, (files.get(mutant) ?? new Set<string>()).add(file));
}

/**
 * Tries a mutant in a process of its own: it is in effect when a module is loaded, or only before something is computed
 * that the module keeps.
 */
async function tryAlone(id: number): Promise<void> {
  const near = nearestTests(fileOf(id), tests);
  // What is in effect when its module is loaded is tested where the rest of the module is.
  const beside = [...mutants].flatMap(([other, { file }]) =>
    file === fileOf(id) ? [...(reachedBy.get(other) ?? [])] : [],
  );
  const known = [...(reachedBy.get(id) ?? []), ...beside, ...near, ...(outside.get(id) ?? [])];
  const files = new Set([...known.filter((one) => near.includes(one)), ...known]);
  const task = { count: sample.length, active: id, open: [], budget: 0 };
  const { failed, isEnded } = await run.run([...files].slice(0, ALONE), task);
  if (failed.length > 0 || isEnded) killed.add(id);
}

/** Tries each mutant in the end-to-end tests that run it: those that take the least time. */
function tryPrograms(): void {
  if (open().length === 0) return;
  const programs = new ProgramRun();
  try {
    programs.build(new Map(open().map((id) => [id, mutants.get(id) as Mutant])));
    for (const [id, files] of programs.record()) {
      for (const file of files) add(reachedBy, { mutant: id, file });
      if (files.slice(0, ALONE).some((file) => programs.kills(file, id))) killed.add(id);
    }
    console.log(`end-to-end tests: ${killed.size} killed, ${open().length} left`);
  } finally {
    programs.close();
  }
}

function report(): void {
  const outcomes = sample.map((mutant, id): Outcome => {
    const fate = !mutants.has(id) ? 'equivalent' : killed.has(id) ? 'killed' : 'survived';
    return { mutant, fate, files: reachedBy.get(id)?.size ?? 0 };
  });
  const survivors = outcomes.filter(({ fate }) => fate === 'survived');
  for (const outcome of survivors) console.log(survivorText(outcome));
  const rows = rowsOf(outcomes);
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  for (const row of rows) console.log(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
  const counted = mutants.size;
  console.log(`${percent(survivors.length, counted)} of ${counted} survive; ${MOST} % may`);
  if (values.write) replaceSection('mutants', table(rows));
  process.exitCode = counted > 0 && survivors.length * 100 <= counted * MOST ? 0 : 1;
}
