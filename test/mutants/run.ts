import { setMaxListeners } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { BaseSequencer, createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { instrument } from './instrument.ts';
import { byFile, type Mutant } from './mutators.ts';
import type { Finding, Task } from './state.ts';

/** The process that runs tests is ended if one mutant runs for so long, in milliseconds: it does not end. */
const SILENCE = 180_000;

export interface Outcome {
  findings: readonly Finding[];
  /** The test files that fail without a mutant, or with the one that is active from the start. */
  failed: readonly string[];
  /** The last mutant that was tried did not end. */
  isEnded: boolean;
}

/** Runs the test files in the order in which they are given: the ones that are near a mutant take the least time. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

/** Runs tests on sources that contain all of the mutants. */
export class TestRun {
  readonly #folder = mkdtempSync(join(tmpdir(), 'render-rgd-mutants-'));
  readonly #mutants: ReadonlyMap<number, Mutant>;
  #vitest: Vitest | undefined;

  constructor(mutants: ReadonlyMap<number, Mutant>) {
    this.#mutants = mutants;
  }

  async start(): Promise<void> {
    process.env.MUTANTS = this.#folder;
    // The runner has one for each test file.
    setMaxListeners(0);
    const files = new Map([...byFile(this.#mutants)].map(([file, entries]) => [resolve(file), entries]));
    this.#vitest = await createVitest(
      'test',
      {
        config: false,
        watch: false,
        root: process.cwd(),
        include: ['test/**/*.test.ts'],
        exclude: ['test/e2e/**', 'test/bombs/**'],
        setupFiles: ['test/mutants/setup.ts', 'test/seed.ts', 'test/messages.ts', 'test/clean-up.ts'],
        runner: './test/mutants/runner.ts',
        pool: 'forks',
        isolate: false,
        maxWorkers: 1,
        testTimeout: 0,
        hookTimeout: 0,
        reporters: [{}],
        sequence: { sequencer: AsGiven },
        silent: true,
        env: { PROPERTIES: '0.1' },
      },
      {
        plugins: [
          {
            name: 'mutants',
            enforce: 'pre',
            transform(code: string, id: string): string | undefined {
              const entries = files.get(id);
              return entries === undefined ? undefined : instrument(id, code, entries);
            },
          },
        ],
      },
    );
  }

  /** Runs tests, and returns what they found. */
  async run(tests: readonly string[], task: Task): Promise<Outcome> {
    const vitest = this.#vitest;
    if (vitest === undefined) throw new Error('the run has not started');
    writeFileSync(join(this.#folder, 'task.json'), JSON.stringify(task));
    rmSync(this.#findings, { force: true });
    const project = vitest.getRootProject();
    // One failure is enough for a mutant that is alone.
    project.config.bail = task.active === undefined ? 0 : 1;
    const specifications = tests.map((test) => project.createSpecification(resolve(test)));
    let isEnded = false;
    const watch = setInterval(() => {
      if (!this.#isSilent()) return;
      isEnded = true;
      const id = this.#read().findLast((finding) => finding.type === 'process')?.id;
      if (id !== undefined) process.kill(id, 'SIGKILL');
    }, 1000);
    try {
      const { testModules } = await vitest.runTestSpecifications(specifications);
      const failed = testModules.filter((module) => module.state() === 'failed');
      return {
        findings: this.#read(),
        failed: failed.map(({ moduleId }) => relative(process.cwd(), moduleId)),
        isEnded,
      };
    } finally {
      clearInterval(watch);
    }
  }

  get #findings(): string {
    return join(this.#folder, 'findings');
  }

  /** Returns whether a mutant runs for too long. */
  #isSilent(): boolean {
    const last = this.#read().at(-1);
    if (last?.type !== 'try' && last?.type !== 'process') return false;
    return Date.now() - statSync(this.#findings).mtimeMs > SILENCE;
  }

  #read(): readonly Finding[] {
    if (!existsSync(this.#findings)) return [];
    const lines = readFileSync(this.#findings, 'utf8').trim().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Finding);
  }

  async close(): Promise<void> {
    await this.#vitest?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
