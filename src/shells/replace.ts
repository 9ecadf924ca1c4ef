import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bytesOf, type Output } from './output.ts';

/**
 * Gives a file new contents: they are written beside it, then renamed over it, so that nobody ever reads half of them.
 * A file that has them already is not touched, a link stays one. Yields what went wrong, if anything did.
 */
export function replaceFile(file: string, output: Output): string | undefined {
  const bytes = bytesOf(output);
  let beside = '';
  try {
    const exists = existsSync(file);
    const target = exists ? realpathSync(file) : file;
    if (exists && readFileSync(target).equals(bytes)) return undefined;
    const mode = exists ? statSync(target).mode : 0o666;
    beside = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    writeFileSync(beside, bytes, { mode, flag: 'wx' });
    renameSync(beside, target);
    return undefined;
  } catch (error) {
    if (beside !== '') rmSync(beside, { force: true });
    return `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
