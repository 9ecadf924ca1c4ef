import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { loadAll } from 'js-yaml';
import { expect, it } from 'vitest';
import { entriesOf, faultsInSums } from '../../src/core/ledger/index.ts';
import { planChange, planEvidence } from '../../src/gitops/plan/index.ts';
import { defaultSettings } from '../../src/render/options/index.ts';
import { invoke } from '../cli/invoke.ts';
import { type Random, randomOf } from '../fuzz/random.ts';
import { filesOf } from '../gitops/plan/repository.ts';
import { CHANGES } from '../plans/changes.ts';
import { LINK, repositoryOf, shapesNamed, URL } from '../plans/repository.ts';
import { LONG, runs } from '../properties/runs.ts';
import { seed } from '../seed.ts';
import { drawFromSeed } from '../templates/random.ts';
import { temporaryFolder } from '../temporary.ts';
import { accountOfPlugin, faultsOfEditor, faultsOfFunction, itemsIn } from './homes.ts';
import { drawPackage, type FileContent } from './package.ts';
import { PLANTS } from './plants.ts';

interface LedgerEntry {
  unit: string;
  file?: string;
  outcome: string;
}

interface WrittenLedger {
  sums: Record<string, { all: number; seen: number; failed: number; unseen: number; irrelevant: number }>;
  entries: LedgerEntry[];
}

function write(folder: string, files: ReadonlyMap<string, FileContent>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, file);
    else writeFileSync(file, content);
  }
}

/** Returns the files on the disk, without those of a repository of Git. */
const filesOnDisk = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).startsWith('.git/'));

/** Returns how many objects and other documents a text has, as another reader reads it; undefined if it does not. */
function documentsIn(text: string): number | undefined {
  try {
    const documents: unknown[] = [];
    loadAll(text, (one: unknown) => void documents.push(one));
    return documents
      .filter((one) => one !== null && one !== undefined)
      .reduce((sum: number, one) => sum + itemsIn(one), 0);
  } catch {
    // What it cannot read has an outcome of its own.
    return undefined;
  }
}

const isOfNode = ({ metadata }: { metadata?: { labels?: Record<string, string> } }): boolean =>
  metadata?.labels?.['kro.run/node-id'] !== undefined;

/** Draws a package, half of them with a plant. */
function drawFiles(random: Random): ReadonlyMap<string, FileContent> {
  const pack = drawPackage(random);
  return random.chance(0.5) ? pack.files : random.pick(PLANTS).plant(pack, random).newer;
}

/** Returns which files of a folder, and which documents of the files that were read, have no outcome or several. */
function faultsOfFiles(entries: readonly LedgerEntry[], folder: string): string[] {
  const faults: string[] = [];
  const met = entries.filter(({ unit }) => unit === 'file');
  for (const file of filesOnDisk(folder)) {
    // A folder that is not entered stands for its files.
    const own = met.filter(({ file: path = '' }) => path === file || file.startsWith(`${path}/`));
    if (own.length !== 1) faults.push(`${own.length} outcomes of ${relative(folder, file)}`);
    if (own[0]?.outcome !== 'read') continue;
    const count = documentsIn(readFileSync(file, 'utf8'));
    const found = entries.filter((one) => (one.unit === 'object' || one.unit === 'document') && one.file === file);
    const isRight = count === undefined ? found.length > 0 : found.length === count;
    if (!isRight) faults.push(`${found.length} of ${count} documents of ${relative(folder, file)}`);
  }
  return faults;
}

/** Validates a package, and returns what is counted twice or missing. */
async function faultsOfPackage(files: ReadonlyMap<string, FileContent>, home: string): Promise<string[]> {
  const folder = join(home, 'package');
  const ledger = join(home, 'ledger.json');
  write(folder, files);
  const { code } = await invoke(['validate', folder, '--ledger', ledger]);
  if (code > 1) return [`validate exits with ${code}`];
  const { sums, entries }: WrittenLedger = JSON.parse(readFileSync(ledger, 'utf8'));
  const faults = faultsOfFiles(entries, folder);
  for (const [unit, { all, seen, failed, unseen, irrelevant }] of Object.entries(sums))
    if (all !== seen + failed + unseen + irrelevant) faults.push(`${unit}: ${all}`);
  const rendered = await invoke(['render', folder, '-o', 'json']);
  // What is left to a controller is printed as it came.
  const printed = rendered.code === 0 ? JSON.parse(rendered.stdout).filter(isOfNode).length : undefined;
  if (printed !== undefined && sums.rendered !== undefined && sums.rendered.all !== printed) {
    faults.push(`${sums.rendered.all} of ${printed} rendered objects`);
  }
  return faults;
}

it(
  'each file, document and rendered object of a package has one outcome',
  async () => {
    const home = temporaryFolder('conservation');
    const faults: string[] = [];
    for (let index = 0; index < runs(100).numRuns; index += 1) {
      const found = await faultsOfPackage(drawFiles(randomOf(seed, index)), home);
      faults.push(...found.map((one) => `SEED=${seed} package ${index}: ${one}`));
    }
    expect(faults).toEqual([]);
  },
  LONG,
);

it(
  'each item of the function, each file of the plugin and each object in an editor has one outcome',
  async () => {
    const home = temporaryFolder('conservation');
    const folder = join(home, 'package');
    const start = process.cwd();
    const faults: string[] = [];
    for (let index = 0; index < runs(100).numRuns; index += 1) {
      const files = drawFiles(randomOf(seed, index));
      write(folder, files);
      process.chdir(folder);
      const { evidence, faults: ofPlugin } = await accountOfPlugin().finally(() => process.chdir(start));
      const entries = entriesOf(evidence).map(({ unit, file, outcome }): LedgerEntry => {
        return { unit, outcome: outcome.is, ...(file !== undefined && { file: join(folder, file) }) };
      });
      const found = [
        ...faultsOfFunction(files).map((one) => `function: ${one}`),
        ...[...ofPlugin, ...faultsOfFiles(entries, folder)].map((one) => `plugin: ${one}`),
        ...faultsOfEditor(files).map((one) => `editor: ${one}`),
      ];
      faults.push(...found.map((one) => `SEED=${seed} package ${index}: ${one}`));
    }
    expect(faults).toEqual([]);
  },
  LONG,
);

it(
  'each changed file and each application of a pull request has one outcome',
  () => {
    const faults: string[] = [];
    let applications = 0;
    for (let index = 0; index < runs(100).numRuns; index += 1) {
      const draw = drawFromSeed(seed + index);
      const before = repositoryOf(draw, 12, shapesNamed(''));
      for (const [path, text] of before) if (text.startsWith(LINK)) before.delete(path);
      const after = new Map(before);
      for (let count = draw.int(1, 5); count > 0; count -= 1) draw.pick(CHANGES)[1](after, draw);
      for (const [path, text] of after) if (text.startsWith(LINK)) after.delete(path);
      const [old, newer] = [Object.fromEntries(before), Object.fromEntries(after)];
      const paths = [...new Set([...before.keys(), ...after.keys()])];
      const changed = paths.filter((path) => before.get(path) !== after.get(path)).sort();
      const plan = planChange(
        { before: filesOf(old), after: filesOf(newer), changed: new Set(changed) },
        { settings: defaultSettings, urls: [URL], holdsData: [] },
      );
      const evidence = planEvidence(plan);
      const found = faultsInSums(evidence);
      const files = evidence.given.flatMap(({ unit, file }) => (unit === 'change' && file !== undefined ? [file] : []));
      if (files.join() !== changed.join()) found.push(`outcomes of ${files.join()}, and not of ${changed.join()}`);
      const own = evidence.given.filter(({ unit }) => unit === 'application');
      const rejected = plan.applications.filter(
        ({ application }) => !plan.outcomes.some((one) => one.application === application),
      );
      if (own.length < plan.found) found.push(`${own.length} outcomes of ${plan.found} applications`);
      if (rejected.length > 0) found.push(`${rejected.length} applications without an outcome`);
      const compared = own.filter(({ outcome }) => outcome.is === 'compared').length;
      if (compared > plan.compared) found.push(`${compared} of ${plan.compared} compared applications`);
      applications += own.length;
      faults.push(...found.map((one) => `SEED=${seed} change ${index}: ${one}`));
    }
    expect(faults).toEqual([]);
    expect(applications).toBeGreaterThan(0);
  },
  LONG,
);
