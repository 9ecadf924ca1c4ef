import { MOST_FILES } from '../../src/cli/playground/limits.ts';
import type { PackageFile } from '../engine/protocol.ts';
import { unzipped } from './archive.ts';
import { roleOf } from './workspace.ts';

/** The files of a choice or a drop, and a sentence for each that is omitted. */
export interface Opened {
  readonly files: readonly PackageFile[];
  readonly refused: readonly string[];
}

/** Reads files and ZIP archives as texts. Binary files are refused. */
export async function openedFiles(given: readonly File[]): Promise<Opened> {
  const files: PackageFile[] = [];
  const refused: string[] = [];
  const take = (name: string, bytes: Uint8Array): void => {
    const text = textOf(bytes);
    if (text === undefined) refused.push(`${name} is not text`);
    else files.push({ name, text, role: roleOf(name) });
  };
  for (const file of given.slice(0, MOST_FILES)) {
    const name = (file.webkitRelativePath || file.name).replaceAll('\\', '/');
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes[0] !== 0x50 || bytes[1] !== 0x4b || !/\.zip$/i.test(name)) {
      take(name, bytes);
      continue;
    }
    try {
      for (const entry of await unzipped(bytes)) take(entry.name, entry.bytes);
    } catch (error) {
      refused.push(`${name}: ${(error as Error).message}`);
    }
  }
  if (given.length > MOST_FILES) refused.push(`${given.length - MOST_FILES} more files`);
  return { files, refused };
}

/** Returns a UTF-8 text; undefined for bytes that are none. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns dropped files, and those of dropped folders with their paths. */
export async function filesOf(entries: readonly (FileSystemEntry | null)[]): Promise<File[]> {
  const found = await Promise.all(entries.map((entry) => (entry === null ? [] : filesBelow(entry, ''))));
  return found.flat();
}

async function filesBelow(entry: FileSystemEntry, folder: string): Promise<File[]> {
  const path = `${folder}${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [new File([file], path)];
  }
  // As in the command, hidden folders and those of packages are omitted.
  if (/^\.|^node_modules$/.test(entry.name)) return [];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const entries: FileSystemEntry[] = [];
  // A reader returns a part at a time.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) break;
    entries.push(...part);
  }
  return (await Promise.all(entries.map((one) => filesBelow(one, `${path}/`)))).flat();
}
