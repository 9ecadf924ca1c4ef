import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registryPackage } from '../registry-package.mjs';
import { hostTarget, targets } from './targets.mjs';

/** Returns the entry of package-lock.json for the runtime of a target, and its folder. */
export function runtimePackage(target, root) {
  const name = targets[target].runtime;
  const path = `node_modules/${name}`;
  const entry = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[path];
  if (entry === undefined) throw new Error(`package-lock.json has no ${name}`);
  const { version, license, integrity } = entry;
  const installed = join(root, path);
  const folder = existsSync(installed) ? installed : registryPackage(name, version, integrity);
  return { name, version, license, integrity, executable: join(folder, 'bin', `bun${targets[target].suffix ?? ''}`) };
}

/** Returns the build tool: the runtime for this machine. It reads no settings and no cache of the user. */
export function hostBun(root) {
  const host = hostTarget();
  if (host === undefined) throw new Error(`there is no runtime for ${process.platform} ${process.arch}`);
  const { executable } = runtimePackage(host, root);
  const env = { PATH: '/usr/bin:/bin', DO_NOT_TRACK: '1', ...(process.platform === 'win32' ? process.env : {}) };
  return (args, cwd) =>
    execFileSync(executable, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
