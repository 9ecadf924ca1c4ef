import { writeSync } from 'node:fs';
import type { KubeObject } from '../core/model/object.ts';
import { visible } from '../core/text/visible.ts';
import { choice, type Settings } from '../render/options/index.ts';
import { toJsonText, writeYaml } from '../yaml/emit/index.ts';

/** The output: computed completely before its first byte is written, and encoded objects are not kept as text too. */
export type Output = readonly (string | Uint8Array)[];

/** Declares the output formats of a command, the default first. */
export const printedAs = <const Format extends string>(
  formats: readonly [Format, ...Format[]],
  description = 'The format of what is printed.',
) => choice(formats, description, { short: '-o' });

export const objectFormat = printedAs(['yaml', 'json'], 'Print YAML documents, or one JSON array.');

/** Formats objects as one JSON array, a JSON object per line, or YAML documents. */
export function objectsOutput(objects: Iterable<KubeObject>, form: 'yaml' | 'json' | 'lines'): Output {
  if (form === 'json') return [visible(toJsonText([...objects], 2)), '\n'];
  if (form === 'lines') return Array.from(objects, (object) => `${visible(toJsonText(object))}\n`);
  const pieces: Uint8Array[] = [];
  writeYaml(objects, (piece) => pieces.push(Buffer.from(piece)));
  return pieces;
}

export const bytesOf = (output: Output): Buffer => Buffer.concat(output.map((piece) => Buffer.from(piece)));

/** The delay before writing again to a full non-blocking pipe, in milliseconds. */
const PAUSE = 1;
const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes the output, as fast as the reader accepts it. Node's own streams would do the same for standard output, but
 * loading them takes a twentieth of a start.
 * @throws the error of the operating system, EPIPE if the reader closed the pipe
 */
export function writeOut(descriptor: number, output: Output): void {
  for (const piece of output) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length; ) at += writeSome(descriptor, bytes.subarray(at));
  }
}

function writeSome(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(clock, 0, 0, PAUSE);
    return 0;
  }
}

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

/** SGR parameters (ECMA-48), as every terminal knows them. */
const CODES = { red: 31, green: 32, yellow: 33, bold: 1 } as const;

type Variables = Readonly<Record<string, string | undefined>>;

interface Painting {
  io: Pick<Io, 'colors'>;
  settings: Pick<Settings, 'color'>;
}

/** Reports whether a stream is coloured. */
export const hasColors = ({ io, settings: { color } }: Painting, stream: 'stdout' | 'stderr'): boolean =>
  color === 'auto' ? io.colors(stream) : color === 'always';

/** Returns a function that colours texts if standard output supports it. */
export function painter(painting: Painting): (colour: keyof typeof CODES, text: string) => string {
  if (!hasColors(painting, 'stdout')) return (_, text) => text;
  return (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;
}

/**
 * Reports whether a stream is coloured by default: FORCE_COLOR first, as in Node, then NO_COLOR (https://no-color.org),
 * then whether it is a terminal with colours.
 */
export function wantsColors(variables: Variables, isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR } = variables;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return knowsSequences(variables, isTerminal) && !NO_COLOR;
}

/** Reports whether a stream is a terminal that supports escape sequences: that of an editor often prints them. */
export const knowsSequences = ({ TERM }: Variables, isTerminal: boolean): boolean => isTerminal && TERM !== 'dumb';
