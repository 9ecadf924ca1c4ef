// The tests that start whole programs, on a copy of the repository whose bundles contain the mutants.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copySources } from '../../tools/ci/sources.mjs';
import { instrument } from './instrument.ts';
import { byFile, type Mutant } from './mutators.ts';

/** Tests of what has no bundle of a command in it, or takes another build. */
const OTHERS = /^(?:bundle|consumers|docs|image|native|package|playground.*|release|supply-chain|vscode.*)\.test\.ts$/;

/** A run without a mutant may take so long, in milliseconds. */
const MOST = 600_000;
/** A run with one may take so many times as long as without, and so long more: some mutants do not end. */
const SLOWER = { times: 3, more: 20_000 };

/** Runs end-to-end tests with one mutant at a time. */
export class ProgramRun {
  readonly #root = mkdtempSync(join(tmpdir(), 'render-rgd-programs-'));
  readonly #state = join(this.#root, 'state');
  readonly #copy = join(this.#root, 'repository');
  /** What each test file takes without a mutant, in milliseconds. */
  readonly #times = new Map<string, number>();

  /** Copies the repository, adds the mutants to its sources, and builds it. @throws if the build fails */
  build(mutants: ReadonlyMap<number, Mutant>): void {
    mkdirSync(this.#state);
    mkdirSync(this.#copy);
    copySources(process.cwd(), this.#copy);
    for (const [file, entries] of byFile(mutants)) {
      const text = instrument(file, readFileSync(file, 'utf8'), entries, hooksIn(this.#state));
      writeFileSync(join(this.#copy, file), text);
    }
    const { status, stderr } = this.#node(['tools/build.mjs', '--no-types']);
    if (status !== 0) throw new Error(`the sources with mutants cannot be built: ${stderr}`);
  }

  /**
   * Runs each test file without a mutant. Returns the files that run each mutant, those that take the least time first;
   * a file that fails is left out, and said.
   */
  record(): ReadonlyMap<number, readonly string[]> {
    const tests = readdirSync(join(this.#copy, 'test/e2e')).filter(
      (name) => name.endsWith('.test.ts') && !OTHERS.test(name),
    );
    const runs = tests.map((name) => {
      const test = `test/e2e/${name}`;
      const start = performance.now();
      const passes = this.#passes(test, -1, MOST);
      const time = performance.now() - start;
      this.#times.set(test, time);
      if (!passes) console.log(`without a mutant, a test fails: ${test}`);
      return { test, time, reached: passes ? this.#reached() : [] };
    });
    const found = new Map<number, string[]>();
    for (const { test, reached } of runs.sort((one, other) => one.time - other.time)) {
      for (const id of reached) found.set(id, [...(found.get(id) ?? []), test]);
    }
    return found;
  }

  /** Reports whether a test file notices a mutant. */
  kills(test: string, id: number): boolean {
    const most = (this.#times.get(test) ?? 0) * SLOWER.times + SLOWER.more;
    return !this.#passes(test, id, most);
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #passes(test: string, active: number, most: number): boolean {
    rmSync(join(this.#state, 'reached'), { recursive: true, force: true });
    mkdirSync(join(this.#state, 'reached'));
    writeFileSync(join(this.#state, 'active'), String(active));
    const config = ['--config', 'test/e2e/vitest.config.ts', '--bail', '1'];
    return this.#node(['node_modules/vitest/vitest.mjs', 'run', ...config, test], most).status === 0;
  }

  #reached(): readonly number[] {
    return readdirSync(join(this.#state, 'reached')).map(Number);
  }

  #node(args: readonly string[], timeout = MOST): { status: number | null; stderr: string } {
    return spawnSync(process.execPath, args, {
      cwd: this.#copy,
      encoding: 'utf8',
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: 1 << 28,
    });
  }
}

/** Returns the hooks of a program: the file `active` names its mutant; what it reaches becomes a file. */
const hooksIn = (folder: string): string => `(globalThis.__mutants ??= (() => {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  const folder = ${JSON.stringify(folder)};
  const active = fs === undefined ? -1 : Number(fs.readFileSync(folder + '/active', 'utf8'));
  const seen = new Set();
  const __mutant = (id) => {
    if (active >= 0 || seen.has(id)) return id === active;
    seen.add(id);
    try { fs?.writeFileSync(folder + '/reached/' + id, ''); } catch {}
    return false;
  };
  return { __mutant, __tick() {} };
})())`;
