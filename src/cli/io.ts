import type { Output } from './output.ts';

/** What a shell may touch of its process. Tests give their own. */
export interface Io {
  /** The whole of standard input, or why it cannot be read: it may be a folder. */
  stdin: () => Promise<Uint8Array | Error>;
  /** Whether nobody pipes anything into standard input. */
  stdinIsTerminal: () => boolean;
  /** How wide the terminal behind standard output is; undefined when there is none. */
  columns: () => number | undefined;
  /** Whether a stream is coloured unless `--color` says so: a terminal shows it, and the environment allows it. */
  colors: (stream: 'stdout' | 'stderr') => boolean;
  /** Whether a stream shows a terminal that erases what it shows when it is told to. */
  erases: (stream: 'stdout' | 'stderr') => boolean;
  /** Shows a line about long work on a terminal, in place of the one before; '' takes it away. Does nothing elsewhere. */
  progress: (line: string) => void;
  stdout: (output: Output) => void;
  stderr: (text: string) => void;
}

/** Exit codes of the command line; the function and the plugin know the first two only. */
export const exitCode = { ok: 0, input: 1, usage: 2, bug: 3 } as const;
