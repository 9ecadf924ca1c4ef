import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const { bin } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const command = `${root}${bin['render-rgd']}`;
const plain = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: '/tmp', LANG: 'C', TZ: 'UTC' };

/**
 * Runs the command once: `stdin` is a text, `cwd` a required current folder. The environment may set another executable
 * of Node, options for it, variables (undefined unsets one), a folder and a umask, or `native`, an executable of the
 * command itself.
 */
export function invoke({ args, stdin = '', cwd, env: own }, where = {}) {
  const { executable = process.execPath, options = [], native, env, umask = '022', folder = root } = where;
  const program = native === undefined ? [executable, ...options, command] : [native];
  const variables = Object.entries({ ...plain, ...env, ...own }).filter(([, value]) => value !== undefined);
  const child = spawn('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', ...program, ...args], {
    cwd: cwd ?? folder,
    env: Object.fromEntries(variables),
  });
  const [stdout, stderr] = [[], []];
  child.stdout.on('data', (chunk) => stdout.push(chunk));
  child.stderr.on('data', (chunk) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code: code ?? signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) }),
    );
  });
}

/** Returns the first difference of two results; undefined if they are equal. */
export function firstDifference(want, got) {
  if (want.code !== got.code)
    return `exit code ${got.code} in place of ${want.code}: ${got.stderr.toString().slice(0, 300)}`;
  for (const stream of ['stdout', 'stderr']) {
    if (want[stream].equals(got[stream])) continue;
    const at = want[stream].findIndex((byte, index) => byte !== got[stream][index]);
    const offset = at < 0 ? want[stream].length : at;
    const shown = (bytes) => JSON.stringify(bytes.subarray(Math.max(0, offset - 40), offset + 40).toString());
    return `${stream} differs at byte ${offset}: wanted ${shown(want[stream])}, got ${shown(got[stream])}`;
  }
  return undefined;
}
