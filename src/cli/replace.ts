import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bytesOf, type Output } from './output.ts';

/**
 * Replaces the content of a file: writes it beside the file, then renames it, so that readers never see a part. An
 * unchanged file is not touched, and a link stays a link. Other paths (a folder, a pipe, a device) are neither read nor
 * replaced. Returns the error, if any.
 */
export function replaceFile(file: string, output: Output): string | undefined {
  const bytes = bytesOf(output);
  let beside = '';
  try {
    const present = readPresent(file);
    if (present?.bytes.equals(bytes)) return undefined;
    const target = present === undefined ? file : realpathSync(file);
    beside = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    writeFileSync(beside, bytes, { mode: present?.mode ?? 0o666, flag: 'wx' });
    renameSync(beside, target);
    return undefined;
  } catch (error) {
    if (beside !== '') rmSync(beside, { force: true });
    return faultOf(file, error);
  }
}

/** Returns why a file cannot be replaced, as far as known before writing. */
export function replaceFault(file: string): string | undefined {
  try {
    readPresent(file);
    return undefined;
  } catch (error) {
    return faultOf(file, error);
  }
}

const faultOf = (file: string, error: unknown): string =>
  `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`;

const notFile = (): Error => new Error('it is a folder, a pipe or a device, and no regular file');

/**
 * Returns the content and the mode of a file to replace; `undefined` if it does not exist.
 * @throws if it cannot be read, or is not a file
 */
function readPresent(file: string): { bytes: Buffer; mode: number } | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  if (!statSync(file).isFile()) throw notFile();
  // It may have changed since: opening a pipe would wait for its other end.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw notFile();
    return { bytes: readFileSync(descriptor), mode: stat.mode };
  } finally {
    closeSync(descriptor);
  }
}
