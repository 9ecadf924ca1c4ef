import { fstatSync, readSync } from 'node:fs';
import { attempt } from '../core/model/attempt.ts';
import { run } from './cli.ts';
import { MOST_BYTES, tooLarge } from './file-system.ts';
import { optimizeLater } from './optimize.ts';
import { exitCode, type Io, knowsSequences, wantsColors } from './output.ts';
import { type Output, writeOut } from './write/index.ts';

/** The build replaces it with the version in package.json. */
declare const RENDER_RGD_VERSION: string;

const DESCRIPTORS = { stdin: 0, stdout: 1, stderr: 2 };

/** A file or a pipe is no terminal: only for others the streams of the process are loaded, which takes as long as a start. */
const isTerminal = (stream: 'stdin' | 'stdout' | 'stderr'): boolean =>
  attempt(() => fstatSync(DESCRIPTORS[stream]).isCharacterDevice(), Error) === true && process[stream].isTTY === true;

const ofTerminal =
  (ask: typeof wantsColors): Io['colors'] =>
  (stream) =>
    ask(process.env, isTerminal(stream));

const io: Io = {
  stdin: async () => {
    try {
      const chunks: Buffer[] = [];
      let total = 0;
      for await (const chunk of process.stdin) {
        chunks.push(chunk);
        total += chunk.length;
        if (total > MOST_BYTES) return tooLarge(MOST_BYTES);
      }
      optimizeLater(total);
      return Buffer.concat(chunks);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  },
  stdinIsTerminal: () => isTerminal('stdin'),
  line: () => {
    const bytes = Buffer.alloc(1000);
    const length = attempt(() => readSync(DESCRIPTORS.stdin, bytes), Error);
    return typeof length === 'number' ? bytes.toString('utf8', 0, length) : '';
  },
  columns: () => (isTerminal('stdout') ? process.stdout.columns : undefined),
  colors: ofTerminal(wantsColors),
  erases: ofTerminal(knowsSequences),
  progress: (line) => {
    if (io.erases('stderr')) write(2, [`\r\u001B[K${line}`]);
  },
  stdout: (output) => write(1, output),
  stderr: (text) => write(2, [text]),
};

function write(descriptor: number, output: Output): void {
  try {
    writeOut(descriptor, output);
  } catch (error) {
    giveUp(error as NodeJS.ErrnoException);
  }
}

/** The reader of a pipe may close it early (`render-rgd ... | head`), which is not an error. */
function giveUp(error: NodeJS.ErrnoException): never {
  try {
    if (error.code !== 'EPIPE') writeOut(2, [`render-rgd: cannot write the output: ${error.message}\n`]);
  } finally {
    process.exit(exitCode.input);
  }
}

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), io, RENDER_RGD_VERSION);
}

// `run` answers every error of a command; what is left is an error of the output.
main().catch(giveUp);
