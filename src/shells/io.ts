import type { Output } from './output.ts';

/** What a shell may touch of its process. Tests give their own. */
export interface Io {
  /** The whole of standard input, or why it cannot be read: it may be a folder. */
  stdin: () => Promise<Uint8Array | Error>;
  /** Whether nobody pipes anything into standard input. */
  stdinIsTerminal: () => boolean;
  /** How wide the terminal behind standard output is; undefined when there is none. */
  columns: () => number | undefined;
  /** Whether what is written to standard output may be coloured: a terminal shows it, and nobody set NO_COLOR. */
  colors: () => boolean;
  /** Shows a line about long work on a terminal, in place of the one before; '' takes it away. Does nothing elsewhere. */
  progress: (line: string) => void;
  stdout: (output: Output) => void;
  stderr: (text: string) => void;
}

/** Exit codes of the command line; the function and the plugin know the first two only. */
export const exitCode = { ok: 0, input: 1, usage: 2, bug: 3 } as const;
