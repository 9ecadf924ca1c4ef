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
 * Gives a file new contents: they are written beside it, then renamed over it, so that nobody ever reads half of them.
 * A file that has them already is not touched, a link stays one. What is no file (a folder, a pipe, a device) is
 * neither read nor replaced. Yields what went wrong, if anything did.
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

/** Why a file cannot be replaced, as far as that can be told before there is anything to write. */
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
 * What a file holds that is to be replaced, and its mode; `undefined` when there is none yet.
 * @throws when it cannot be read, or is no file
 */
function readPresent(file: string): { bytes: Buffer; mode: number } | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  if (!statSync(file).isFile()) throw notFile();
  // It may have been changed since: opening a pipe would wait for its other end.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw notFile();
    return { bytes: readFileSync(descriptor), mode: stat.mode };
  } finally {
    closeSync(descriptor);
  }
}
