import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { verdictOn } from './check.ts';
import { ownFolders, readCorpus } from './corpus.ts';
import { inputOf } from './input.ts';
import { watch } from './watch.ts';
import { work } from './worker.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    // An instance that uses up its budget takes three seconds, and each input is rendered two or three times.
    seconds: { type: 'string', default: '15' },
    memory: { type: 'string', default: '1024' },
    keep: { type: 'string' },
  },
});

if (isMainThread) await (values.only === undefined ? fuzz() : replay(Number(values.only)));
else await work();

async function fuzz(): Promise<void> {
  const seed = Number(values.seed);
  const folders = [...ownFolders(process.cwd()), ...positionals];
  const corpus = readCorpus(folders);
  console.log(`seed ${seed}, ${values.runs} inputs from ${corpus.texts.length} files`);
  const found = new Set<number>();
  const { slowest, succeeded } = await watch({
    script: fileURLToPath(import.meta.url),
    task: { folders, seed, from: 0, to: Number(values.runs) },
    limit: Number(values.seconds) * 1000,
    memory: Number(values.memory),
    found(index, fault) {
      found.add(index);
      console.log(`\n--seed ${seed} --only ${index}: ${inputOf(corpus, seed, index).args.join(' ')}\n${fault}`);
      if (values.keep !== undefined) keep(values.keep, `${seed}-${index}`, inputOf(corpus, seed, index).stdin);
    },
  });
  console.log(
    `${values.runs} inputs run, ${succeeded} succeeded, ${found.size} with a fault; --only ${slowest.index} took longest, ${slowest.time} ms`,
  );
  process.exitCode = found.size === 0 ? 0 : 1;
}

/** Writes one input to standard output, and its error to standard error. */
async function replay(index: number): Promise<void> {
  const input = inputOf(readCorpus([...ownFolders(process.cwd()), ...positionals]), Number(values.seed), index);
  process.stdout.write(input.stdin);
  console.error(`render-rgd ${input.args.join(' ')}`);
  const { fault } = await verdictOn(input);
  console.error(fault ?? 'nothing is wrong with it');
  process.exitCode = fault === undefined ? 0 : 1;
}

function keep(folder: string, name: string, bytes: Uint8Array): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
}
