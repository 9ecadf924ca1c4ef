import { isatty } from 'node:tty';
import { run } from './cli.ts';
import { exitCode, type Io } from './io.ts';

/** Filled in by the build, from package.json. */
declare const RENDER_RGD_VERSION: string;

const io: Io = {
  stdin: async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
  stdinIsTerminal: isatty(0),
  stdout: (text) =>
    new Promise((resolve) => process.stdout.write(text, (error) => (error ? giveUp(error) : resolve()))),
  stderr: (text) => {
    if (text !== '') process.stderr.write(text);
  },
};

/** The reader of a pipe may leave early (`render-rgd ... | head`), which is no reason to talk. */
function giveUp(error: NodeJS.ErrnoException): never {
  if (error.code !== 'EPIPE') io.stderr(`render-rgd: cannot write the output: ${error.message}\n`);
  process.exit(exitCode.input);
}

process.stdout.on('error', giveUp);
process.stderr.on('error', () => process.exit(exitCode.input));

void run(process.argv.slice(2), io, RENDER_RGD_VERSION).then((code) => {
  process.exitCode = code;
});
