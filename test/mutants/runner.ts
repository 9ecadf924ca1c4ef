import type { RunnerTestCase } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';
import { getFn } from 'vitest/suite';
import { mutants } from './state.ts';

/**
 * Runs each test, and then once more with each mutant that it reaches and that no test has killed. The modules stay in
 * memory, so most mutants take milliseconds. A test that fails kills a mutant only if it passes right after, without it:
 * a test may not be able to run twice, and a mutant may leave something behind.
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
      all.activate(mutant, turns);
      const fails = await failure(run);
      all.record();
      if (fails) {
        if (await failure(run)) {
          all.say({ type: 'unusable', test: name });
          return;
        }
        all.open.delete(mutant);
        all.say({ type: 'killed', mutant, test: name, file });
        continue;
      }
      all.spent.set(mutant, spent + millisecondsSince(since));
    }
  }
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
