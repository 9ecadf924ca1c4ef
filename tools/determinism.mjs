#!/usr/bin/env node
// Runs the built command on the same inputs again and again, in surroundings that must not matter, and compares the
// bytes that it prints and its exit code; then the executable of `npm run native` with Node. Needs `npm run build`.
// `--engines` compares only those two, over many more inputs. With TIMES=10, as in the nightly workflow, each of the
// surroundings is tried alone, with each of the inputs; otherwise they and the releases of Node share the inputs.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostileInvocations } from './determinism/hostile.mjs';
import { invocations } from './determinism/inputs.mjs';
import { firstDifference, invoke, root } from './determinism/invocation.mjs';
import { nodeReleases } from './determinism/node-releases.mjs';
import { reorderings } from './determinism/orders.mjs';
import { combinedSurroundings, surroundings } from './determinism/surroundings.mjs';
import { fileOf, hostTarget } from './native/targets.mjs';
import { createTally } from './tally.mjs';

const isLong = Number(process.env.TIMES ?? 1) > 1;
const REPETITIONS = isLong ? 100 : 5;
const enginesOnly = process.argv.includes('--engines');
const folder = mkdtempSync(join(tmpdir(), 'render-rgd-determinism-'));
const tally = createTally('determinism');
try {
  const all = invocations(
    folder,
    enginesOnly ? { cases: 1, lists: 1 } : isLong ? { cases: 36, lists: 4 } : { cases: 120, lists: 12 },
  );
  if (enginesOnly) all.push(...(await hostileInvocations(folder)));
  const expected = new Map();
  await each(all, async (one) => expected.set(one, await invoke(one)));
  const failing = all.filter((one) => expected.get(one).code !== 0).length;
  console.log(`${all.length} inputs, ${failing} of which fail as they should`);
  const compare = async (dimension, one, where) =>
    tally.check(`${dimension}, ${one.name}`, firstDifference(expected.get(one), await invoke(one, where)));
  if (!enginesOnly) await compareNode(all, compare);
  await compareEngines(all, compare);
} finally {
  rmSync(folder, { recursive: true });
}
tally.end();

/** Runs the bundle with Node, in environments that must not matter. */
async function compareNode(all, compare) {
  const [representative] = all;
  await each(Array(REPETITIONS).fill('again'), (dimension) => compare(dimension, representative));
  console.log(`${REPETITIONS} times: ${representative.name}`);
  const places = isLong ? surroundings(folder) : combinedSurroundings(folder);
  const share = (parts, part) => (isLong ? all : all.filter((_, index) => index % parts === part % parts));
  for (const [at, { name, ...where }] of places.entries()) {
    const inputs = share(3, at);
    await each(inputs, (one) => compare(name, one, where));
    console.log(`${inputs.length} inputs with ${name}`);
  }
  for (const { name, first, second } of reorderings(folder)) {
    tally.check(name, firstDifference(await invoke(first), await invoke(second)));
    console.log(name);
  }
  for (const [at, { version, executable }] of nodeReleases().entries()) {
    const inputs = share(3, at);
    if (executable === undefined) tally.skip(`Node ${version}`, 'no registry has it for this machine');
    else await each(inputs, (one) => compare(`Node ${version}`, one, { executable }));
    if (executable !== undefined) console.log(`${inputs.length} inputs with Node ${version}`);
  }
}

/** Runs the executable, which has another engine, in the same environments except for options of Node. */
async function compareEngines(all, compare) {
  const target = hostTarget();
  const native = join(root, 'dist-native', target === undefined ? '' : fileOf(target));
  if (target === undefined || !existsSync(native)) {
    tally.skip('the executable', 'npm run native did not build one');
    return;
  }
  await each(all, (one) => compare('the executable', one, { native }));
  console.log(`all inputs with ${fileOf(target)}`);
  if (!enginesOnly) return;
  for (const { name, options, ...where } of surroundings(folder)) {
    if (options !== undefined) continue;
    await each(all.slice(0, 30), (one) => compare(`the executable with ${name}`, one, { ...where, native }));
    console.log(`30 inputs with ${fileOf(target)} and ${name}`);
  }
}

/** Two at a time. */
async function each(items, run) {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item);
  };
  await Promise.all([work(), work()]);
}
