import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Package, PackageFile } from '../../playground/engine/protocol.ts';
import { randomFrom } from '../language-server/mutants.ts';
import { LONG, runs } from '../properties/runs.ts';
import { seed } from '../seed.ts';
import { operationsOn } from './playground-operate.ts';
import { describeInBrowser, openForTests, type Site } from './playground-page.ts';
import { command, execute, isNative } from './sandbox.ts';

/** What is rendered, or what is wrong: documents without an order, and errors by code and place. */
interface Outcome {
  readonly errors: readonly string[];
  readonly documents: readonly string[];
}

interface Difference {
  readonly run: number;
  /** The names of the last operations. */
  readonly done: readonly string[];
  readonly shown: Outcome;
  readonly wanted: Outcome;
  readonly pack: Package;
}

/** Milliseconds until a page has rendered and validated. */
const PATIENCE = 15_000;
/** The test stops after so many differences. */
const MOST = 10;

interface Found {
  readonly severity: string;
  readonly code: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

const documentsOf = (text: string): string[] =>
  text
    .split(/^---\n/m)
    .filter((document) => document.trim() !== '')
    .sort();

/** Returns the package of the page: its share link contains it. */
async function packageOf(page: Page): Promise<Package> {
  // What was typed is kept after a pause, and gets its address then. An earlier link is replaced by that of Share.
  await page.waitForTimeout(500);
  await page.evaluate("history.replaceState(null, '', location.pathname)");
  await page.getByRole('button', { name: 'Share' }).click();
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#s=/);
  const packed = Buffer.from(new URL(page.url()).hash.slice(3), 'base64url');
  return JSON.parse(inflateRawSync(packed.subarray(1)).toString()) as Package;
}

/** What the page shows. Objects are those that Download saves; stale ones are not of this rendering. */
async function shownOn(page: Page): Promise<Outcome> {
  const errors = (await page.evaluate(`[...document.querySelectorAll('#problems-list li.error')].flatMap((row) => {
    const places = [...row.querySelectorAll('.place')].map(({ textContent }) => textContent);
    return (places.length === 0 ? [''] : places).map((place) => row.dataset.code + ' ' + place);
  })`)) as string[];
  if (errors.length > 0) return { errors: [...new Set(errors)].sort(), documents: [] };
  await page.getByRole('tab', { name: 'Objects', exact: true }).click();
  const objects = await page.locator('#panel-objects details.object').count();
  if (objects === 0) return { errors: [], documents: [] };
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#panel-objects').getByRole('button', { name: 'Download' }).click(),
  ]);
  return { errors: [], documents: documentsOf(readFileSync(await download.path(), 'utf8')) };
}

/** What the command line prints for a package. */
function printed({ files, options }: Package, folder: string): Outcome {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const named = (role: PackageFile['role']): string[] =>
    files.filter((file) => file.role === role && /\.(ya?ml|json)$/i.test(file.name)).map(({ name }) => name);
  const { namespace, onPending, strict, assumeEmptyStatus, kro, experimental } = options;
  const flags = [
    ...named('objects'),
    ...named('definitions').flatMap((name) => ['--definitions', name]),
    ...named('observed').flatMap((name) => ['--observed', name]),
    ...named('inputs').flatMap((name) => ['--inputs-from', name]),
    ...(namespace === undefined ? [] : ['--namespace', namespace]),
    ...(strict === true ? ['--strict'] : []),
    ...(assumeEmptyStatus === true ? ['--assume-empty-status'] : []),
    ...(kro === undefined ? [] : ['--kro', kro]),
    ...(experimental ?? []).flatMap((feature) => ['--experimental', feature]),
  ];
  if (named('objects').length === 0) {
    const others = [...named('definitions'), ...named('observed'), ...named('inputs')];
    if (others.length === 0) return { errors: [], documents: [] };
    // The command needs a path, and a file without documents is as good as none.
    writeFileSync(join(folder, 'none.yaml'), '');
    flags.unshift('none.yaml');
  }
  const run = (verb: string): { stdout: string; found: Found[] } => {
    const [program, before] = isNative ? [command, []] : [process.execPath, [command]];
    const mode = onPending === undefined ? [] : ['--on-pending', onPending];
    const own = ['--allow-empty', ...(verb === 'render' ? mode : [])];
    const { stdout, stderr } = execute(program, [...before, verb, ...flags, ...own, '--diagnostics', 'json'], {
      cwd: folder,
    });
    // What `validate` finds is its result.
    const diagnostics = verb === 'validate' ? stdout : stderr;
    return { stdout, found: JSON.parse(diagnostics === '' ? '[]' : diagnostics) as Found[] };
  };
  const rendered = run('render');
  const validated = run('validate');
  const errors = [...rendered.found, ...validated.found]
    .filter(({ severity }) => severity === 'error')
    .map(({ code, file, line, column }) => `${code} ${line === undefined ? '' : `${file}:${line}:${column ?? 1}`}`);
  if (errors.length > 0) return { errors: [...new Set(errors)].sort(), documents: [] };
  return { errors: [], documents: documentsOf(rendered.stdout) };
}

/** Waits until the page shows what is wanted; returns what it shows instead. */
async function differenceFrom(page: Page, wanted: Outcome): Promise<Outcome | undefined> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const shown = await shownOn(page);
    if (isDeepStrictEqual(shown, wanted)) return undefined;
    if (Date.now() > end) return shown;
    await page.waitForTimeout(100);
  }
}

describeInBrowser('the page and the command line', () => {
  let site: Site;
  openForTests((opened) => {
    site = opened;
  });

  it(
    'say the same after random operations',
    async () => {
      const random = randomFrom(seed);
      const page = await site.open();
      await page.locator('html[data-language="connected"]').waitFor();
      const folder = join(mkdtempSync(join(tmpdir(), 'render-rgd-operations-')), 'package');
      const operations = operationsOn(page, random);
      const { numRuns } = runs(25);
      const done: string[] = [];
      const differences: Difference[] = [];
      let withObjects = 0;
      for (let run = 0; run < numRuns && differences.length < MOST; run += 1) {
        const operation = operations[Math.floor(random() * operations.length)] as (typeof operations)[number];
        done.push(operation.name);
        await operation.run();
        const pack = await packageOf(page);
        const wanted = printed(pack, folder);
        if (wanted.documents.length > 0) withObjects += 1;
        const difference = await differenceFrom(page, wanted);
        if (difference === undefined) continue;
        const isKnown = differences.some((one) => isDeepStrictEqual([one.shown, one.wanted], [difference, wanted]));
        if (!isKnown) differences.push({ run, done: done.slice(-8), shown: difference, wanted, pack });
      }
      console.log(`${done.length} operations, ${withObjects} with objects, ${differences.length} differences`);
      for (const difference of differences) console.log(JSON.stringify(difference));
      expect(differences).toEqual([]);
      rmSync(dirname(folder), { recursive: true });
    },
    LONG,
  );
});
