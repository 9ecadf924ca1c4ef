import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cachedPackages } from '../cached-package.mjs';

/** The oldest supported release, and one of each maintained line. */
const VERSIONS = ['20.19.0', '22.23.5', '24.22.3', '26.12.1'];

/**
 * Returns executables of Node, from the packages that the package `node` would install; undefined for unavailable ones.
 */
export const nodeReleases = () => VERSIONS.map((version) => ({ version, executable: install(version) }));

function install(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = cachedPackages(`${name}@${version}`);
  if (folder === undefined) return undefined;
  const executable = join(folder, name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
  return existsSync(executable) ? executable : undefined;
}
