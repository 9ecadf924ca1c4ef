#!/usr/bin/env node
// Runs the built command on the same inputs again and again, in surroundings that must not matter, and compares the
// bytes that it prints and its exit code. Needs `npm run build`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invocations } from './determinism/inputs.mjs';
import { firstDifference, invoke } from './determinism/invocation.mjs';
import { nodeReleases } from './determinism/node-releases.mjs';
import { reorderings } from './determinism/orders.mjs';
import { surroundings } from './determinism/surroundings.mjs';
import { createTally } from './tally.mjs';

const REPETITIONS = 100;
const folder = mkdtempSync(join(tmpdir(), 'render-rgd-determinism-'));
const tally = createTally('determinism');
try {
  const all = invocations(folder);
  const expected = new Map();
  await each(all, async (one) => expected.set(one, await invoke(one)));
  const failing = all.filter((one) => expected.get(one).code !== 0).length;
  console.log(`${all.length} inputs, ${failing} of which fail as they should`);
  const compare = async (dimension, one, where) =>
    tally.check(`${dimension}, ${one.name}`, firstDifference(expected.get(one), await invoke(one, where)));

  const [representative] = all;
  await each(Array(REPETITIONS).fill('again'), (dimension) => compare(dimension, representative));
  console.log(`${REPETITIONS} times: ${representative.name}`);
  for (const { name, ...where } of surroundings(folder)) {
    await each(all, (one) => compare(name, one, where));
    console.log(`all inputs with ${name}`);
  }
  for (const { name, first, second } of reorderings(folder)) {
    tally.check(name, firstDifference(await invoke(first), await invoke(second)));
    console.log(name);
  }
  for (const { version, executable } of nodeReleases()) {
    if (executable === undefined) tally.skip(`Node ${version}`, 'no registry has it for this machine');
    else await each(all, (one) => compare(`Node ${version}`, one, { executable }));
    if (executable !== undefined) console.log(`all inputs with Node ${version}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
tally.end();

/** Two at a time. */
async function each(items, run) {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item);
  };
  await Promise.all([work(), work()]);
}
