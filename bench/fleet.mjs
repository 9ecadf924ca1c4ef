// Measures a repository of many applications: one process for all of them, to standard output and to a directory, a
// second run without changes, and a process for each application.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBuilt, native, onNode } from './support/command.mjs';
import { timeAndPeak } from './support/process.mjs';
import { figureText } from './support/table.mjs';
import { workload } from './support/workload.mjs';

export const title = 'A fleet: applications of ten instances, each in a file of its own';
const INSTANCES = 10;
const SAMPLE = 40;

export async function run({ short }) {
  checkBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-fleet-'));
  const sizes = short ? [100] : [250, 500, 1000];
  const lines = [['', 'objects', 'ms', 'MiB', 'to a tree: ms', 'again: ms', 'ms by application']];
  const claims = [];
  try {
    for (const count of sizes) {
      const fleet = writeFleet(join(folder, String(count)), count);
      for (const [name, command] of [
        ['', onNode],
        ['  the executable', native],
      ]) {
        if (command === undefined) continue;
        const figures = await measure(command, fleet, join(folder, `tree-${count}-${command.length}`));
        const { printed, written, again, each } = figures;
        const texts = [printed.time, printed.peak, written.time, again.time, each].map(figureText);
        lines.push([name || `${count} applications`, name === '' ? String(count * INSTANCES * 7) : '', ...texts]);
        if (count === 1000 && command === native) {
          claims.push({ name: '1,000 applications in one process', figure: printed.time / 1000, target: 5, unit: 's' });
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { lines, claims };
}

async function measure(command, { apps, platform, names }, out) {
  const start = [...command, 'render'];
  const options = ['--definitions', platform];
  const tree = [...start, apps, ...options, '--output-dir', out, '--layout', '{folder}/{kind}-{name}.yaml'];
  const printed = await succeeded([...start, apps, ...options]);
  const written = await succeeded(tree);
  const again = await succeeded(tree);
  return { printed, written, again, each: await byApplication(start, names.slice(0, SAMPLE), options) };
}

/** Returns the wall time per application, with as many processes as cores. */
async function byApplication(start, names, options) {
  const queue = [...names];
  const work = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      await succeeded([...start, name, ...options]);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return (performance.now() - began) / names.length;
}

async function succeeded(command) {
  const result = await timeAndPeak(command);
  if (result.code !== 0) throw new Error(`${command.join(' ')} failed with ${result.code}: ${result.stderr}`);
  return result;
}

function writeFleet(folder, count) {
  const [apps, platform] = ['apps', 'platform'].map((name) => join(folder, name));
  const [rgd, ...instances] = workload(count * INSTANCES).split('---\n');
  mkdirSync(platform, { recursive: true });
  writeFileSync(join(platform, 'webapp.yaml'), rgd);
  const names = Array.from({ length: count }, (_, index) => join(apps, `team-${index % 20}`, `app-${index}`));
  for (const [index, name] of names.entries()) {
    mkdirSync(name, { recursive: true });
    for (const [file, text] of instances.slice(index * INSTANCES, (index + 1) * INSTANCES).entries()) {
      writeFileSync(join(name, `instance-${file}.yaml`), text);
    }
  }
  return { apps, platform, names };
}
