import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong, runs } from '../properties/runs.ts';
import { bundle, command, execute, filesOf } from './sandbox.ts';

/** `TIMES=10` runs more, as the nightly run does. */
const { numRuns: KILLS } = runs(isLong ? 50 : 6);
const { numRuns: NEW_KILLS } = runs(isLong ? 20 : 3);
const examples = join(bundle, '../../examples/collections/input');
const FOREIGN = { 'README.md': 'mine', 'shop/mine.yaml': 'a: 1\n', 'other/x.yaml': 'b: 1\n' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-e2e-tree-'));
  for (const [name, numbers] of Object.entries({ one: [0, 40], other: [20, 60] })) writePackage(name, numbers);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a package of so many instances; instances in two packages render to different texts. */
function writePackage(name: string, [from = 0, to = 0]: readonly number[]): void {
  mkdirSync(join(folder, name));
  for (const file of ['cache.rgd.yaml', 'storefront.rgd.yaml']) {
    writeFileSync(
      join(folder, name, file),
      readFileSync(join(examples, file), 'utf8').replaceAll('redis', `redis-${name}`),
    );
  }
  const instance = readFileSync(join(examples, 'books.yaml'), 'utf8');
  const all = Array.from({ length: to - from }, (_, index) => instance.replaceAll('books', `shop-${from + index}`));
  writeFileSync(join(folder, name, 'shops.yaml'), all.join('---\n'));
}

const argumentsFor = (name: string, out: string): string[] => ['render', join(folder, name), '--output-dir', out];

function expectedTree(name: string): Record<string, string> {
  const out = join(folder, `expected-${name}`);
  expect(execute(command, argumentsFor(name, out))).toMatchObject({ code: 0, stdout: '' });
  return { ...filesOf(out), ...FOREIGN };
}

function putForeign(out: string): void {
  for (const [name, text] of Object.entries(FOREIGN)) {
    mkdirSync(join(out, name, '..'), { recursive: true });
    writeFileSync(join(out, name), text);
  }
}

/** Starts a run and kills it at some moment, later ones more likely: the command reads first, and writes then. */
async function killed(args: string[], times: { most: number }): Promise<boolean> {
  const child = spawn(command, args, { stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('close', (_, signal) => resolve(signal)));
  const start = performance.now();
  const moment = new Promise((resolve) => setTimeout(resolve, times.most * Math.sqrt(Math.random())));
  await Promise.race([moment, ended]);
  // A kill that came too late shows how long it takes.
  if (child.exitCode !== null) times.most = performance.now() - start;
  child.kill('SIGKILL');
  return (await ended) === 'SIGKILL';
}

describe('an output directory that is being written', () => {
  it(`survives ${KILLS} kills at any moment`, async () => {
    const expected = { one: expectedTree('one'), other: expectedTree('other') };
    expect(expected.one).not.toEqual(expected.other);
    const out = join(folder, 'killed');
    putForeign(out);
    const times = { most: 1000 };
    let kills = 0;
    for (let run = 0; kills < KILLS; run++) {
      const [next, then] = run % 2 === 0 ? (['other', 'one'] as const) : (['one', 'other'] as const);
      if (await killed(argumentsFor(next, out), times)) kills += 1;
      else expect(run).toBeLessThan(KILLS * 20);
      expect(filesOf(out)).toMatchObject(FOREIGN);
      // Half of the repairs render something else.
      const mending = run % 3 === 0 ? then : next;
      expect(execute(command, argumentsFor(mending, out))).toMatchObject({ code: 0 });
      expect(filesOf(out)).toEqual(expected[mending]);
    }
  });

  it(`is not there or complete after ${NEW_KILLS} kills, in a new folder`, async () => {
    const expected = expectedTree('one');
    for (const name of Object.keys(FOREIGN)) delete expected[name];
    const place = join(folder, 'new');
    mkdirSync(place);
    const out = join(place, 'out');
    const times = { most: 1000 };
    let kills = 0;
    for (let run = 0; kills < NEW_KILLS; run++) {
      if (await killed(argumentsFor('one', out), times)) kills += 1;
      else expect(run).toBeLessThan(NEW_KILLS * 20);
      if (existsSync(out)) expect(filesOf(out)).toEqual(expected);
      expect(execute(command, argumentsFor('one', out))).toMatchObject({ code: 0 });
      expect(filesOf(out)).toEqual(expected);
      expect(readdirSync(place)).toEqual(['out']);
      rmSync(out, { recursive: true });
    }
  });
});

const canMount = process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0;

describe.skipIf(!canMount)('an output directory on a full disk', () => {
  it('does not change, and is written after space is freed', () => {
    const expected = { one: expectedTree('one'), other: expectedTree('other') };
    const [before, full, after] = ['before', 'full', 'after'].map((name) => join(folder, name));
    const run = (name: string): string => `"${command}" ${argumentsFor(name, '/mnt/disk/out').join(' ')}`;
    // A page for every file: one tree fits on the disk, two do not.
    const script = `set -e
mount --make-rprivate /
mount -t tmpfs -o size=4m tmpfs /mnt
mkdir -p /mnt/disk/out/shop /mnt/disk/out/other
printf mine > /mnt/disk/out/README.md
printf 'a: 1\\n' > /mnt/disk/out/shop/mine.yaml
printf 'b: 1\\n' > /mnt/disk/out/other/x.yaml
${run('one')}
cp -r /mnt/disk/out ${before}
dd if=/dev/zero of=/mnt/filler bs=4k 2>/dev/null || true
truncate -s -300k /mnt/filler
if ${run('other')}; then exit 7; fi
cp -r /mnt/disk/out ${full}
rm /mnt/filler
${run('other')}
cp -r /mnt/disk/out ${after}`;
    const { code, stderr } = execute('unshare', ['--mount', 'bash', '-c', script]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/cannot write below .*the disk is full/),
    });
    const trees = [before, full, after].map((path) => filesOf(path as string));
    expect(trees[0]).toEqual(expected.one);
    expect(trees[1]).toEqual(expected.one);
    expect(trees[2]).toEqual(expected.other);
  });
});
