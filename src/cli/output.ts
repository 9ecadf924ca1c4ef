import { writeSync } from 'node:fs';
import type { KubeObject } from '../core/model/object.ts';
import { visible } from '../core/text/visible.ts';
import { choice } from '../render/options/index.ts';
import { toJsonText, writeYaml } from '../yaml/emit/index.ts';

/** What is printed: all of it is made before its first byte goes out, and encoded objects are not held as text too. */
export type Output = readonly (string | Uint8Array)[];

/** What a command prints: the first is what it prints unless another one is asked for. */
export const printedAs = <const Format extends string>(
  formats: readonly [Format, ...Format[]],
  description = 'The format of what is printed.',
) => choice(formats, description, { short: '-o' });

/** How objects are printed. */
export const objectFormat = printedAs(['yaml', 'json'], 'Print YAML documents, or one JSON array.');

/** One JSON array, a JSON object a line, or else YAML documents. */
export function objectsOutput(objects: Iterable<KubeObject>, form: 'yaml' | 'json' | 'lines'): Output {
  if (form === 'json') return [visible(toJsonText([...objects], 2)), '\n'];
  if (form === 'lines') return Array.from(objects, (object) => `${visible(toJsonText(object))}\n`);
  const pieces: Uint8Array[] = [];
  writeYaml(objects, (piece) => pieces.push(Buffer.from(piece)));
  return pieces;
}

export const bytesOf = (output: Output): Buffer => Buffer.concat(output.map((piece) => Buffer.from(piece)));

/** A pipe that is full and does not block is asked again after so many milliseconds. */
const PAUSE = 1;
const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes all of it, as fast as the reader takes it. Node's own streams would do the same for standard output, after
 * loading a twentieth of what a whole start takes.
 * @throws what the operating system says, EPIPE when the reader is gone
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
