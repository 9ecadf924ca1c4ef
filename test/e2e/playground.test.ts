import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sizesOf } from '../../tools/playground/sizes.mjs';
import { isLong, partOf } from '../properties/runs.ts';
import { NOTE, NOTES, RGD } from './playground-notes.ts';
import {
  choose,
  describeInBrowser,
  menuOf,
  openFiles,
  openForTests,
  paste,
  type Site,
  stopSlowRenderings,
  tabNames,
  write,
} from './playground-page.ts';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

const require = createRequire(import.meta.url);

const packed = (text: string | Buffer): string =>
  Buffer.concat([Buffer.from([1]), deflateRawSync(text)]).toString('base64url');

describeInBrowser('the playground', () => {
  let site: Site;
  openForTests((opened) => {
    site = opened;
  });

  const objects = (page: Page) => page.locator('#panel-objects details.object');
  const problems = (page: Page) => page.locator('#problems');

  it('the playground loads at most 450 kB at first, compressed with gzip', () => {
    const first = sizesOf(site.folder).filter((file) => file.first);
    expect(first.length).toBeGreaterThan(5);
    expect(first.reduce((sum, { gzip }) => sum + gzip, 0)).toBeLessThan(450_000);
  });

  it('the playground reports why it does not run from a file', async () => {
    const context = await site.browser.newContext();
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(site.folder, 'index.html')).href);
    await expect.poll(() => page.locator('#start').textContent()).toContain('Serve its folder');
  });

  describe('the playground before its scripts run', () => {
    it('has the objects of its first example as text', async () => {
      const context = await site.browser.newContext({ javaScriptEnabled: false });
      const bare = await context.newPage();
      await bare.goto(site.url);
      await expect.poll(() => bare.locator('main').textContent()).toContain('name: books-web-eu-north');
      await expect.poll(() => bare.locator('#start').textContent()).toContain('It needs JavaScript');
    });
  });

  describe('an RGD in the playground', () => {
    it('shows its objects while it is typed', async () => {
      const page = await site.openPackage([{ name: 'all.yaml', text: '' }]);
      await write(page, `${RGD}---\n${NOTE}`);
      await expect.poll(() => objects(page).allTextContents()).toEqual([expect.stringContaining('text: hello')]);
      await expect.poll(() => problems(page).textContent()).toBe('No problems');
    });

    it('links its error to the line', async () => {
      const page = await site.openPackage(NOTES);
      await write(page, RGD.replace('schema.spec.text', 'schema.spec.txt'));
      const problem = problems(page).locator('.problem');
      await expect
        .poll(() => problem.allTextContents())
        .toEqual([expect.stringMatching(/^undefined field 'txt'.* error\[.*note\.rgd\.yaml:19:\d+/)]);
      // The last rendered objects stay visible.
      await expect.poll(() => objects(page).count()).toBe(1);
      await expect
        .poll(() => page.locator('#panel-objects').getByRole('status').textContent())
        .toBe('1 object, of the last rendering without errors');
      await page.locator('.file-tabs').getByRole('tab', { name: 'first.yaml' }).click();
      await problems(page)
        .getByRole('button', { name: /^Go to/ })
        .click();
      await expect.poll(() => page.locator('.pane.active .cm-activeLine').textContent()).toContain('schema.spec.txt');
      await expect.poll(() => page.locator('.pane.active .cm-lintRange-error').textContent()).toBe('txt');
    });

    it('keeps its row under the pointer while others come and go', async () => {
      const page = await site.openPackage([
        { name: 'note.rgd.yaml', text: RGD },
        { name: 'first.yaml', text: NOTE.replace('hello', '[1]') },
        { name: 'second.yaml', text: NOTE.replace('name: first', 'name: second').replace('hello', 'hi, extra: 1') },
      ]);
      await page.locator('.file-tabs').getByRole('tab', { name: 'note.rgd.yaml' }).click();
      await page.getByRole('button', { name: 'All problems' }).click();
      const rows = page.locator('#problems-list li');
      await expect.poll(() => rows.count()).toBe(2);
      const row = rows.last();
      const before = await rows.allTextContents();
      await row.hover();
      const box = await row.boundingBox();
      // The text changes while the pointer stays: one problem is gone, and there is a new one.
      await page.locator('.pane.active .cm-content').focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(RGD.replace('text: string', 'text: string\n      extra: integer'));
      await expect.poll(() => page.locator('#problems-title').textContent()).toBe('1 error, 1 warning');
      await expect.poll(() => row.getAttribute('class')).toBe('error gone');
      expect(await rows.allTextContents()).toEqual(before);
      expect(await row.boundingBox()).toEqual(box);
      await page.mouse.move(5, 5);
      await expect
        .poll(() => rows.allTextContents())
        .toEqual([before[0], expect.stringContaining('lint-unread-field')]);
    });

    it('shows what validation finds and rendering does not, as an editor does', async () => {
      const page = await site.openPackage(NOTES);
      await write(page, RGD.replace('text: string', 'text: string\n      unused: string'));
      const problem = problems(page).locator('.problem');
      await expect
        .poll(() => problem.allTextContents())
        .toEqual([expect.stringMatching(/warning\[lint-unread-field\].*note\.rgd\.yaml:\d+:\d+/)]);
      await expect.poll(() => page.locator('.pane.active .cm-lintRange-warning').count()).toBe(1);
      await write(page, RGD);
      await expect.poll(() => problems(page).textContent()).toBe('No problems');
    });

    it('does not hold up the objects of other instances with the errors of one', async () => {
      const second = NOTE.replace('name: first', 'name: second');
      const page = await site.openPackage([...NOTES, { name: 'second.yaml', text: second }]);
      await expect.poll(() => objects(page).count()).toBe(2);
      await page.locator('.file-tabs').getByRole('tab', { name: 'first.yaml' }).click();
      await write(page, NOTE.replace('text: hello', 'text: 1'));
      await expect
        .poll(() => page.locator('#panel-objects .group', { hasText: 'Note/first' }).textContent())
        .toContain('error');
      await page.locator('.file-tabs').getByRole('tab', { name: 'second.yaml' }).click();
      await write(page, second.replace('hello', 'still live'));
      await expect
        .poll(() => objects(page).allTextContents())
        .toContainEqual(expect.stringContaining('text: still live'));
      await expect
        .poll(() => page.locator('#panel-objects .stale').allTextContents())
        .toEqual([expect.stringContaining('text: hello')]);
    });

    it('is linked from the field that it renders', async () => {
      const page = await site.openPackage(NOTES);
      await page.locator('.file-tabs').getByRole('tab', { name: 'first.yaml' }).click();
      await objects(page).locator('.line', { hasText: 'text: hello' }).click();
      await expect
        .poll(() => page.locator('.pane.active .cm-activeLine').textContent())
        .toContain('text: ${schema.spec.text}');
      await expect
        .poll(() => page.locator('#origin').textContent())
        .toContain('first.yaml:4 instance Note/first, spec.text = "hello"');
    });
  });

  describe('a share link', () => {
    it('opens the same package in another browser', async () => {
      const page = await site.openPackage(NOTES);
      await page.getByRole('button', { name: 'Share' }).click();
      await expect.poll(() => page.locator('#notice').textContent()).toContain('nothing is sent');
      const other = await site.open({ path: new URL(page.url()).hash });
      await expect.poll(() => objects(other).allTextContents()).toEqual(await objects(page).allTextContents());
      await expect
        .poll(() => other.locator('.file-tabs').getByRole('tab').allTextContents())
        .toEqual(['note.rgd.yaml', 'first.yaml']);
    });

    const hostile: Record<string, string> = {
      'of another page': 'AAAA',
      'that was cut off': packed('{"files":[').slice(0, 8),
      'that is a zip bomb': packed(Buffer.alloc(300_000_000, 32)),
      'of 6 MB': packed(JSON.stringify({ files: [{ name: 'a', text: 'x'.repeat(6_000_000) }] })),
      'that climbs': packed(JSON.stringify({ files: [{ name: '../../etc/passwd', text: '' }] })),
    };
    it.each(partOf(Object.keys(hostile), 3))('that is %s only causes an error', async (name) => {
      const page = await site.open({ path: `#s=${hostile[name]}` });
      await expect.poll(() => page.locator('#notice').textContent()).toContain('this link cannot be opened');
      await expect.poll(() => objects(page).count()).toBe(7);
    });

    it('with markup in names shows it as text', async () => {
      const name = '<img src=x onerror=alert(1)>"\'.yaml';
      const text = RGD.replace('name: note', 'name: "<script>alert(1)</script>"');
      const page = await site.open({ path: `#s=${packed(JSON.stringify({ files: [{ name, text }] }))}` });
      page.on('dialog', () => site.faults.push('a script of the link ran'));
      await expect.poll(() => tabNames(page)).toBe(name);
      await expect.poll(() => problems(page).textContent()).toContain('alert(1)');
      await expect.poll(() => page.locator('img').count()).toBe(0);
    });
  });

  describe('the views of the playground', () => {
    const tab = (page: Page, name: string | RegExp) => page.locator('#result-tabs').getByRole('tab', { name }).click();

    it('draw the graph of an instance, whose nodes link to their objects', async () => {
      const page = await site.open();
      await tab(page, 'Graph');
      const node = page.getByRole('button', { name: /^workloads Deployment/ });
      await expect.poll(() => node.getAttribute('class')).toBe('included');
      await node.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.pane.active .cm-activeLine').textContent()).toContain('id: workloads');
      await page.getByRole('button', { name: 'Show 4 objects' }).click();
      await expect.poll(() => objects(page).count()).toBe(4);
      await page.getByRole('button', { name: 'Show all objects' }).click();
      await expect.poll(() => objects(page).count()).toBe(7);
    });

    it('render a pending node after its value is filled in', async () => {
      const page = await site.open({ path: '#example=pending' });
      await expect.poll(() => problems(page).textContent()).toContain('pending-value');
      await tab(page, /^Graph/);
      await expect.poll(() => page.getByRole('button', { name: /^settings/ }).getAttribute('class')).toBe('pending');
      await tab(page, 'Objects');
      await page.getByLabel('Value of status.loadBalancer').fill('blog.example.com');
      await page.keyboard.press('Enter');
      await expect.poll(() => problems(page).textContent()).toBe('No problems');
      await expect.poll(() => page.locator('#panel-objects .note').count()).toBe(0);
      await page.getByRole('button', { name: 'Open all' }).click();
      await expect.poll(() => page.locator('#panel-objects').textContent()).toContain('blog.example.com');
      await page.locator('.file-tabs').getByRole('tab', { name: 'observed.yaml' }).click();
      await expect
        .poll(() => page.locator('.pane.active .cm-content').textContent())
        .toContain('hostname: blog.example.com');
    });

    it('create an instance from a form', async () => {
      const page = await site.openPackage(NOTES.slice(0, 1));
      await tab(page, 'Schema');
      await page.getByLabel('metadata.name *').fill('second');
      await page.getByLabel('text', { exact: true }).fill('from a form');
      await page.getByRole('button', { name: 'Add as a file' }).click();
      await tab(page, 'Objects');
      await expect.poll(() => objects(page).allTextContents()).toEqual([expect.stringContaining('text: from a form')]);
      await expect.poll(() => tabNames(page)).toContain('note-second.yaml');
    });

    it('show CRDs, and the changes since the files were opened and since a pinned rendering', async () => {
      const page = await site.openPackage(NOTES);
      await tab(page, 'Schema');
      await expect.poll(() => page.locator('#panel-schema').textContent()).toContain('name: notes.kro.run');
      await tab(page, 'Changes');
      const changes = page.locator('#panel-changes');
      const change = (text: string) => write(page, RGD.replace('text: ${schema.spec.text}', `text: ${text}`));
      await change('one');
      await expect.poll(() => changes.locator('.cm-changedLine').textContent()).toContain('text: one');
      await expect.poll(() => changes.locator('.cm-deletedChunk').textContent()).toContain('text: hello');
      await choose(page, 'Compare with', 'This rendering, pinned');
      await change('two');
      await expect.poll(() => changes.locator('.cm-deletedChunk').textContent()).toContain('text: one');
      await page.waitForTimeout(500);
      await page.reload();
      await expect.poll(() => changes.locator('.cm-deletedChunk').textContent()).toContain('text: one');
      await choose(page, 'Compare with', 'The files as they were opened');
      await expect.poll(() => changes.locator('.cm-deletedChunk').textContent()).toContain('text: hello');
    });

    it('show what kro 0.10 changes, by one button', async () => {
      const page = await site.openPackage([
        { name: 'note.rgd.yaml', text: RGD.replace('name: ${schema.metadata.name}', "name: ${'x'.lowerAscii()}") },
        NOTES[1] as (typeof NOTES)[0],
      ]);
      await tab(page, 'Changes');
      await page.getByRole('button', { name: 'What does kro 0.10 change?' }).click();
      await expect.poll(() => page.locator('#panel-changes .empty').textContent()).toContain('render the same objects');
    });

    it('show a skipped node with its condition and the values that it reads', async () => {
      const conditional = RGD.replace(
        '- id: config',
        '- id: config\n      includeWhen:\n        - ${schema.spec.text != "hello"}',
      );
      const page = await site.openPackage([
        { name: 'note.rgd.yaml', text: conditional },
        NOTES[1] as (typeof NOTES)[0],
      ]);
      await expect
        .poll(() => page.locator('#panel-objects .note.skipped').textContent())
        .toBe('configConfigMap is skipped: schema.spec.text != "hello"; schema.spec.text is "hello"');
    });

    it('show the differences of each of 1,000 objects', async () => {
      const many = Array.from({ length: 1000 }, (_, index) => NOTE.replace('first', `note-${index}`)).join('---\n');
      const page = await site.openPackage([NOTES[0] as (typeof NOTES)[0], { name: 'many.yaml', text: many }]);
      await tab(page, 'Changes');
      const status = page.locator('#panel-changes').getByRole('status');
      await expect.poll(() => status.textContent()).toBe('No difference');
      await write(page, RGD.replace('text: ${schema.spec.text}', 'text: changed'));
      await expect.poll(() => status.textContent()).toBe('1000 changed');
    });
  });

  describe('the language server in its worker', () => {
    const connected = (page: Page) =>
      expect.poll(() => page.evaluate('document.documentElement.dataset.language')).toBe('connected');

    it('completes after ${ and describes a name, in a package that is opened later', async () => {
      const page = await site.open();
      await connected(page);
      await openFiles(page, NOTES);
      await page.locator('.pane.active .cm-line', { hasText: 'text: ${schema.spec.text}' }).click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('more: ${');
      const options = page.locator('.cm-tooltip-autocomplete li');
      // On a busy machine the completions of an earlier key may still be open: request them again.
      const asked = async (): Promise<string[]> => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+Space');
        await page.waitForTimeout(500);
        return options.allTextContents();
      };
      await expect.poll(asked).toContainEqual(expect.stringContaining('schema'));
      await page.keyboard.press('Escape');
      await page.keyboard.type('schema.spec.', { delay: 30 });
      await expect.poll(asked).toContainEqual(expect.stringContaining('text'));
      await options.filter({ hasText: 'text' }).first().click();
      await expect.poll(() => objects(page).allTextContents()).toEqual([expect.stringContaining('more: hello')]);
      const target = page
        .locator('.cm-tpl-name', { hasText: 'schema.spec.text' })
        .or(page.locator('.cm-tpl-name', { hasText: '.text' }))
        .first();
      // The tooltip of what was under the mouse before may still be open: hover again.
      const hovered = async (): Promise<string> => {
        await page.mouse.move(0, 0);
        await target.hover();
        await page.waitForTimeout(700);
        return (await page.locator('.cm-lsp-hover-tooltip, .cm-tooltip-hover').allTextContents()).join();
      };
      await expect.poll(hovered).toContain('string');
    });

    it('goes to a definition in another file', async () => {
      const page = await site.open();
      await connected(page);
      await page.locator('.file-tabs').getByRole('tab', { name: 'storefront.rgd.yaml' }).click();
      await page.locator('.pane.active .cm-line', { hasText: 'kind: Cache' }).click();
      await page.keyboard.press('F12');
      await expect
        .poll(() => page.locator('.file-tabs').getByRole('tab', { selected: true }).textContent())
        .toBe('cache.rgd.yaml');
    });
  });

  it('the playground shows the expression at the cursor: its value in an instance, its type, its parts and its reads', async () => {
    const page = await site.open();
    const rgd = RGD.replace(
      'text: ${schema.spec.text}',
      'text: ${schema.spec.text + "!" + string(size(schema.spec.text))}',
    ).replace('- id: config', '- id: config\n      includeWhen:\n        - ${schema.spec.text != "none"}');
    await openFiles(page, [
      { name: 'note.rgd.yaml', text: rgd },
      { name: 'first.yaml', text: NOTE },
      { name: 'second.yaml', text: NOTE.replace('name: first', 'name: second').replace('hello', 'other one') },
    ]);
    const panel = page.locator('#origin');
    const put = async (line: string, column: string): Promise<void> => {
      await page.locator('.pane.active .cm-line', { hasText: line }).getByText(column).first().click();
    };
    await put('schema.spec.text +', 'schema');
    await expect.poll(() => panel.getByRole('heading').textContent()).toContain('${schema.spec.text + "!"');
    await expect.poll(() => panel.locator('.expression-value').textContent()).toContain('= "hello!5" string');
    await expect.poll(() => panel.getByRole('row').allTextContents()).toContain('size(schema.spec.text)5');
    await expect
      .poll(() => panel.getByRole('listitem').allTextContents())
      .toEqual([expect.stringMatching(/first\.yaml:\d+ instance Note\/first, spec\.text = "hello"/)]);
    await choose(page, 'Instance of the expression', 'second');
    await expect.poll(() => panel.locator('.expression-value').textContent()).toContain('= "other one!9"');
    // The instance stays for the next expression, and a condition has a value too.
    await put('schema.spec.text !=', 'schema');
    await expect.poll(() => panel.locator('.expression-value').textContent()).toContain('= true bool');
    await expect.poll(() => panel.getByRole('row').allTextContents()).toContain('schema.spec.text"other one"');
    await put('kind: ResourceGraphDefinition', 'kind');
    await expect.poll(() => panel.isVisible()).toBe(false);
  });

  it('the playground has one menu on a phone, and shows what a lesson writes', async () => {
    const page = await site.open({ viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: /^It becomes/ }).click();
    await choose(page, 'New', '3. includeWhen');
    await expect.poll(() => page.locator('#lesson').isVisible()).toBe(true);
    await expect.poll(() => page.locator('#editor .cm-content').first().isVisible()).toBe(true);
    const size = await page.getByRole('button', { name: 'Menu', exact: true }).boundingBox();
    expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44);
  });

  it.each([
    ['above the keyboard of a phone', 390, 450],
    ['with 200 % zoom', 640, 360],
  ])('the playground shows at least eight lines of code %s', async (_, width, height) => {
    const page = await site.open({ viewport: { width, height } });
    const lines = (await page.evaluate(`{
      const { top, bottom } = document.querySelector('.pane.active .cm-scroller').getBoundingClientRect();
      [...document.querySelectorAll('.pane.active .cm-line')].filter((line) => {
        const bounds = line.getBoundingClientRect();
        return bounds.height > 0 && bounds.top >= top && bounds.bottom <= Math.min(bottom, innerHeight);
      }).length;
    }`)) as number;
    expect(lines).toBeGreaterThanOrEqual(8);
  });

  it('the playground has the link of Share in its address, also right after typing', async () => {
    const page = await site.open();
    await write(page, RGD);
    await page.getByRole('button', { name: 'Share' }).click();
    await expect.poll(() => page.locator('#notice').textContent()).toContain('nothing is sent');
    await page.waitForTimeout(600);
    expect(new URL(page.url()).hash).toMatch(/^#s=/);
  });

  it('the playground draws lines that cover no text', async () => {
    const page = await site.open();
    await page.locator('.threads .thread').first().waitFor({ state: 'attached' });
    await page.waitForTimeout(500);
    const covered = (await page.evaluate(`{
      const texts = [...document.querySelectorAll('.cm-line, #panel-objects .line')].flatMap((line) => {
        const range = document.createRange();
        range.selectNodeContents(line);
        return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
      });
      [...document.querySelectorAll('.threads .thread')].flatMap((path) => {
        const length = path.getTotalLength();
        const points = Array.from({ length: 300 }, (_, step) => path.getPointAtLength((length * step) / 299));
        return texts.filter((text) =>
          points.some(({ x, y }) => x > text.left + 1 && x < text.right - 1 && y > text.top + 1 && y < text.bottom - 1),
        );
      }).length;
    }`)) as number;
    expect(covered).toBe(0);
  });

  it('the playground formats a file', async () => {
    const page = await site.openPackage([
      { name: 'note.rgd.yaml', text: RGD.replace('${schema.spec.text}', '${ schema.spec.text }') },
    ]);
    await expect.poll(() => page.locator('html').getAttribute('data-language')).toBe('connected');
    await choose(page, 'File', /^Format/);
    await expect.poll(() => page.locator('#editor').textContent()).toContain('text: ${schema.spec.text}');
  });

  it('the playground shows a lesson, checks the answer, and shows the next lesson', async () => {
    const page = await site.open({ path: '#lesson=for-each' });
    const status = page.locator('#lesson').getByRole('status');
    await expect.poll(() => status.textContent()).toContain('There is no ConfigMap/blue-ada yet.');
    await page.getByRole('button', { name: 'Show a solution' }).click();
    await expect.poll(() => status.textContent()).toBe('Done: that is it.');
    await page.waitForTimeout(500);
    await page.reload();
    await expect.poll(() => status.textContent()).toBe('Done: that is it.');
    await page.getByRole('button', { name: 'Next lesson' }).click();
    await expect.poll(() => page.locator('#lesson h2').textContent()).toContain('Lesson 2 of 13');
  });

  it('the playground has an embedded view with ?embed', async () => {
    const page = await site.open({ path: '?embed#example=pending' });
    await expect.poll(() => page.locator('header').isVisible()).toBe(false);
    await expect.poll(() => tabNames(page)).toContain('blog.yaml');
  });

  const IN_HEADER = ['New', 'Package', 'Release of kro', 'Pending', 'Menu'];
  const MODES = ['Release of kro', 'Namespace', 'Pending'];
  const WHERE_ONE_WRITES = ['Add a file', 'File', 'Problems', 'Expression'];

  /** Opens a view, a menu, a dialog or a list of the page. */
  async function openView(page: Page, view: string): Promise<void> {
    const half = page.getByRole('button', { name: WHERE_ONE_WRITES.includes(view) ? 'You write' : /^It becomes/ });
    if (view === 'Problems')
      await openFiles(page, [{ name: 'note.rgd.yaml', text: RGD.replace('schema.spec.text', 'schema.spec.txt') }]);
    if (view === 'Expression') await openFiles(page, NOTES);
    if (await half.isVisible()) await half.click();
    if (view === 'Problems') await page.getByRole('button', { name: 'All problems' }).click();
    else if (view === 'Commands') await page.keyboard.press('Control+k');
    else if (view === 'Expression') await openExpression(page);
    else if (view === 'Namespace') await page.getByRole('button', { name: 'Namespace: ' }).click();
    else if (view === 'Compare with') {
      await page.getByRole('tab', { name: 'Changes', exact: true }).click();
      await menuOf(page, view).click();
    } else if (IN_HEADER.includes(view) || WHERE_ONE_WRITES.includes(view)) await menuOf(page, view).click();
    else await page.getByRole('tab', { name: view, exact: true }).click();
  }

  async function openExpression(page: Page): Promise<void> {
    await page.locator('.pane.active .cm-line', { hasText: 'text: ${schema' }).getByText('schema').first().click();
    const half = page.getByRole('button', { name: /^It becomes/ });
    await page.locator('#origin .expression-value').waitFor({ state: 'attached' });
    if (await half.isVisible()) await half.click();
  }

  const SIZES: readonly (readonly [string, number, number, 'light' | 'dark'])[] = [
    ['a phone', 360, 740, 'light'],
    ['a desktop', 1360, 850, 'dark'],
    ['a desktop', 1360, 850, 'light'],
    ['4K', 3840, 2160, 'light'],
  ];
  // The nightly run tests all of them.
  it.each(isLong ? SIZES : SIZES.slice(0, 2))(
    'the playground has no accessibility fault and no horizontal overflow on %s of %i by %i, %s',
    async (_, width, height, colorScheme) => {
      const page = await site.open({ viewport: { width, height }, colorScheme, bypassCSP: true });
      await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
      const views = ['Objects', 'Graph', 'Changes', 'Schema', 'Commands', 'Namespace', 'Compare with', ...IN_HEADER];
      const all = [...views, ...WHERE_ONE_WRITES];
      // A phone has the modes in its menu.
      const shown = width === 360 ? all.filter((view) => !MODES.includes(view)) : all;
      // Half of the views, each in one of two sizes, and nightly all in all.
      for (const view of partOf(shown, 5, width === 360 ? 0 : 2)) {
        await page.keyboard.press('Escape');
        await openView(page, view);
        await page.waitForTimeout(700);
        const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[];
        expect(found.map(({ id, nodes }) => `${view}: ${id} ${nodes[0]?.html}`)).toEqual([]);
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'), { message: view })
          .toBe(true);
      }
    },
  );

  it('the playground keeps its files, its tab and its colours over a reload', async () => {
    const page = await site.open();
    await openFiles(page, NOTES);
    await choose(page, 'Menu', 'Dark');
    await page.locator('.file-tabs').getByRole('tab', { name: 'first.yaml' }).click();
    await write(page, NOTE.replace('hello', 'changed'));
    await expect.poll(() => objects(page).allTextContents()).toEqual([expect.stringContaining('text: changed')]);
    await page.waitForTimeout(500);
    await page.reload();
    await expect.poll(() => objects(page).allTextContents()).toEqual([expect.stringContaining('text: changed')]);
    await expect
      .poll(() => page.locator('.file-tabs').getByRole('tab', { selected: true }).textContent())
      .toBe('first.yaml');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  it('the playground imports dropped files, and exports an archive', async () => {
    const page = await site.open();
    await page.evaluate(`
      const transfer = new DataTransfer();
      for (const { name, text } of ${JSON.stringify(NOTES)}) transfer.items.add(new File([text], name));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    `);
    await expect.poll(() => page.locator('.file-tabs').getByRole('tab').count()).toBe(5);
    await expect.poll(() => objects(page).count()).toBe(8);
    const [download] = await Promise.all([page.waitForEvent('download'), choose(page, 'File', 'Save as ZIP')]);
    const archive = readFileSync(await download.path());
    expect(archive.toString('latin1')).toContain('first.yaml');
    // It opens what it saves, and refuses what is not text.
    await openFiles(page, []);
    await expect.poll(() => page.locator('.file-tabs').getByRole('tab').count()).toBe(0);
    await page.getByLabel('Files to open').setInputFiles([
      { name: 'package.zip', mimeType: 'application/zip', buffer: archive },
      { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0, 1]) },
    ]);
    await expect
      .poll(() => page.locator('#notice').textContent())
      .toContain('5 files were opened. Not opened: picture.png is not text.');
    await expect.poll(() => objects(page).count()).toBe(8);
  });

  it('the playground opens deflated archives, and says what is wrong with others', async () => {
    const page = await site.open();
    const zip = (name: string, text: string, change: (bytes: Buffer) => void = () => undefined): Buffer => {
      const [path, data] = [Buffer.from(name), deflateRawSync(text)];
      const common = Buffer.alloc(26);
      common.writeUInt16LE(20, 0);
      common.writeUInt16LE(8, 4);
      common.writeUInt32LE(data.length, 14);
      common.writeUInt32LE(text.length, 18);
      common.writeUInt16LE(path.length, 22);
      const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path, data]);
      const central = Buffer.concat([
        Buffer.from('PK\u0001\u0002'),
        Buffer.from([20, 0]),
        common,
        Buffer.alloc(14),
        path,
      ]);
      const end = Buffer.alloc(18);
      end.writeUInt16LE(1, 4);
      end.writeUInt16LE(1, 6);
      end.writeUInt32LE(central.length, 8);
      end.writeUInt32LE(local.length, 12);
      const bytes = Buffer.concat([local, central, Buffer.from('PK\u0005\u0006'), end]);
      change(bytes);
      return bytes;
    };
    const open = (buffer: Buffer) =>
      page.getByLabel('Files to open').setInputFiles([{ name: 'a.zip', mimeType: 'application/zip', buffer }]);
    await openFiles(page, NOTES.slice(0, 1));
    await open(zip('below/first.yaml', NOTE));
    await expect.poll(() => objects(page).count()).toBe(1);
    await expect.poll(() => page.locator('.file-tabs').getByRole('tab').last().textContent()).toBe('below/first.yaml');
    const notice = page.locator('#notice');
    // A size that is too small in the directory, and damaged content.
    await open(zip('b.yaml', NOTE, (bytes) => bytes.writeUInt32LE(10, bytes.readUInt32LE(bytes.length - 6) + 24)));
    await expect.poll(() => notice.textContent()).toContain('a.zip: it is damaged');
    await open(zip('c.yaml', NOTE, (bytes) => bytes.fill(0xff, 40, 60)));
    await expect.poll(() => notice.textContent()).toContain('a.zip: it is damaged');
    await open(zip('../d.yaml', NOTE));
    await expect.poll(() => notice.textContent()).toContain('Not opened');
    await open(Buffer.from('PK, and nothing else'));
    await expect.poll(() => notice.textContent()).toContain('it is not a ZIP archive');
    await expect.poll(() => page.locator('.file-tabs').getByRole('tab').count()).toBe(2);
  });

  it('every view of the playground opens offline after the first visit', async () => {
    const page = await site.open({ path: '#example=pending' });
    await expect.poll(() => page.evaluate("'prefetched' in document.documentElement.dataset")).toBe(true);
    await page.context().setOffline(true);
    for (const view of ['Objects', 'Graph', 'Changes', 'Schema'])
      await page.getByRole('tab', { name: view, exact: true }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands' }).fill('graph');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.getByRole('button', { name: /^settings/ }).waitFor();
    await choose(page, 'New', '1. forEach');
    await expect.poll(() => page.locator('#lesson h2').textContent()).toContain('Lesson 1 of 13');
    await expect.poll(() => objects(page).count()).toBeGreaterThan(0);
  });

  it('a part of the playground that cannot be loaded says so in words', async () => {
    const page = await site.open();
    await page.context().route(/\/graph-[^/]*\.js/, (route) => route.abort());
    await page.reload();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await expect
      .poll(() => page.locator('#notice').textContent())
      .toContain('could not be loaded: you are offline, or the page was updated');
    await page.locator('#notice').getByRole('button', { name: 'Reload' }).waitFor();
    site.faults.length = 0;
  });

  it('the playground answers messages of the page around it, and only of that', async () => {
    const page = await site.open({ path: '?embed' });
    await expect.poll(() => page.getByRole('link', { name: 'Open the playground' }).count()).toBe(1);
    const frame = await site.open({ bypassCSP: true });
    await frame.evaluate(`new Promise((resolve) => {
      globalThis.results = [];
      addEventListener('message', ({ data }) => {
        if (data.type === 'render-rgd:ready') resolve();
        else globalThis.results.push(data);
      });
      const frame = document.createElement('iframe');
      frame.src = '?embed';
      frame.id = 'embedded';
      document.body.append(frame);
    })`);
    const send = (message: object) =>
      frame.evaluate(`document.getElementById('embedded').contentWindow.postMessage(${JSON.stringify(message)}, '*')`);
    await send({ type: 'render-rgd:set', files: NOTES });
    await expect
      .poll(() => frame.evaluate('results.at(-1)?.objects?.map(({ yaml }) => yaml).join("")'))
      .toContain('text: hello');
    await send({ type: 'render-rgd:set', files: 'none' });
    await expect.poll(() => frame.evaluate('results.at(-1)?.message')).toBe('it holds no files');
  });

  it('the separators of the playground move by keyboard, and stay there', async () => {
    const page = await site.open();
    const width = async (): Promise<number> => (await page.locator('#source').boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole('separator', { name: 'Width of the editors' }).press('ArrowLeft');
    await expect.poll(width).toBeLessThan(before);
    const after = await width();
    await page.reload();
    await expect.poll(width).toBe(after);
    await page.getByRole('separator', { name: 'Width of the editors' }).press('Enter');
    await expect.poll(width).toBe(before);
  });

  it('the playground draws lines from a field to its expression and its value', async () => {
    const page = await site.openPackage(NOTES);
    await objects(page).locator('.line', { hasText: 'text: hello' }).hover();
    await expect.poll(() => page.locator('.threads .thread').count()).toBe(2);
    await expect
      .poll(() => page.locator('.cm-origin').allTextContents())
      .toEqual([expect.stringContaining('text: ${schema.spec.text}'), 'spec: {text: hello}']);
  });

  it('the playground shows the denial of a policy at the line of the template, while one types', async () => {
    const kind = 'admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy';
    const policy = `{apiVersion: ${kind}, metadata: {name: words}, spec: {
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]},
  validations: [{expression: "object.data.text != 'forbidden'", message: not this word}]}}
---
{apiVersion: ${kind}Binding, metadata: {name: words}, spec: {policyName: words, validationActions: [Deny]}}
`;
    const page = await site.openPackage([...NOTES, { name: 'words.yaml', text: policy }]);
    await expect.poll(() => page.locator('.file-tabs').getByRole('tab').count()).toBe(3);
    await page.getByRole('tab', { name: 'first.yaml' }).click();
    await write(page, NOTE.replace('hello', 'forbidden'));
    await expect.poll(() => problems(page).textContent()).toContain("is denied by the policy 'words': not this word");
    await page.getByRole('tab', { name: 'note.rgd.yaml' }).click();
    await expect
      .poll(() => page.locator('.pane.active .cm-line:has(.cm-lintRange-error)').textContent())
      .toContain('text: ${schema.spec.text}');
    await page.getByRole('tab', { name: 'first.yaml' }).click();
    await write(page, NOTE);
    await expect.poll(() => problems(page).textContent()).not.toContain('denied');
  });

  it('the playground shows more than six files as a tree', async () => {
    const files = Array.from({ length: 7 }, (_, index) => ({
      name: `apps/${index % 2 === 0 ? 'even' : 'odd'}/note-${index}.yaml`,
      text: NOTE.replace('first', `note-${index}`),
    }));
    const page = await site.openPackage([...files, NOTES[0] as (typeof NOTES)[0]]);
    const tree = page.getByRole('tree', { name: 'Files' });
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(11);
    await tree.getByRole('treeitem', { name: 'even', exact: true }).click();
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(7);
    await tree.getByRole('treeitem', { name: 'apps/odd/note-3.yaml' }).click();
    await expect.poll(() => page.locator('.pane.active .pane-title b').textContent()).toBe('note-3.yaml');
  });

  it('the playground adds, renames and deletes files by keyboard alone', async () => {
    const page = await site.open();
    const tabs = page.locator('.file-tabs').getByRole('tab');
    const count = await tabs.count();
    await page.getByRole('button', { name: 'Add a file' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Empty file' }).press('Enter');
    await page.keyboard.type('x.yaml');
    await page.keyboard.press('Enter');
    await expect.poll(() => tabs.count()).toBe(count + 1);
    await tabs.last().focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('y.yaml');
    await page.keyboard.press('Enter');
    await expect.poll(() => tabs.last().textContent()).toBe('y.yaml');
    await tabs.last().focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => tabs.count()).toBe(count);
    await page.locator('#notice').getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => tabs.count()).toBe(count + 1);
  });

  it('the playground leaves the editor with Escape and Tab, and opens an expression with Enter on its field', async () => {
    const page = await site.open();
    await openFiles(page, NOTES);
    await page.locator('.pane.active .cm-content').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate("document.activeElement.closest('.cm-editor') === null")).toBe(true);
    await page.locator('pre.yaml').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate("document.activeElement.closest('#editor') !== null")).toBe(true);
    await expect.poll(() => page.locator('.pane.active .cm-activeLine').textContent()).toContain('schema.spec.text');
  });

  it('the playground shows 200 instances', async () => {
    const many = Array.from({ length: 200 }, (_, index) => NOTE.replace('first', `note-${index}`)).join('---\n');
    const page = await site.openPackage([NOTES[0] as (typeof NOTES)[0], { name: 'many.yaml', text: many }]);
    await expect.poll(() => objects(page).count()).toBe(200);
    // Closed objects have no text yet.
    await expect.poll(() => objects(page).last().locator('.line').count()).toBe(0);
    await objects(page).last().locator('summary').click();
    await expect.poll(() => objects(page).last().locator('.line').count()).toBeGreaterThan(5);
  });

  it('the playground stops a rendering that takes too long, and renders again', async () => {
    const page = await site.open();
    const nested = 'lists.range(1000).map(a, lists.range(1000).map(b, a * b).sum()).sum()';
    const slow = Array.from({ length: 60 }, (_, index) => `          k${index}: \${string(${nested} + ${index})}`).join(
      '\n',
    );
    const endless = RGD.replace('          text: ${schema.spec.text}', slow);
    await openFiles(page, [
      { name: 'note.rgd.yaml', text: RGD },
      { name: 'first.yaml', text: NOTE },
    ]);
    const more = Array.from({ length: 100 }, (_, index) => NOTE.replace('first', `note-${index}`)).join('---\n');
    await stopSlowRenderings(page, true);
    await write(page, `${endless}---\n${more}`);
    await expect.poll(() => page.locator('#notice').textContent()).toContain('stopped after 2 s');
    await stopSlowRenderings(page, false);
    await write(page, RGD.replace('name: note', 'name: again'));
    await expect
      .poll(() => objects(page).allTextContents())
      .toEqual([expect.stringContaining('resource-graph-definition-name: again')]);
  });

  it('the playground accepts a text of 1 MB', async () => {
    const page = await site.openPackage(NOTES);
    await paste(page, `${RGD}# ${'x'.repeat(100)}\n`.padEnd(1_000_000, `# ${'y'.repeat(97)}\n`));
    await expect.poll(() => objects(page).count()).toBe(1);
    await expect.poll(() => problems(page).textContent()).toBe('No problems');
  });
});
