import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/render-rgd/', import.meta.url));

/**
 * The folder of a package as the registry has it, of any platform: npm installs only those of the platform it runs on.
 * Nothing of it is run. `integrity` is that of package-lock.json.
 * @throws Error when the registry does not have it, or has other bytes
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
