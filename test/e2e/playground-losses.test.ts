import { deflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { partOf } from '../properties/runs.ts';
import { choose, describeInBrowser, openSite, rendered, type Site } from './playground-page.ts';

const packed = (files: readonly object[]): string =>
  Buffer.concat([Buffer.from([1]), deflateRawSync(JSON.stringify({ files, options: {} }))]).toString('base64url');

const MAP = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const LINK = `#s=${packed([{ name: 'linked.yaml', text: MAP('linked') }])}`;

const editor = (page: Page) => page.locator('.pane.active .cm-content');
const shown = (page: Page) => expect.poll(() => editor(page).innerText());
const tabs = (page: Page) => page.locator('.file-tabs').getByRole('tab');
const hash = (page: Page): string => new URL(page.url()).hash;

/** Types at the start of the file that is shown, and waits until the browser keeps it. */
async function type(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText(text);
  await expect.poll(() => page.evaluate('JSON.stringify({ ...localStorage })')).toContain(text.trim());
}

async function reload(page: Page): Promise<void> {
  await page.reload();
  await rendered(page);
}

describeInBrowser('what is typed in the playground', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  }, 600_000);
  afterAll(() => site.close());
  afterEach(async () => {
    for (const context of site.browser.contexts()) await context.close();
    expect(site.faults.splice(0)).toEqual([]);
  });

  /** Another tab of the same browser. */
  async function second(page: Page, path = '', script = ''): Promise<Page> {
    const other = await page.context().newPage();
    await other.addInitScript(script);
    await other.goto(site.url + path);
    await rendered(other);
    return other;
  }

  const PLACES: readonly [string, string][] = [
    ['one’s own files', ''],
    ['an example', '#example=pending'],
    ['a lesson', '#lesson=for-each'],
    ['a share link', LINK],
  ];
  it.each(partOf(PLACES, 4))('is there after a reload: in %s', async (_, path) => {
    const page = await site.open({ path });
    await type(page, '# typed here\n');
    await reload(page);
    await shown(page).toContain('# typed here');
    // A second reload finds it, too.
    await type(page, '# typed again\n');
    await reload(page);
    await shown(page).toMatch(/# typed again\s+# typed here/);
  });

  it('is there after a reload right after the last key', async () => {
    const page = await site.open();
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# last key');
    await reload(page);
    await shown(page).toContain('# last key');
  });

  it('is there after a reload after Share', async () => {
    const page = await site.open();
    await type(page, '# before\n');
    await page.getByRole('button', { name: 'Share' }).click();
    await expect.poll(() => hash(page)).toMatch(/^#s=/);
    await type(page, '# after\n');
    await expect.poll(() => hash(page)).toBe('');
    await reload(page);
    await shown(page).toMatch(/# after\s+# before/);
    await page.getByRole('button', { name: 'Share' }).click();
    await expect.poll(() => hash(page)).toMatch(/^#s=/);
    await reload(page);
    await type(page, '# after a reload of the link\n');
    await page.goto(site.url);
    await shown(page).toContain('# after a reload of the link');
  });

  it('stays in one’s own files while examples, lessons and links are opened and edited', async () => {
    const page = await site.open();
    await type(page, '# mine\n');
    const names = await tabs(page).allTextContents();
    await choose(page, 'New', 'A value that only a cluster knows');
    await expect.poll(() => hash(page)).toBe('#example=pending');
    await type(page, '# in the example\n');
    await choose(page, 'New', '4. Chaining');
    await expect.poll(() => page.locator('#lesson h2').textContent()).toContain('Chaining');
    await type(page, '# in the lesson\n');
    await page.goBack();
    await shown(page).toContain('# in the example');
    await page.goBack();
    await shown(page).toContain('# mine');
    await expect.poll(() => tabs(page).allTextContents()).toEqual(names);
    await expect.poll(() => page.locator('#lesson').isVisible()).toBe(false);
    await page.goForward();
    await shown(page).toContain('# in the example');
    await page.evaluate(`location.hash = ${JSON.stringify(LINK)}`);
    await expect.poll(() => tabs(page).allTextContents()).toEqual(['linked.yaml']);
    await type(page, '# in the link\n');
    await expect.poll(() => hash(page)).toMatch(/^#kept=/);
    await choose(page, 'Package', 'Your files');
    await shown(page).toContain('# mine');
    // The changed link is in the list, and the link itself is as it was sent.
    await choose(page, 'Package', /^Changed link/);
    await shown(page).toContain('# in the link');
    await page.evaluate(`location.hash = ${JSON.stringify(LINK)}`);
    await shown(page).not.toContain('# in the link');
    await page.goto(site.url);
    await reload(page);
    await shown(page).toContain('# mine');
  });

  it('comes back with Undo after Start again and after a solution', async () => {
    const page = await site.open({ path: '#lesson=for-each' });
    const undo = page.locator('#notice').getByRole('button', { name: 'Undo' });
    await type(page, '# my answer\n');
    for (const name of ['Start again', 'Show a solution']) {
      await page.locator('#lesson').getByRole('button', { name }).click();
      await shown(page).not.toContain('# my answer');
      await undo.click();
      await shown(page).toContain('# my answer');
    }
    await page.goto(`${site.url}#example=pending`);
    await reload(page);
    await type(page, '# my change\n');
    await choose(page, 'Package', /^Start again/);
    await shown(page).not.toContain('# my change');
    await undo.click();
    await shown(page).toContain('# my change');
  });

  it('comes back with Undo after a file of the same name was dropped', async () => {
    const page = await site.open();
    await type(page, '# mine\n');
    const name = await tabs(page).first().textContent();
    await page.evaluate(`
      const transfer = new DataTransfer();
      transfer.items.add(new File(['dropped: 1'], ${JSON.stringify(name)}));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    `);
    await shown(page).toContain('dropped: 1');
    await page.locator('#notice').getByRole('button', { name: 'Undo' }).click();
    await tabs(page).first().click();
    await shown(page).toContain('# mine');
  });

  it.each(partOf(PLACES.slice(0, 2), 2))('in two tabs is in both, and after a reload: in %s', async (_, path) => {
    const first = await site.open({ path });
    const other = await second(first, path);
    const [one = '', two = ''] = await tabs(first).allTextContents();
    await type(first, '# of the first tab\n');
    await tabs(other).filter({ hasText: two }).click();
    await type(other, '# of the second tab\n');
    await tabs(first).filter({ hasText: two }).click();
    await shown(first).toContain('# of the second tab');
    await tabs(other).filter({ hasText: one }).click();
    await shown(other).toContain('# of the first tab');
    for (const page of [first, other]) {
      await reload(page);
      await tabs(page).filter({ hasText: one }).click();
      await shown(page).toContain('# of the first tab');
      await tabs(page).filter({ hasText: two }).click();
      await shown(page).toContain('# of the second tab');
    }
  });

  it('at the same time in one file of two tabs is offered in both versions', async () => {
    const first = await site.open();
    // The second tab does not hear of what the first one stores until it has stored its own.
    const deaf = "addEventListener('storage', (event) => event.stopImmediatePropagation(), true)";
    const other = await second(first, '', deaf);
    const name = (await tabs(first).first().textContent()) ?? '';
    await type(first, '# of the first tab\n');
    await type(other, '# of the second tab\n');
    await reload(other);
    const conflict = other.locator('#place .conflict');
    await expect.poll(() => conflict.textContent()).toContain(`${name} was changed in another tab`);
    await conflict.getByRole('button', { name: 'Compare' }).click();
    await expect.poll(() => other.locator('dialog').textContent()).toContain('# of the first tab');
    await other.locator('dialog').getByRole('button', { name: 'Close' }).click();
    await conflict.getByRole('button', { name: 'Keep both' }).click();
    await expect.poll(() => conflict.count()).toBe(0);
    await shown(other).toContain('# of the first tab');
    await tabs(other).first().click();
    await shown(other).toContain('# of the second tab');
    await reload(other);
    await expect.poll(() => tabs(other).allTextContents()).toContain(`other-1/${name}`);
    await expect.poll(() => conflict.count()).toBe(0);
  });

  const WRONG: readonly [string, string][] = [
    ['#example=%', 'cannot be read'],
    ['#example=%E0%A4%A', 'cannot be read'],
    ['#lesson=%', 'cannot be read'],
    ['#s=%', 'cannot be read'],
    ['#example=none', 'There is no example "none".'],
    ['#example=__proto__', 'There is no example "__proto__".'],
    ['#lesson=constructor', 'There is no lesson "constructor".'],
    ['#kept=none', 'keeps no changed link'],
  ];
  it.each(partOf(WRONG, 8))('is there although the address %s is none, which a notice says', async (path, notice) => {
    const page = await site.open();
    await type(page, '# mine\n');
    await page.goto(site.url + path);
    await reload(page);
    await expect.poll(() => page.locator('#notice').textContent()).toContain(notice);
    await shown(page).toContain('# mine');
    await type(page, '# again\n');
    await reload(page);
    await shown(page).toContain('# again');
  });

  const deep: Record<string, string> = {
    'flow lists': `a: ${'['.repeat(5000)}${']'.repeat(5000)}`,
    'flow lists that are not closed': '['.repeat(100_000),
    'flow maps': '{a: '.repeat(5000) + '}'.repeat(5000),
    'flow lists in lines': '[\n'.repeat(5000),
    'lists in one line': `${'- '.repeat(5000)}a`,
    'keys in one line': `${'? '.repeat(5000)}a`,
    'block maps': Array.from({ length: 1500 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
    JSON: '{"a":'.repeat(5000),
  };
  it.each(partOf(Object.keys(deep), 8))('stays usable after a link with very deep YAML: %s', async (kind) => {
    const page = await site.open({ path: `#s=${packed([{ name: 'deep.yaml', text: deep[kind] }])}` });
    const problem = page.locator('#problems');
    await expect.poll(() => problem.textContent()).toMatch(/nested too deep for this page|exceeded maxDepth/);
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('x');
    await expect.poll(() => hash(page)).toMatch(/^#kept=/);
    await reload(page);
    await expect.poll(() => problem.textContent()).toMatch(/deep\.yaml:1/);
    await page.keyboard.press('Control+a');
    await choose(page, 'Package', 'Your files');
    await expect.poll(() => page.locator('#panel-objects details.object').count()).toBe(7);
  });
});
