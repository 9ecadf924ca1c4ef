#!/usr/bin/env node
// Builds executables that need no Node: `npm run native`, for this machine, or for others with
// `-- --target linux-x64,linux-arm64` or `-- --target all`. Each is the bundled command and the runtime bun in one file;
// beside it are its checksum and its bill of materials, and the licence texts of all. `--runtime FILE` takes a runtime
// that you built yourself, `--name NAME` calls the executable so.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { serverBundle } from './bundles.mjs';
import { buildCommand } from './command.mjs';
import { idsIn, linkedIn } from './native/components.mjs';
import { withFunctions } from './native/functions.mjs';
import { licenceTexts } from './native/licence-texts.mjs';
import { hostBun, runtimePackage } from './native/runtime.mjs';
import { fileOf, hostTarget, targets } from './native/targets.mjs';
import { archivePlayground } from './playground/archive.mjs';
import { describeExecutable } from './supply-chain/index.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist-native');
const { values } = parseArgs({
  options: { target: { type: 'string' }, runtime: { type: 'string' }, name: { type: 'string' } },
});
const wanted = targetsOf(values.target ?? hostTarget());
if (wanted.length > 1 && (values.runtime ?? values.name) !== undefined) {
  throw new Error('--runtime and --name are of one --target');
}

const work = mkdtempSync(join(tmpdir(), 'render-rgd-native-'));
try {
  const command = join(work, 'render-rgd.js');
  const bundle = await buildCommand(root, { compiled: true, sourcemap: false, outfile: command });
  writeFileSync(command, withFunctions(readFileSync(command, 'utf8')));
  // The command loads them on demand; bun finds them beside the command.
  const servers = await Promise.all(
    ['lsp', 'mcp'].map((name) => build({ ...serverBundle(root, name), outfile: join(work, `${name}.mjs`) })),
  );
  const playground = await archivePlayground(root, work);
  const bun = hostBun(root);
  const versions = JSON.parse(bun(['-p', 'JSON.stringify(process.versions)'], work));
  mkdirSync(out, { recursive: true });
  for (const target of wanted) compile(target, bun, { bundle, servers, versions, playground });
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
} finally {
  rmSync(work, { recursive: true });
}

function targetsOf(text) {
  // The name of x64 in images.
  const named = (text ?? '').split(',').map((name) => name.replace(/-amd64(?=-|$)/, '-x64'));
  const names = text === 'all' ? Object.keys(targets) : named;
  const unknown = names.filter((name) => !Object.hasOwn(targets, name));
  if (unknown.length > 0)
    throw new Error(`no target ${unknown.join(', ')}: there are ${Object.keys(targets).join(', ')}`);
  return names;
}

function compile(target, bun, { bundle, servers, versions, playground }) {
  const runtime = runtimePackage(target, root);
  const file = values.name ?? fileOf(target);
  // With one name for all, so that they contain no path of this machine.
  const made = join(work, `render-rgd${targets[target].suffix ?? ''}`);
  const options = [
    '--minify',
    '--bytecode',
    // Functions are compiled after 128 times as many calls as usual: most runs end before it would pay off.
    '--compile-jit-policy=128',
    // A rendered folder may be untrusted: nothing in it may affect the runtime.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    '--no-compile-autoload-tsconfig',
    '--no-compile-autoload-package-json',
    `--target=${targets[target].bun}`,
    `--compile-executable-path=${values.runtime === undefined ? runtime.executable : resolve(values.runtime)}`,
  ];
  bun(['build', '--compile', ...options, 'render-rgd.js', ...playground.files, '--outfile', 'render-rgd'], work);
  const linked = linkedIn(target, versions);
  const texts = licenceTexts([...new Set(['MIT', ...linked.flatMap(({ license }) => idsIn(license))])].sort());
  const { sbom, notices } = describeExecutable(
    [bundle, ...servers, ...playground.builds],
    root,
    { ...runtime, linked },
    texts,
  );
  const bytes = readFileSync(made);
  writeFileSync(join(out, `${file}.sha256`), `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`);
  writeFileSync(join(out, `${file}.cdx.json`), sbom);
  writeFileSync(join(out, `${file}.notices.txt`), notices);
  moveTo(made, join(out, file));
  console.log(`dist-native/${file}: ${(statSync(join(out, file)).size / 2 ** 20).toFixed(1)} MiB`);
}

/** A running program can be replaced, but not written to; the temporary folder may be on another disk. */
function moveTo(from, to) {
  copyFileSync(from, `${to}.tmp`);
  renameSync(`${to}.tmp`, to);
}
