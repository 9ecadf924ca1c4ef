/** What `npm run costs` measures in a process of its own, which bench/costs.mjs starts. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../src/cli/cli.ts';
import { recordingIo } from '../../cli/recording.ts';
import { type Call, calls } from './commands.ts';
import { inVersion, workingCopy } from './copy.ts';
import { type Dimension, dimensions, type Files } from './dimensions.ts';
import { reads } from './input.ts';
import { openAll, requests, type Server } from './server.ts';

export { dimensions };

/** A pair of the table. */
export interface Pair {
  /** The command line, or the name of a request of the language server. */
  call: string;
  command: string;
}

/** A pair, measured with one and four times the input. */
export interface Row extends Pair {
  /** Seconds of CPU. The first is measured only if the last is above the floor. */
  first?: number;
  last: number;
  code: number;
}

/** What is not measured: `n` of the larger input, and seconds from which the smaller one is measured too. */
export interface Task {
  dimension: string;
  n: number;
  floor: number;
  calls: readonly string[];
}

const OPEN = 'lsp open';
/** Requests whose results a server keeps for a state of a package. */
const CHECKS_AGAIN = ['lsp key', 'lsp actions', 'lsp fix all'];
const titleOf = (call: Call): string => (call.args.length === 0 ? 'the function' : call.args.join(' '));

/** Commands of which no call reads a file. */
const READS_NOTHING = ['init', 'completion'];

function allCalls(): (Pair & { of: Call })[] {
  return Object.entries(calls).flatMap(([command, list]) => list.map((of) => ({ command, call: titleOf(of), of })));
}

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
      const server = this.#serverFor(call);
      return { seconds: await secondsOf(() => request(server)), code: 0 };
    }
    const found = allCalls().find((one) => one.call === call);
    if (found === undefined) throw new Error(`there is no call ${call}`);
    const { args, input } = found.of;
    process.chdir(this.folder(!(args.includes('.') || args[0] === 'plugin')));
    const stdin = input === undefined ? undefined : readFileSync(join(process.cwd(), input));
    const io = recordingIo({ stdout: '', stderr: '' }, stdin && (async () => stdin));
    let code = -1;
    const seconds = await secondsOf(async () => {
      code = await run(args, io, '0.0.0-test');
    });
    return { seconds, code };
  }
}

const median = (figures: readonly number[]): number =>
  [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

/** Measures calls of a dimension one after the other, and tells what it begins and what it found. */
export async function measureAll(task: Task, tell: (message: { begins: string } | Row) => void): Promise<void> {
  const make = dimensions[task.dimension];
  if (make === undefined) throw new Error(`there is no dimension ${task.dimension}`);
  const [small, large] = [new Copies(make(Math.ceil(task.n / 4))), new Copies(make(task.n))];
  const commandOf = new Map([...allCalls()].map(({ call, command }) => [call, command]));
  try {
    for (const call of task.calls) {
      tell({ begins: call });
      const pair = { call, command: commandOf.get(call) ?? 'lsp' };
      const { seconds, code } = await large.measure(call);
      if (seconds < task.floor) {
        tell({ ...pair, last: seconds, code });
        continue;
      }
      const firsts: number[] = [];
      for (let count = 0; count < 3; count += 1) firsts.push((await small.measure(call)).seconds);
      const lasts = [seconds];
      // The first call compiles the program: a figure that is too high is measured again.
      for (let count = 0; count < 2 && isAbove(median(firsts), Math.min(...lasts)); count += 1)
        lasts.push((await large.measure(call)).seconds);
      tell({ ...pair, first: median(firsts), last: median(lasts), code });
    }
  } finally {
    small.remove();
    large.remove();
  }
}

/** Four times the input takes at most six times the CPU. */
export const MOST_TIMES = 6;
/** The seconds of CPU that an input below 1 MB may take. */
export const MOST_SECONDS = 2;
const STOPPED_AFTER = 8;

export const isAbove = (first: number, last: number): boolean =>
  last < STOPPED_AFTER && (last / first > MOST_TIMES || last > MOST_SECONDS);
