import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/render-rgd/', import.meta.url));

/**
 * Returns the folder of a package from the registry, for any platform: npm installs only those of the current platform.
 * Nothing of it runs. `integrity` is that of package-lock.json.
 * @throws Error if the registry does not have it, or has other bytes
 */
export function registryPackage(name, version, integrity) {
  const folder = join(cache, `${name}@${version}`.replaceAll('/', '-'));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const beside = mkdtempSync(join(cache, 'fetch-'));
  try {
    const options = ['--pack-destination', beside, '--ignore-scripts', '--json', '--loglevel=error'];
    const said = execFileSync('npm', ['pack', ...options, `${name}@${version}`], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const archive = join(beside, JSON.parse(said)[0].filename);
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name}@${version} is ${found} in the registry, and not ${integrity}`);
    execFileSync('tar', ['-xzf', archive, '-C', beside]);
    renameSync(join(beside, 'package'), folder);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
  return folder;
}
