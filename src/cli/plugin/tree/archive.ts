import { readFault } from '../../regular-file.ts';

/** A file of an archive. */
interface ArchivedFile {
  /** Everything that is written about the name: the header of the file, and longer names before it. */
  names: string;
  content: Uint8Array;
}

/** The most bytes of an archive, unpacked: helm itself accepts 100 MiB. */
const MOST_BYTES = 128 * 1024 * 1024;
const BLOCK = 512;

/**
 * Returns the regular files of a packed chart, or why other readers may see other files: headers that are damaged, of
 * unknown types, or whose sizes are written in two places.
 */
export function filesOfArchive(bytes: Uint8Array): ArchivedFile[] | { fault: string } {
  const { gunzipSync } = process.getBuiltinModule('node:zlib');
  try {
    return filesOf(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }));
  } catch (error) {
    return { fault: readFault(error) };
  }
}

function filesOf(data: Buffer): ArchivedFile[] {
  const files: ArchivedFile[] = [];
  let names = '';
  for (let at = 0; at < data.length; ) {
    const header = data.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    const type = String.fromCharCode(header[156] ?? 0);
    const size = numberIn(header, 124, 136);
    const start = at + BLOCK;
    const content = data.subarray(start, start + size);
    if (content.length < size || sumOf(header) !== numberIn(header, 148, 156)) throw new Error('it is damaged');
    const isKnown = (REGULAR + LONG_NAME).includes(type) || (HEADER_ONLY.includes(type) && size === 0);
    if (!isKnown) throw new Error('it has entries of unknown types');
    names += header.toString('latin1');
    if (LONG_NAME.includes(type)) {
      const text = content.toString('latin1');
      if (SIZE_ELSEWHERE.test(text)) throw new Error('it has files whose size is written twice');
      names += text;
    } else {
      if (REGULAR.includes(type)) files.push({ names, content });
      names = '';
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** Files, links, folders, and the headers of PAX and GNU for long names. */
const REGULAR = '\x000';
const HEADER_ONLY = '125';
const LONG_NAME = 'xgLK';
const SIZE_ELSEWHERE = / (size|GNU\.sparse[^=]*)=/;

/** Reads an octal number of a header. @throws for other notations */
function numberIn(header: Buffer, from: number, to: number): number {
  const text = /^[ \0]*([0-7]*)[ \0]*$/.exec(header.toString('latin1', from, to))?.[1];
  if (text === undefined) throw new Error('it has a number that is not octal');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

/** The sum of a header, whose own field counts as blanks. */
const sumOf = (header: Buffer): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);
