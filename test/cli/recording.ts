import type { Io } from '../../src/cli/output.ts';
import { bytesOf } from '../../src/cli/write/index.ts';

/** The printed text. */
export interface Printed {
  stdout: string;
  stderr: string;
}

/** An `Io` that records what is printed. Without `stdin`, standard input is a terminal. */
export function recordingIo(printed: Printed, stdin?: () => Promise<Uint8Array | Error>): Io {
  return {
    stdin: stdin ?? (async () => new Uint8Array()),
    stdinIsTerminal: () => stdin === undefined,
    line: () => '',
    columns: () => undefined,
    colors: () => false,
    erases: () => false,
    progress: () => {},
    stdout: (output) => {
      printed.stdout += bytesOf(output).toString();
    },
    stderr: (text) => {
      printed.stderr += text;
    },
  };
}
