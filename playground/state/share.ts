import { MOST_CHARACTERS } from '../../src/cli/playground/limits.ts';
import { readContents } from './read-contents.ts';
import type { Contents } from './workspace.ts';

/** The first byte of a shared package; another version is not supported. */
const VERSION = 1;
/** The maximum length of a link, in characters: browsers accept more, chats do not. */
const MOST_LINK = 2_000_000;
/** JSON escapes some characters, and a character takes up to three bytes. */
const MOST_BYTES = 2 * MOST_CHARACTERS;

/** Encodes files and options for the fragment of a URL: version, then deflated JSON, in base64url. */
export async function encodeShared(contents: Contents): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(contents));
  const packed = await collect(new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw')), MOST_LINK);
  const bytes = new Uint8Array(packed.length + 1);
  bytes[0] = VERSION;
  bytes.set(packed, 1);
  return toBase64(bytes);
}

/** Decodes a fragment. @throws Error with the problem, in a sentence for the user */
export async function decodeShared(text: string): Promise<Contents> {
  try {
    return readContents(JSON.parse(await unpack(text)));
  } catch (error) {
    throw new Error(
      `this link cannot be opened: ${error instanceof SyntaxError ? 'it was not made by this page' : (error as Error).message}`,
    );
  }
}

async function unpack(text: string): Promise<string> {
  if (text.length > MOST_LINK) throw new Error('it is too long');
  if (!/^[\w-]*$/.test(text)) throw new Error('it was not made by this page');
  const bytes = fromBase64(text);
  if (bytes[0] !== VERSION)
    throw new Error(bytes.length === 0 ? 'it is empty' : `version ${bytes[0]} is not known here`);
  const stream = new Blob([bytes.slice(1)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new TextDecoder('utf-8', { fatal: true }).decode(await collect(stream, MOST_BYTES));
}

/** Returns all bytes of a stream; stops as soon as there are more than `most`, whatever the unpacked size would be. */
async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await read(reader);
    if (done || value === undefined) break;
    size += value.length;
    if (size > most) {
      void reader.cancel().catch(() => undefined);
      throw new Error('it holds more than the 5 MB that a page takes');
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<{ done: boolean; value?: Uint8Array | undefined }> {
  try {
    return await reader.read();
  } catch {
    throw new Error('it was cut off or changed on its way');
  }
}

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(pieces.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
