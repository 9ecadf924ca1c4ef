// Determines the content of the bundles besides our own code, from the metafiles of esbuild.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionOf } from '../package.mjs';
import { derivedData } from './derived.mjs';

/**
 * Returns everything in the given esbuild metafiles, sorted by name.
 * @throws Error if a package has no licence text, or differs from the lock file
 */
export function contentsOf(metafiles, root) {
  const inputs = [...new Set(metafiles.flatMap(inputsOf))];
  const folders = [...new Set(inputs.flatMap((path) => packageFolder(path) ?? []))].sort();
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return {
    manifest: { ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), version: versionOf(root) },
    packages: folders.map((folder) => describe(folder, lock.packages[folder], root)),
    data: derivedData(inputs, root),
  };
}

/** Returns files that esbuild did not drop completely as unused. */
const inputsOf = ({ outputs }) =>
  Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );

/** `node_modules/NAME`, which is also the key in the lock file; node_modules itself may be a link. */
const packageFolder = (path) => /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

function describe(folder, locked, root) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  if (locked?.version !== version) {
    throw new Error(`${folder} is ${version}, and ${locked?.version ?? 'nothing'} in package-lock.json: run npm ci`);
  }
  return { name, version, license, text: licenceText(join(root, folder)), integrity: locked.integrity };
}

function licenceText(folder) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)(\.|$)/i.test(file));
  if (files.length === 0) throw new Error(`${folder} has no licence text, and whoever gets the bundle must get one`);
  return files
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    .join('\n\n');
}
