#!/usr/bin/env node
// Packs dist/ and checks with two tools that programs find what package.json declares: publint, and Are The Types
// Wrong. Needs `npm run build` and the npm registry, from which they are installed at exact versions: nothing else uses
// them, and they have more dependencies than the whole project.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedPackages } from './cached-package.mjs';
import { createTally } from './tally.mjs';

const PUBLINT = 'publint@0.3.25';
const ATTW = '@arethetypeswrong/cli@0.18.5';

/** The library only has ES modules, which `require` supports too in every supported release of Node. */
const ES_MODULES = ['--profile', 'esm-only', '--no-color'];
/** A worker exports nothing. */
const WITHOUT_TYPES = ['--exclude-entrypoints', './language-worker'];

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const tally = createTally('package');
const folder = mkdtempSync(join(tmpdir(), 'render-rgd-package-'));
try {
  execFileSync('npm', ['pack', dist, '--pack-destination', folder, '--silent'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = join(folder, readdirSync(folder)[0]);
  const modules = cachedPackages(PUBLINT, ATTW);
  if (modules === undefined) tally.skip('the package', 'no registry can be reached');
  else {
    tally.check(PUBLINT, faultOf(join(modules, 'publint/src/cli.js'), dist, '--strict'));
    tally.check(
      ATTW,
      faultOf(join(modules, '@arethetypeswrong/cli/dist/index.js'), tarball, ...ES_MODULES, ...WITHOUT_TYPES),
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
tally.end();

function faultOf(cli, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });
  return status === 0 ? undefined : `${stdout}${stderr}`;
}
