import { writeSync } from 'node:fs';
import type { KubeObject } from '../core/model/object.ts';
import { visible } from '../core/text/visible.ts';
import { choice } from '../render/options/index.ts';
import { toJsonText, writeYaml } from '../yaml/emit/index.ts';

/** The output: computed completely before its first byte is written, and encoded objects are not kept as text too. */
export type Output = readonly (string | Uint8Array)[];

/** Declares the output formats of a command, the default first. */
export const printedAs = <const Format extends string>(
  formats: readonly [Format, ...Format[]],
  description = 'The format of what is printed.',
) => choice(formats, description, { short: '-o' });

/** The output formats of objects. */
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
