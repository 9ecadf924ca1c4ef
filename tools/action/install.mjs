// Downloads a release, compares its checksum, and adds it to the PATH of the job.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveOf, hostTarget } from '../native/targets.mjs';

const { VERSION, SHA256, RELEASES, RUNNER_TEMP, GITHUB_PATH } = process.env;
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const version = (VERSION || manifest.config.version).replace(/^v/, '');
const target = hostTarget();
if (target === undefined) throw new Error(`there is no release for ${process.platform} ${process.arch}`);

const name = archiveOf(target, version);
const expected = SHA256 || checksumOf(name, (await download('checksums.txt')).toString());
const archive = await download(name);
const found = createHash('sha256').update(archive).digest('hex');
if (found !== expected) throw new Error(`${name} has the checksum ${found}, expected ${expected}`);

const folder = join(RUNNER_TEMP, `render-rgd-${version}`);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, name), archive);
// Without a path: tar on Windows reads the colon of a drive as a host.
execFileSync('tar', ['-xzf', name], { cwd: folder, stdio: 'inherit' });
appendFileSync(GITHUB_PATH, `${folder}\n`);
console.log(`Installed ${name} (sha256 ${found})`);

async function download(file) {
  const url = `${RELEASES}/v${version}/${file}`;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return Buffer.from(await answer.arrayBuffer());
}

function checksumOf(file, checksums) {
  const line = checksums.split('\n').find((one) => one.endsWith(`  ${file}`));
  if (line === undefined) throw new Error(`checksums.txt does not list ${file}`);
  return line.slice(0, 64);
}
