import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Gives a file new contents: they are written beside it, then renamed over it, so that nobody ever reads half of them.
 * A file that has them already is not touched, a link stays one. Yields what went wrong, if anything did.
 */
export function replaceFile(file: string, text: string): string | undefined {
  let beside = '';
  try {
    const exists = existsSync(file);
    const target = exists ? realpathSync(file) : file;
    if (exists && readFileSync(target, 'utf8') === text) return undefined;
    const mode = exists ? statSync(target).mode : 0o666;
    beside = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    writeFileSync(beside, text, { mode, flag: 'wx' });
    renameSync(beside, target);
    return undefined;
  } catch (error) {
    if (beside !== '') rmSync(beside, { force: true });
    return `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
