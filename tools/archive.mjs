#!/usr/bin/env node
// Runs `npm ci`, and then the commands of its arguments, in an unpacked archive of the sources outside every repository:
// node tools/archive.mjs npm run demo --then npm test. The archive contains HEAD and the changes of tracked files.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const commands = [['npm', 'ci'], []];
for (const word of process.argv.slice(2)) {
  if (word === '--then') commands.push([]);
  else commands.at(-1).push(word);
}
const folder = mkdtempSync(join(tmpdir(), 'render-rgd-archive-'));
try {
  const changes = execFileSync('git', ['stash', 'create'], { cwd: root, encoding: 'utf8' }).trim();
  const tar = join(folder, 'archive.tar');
  const options = ['--prefix', 'render-rgd/', '--output', tar];
  execFileSync('git', ['archive', ...options, changes === '' ? 'HEAD' : changes], { cwd: root });
  execFileSync('tar', ['-xf', tar], { cwd: folder });
  // The parent folders must not be a repository, whatever TMPDIR is.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: folder };
  const run = ([file, ...words]) =>
    spawnSync(file, words, { cwd: join(folder, 'render-rgd'), env, stdio: 'inherit' }).status ?? 1;
  process.exitCode = commands.reduce((code, command) => code || run(command), 0);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
