// A copy of the sources, as in a fresh clone after `npm ci`: nothing that a build writes is in it.
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Copies what git lists of `root`, changes and new files included, and links the dependencies. */
export function copySources(root, folder) {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  for (const file of listed.split('\0')) {
    if (file === '' || lstatSync(join(root, file), { throwIfNoEntry: false }) === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { verbatimSymlinks: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
}
