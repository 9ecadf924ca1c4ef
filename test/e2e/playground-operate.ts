import type { Page } from 'playwright-core';
import { STARTERS } from '../../playground/ui/starters.ts';
import { texts, withMistake } from '../language-server/fixes.ts';
import { choose, menuOf, openFiles, paste, rendered, write } from './playground-page.ts';

/** What somebody does on the page. */
interface Operation {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Longer texts of the corpus take too long to be rendered after each operation. */
const LONGEST = 4000;
/** More files than this are shown as a tree. */
const MANY = 8;

const FILE_NAMES = ['a.yaml', 'apps/web.yaml', 'a b.yaml', 'app.json', 'notes.txt', 'apps/deep/er.yml', 'ünï.yaml'];
const NODE_NAMES = ['other', 'service', 'a', 'deployment', 'Not-a-name', 'schema', 'config2'];
const NAMESPACES = ['', 'apps', 'default', 'Not_A_Name'];
const VALUES = ['203.0.113.7', 'true', '{a: b}', '[x]', '3', 'a: b: c', 'text', '"', '~'];

/** Returns everything that somebody does on the page, with random choices; what is not offered is not done. */
export function operationsOn(page: Page, random: () => number): readonly Operation[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const corpus = texts()
    .map(({ text }) => text)
    .filter((text) => text.length < LONGEST);
  const others = STARTERS.flatMap(({ files }) => files).map(({ text }) => text);
  const some = (): string => oneOf(below(5) === 0 ? others : corpus);
  const tabs = page.locator('.file-tabs').locator('[role="tab"], [role="treeitem"][data-name]').locator('visible=true');
  const active = page.locator('.pane.active .cm-content');

  const isFileShown = async (): Promise<boolean> => (await tabs.count()) > 0 && (await active.isVisible());
  const onFile = (run: () => Promise<void>) => async (): Promise<void> => {
    if (await isFileShown()) await run();
  };
  const keys = (...pressed: readonly string[]): (() => Promise<void>) =>
    onFile(async () => {
      await active.click();
      for (const key of pressed) await page.keyboard.press(key);
    });
  /** Runs a command of a menu if it is offered; otherwise the menu is closed. */
  const chooseIfOffered = async (menu: string, command: string | RegExp): Promise<boolean> => {
    await menuOf(page, menu).click();
    const item = page.getByRole('menu').locator('[role^="menuitem"]:not([aria-disabled])').filter({ hasText: command });
    const isOffered = (await item.count()) > 0;
    if (isOffered) await item.first().click();
    else await page.keyboard.press('Escape');
    return isOffered;
  };
  /** Answers the dialog that asks for a text, if there is one. A text that it does not accept is not entered. */
  const answer = async (text: string): Promise<void> => {
    const dialog = page.getByRole('dialog');
    if ((await dialog.count()) === 0) return;
    await dialog.getByRole('textbox').fill(text);
    await page.keyboard.press('Enter');
    if ((await dialog.count()) > 0) await page.keyboard.press('Escape');
  };
  /** Opens one of the items below a heading of the menu of new packages. */
  const openOneOf = async (heading: string): Promise<void> => {
    const before = Number(await page.locator('html').getAttribute('data-rendered'));
    await menuOf(page, 'New').click();
    const items = page.getByRole('menu').getByRole('group', { name: heading }).locator('[role^="menuitem"]');
    await items.nth(below(await items.count())).click();
    await rendered(page, before);
  };
  const click = async (selector: string): Promise<void> => {
    const button = page.locator(selector).locator('visible=true');
    if ((await button.count()) > 0) await button.first().click();
  };
  const renameAtCursor = onFile(async () => {
    const names = page.locator('.pane.active .cm-line', { hasText: /^\s*(?:- )?id: \w/ });
    if ((await names.count()) === 0) return;
    await names.nth(below(await names.count())).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('F2');
    await page.waitForTimeout(300);
    await answer(oneOf(NODE_NAMES));
  });
  const fillIn = async (): Promise<void> => {
    await page.getByRole('tab', { name: 'Objects', exact: true }).click();
    const inputs = page.locator('#panel-objects .note.pending input');
    const count = await inputs.count();
    if (count === 0) return;
    await inputs.nth(below(count)).fill(oneOf(VALUES));
    await page.keyboard.press('Enter');
  };
  const openMany = (): Promise<void> =>
    openFiles(
      page,
      Array.from({ length: MANY }, (_, index) => ({ name: `apps/${index % 3}/${index}.yaml`, text: some() })),
    );
  const openFromDisk = async (): Promise<void> => {
    const name = oneOf(FILE_NAMES.slice(0, 3));
    const file = { name, mimeType: 'application/yaml', buffer: Buffer.from(some()) };
    await page.getByLabel('Files to open').setInputFiles([file]);
  };
  const pickTab = async (): Promise<void> => {
    const count = await tabs.count();
    if (count > 0) await tabs.nth(below(count)).click();
  };
  const reload = async (): Promise<void> => {
    await page.waitForTimeout(500);
    await page.reload();
    await rendered(page);
    await page.locator('html[data-language="connected"]').waitFor();
  };
  const cut = (text: string): string => text.slice(0, below(text.length));

  return [
    { name: 'open a package', run: () => openFiles(page, [{ name: 'all.yaml', text: some() }]) },
    {
      name: 'open Windows lines',
      run: () => openFiles(page, [{ name: 'all.yaml', text: `\uFEFF${some().replaceAll('\n', '\r\n')}` }]),
    },
    {
      name: 'open two packages',
      run: () =>
        openFiles(
          page,
          [0, 1].map((at) => ({ name: `${at}.yaml`, text: some() })),
        ),
    },
    { name: 'open many files', run: openMany },
    { name: 'open a starter', run: () => openOneOf('Start with') },
    { name: 'open an example', run: () => openOneOf('Examples') },
    { name: 'open a lesson', run: () => openOneOf('Lessons') },
    { name: 'open from disk', run: openFromDisk },
    { name: 'choose a file', run: pickTab },
    { name: 'write a mistake', run: onFile(() => write(page, withMistake(some(), random))) },
    { name: 'write two mistakes', run: onFile(() => write(page, withMistake(withMistake(some(), random), random))) },
    { name: 'write a text', run: onFile(() => write(page, some())) },
    { name: 'paste a broken text', run: onFile(() => paste(page, cut(some()))) },
    { name: 'undo', run: keys('Control+z') },
    { name: 'undo twice', run: keys('Control+z', 'Control+z') },
    { name: 'redo', run: keys('Control+y') },
    { name: 'undo and redo in one tick', run: keys('Control+z', 'Control+y', 'Control+z') },
    { name: 'delete a line', run: keys('Control+End', 'ArrowUp', 'ArrowUp', 'Control+Shift+k') },
    { name: 'delete all text', run: keys('Control+a', 'Delete') },
    { name: 'format', run: onFile(() => choose(page, 'File', 'Format')) },
    { name: 'rename at the cursor', run: renameAtCursor },
    { name: 'fix the first problem', run: () => click('.first-problem .fix:enabled') },
    { name: 'fill in a value', run: fillIn },
    { name: 'take back', run: () => click('#notice button:has-text("Undo")') },
    { name: 'delete the file', run: onFile(() => choose(page, 'File', /^Delete/)) },
    {
      name: 'rename the file',
      run: onFile(async () => {
        await choose(page, 'File', /^Rename/);
        await answer(oneOf(FILE_NAMES));
      }),
    },
    {
      name: 'add an empty file',
      run: async () => {
        await choose(page, 'Add a file', 'Empty file');
        await answer(oneOf(FILE_NAMES));
      },
    },
    { name: 'add an RGD', run: () => choose(page, 'Add a file', 'RGD') },
    { name: 'add a policy', run: () => choose(page, 'Add a file', 'Policy') },
    { name: 'add a ResourceSet', run: () => choose(page, 'Add a file', 'ResourceSet') },
    {
      name: 'add an instance',
      run: async () => {
        if (await chooseIfOffered('Add a file', /^Instance of/)) await page.waitForTimeout(300);
      },
    },
    { name: 'define kinds', run: onFile(() => choose(page, 'File', /^Defines kinds/)) },
    { name: 'render its objects', run: onFile(() => choose(page, 'File', /^Rendered/)) },
    { name: 'observe', run: onFile(() => choose(page, 'File', /^Observed/)) },
    { name: 'take as inputs', run: onFile(() => choose(page, 'File', /^Inputs/)) },
    { name: 'render as kro 0.10', run: () => choose(page, 'Release of kro', 'kro 0.10') },
    { name: 'render as kro 0.9', run: () => choose(page, 'Release of kro', 'kro 0.9') },
    { name: 'be strict or not', run: () => choose(page, 'Release of kro', 'Reject what kro rejects') },
    { name: 'render Graphs or not', run: () => choose(page, 'Release of kro', 'Render the kind Graph') },
    {
      name: 'set a namespace',
      run: async () => {
        await page.getByRole('button', { name: 'Namespace: ' }).click();
        await answer(oneOf(NAMESPACES));
      },
    },
    ...['fail', 'skip', 'passthrough', 'placeholder'].map((mode) => ({
      name: `pending: ${mode}`,
      run: () => choose(page, 'Pending', new RegExp(`^${mode}`)),
    })),
    { name: 'statuses are empty or not', run: () => choose(page, 'Pending', 'Treat missing statuses') },
    {
      name: 'show another view',
      run: () =>
        page
          .locator('#result-tabs')
          .getByRole('tab', { name: oneOf(['Graph', 'Changes', 'Schema']) })
          .click(),
    },
    { name: 'reload the page', run: reload },
  ];
}
