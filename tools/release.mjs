#!/usr/bin/env node
// Creates a release of dist-native/ in dist-release/: an archive for each executable, bills of materials, the manifests
// of package managers, a plugin of Helm, and the checksums of all of them. Then publishes it with
// tools/release/publish.sh, except with `npm run release -- --dry-run`, which also accepts missing executables. --from
// and --out set other folders.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { archiveOf, fileOf, targets } from './native/targets.mjs';
import { sha256, tarGz } from './release/archive.mjs';
import { helmPlugin, manifestsOf } from './release/manifests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    from: { type: 'string', default: join(root, 'dist-native') },
    out: { type: 'string', default: join(root, 'dist-release') },
  },
});
const { from, out } = values;
const { config, license, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version } = config;
const homepage = repository.url.replace(/^git\+|\.git$/g, '');

const built = Object.keys(targets).filter((target) => existsSync(join(from, fileOf(target))));
const missing = Object.keys(targets).filter((target) => !built.includes(target));
if (built.length === 0) throw new Error(`${from} holds no executable: npm run native`);
if (missing.length > 0 && !values['dry-run']) throw new Error(`${from} lacks ${missing.join(', ')}`);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const checksums = [];
const archives = built.map((target) => {
  const { os, arch, libc, suffix = '' } = targets[target];
  const file = archiveOf(target, version);
  const digest = write(file, tarGz(filesOf(target, suffix)));
  write(file.replace(/\.tar\.gz$/, '.cdx.json'), readFileSync(join(from, `${fileOf(target)}.cdx.json`)));
  return { os, arch, libc, suffix, file, sha256: digest };
});
const url = `${homepage}/releases/download/v${version}`;
for (const { name, text } of manifestsOf({ version, url, homepage, license, archives })) write(name, text);
write(`helm-render-rgd-${version}.tgz`, tarGz([file('helm-render-rgd/plugin.yaml', Buffer.from(helmPlugin(version)))]));
writeFileSync(join(out, 'checksums.txt'), checksums.join(''));
console.log(`${out}: ${archives.map(({ file }) => file).join(', ')}`);

if (!values['dry-run']) {
  execFileSync(join(root, 'tools/release/publish.sh'), [version, out], { cwd: root, stdio: 'inherit' });
}

function filesOf(target, suffix) {
  const name = fileOf(target);
  return [
    { ...file(`render-rgd${suffix}`, readFileSync(join(from, name))), executable: true },
    file('LICENSE', readFileSync(join(root, 'LICENSE'))),
    file('NOTICES.txt', readFileSync(join(from, `${name}.notices.txt`))),
  ];
}

function file(name, bytes) {
  return { name, bytes };
}

/** Writes a file of the release. Returns its checksum. */
function write(name, content) {
  const digest = sha256(content);
  checksums.push(`${digest}  ${name}\n`);
  writeFileSync(join(out, name), content);
  return digest;
}
