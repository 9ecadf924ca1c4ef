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
