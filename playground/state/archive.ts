import { MOST_CHARACTERS, MOST_FILES } from '../../src/cli/playground/limits.ts';

/** Returns an uncompressed ZIP archive of texts. */
export function zipOf(files: readonly { readonly name: string; readonly text: string }[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const path = encoder.encode(name);
    const data = encoder.encode(text);
    const common = commonFields(data, path.length);
    const local = joined([words([0x04034b50]), common, path]);
    // The central directory repeats the fields and adds the offset of the entry.
    directory.push(joined([words([0x02014b50]), halves([20]), common, halves([0, 0, 0]), words([0, offset]), path]));
    parts.push(local, data);
    offset += local.length + data.length;
  }
  const central = joined(directory);
  const end = joined([
    words([0x06054b50]),
    halves([0, 0, files.length, files.length]),
    words([central.length, offset]),
    halves([0]),
  ]);
  return joined([...parts, central, end]);
}

/** Version 2.0, names in UTF-8, stored, 1980-01-01: equal files have equal bytes. */
const commonFields = (data: Uint8Array, nameLength: number): Uint8Array =>
  joined([halves([20, 0x800, 0, 0, 0x21]), words([crc32(data), data.length, data.length]), halves([nameLength, 0])]);

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const halves = (values: readonly number[]): Uint8Array =>
  new Uint8Array(values.flatMap((value) => [value & 0xff, (value >>> 8) & 0xff]));

const words = (values: readonly number[]): Uint8Array =>
  new Uint8Array(values.flatMap((value) => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff)));

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(data: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of data) value = (TABLE[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];

/**
 * Returns the files of a ZIP archive, stored or deflated.
 * @throws Error with the problem: damage, encryption, another compression, or more than the limits
 */
export async function unzipped(bytes: Uint8Array): Promise<ArchiveEntry[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new Error('it is not a ZIP archive');
  const count = view.getUint16(end + 10, true);
  if (count > MOST_FILES) throw new Error(`it has ${count} files, more than ${MOST_FILES}`);
  const entries: ArchiveEntry[] = [];
  let at = view.getUint32(end + 16, true);
  let total = 0;
  let contained = 0;
  try {
    for (let index = 0; index < count; index += 1) {
      if (view.getUint32(at, true) !== CENTRAL) throw new RangeError();
      const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
      const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
      const lengths = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [number, number, number];
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + lengths[0]));
      const local = view.getUint32(at + 42, true);
      at += 46 + lengths[0] + lengths[1] + lengths[2];
      if (name.endsWith('/')) continue;
      if ((flags & 1) === 1) throw new Error('it is encrypted');
      if (view.getUint32(local, true) !== LOCAL) throw new RangeError();
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      if (start + packed > bytes.length) throw new RangeError();
      // Entries that overlap would read the same bytes again.
      contained += packed;
      if (contained > bytes.length || (method === 0 && packed !== size)) throw new RangeError();
      total += size;
      if (total > MOST_CHARACTERS) throw new Error('it has more than 5 MB of files');
      const content = bytes.slice(start, start + packed);
      entries.push({ name, bytes: method === 0 ? content : await inflated(content, method, size) });
    }
  } catch (error) {
    if (error instanceof RangeError) throw new Error('it is damaged');
    throw error;
  }
  return entries;
}

/** Inflates at most as many bytes as the archive declares. */
async function inflated(content: Uint8Array<ArrayBuffer>, method: number, size: number): Promise<Uint8Array> {
  if (method !== 8) throw new Error('it has a compression that browsers do not read');
  const reader = new Blob([content]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const result = new Uint8Array(size);
  let at = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (at + part.value.length > size) throw new RangeError();
      result.set(part.value, at);
      at += part.value.length;
    }
  } catch {
    throw new RangeError();
  }
  if (at !== size) throw new RangeError();
  return result;
}
