import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/render-rgd/', import.meta.url));

/**
 * Installs packages that only a check needs, at exact versions and without running their scripts, beside the
 * dependencies of the project. Returns their folder, or undefined if no registry is available.
 */
export function cachedPackages(...specs) {
  const folder = join(cache, specs.join('+').replaceAll('/', '-'));
  const done = join(folder, 'done');
  if (existsSync(done)) return join(folder, 'node_modules');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    execFileSync('npm', ['install', ...options, ...specs], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    return undefined;
  }
  writeFileSync(done, '');
  return join(folder, 'node_modules');
}
