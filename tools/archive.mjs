#!/usr/bin/env node
// Runs the first commands of the README in an unpacked archive of HEAD, outside every repository.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'render-rgd-archive-'));
try {
  const tar = join(folder, 'archive.tar');
  execFileSync('git', ['archive', '--prefix', 'render-rgd/', '--output', tar, 'HEAD'], { cwd: root });
  execFileSync('tar', ['-xf', tar], { cwd: folder });
  // The parent folders must not be a repository, whatever TMPDIR is.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: folder };
  for (const command of ['npm ci && npm run demo', 'npm ci && npm test']) {
    execFileSync('bash', ['-c', command], { cwd: join(folder, 'render-rgd'), env, stdio: 'inherit' });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
