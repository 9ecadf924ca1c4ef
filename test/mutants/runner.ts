import type { RunnerTestCase, RunnerTestSuite } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';
import { getFn, getHooks } from 'vitest/suite';
import { mutants } from './state.ts';

/**
 * Runs each test, and then once more with each mutant that it reaches and that no test has killed. The modules stay in
 * memory, so most mutants take milliseconds. The hooks of the test run each time. A test that fails kills a mutant only
 * if it passes right after, without it: a test may not be able to run twice, and a mutant may leave something behind.
 */
export default class MutantRunner extends VitestTestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = getFn(test);
    const all = mutants();
    const file = test.file.name;
    const name = `${file} > ${test.name}`;
    if (all.task.active !== undefined) {
      all.turns = 0;
      await run();
      return;
    }
    for (const mutant of all.reached()) all.say({ type: 'loaded', mutant, file });
    all.record();
    const before = process.cpuUsage();
    await run();
    const cost = millisecondsSince(before);
    const { turns } = all;
    const reached = all.reached();
    for (const mutant of reached) all.say({ type: 'reached', mutant, file });
    for (const mutant of reached.filter((one) => all.isTried(one, file))) {
      const spent = all.spent.get(mutant) ?? 0;
      if (spent + cost > all.task.budget) continue;
      all.say({ type: 'try', mutant, test: name });
      const since = process.cpuUsage();
      const isNew = !(await failure(() => renew(test)));
      all.activate(mutant, turns);
      const fails = await failure(run);
      if (!all.reached().includes(mutant)) all.say({ type: 'cached', mutant, file });
      all.record();
      if (fails) {
        if (!isNew || (await failure(() => renew(test).then(run)))) {
          all.say({ type: 'unusable', test: name });
          for (const left of reached) all.say({ type: 'cached', mutant: left, file });
          return;
        }
        all.open.delete(mutant);
        all.say({ type: 'killed', mutant, test: name, file });
        continue;
      }
      all.spent.set(mutant, spent + millisecondsSince(since));
    }
    all.record();
  }
}

/** Runs the hooks after a test, and those before it. */
async function renew(test: RunnerTestCase): Promise<void> {
  const suites: RunnerTestSuite[] = [];
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) suites.push(suite);
  // The hooks of a file belong to it, and to a suite that it may not have.
  if (!suites.includes(test.file)) suites.push(test.file);
  for (const suite of suites)
    for (const hook of [...getHooks(suite).afterEach].reverse()) await hook(test.context, suite);
  for (const suite of suites.reverse()) for (const hook of getHooks(suite).beforeEach) await hook(test.context, suite);
}

function millisecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function failure(run: () => unknown): Promise<boolean> {
  try {
    await run();
    return false;
  } catch {
    return true;
  }
}
