import type { Output } from './output.ts';

/** The access of a command to its process. Tests replace it. */
export interface Io {
  /** Returns the whole standard input, or why it cannot be read: it may be a folder. */
  stdin: () => Promise<Uint8Array | Error>;
  /** Reports whether standard input is not piped. */
  stdinIsTerminal: () => boolean;
  /** Returns the width of the terminal of standard output; undefined without one. */
  columns: () => number | undefined;
  /** Reports whether a stream is coloured by default: it is a terminal, and the environment allows it. */
  colors: (stream: 'stdout' | 'stderr') => boolean;
  /** Reports whether a stream is a terminal that supports erasing. */
  erases: (stream: 'stdout' | 'stderr') => boolean;
  /** Shows a progress line on a terminal, replacing the previous one; '' removes it. Does nothing elsewhere. */
  progress: (line: string) => void;
  stdout: (output: Output) => void;
  stderr: (text: string) => void;
}

/** Exit codes of the command line; the function and the plugin use only the first two. */
export const exitCode = { ok: 0, input: 1, usage: 2, bug: 3 } as const;
