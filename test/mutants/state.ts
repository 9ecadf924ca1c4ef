// The mutants of the process that runs the tests. Its sources ask `__mutant` which of them is active.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a run of the tests is to do; the process that runs them reads it when it starts. */
export interface Task {
  /** Number of mutants. */
  count: number;
  /** A mutant that is active from the start, for those that are in effect when a module is loaded. */
  active?: number;
  /** The mutants to try in each test that reaches them. */
  open: readonly number[];
  /** If it is set, the mutants to try in each test file; none in others. */
  openIn?: Readonly<Record<string, readonly number[]>>;
  /** The processor time in milliseconds that one mutant may take. */
  budget: number;
}

/** What it finds. */
export type Finding =
  | { type: 'process'; id: number }
  | { type: 'try'; mutant: number; test: string }
  | { type: 'killed'; mutant: number; test: string; file: string }
  | { type: 'reached'; mutant: number; file: string }
  /** It is in effect outside of tests: when a module is loaded, or in a hook. */
  | { type: 'loaded'; mutant: number; file: string }
  /** The test reaches it only in its first run: the result is kept. */
  | { type: 'cached'; mutant: number; file: string }
  | { type: 'unusable'; test: string };

/** A test may take a hundred times as many turns of loops as without the mutant, and these. */
const TURNS = 1_000_000;
const folder = process.env.MUTANTS;

const ONCE: ReadonlySet<Finding['type']> = new Set(['reached', 'loaded', 'cached']);

export class Mutants {
  active = -1;
  readonly task: Task;
  readonly open: Set<number>;
  readonly #reached: Uint8Array;
  readonly #said = new Set<string>();
  readonly spent = new Map<number, number>();
  turns = 0;
  #limit = Number.POSITIVE_INFINITY;

  constructor(task: Task) {
    this.task = task;
    this.#reached = new Uint8Array(task.count);
    this.open = new Set(task.open);
    if (task.active !== undefined) {
      this.active = task.active;
      this.#limit = TURNS * 1000;
    }
  }

  readonly __mutant = (id: number): boolean => {
    this.#reached[id] = 1;
    return id === this.active;
  };

  readonly __tick = (): void => {
    if (++this.turns > this.#limit) throw new Error('a mutant does not end');
  };

  /** Starts to record what is reached. */
  record(): void {
    this.active = -1;
    this.turns = 0;
    this.#limit = Number.POSITIVE_INFINITY;
    this.#reached.fill(0);
  }

  /** Returns whether to try a mutant in a test file. */
  isTried(id: number, file: string): boolean {
    const { openIn } = this.task;
    return this.open.has(id) && (openIn === undefined || openIn[file]?.includes(id) === true);
  }

  reached(): readonly number[] {
    return [...this.#reached.keys()].filter((id) => this.#reached[id] === 1);
  }

  activate(id: number, turns: number): void {
    this.active = id;
    this.turns = 0;
    this.#reached.fill(0);
    this.#limit = turns * 100 + TURNS;
  }

  say(finding: Finding): void {
    const line = JSON.stringify(finding);
    if (ONCE.has(finding.type) && this.#said.has(line)) return;
    this.#said.add(line);
    appendFileSync(join(folder ?? '.', 'findings'), `${line}\n`);
  }
}

declare global {
  var __mutants: Mutants | undefined;
}

/** Test files share modules, so the first of them makes the state. */
export function mutants(): Mutants {
  if (globalThis.__mutants !== undefined) return globalThis.__mutants;
  const task = join(folder ?? '.', 'task.json');
  const none: Task = { count: 0, open: [], budget: 0 };
  const made = new Mutants(existsSync(task) ? (JSON.parse(readFileSync(task, 'utf8')) as Task) : none);
  globalThis.__mutants = made;
  made.say({ type: 'process', id: process.pid });
  return made;
}
