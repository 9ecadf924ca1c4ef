// The package that users install is the folder dist. The manifest of this repository has no version, so that npm
// refuses to pack or publish the repository itself: without the scripts of .npmrc nothing would have been built.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';

/** What the package has besides what is built. */
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'LICENSE', 'plugin.yaml', 'plugin-discovery.yaml'];

const repositoryManifest = (root) => JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The version of the next release. */
export const versionOf = (root) => repositoryManifest(root).config.version;

/** Writes package.json and the documents of the package into dist. */
export function writePackage(root) {
  const { name, description, license, keywords, homepage, repository, engines, bin, exports, config } =
    repositoryManifest(root);
  const manifest = {
    name,
    version: config.version,
    description,
    license,
    keywords,
    homepage,
    repository,
    // Node loads a file of a CommonJS package some milliseconds sooner than a module.
    type: 'commonjs',
    engines,
    bin: fromDist(bin),
    exports: fromDist(exports),
    // What a program does not use of the library, a bundler may leave out; a worker does its work by being loaded.
    sideEffects: ['./language-worker.mjs'],
  };
  writeManifest(root, manifest);
  for (const file of DOCUMENTS) copyFileSync(`${root}${file}`, `${root}dist/${file}`);
}

/** For a build that is used where it is: npm refuses to pack it. */
export function writeBareManifest(root) {
  const { name, exports } = repositoryManifest(root);
  writeManifest(root, { name, type: 'commonjs', exports: fromDist(exports) });
}

const writeManifest = (root, manifest) =>
  writeFileSync(`${root}dist/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);

/** The same paths, seen from dist. */
function fromDist(paths) {
  if (typeof paths === 'string') return paths.replace(/^(\.\/)?dist\//, '$1');
  return Object.fromEntries(Object.entries(paths).map(([key, value]) => [key, fromDist(value)]));
}
