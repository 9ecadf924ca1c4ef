#!/usr/bin/env node
// Checks everything in package-lock.json: origin, licence, absence of install scripts, and known vulnerabilities; then
// the list of bundled packages. Needs `npm run build`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { auditFault } from './supply-chain/audit.mjs';
import { isAllowed } from './supply-chain/licences.mjs';
import { schemaFault } from './supply-chain/schema.mjs';
import { createTally } from './tally.mjs';

/** Packages that may have an install script, because it never runs (.npmrc), with the reason why it is not needed. */
const IDLE_SCRIPTS = {
  bun: 'it would put the native program in the place of a small starter; tools/native.mjs starts the program itself',
  esbuild: 'it would put the native program in the place of a small starter, which only makes the command faster',
  '@swc/core': 'it would fetch the native program where no package has it; npm installs the package of this platform',
};

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(`${root}${path}`, 'utf8');
const sbom = JSON.parse(read('dist/sbom.cdx.json'));
const bundled = new Set(sbom.components.map(({ name }) => name));
const locked = Object.entries(JSON.parse(read('package-lock.json')).packages).filter(([path]) => path !== '');
const tally = createTally('dependencies');

tally.check(
  '.npmrc',
  /^ignore-scripts=true$/m.test(read('.npmrc')) ? undefined : 'it does not say ignore-scripts=true',
);
for (const [path, entry] of locked) tally.check(path, faultOf(path, entry));
for (const { name, licenses } of sbom.components) tally.check(`bundled ${name}`, licenceFault(licenses[0]));
console.log(`${locked.length} packages in package-lock.json, ${sbom.components.length} components in the bundles`);
for (const file of ['dist/sbom.cdx.json', ...executables()]) {
  const schema = await schemaFault(JSON.parse(read(file)));
  if (schema.skipped === undefined) tally.check(`${file}: ${schema.name}`, schema.fault);
  else tally.skip(schema.name, schema.skipped);
}
const audit = auditFault();
// Not every registry supports the audit, and a failed request is not a finding.
if (audit.skipped === undefined) tally.check(audit.name, audit.fault);
else console.log(`SKIPPED: ${audit.name}: ${audit.skipped}`);
tally.end();

/** Returns the bills of materials that `npm run native` wrote. */
function executables() {
  if (!existsSync(`${root}dist-native`)) return [];
  return readdirSync(`${root}dist-native`).flatMap((file) =>
    /\.cdx\.json$/.test(file) ? [`dist-native/${file}`] : [],
  );
}

function faultOf(path, { integrity, hasInstallScript, license, link, resolved }) {
  const name = path.replace(/^.*node_modules\//, '');
  if (link || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))) {
    return 'it does not come from the registry';
  }
  if (!/^sha512-/.test(integrity)) return 'it has no SHA-512';
  if (hasInstallScript && !Object.hasOwn(IDLE_SCRIPTS, name)) return 'it has an install script that nobody looked at';
  if (!isAllowed(license, { bundled: bundled.has(name) })) return `its licence is ${license}`;
  return undefined;
}

function licenceFault({ license, expression = license?.id }) {
  return isAllowed(expression, { bundled: true }) ? undefined : `its licence is ${expression}`;
}
