// The package that users install is the folder dist. The manifest of this repository has no version, so that npm
// rejects packing or publishing the repository itself, which would not be built.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';

/** The files of the package besides the build. */
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'LICENSE', 'plugin.yaml', 'plugin-discovery.yaml'];

/** The JSON Schema of diagnostics, for programs that have the package. */
const SCHEMA = 'diagnostics.schema.json';

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
    // Node loads a CommonJS file some milliseconds faster than a module.
    type: 'commonjs',
    engines,
    bin: fromDist(bin),
    exports: fromDist(exports),
    // A bundler may omit unused parts of the library, except the worker, which runs when it is loaded.
    sideEffects: ['./language-worker.mjs'],
  };
  writeManifest(root, manifest);
  for (const file of DOCUMENTS) copyFileSync(`${root}${file}`, `${root}dist/${file}`);
  copyFileSync(`${root}data/${SCHEMA}`, `${root}dist/${SCHEMA}`);
}

/** For a build that is used in place: npm rejects packing it. */
export function writeBareManifest(root) {
  const { name, exports } = repositoryManifest(root);
  writeManifest(root, { name, type: 'commonjs', exports: fromDist(exports) });
}

const writeManifest = (root, manifest) =>
  writeFileSync(`${root}dist/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);

/** Returns the same paths, relative to dist. */
function fromDist(paths) {
  if (typeof paths === 'string') return paths.replace(/^(\.\/)?dist\//, '$1');
  return Object.fromEntries(Object.entries(paths).map(([key, value]) => [key, fromDist(value)]));
}
