#!/usr/bin/env node
// Runs the conformance cases against the built command, all in one process, or against another command:
//
//   node tools/conformance.mjs [--cli "node dist/render-rgd.js"] [--only TEXT]
//
// Cases of known-gaps.json are expected to fail, and one that passes has to be taken off the list.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleRunner } from './bundle-process.mjs';
import { checkCase, findCases } from './conformance-cases.mjs';
import { createTally } from './tally.mjs';

const root = fileURLToPath(new URL('../test/conformance', import.meta.url));
const { values } = parseArgs({
  options: {
    cli: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const gaps = JSON.parse(readFileSync(join(root, 'known-gaps.json'), 'utf8'));

const bundle = fileURLToPath(new URL('../dist/render-rgd.js', import.meta.url));
const run = values.cli === undefined ? bundleRunner(bundle) : processRunner(values.cli.split(' '));

function processRunner([file, ...fixed]) {
  return (args) =>
    new Promise((resolve) => {
      execFile(file, [...fixed, ...args], { timeout: 600_000, maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code ?? -1), stdout, stderr }),
      );
    });
}

const queue = findCases(root).filter((folder) => relative(root, folder).includes(values.only));
const faults = new Map();

async function work() {
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const name = relative(root, folder);
    const fault = await checkCase(folder, run).catch(String);
    const isGap = Object.hasOwn(gaps, name);
    if (isGap) faults.set(name, fault === undefined ? 'passes, take it off known-gaps.json' : undefined);
    else faults.set(name, fault);
  }
}

await Promise.all([work(), work()]);
const tally = createTally('conformance');
for (const name of [...faults.keys()].sort()) tally.check(name, faults.get(name));
tally.end();
