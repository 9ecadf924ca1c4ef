#!/usr/bin/env node
// Builds the project in two copies with different environments that must not matter, and compares every byte.
// `--beside dist` compares one copy with a folder that was just built.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createTally } from './tally.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const places = [
  { path: 'a', umask: '022', env: { LANG: 'C', TZ: 'UTC', HOME: '/tmp', NODE_ENV: 'production' } },
  { path: 'somewhere/else/ä folder', umask: '077', env: { LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu', USER: 'other' } },
];
const { beside } = parseArgs({ options: { beside: { type: 'string' } } }).values;
const base = mkdtempSync(join(tmpdir(), 'render-rgd-reproducible-'));
const tally = createTally('reproducible');
try {
  const [one, other] = beside === undefined ? places.map(built) : [join(root, beside), built(places[1])];
  const [names, others] = [one, other].map(filesOf);
  tally.check(
    'the same files',
    names.join() === others.join() ? undefined : `${names.join(' ')} | ${others.join(' ')}`,
  );
  for (const name of names) tally.check(name, difference(join(one, name), join(other, name)));
  const compared = [beside ?? places[0].path, places[1].path];
  console.log(`${names.length} files of ${compared.map((path) => `"${path}"`).join(' and ')} compared`);
} finally {
  rmSync(base, { recursive: true });
}
tally.end();

/** Copies the files of git, and the dependencies, into a folder; builds there and returns the folder dist. */
function built({ path, umask, env }) {
  const folder = join(base, path);
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed
    .toString()
    .split('\0')
    .filter((name) => /^(src|data|tools|playground|examples|[^/]*$)/.test(name))) {
    if (file === '' || !statSync(join(root, file), { throwIfNoEntry: false })?.isFile()) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  cpSync(join(root, 'node_modules'), join(folder, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.includes(join('node_modules', '.cache')),
  });
  execFileSync('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, 'tools/build.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: 'inherit',
  });
  return join(folder, 'dist');
}

function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function difference(one, other) {
  const [a, b] = [one, other].map((file) => readFileSync(file));
  if (a.equals(b)) return undefined;
  const at = a.findIndex((byte, index) => byte !== b[index]);
  const shown = (bytes) => JSON.stringify(bytes.subarray(Math.max(0, at - 40), at + 40).toString());
  return `differs at byte ${at}: ${shown(a)} and ${shown(b)}`;
}
