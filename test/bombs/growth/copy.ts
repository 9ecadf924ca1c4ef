import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Files } from './dimensions.ts';
import { listOf } from './input.ts';

/** Returns the files of a dimension in one of their two versions. */
export function inVersion(files: Files, version: 'older' | 'newer'): Record<string, string> {
  const written: Record<string, string> = {};
  for (const [path, text] of Object.entries(files)) written[path] = text.replaceAll('VERSION', version);
  return written;
}

/**
 * Writes a working copy with its older version in git, and returns its folder. `withCopies` adds the older package in
 * `old/p`, the package in `moved`, which is not in git, and the input of the function: a command that reads the whole
 * working copy is measured without them.
 */
export function workingCopy(files: Files, withCopies: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-growth-'));
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'ignore' });
  };
  const write = (texts: Files): void => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const packageIn = (texts: Files, place: string): Files =>
    Object.fromEntries(
      Object.entries(texts)
        .filter(([path]) => path.startsWith('p/'))
        .map(([path, text]) => [`${place}${path.slice('p'.length)}`, text]),
    );
  const older = inVersion(files, 'older');
  const newer = inVersion(files, 'newer');
  write({ 'live/none.yaml': '', 'roles/none.yaml': '', 'tests/none.yaml': '', ...older });
  git('init', '-q', '.');
  git('add', '.');
  git('commit', '-qm', 'older');
  write(newer);
  if (!withCopies) return folder;
  write(packageIn(older, 'old/p'));
  write(packageIn(newer, 'moved'));
  write({ 'list.yaml': listOf(newer) });
  return folder;
}
