/** What `npm run costs` measures in a process of its own, which bench/costs.mjs starts. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../src/cli/cli.ts';
import { recordingIo } from '../../cli/recording.ts';
import { asked } from './asked.ts';
import { type Call, calls } from './commands.ts';
import { inVersion, workingCopy } from './copy.ts';
import { type Dimension, dimensions, EVALUATIONS, type Files, OBJECTS } from './dimensions.ts';
import { reads } from './input.ts';
import { openAll, requests, type Server } from './server.ts';

export { dimensions, EVALUATIONS, OBJECTS };

/** A pair of the table. */
export interface Pair {
  /** The command line, or the name of a request of a server. */
  call: string;
  command: string;
}

/** A pair, in seconds of CPU with a quarter of the input, a sixteenth and the whole of it. */
export interface Row extends Pair {
  quarter: number;
  /** Absent if a quarter takes less than what can be measured. */
  sixteenth?: number;
  /** Absent if the others show that it is far below the bounds. */
  whole?: number;
  code: number;
}

/** What is measured: `n` of the whole input. */
export interface Task {
  dimension: string;
  n: number;
  /** The seconds of CPU of each call, by its position. */
  most: readonly number[];
  calls: readonly string[];
}

const OPEN = 'lsp open';
/** Requests whose results a server keeps for a state of a package. */
const CHECKS_AGAIN = ['lsp key', 'lsp actions', 'lsp fix all'];
const titleOf = (call: Call): string => (call.args.length === 0 ? 'the function' : call.args.join(' '));

/** What calls write into the working copy. */
const WRITTEN = ['out', 'schemas', 'planned'];

/** Commands of which no call reads a file. */
const READS_NOTHING = ['init', 'completion'];

function allCalls(): (Pair & { of: Call })[] {
  return Object.entries(calls).flatMap(([command, list]) => list.map((of) => ({ command, call: titleOf(of), of })));
}

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => folder === '.' || path.startsWith(`${folder}/`));

/** Returns the pairs of a dimension, and why each of the others is not measured. */
export function pairsOf(make: Dimension): { pairs: Pair[]; skipped: (Pair & { reason: string })[] } {
  const small = make(4);
  const grown = Object.entries(make(8)).flatMap(([path, text]) => (text === small[path] ? [] : [path]));
  const pairs: Pair[] = [];
  const skipped: (Pair & { reason: string })[] = [];
  for (const { command, call, of } of allCalls()) {
    if (READS_NOTHING.includes(command)) skipped.push({ command, call, reason: 'reads no file' });
    else if (grown.some((path) => reads(of, path))) pairs.push({ command, call });
    else skipped.push({ command, call, reason: 'reads none of the files that grow' });
  }
  for (const [call, { command, reads: folders }] of Object.entries(asked)) {
    if (grown.some((path) => isBelow(path, folders))) pairs.push({ command, call });
    else skipped.push({ command, call, reason: 'reads none of the files that grow' });
  }
  for (const call of [OPEN, ...Object.keys(requests)]) pairs.push({ command: 'lsp', call });
  return { pairs, skipped };
}

/** Returns the bytes of the files that grow in a dimension. */
export function sizeOf(make: Dimension, n: number): number {
  let size = 0;
  for (const text of Object.values(make(n))) size += text.length;
  return size;
}

/** Returns the files that a language server reads of a working copy. */
const ofServer = (files: Files): Files =>
  Object.fromEntries(Object.entries(inVersion(files, 'newer')).filter(([path]) => /^[^.].*\.ya?ml$/.test(path)));

/** Returns the seconds of CPU of this process, and of its children that have ended. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  // The fields after the name of the program: 13 and 14 are the ticks of children.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
}

async function secondsOf(call: () => unknown): Promise<number> {
  globalThis.gc?.();
  const start = cpuSeconds();
  await call();
  return cpuSeconds() - start;
}

/** The copies of a dimension of one size. They are made when they are needed. */
class Copies {
  readonly #files: Files;
  readonly #folders = new Map<boolean, string>();
  #server: Server | undefined;

  constructor(files: Files) {
    this.#files = files;
  }

  folder(withCopies: boolean): string {
    const known = this.#folders.get(withCopies);
    if (known !== undefined) return known;
    const made = workingCopy(this.#files, withCopies);
    this.#folders.set(withCopies, made);
    return made;
  }

  /** Returns a server that has answered nothing. What it checked is known to the others, except to those that change it. */
  #serverFor(call: string): Server {
    if (CHECKS_AGAIN.includes(call)) return openAll(ofServer(this.#files));
    this.#server ??= openAll(ofServer(this.#files));
    const workspace = this.#server.workspace.fork();
    return { workspace, files: [...workspace.files.values()] };
  }

  remove(): void {
    process.chdir('/');
    for (const folder of this.#folders.values()) rmSync(folder, { recursive: true, force: true });
  }

  async measure(call: string): Promise<{ seconds: number; code: number }> {
    if (call === OPEN) return { seconds: await secondsOf(() => openAll(ofServer(this.#files))), code: 0 };
    const request = requests[call];
    if (request !== undefined) {
      let longest = 0;
      for (const one of request(this.#serverFor(call))) longest = Math.max(longest, await secondsOf(one));
      return { seconds: longest, code: 0 };
    }
    const toServer = asked[call];
    if (toServer !== undefined) {
      // A server searches the working copy for RGDs.
      process.chdir(this.folder(false));
      return { seconds: await secondsOf(() => toServer.ask()), code: 0 };
    }
    const found = allCalls().find((one) => one.call === call);
    if (found === undefined) throw new Error(`there is no call ${call}`);
    const { args, input } = found.of;
    const folder = this.folder(!(args.includes('.') || args[0] === 'plugin'));
    process.chdir(folder);
    const stdin = input === undefined ? undefined : readFileSync(join(process.cwd(), input));
    const io = recordingIo({ stdout: '', stderr: '' }, stdin && (async () => stdin));
    let code = -1;
    const seconds = await secondsOf(async () => {
      code = await run(args, io, '0.0.0-test');
    });
    // What a call writes is no input of the next one.
    for (const written of WRITTEN) rmSync(join(folder, written), { recursive: true, force: true });
    return { seconds, code };
  }
}

/** The parts of the input that are measured. */
const WHOLE = 1;
const QUARTER = 4;
const SIXTEENTH = 16;
/** Four times the input takes at most six times the CPU. */
const MOST_TIMES = 6;
/** Seconds of a quarter from which growth is measured: below, it is the noise of the machine. */
const FLOOR = 0.1;
/** The share of the bound from which the whole input is measured. */
const SAFE = 0.8;
/** Returns the seconds of four times the input, if it goes on growing, but at least in proportion. */
const expectedNext = (first: number, last: number): number => last * Math.min(16, Math.max(4, last / first));

/** What was measured of one pair: the seconds of each call, by the part of the input. */
class Measured {
  readonly #call: string;
  readonly #copies: ReadonlyMap<number, Copies>;
  readonly #seconds = new Map<number, number[]>();
  #code = 0;

  constructor(call: string, copies: ReadonlyMap<number, Copies>) {
    this.#call = call;
    this.#copies = copies;
  }

  /** Returns the seconds of this part of the input. */
  async measure(part: number): Promise<number> {
    const copies = this.#copies.get(part);
    if (copies === undefined) throw new Error(`there is no part ${part}`);
    const { seconds, code } = await copies.measure(this.#call);
    this.#seconds.set(part, [...(this.#seconds.get(part) ?? []), seconds]);
    this.#code = code;
    return seconds;
  }

  /** Reports whether the whole input took more than it may each time. */
  isAbove(most: number): boolean {
    const whole = this.#least(WHOLE);
    return whole !== undefined && whole > most;
  }

  /** Returns the least seconds: what others do on the machine only adds to them. */
  #least(part: number): number | undefined {
    const all = this.#seconds.get(part);
    return all && Math.min(...all);
  }

  /** Reports whether the whole input, even if it grows as before, is far below the bounds. */
  isSafe(most: number): boolean {
    const quarter = this.#least(QUARTER) ?? 0;
    const sixteenth = this.#least(SIXTEENTH) ?? 0;
    if (quarter < FLOOR) return true;
    return quarter / sixteenth <= MOST_TIMES && expectedNext(sixteenth, quarter) <= SAFE * most;
  }

  row(pair: Pair): Row {
    const row: Row = { ...pair, quarter: this.#least(QUARTER) ?? 0, code: this.#code };
    const sixteenth = this.#least(SIXTEENTH);
    if (sixteenth !== undefined) row.sixteenth = sixteenth;
    const whole = this.#least(WHOLE);
    if (whole !== undefined) row.whole = whole;
    return row;
  }
}

/** The whole input is measured so often, as long as it takes more than it may. */
const MOST_REPEATS = 4;

/**
 * Measures a pair, and tells before each measurement that it begins. A quarter that is too high is measured again: the
 * first call compiles parts of the program. A whole input above its bound is measured again: what others do on the
 * machine adds to it.
 */
async function measurePair(
  pair: Pair,
  copies: ReadonlyMap<number, Copies>,
  most: number,
  tell: (message: { begins: string }) => void,
): Promise<Row> {
  const measured = new Measured(pair.call, copies);
  const measure = (part: number): Promise<number> => {
    tell({ begins: pair.call });
    return measured.measure(part);
  };
  if ((await measure(QUARTER)) < FLOOR) return measured.row(pair);
  await measure(SIXTEENTH);
  if (measured.isSafe(most)) return measured.row(pair);
  await measure(QUARTER);
  if (measured.isSafe(most)) return measured.row(pair);
  await measure(WHOLE);
  for (let repeat = 1; repeat < MOST_REPEATS && measured.isAbove(most); repeat += 1) await measure(WHOLE);
  return measured.row(pair);
}

/** Measures calls of a dimension one after the other, and tells what it begins and what it found. */
export async function measureAll(task: Task, tell: (message: { begins: string } | Row) => void): Promise<void> {
  const make = dimensions[task.dimension];
  if (make === undefined) throw new Error(`there is no dimension ${task.dimension}`);
  const copies = new Map([WHOLE, QUARTER, SIXTEENTH].map((part) => [part, new Copies(make(Math.ceil(task.n / part)))]));
  const commandOf = new Map(pairsOf(make).pairs.map(({ call, command }) => [call, command]));
  try {
    for (const [index, call] of task.calls.entries()) {
      tell(await measurePair({ call, command: commandOf.get(call) ?? 'lsp' }, copies, task.most[index] ?? 0, tell));
    }
  } finally {
    for (const one of copies.values()) one.remove();
  }
}
