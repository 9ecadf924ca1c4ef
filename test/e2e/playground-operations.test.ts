import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Package, PackageFile } from '../../playground/engine/protocol.ts';
import { texts, withMistake } from '../language-server/fixes.ts';
import { randomFrom } from '../language-server/mutants.ts';
import { LONG, runs } from '../properties/runs.ts';
import { seed } from '../seed.ts';
import { choose, describeInBrowser, openFiles, openForTests, type Site, write } from './playground-page.ts';
import { command, execute, isNative } from './sandbox.ts';

/** What is rendered, or what is wrong: documents without an order, and errors by code and place. */
interface Outcome {
  readonly errors: readonly string[];
  readonly documents: readonly string[];
}

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
    ...(namespace === undefined ? [] : ['--namespace', namespace]),
    ...(strict === true ? ['--strict'] : []),
    ...(assumeEmptyStatus === true ? ['--assume-empty-status'] : []),
    ...(kro === undefined ? [] : ['--kro', kro]),
    ...(experimental ?? []).flatMap((feature) => ['--experimental', feature]),
  ];
  if (named('objects').length === 0) {
    if (named('definitions').length === 0 && named('observed').length === 0) return { errors: [], documents: [] };
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

describeInBrowser('the page and the command line', () => {
  let site: Site;
  openForTests((opened) => {
    site = opened;
  });

  it(
    'say the same after random operations',
    async () => {
      const random = randomFrom(seed);
      const below = (limit: number): number => Math.floor(random() * limit);
      const all = texts().filter(({ text }) => text.length < 4000);
      const some = (): (typeof all)[number] => all[below(all.length)] as (typeof all)[number];
      const page = await site.open();
      const folder = join(mkdtempSync(join(tmpdir(), 'render-rgd-operations-')), 'package');
      const tabs = page.locator('.file-tabs').getByRole('tab');
      const pickTab = async (): Promise<void> => {
        const count = await tabs.count();
        if (count > 0) await tabs.nth(below(count)).click();
      };
      const keys =
        (...pressed: readonly string[]) =>
        async (): Promise<void> => {
          await page.locator('.pane.active .cm-content').click();
          for (const key of pressed) await page.keyboard.press(key);
        };
      const operations: readonly (readonly [name: string, run: () => Promise<void>])[] = [
        ['open a package', () => openFiles(page, [{ name: 'all.yaml', text: some().text }])],
        ['open the start', () => choose(page, 'New', 'RGD with an instance')],
        ['open a policy', () => choose(page, 'New', 'Policy with what it checks')],
        ['open a value that waits', () => choose(page, 'New', 'A value that only a cluster knows')],
        ['choose a file', pickTab],
        ['write a mistake', async () => write(page, withMistake(some().text, random))],
        ['write a text', async () => write(page, some().text)],
        ['undo', keys('Control+z')],
        ['undo twice', keys('Control+z', 'Control+z')],
        ['redo', keys('Control+y')],
        ['delete a line', keys('Control+End', 'ArrowUp', 'ArrowUp', 'Control+Shift+k')],
        ['delete the file', () => choose(page, 'File', /^Delete/)],
        ['add an RGD', () => choose(page, 'Add a file', 'RGD')],
        ['add a policy', () => choose(page, 'Add a file', 'Policy')],
        ['define kinds', () => choose(page, 'File', /^Defines kinds/)],
        ['render its objects', () => choose(page, 'File', /^Rendered/)],
        ['render as kro 0.10', () => choose(page, 'Release of kro', 'kro 0.10')],
        ['render as kro 0.9', () => choose(page, 'Release of kro', 'kro 0.9')],
        ['be strict', () => choose(page, 'Release of kro', 'Reject what kro rejects')],
        ['skip', () => choose(page, 'Pending', /^skip/)],
        ['fail', () => choose(page, 'Pending', /^fail/)],
      ];
      const { numRuns } = runs(25);
      const done: string[] = [];
      for (let run = 0; run < numRuns; run += 1) {
        const [name, operate] = operations[below(operations.length)] as (typeof operations)[number];
        done.push(name);
        if ((await tabs.count()) === 0 && !name.startsWith('open') && !name.startsWith('add')) continue;
        await operate();
        const pack = await packageOf(page);
        const wanted = printed(pack, folder);
        const message = `run ${run}, ${done.slice(-6).join(', ')}: ${JSON.stringify(pack)}`;
        await expect.poll(() => shownOn(page), { message, timeout: 20_000 }).toEqual(wanted);
      }
      rmSync(dirname(folder), { recursive: true });
    },
    LONG,
  );
});
