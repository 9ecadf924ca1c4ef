import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  browserArguments,
  browserPath,
  choose,
  describeInBrowser,
  rendered,
  tabNames,
  write,
} from './playground-page.ts';
import { command, HANGING, isNative } from './sandbox.ts';

const NOTE = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

describeInBrowser('render-rgd playground', () => {
  let browser: Browser;
  let folder: string;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath ?? '', args: browserArguments });
    folder = mkdtempSync(join(tmpdir(), 'render-rgd-served-'));
    mkdirSync(join(folder, 'apps'));
  });
  afterEach(async () => {
    for (const child of running.splice(0)) child.kill();
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Starts the command; returns the URL that it prints. */
  function start(...args: string[]): Promise<string> {
    const [file, before] = isNative ? [command, []] : [process.execPath, [command]];
    const child = spawn(file, [...before, 'playground', ...args], { cwd: folder });
    running.push(child);
    return new Promise((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
      child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
  }

  it('the playground opens the files of a path, and writes changes with --write', async () => {
    const file = join(folder, 'apps/a.yaml');
    writeFileSync(file, NOTE);
    const url = await start('apps', '--write');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
    const page = await browser.newPage();
    await page.goto(url);
    await expect.poll(() => tabNames(page)).toBe('apps/a.yaml');
    await write(page, NOTE.replace('name: a', 'name: b'));
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('name: b');
    await expect.poll(() => page.locator('#notice').textContent()).toBe('apps/a.yaml was written.');
  });

  it('the playground does not write files without --write', async () => {
    const file = join(folder, 'apps/a.yaml');
    writeFileSync(file, NOTE);
    const page = await browser.newPage();
    await page.goto(await start('apps'));
    await expect.poll(() => tabNames(page)).toBe('apps/a.yaml');
    await write(page, NOTE.replace('name: a', 'name: b'));
    await page.waitForTimeout(1500);
    expect(readFileSync(file, 'utf8')).toBe(NOTE);
  });

  const shown = (page: Page) => expect.poll(() => page.locator('.pane.active .cm-content').innerText());
  const notice = (page: Page) => expect.poll(() => page.locator('#notice').textContent());
  const open = async (url: string, page?: Page): Promise<Page> => {
    const opened = page ?? (await (await browser.newContext()).newPage());
    await opened.goto(url);
    await rendered(opened);
    return opened;
  };
  const typeIn = async (page: Page, text: string): Promise<void> => {
    await page.locator('.pane.active .cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText(text);
  };
  const fresh = (text = NOTE): string => {
    const file = join(folder, 'apps/a.yaml');
    writeFileSync(file, text);
    return file;
  };

  it('what is typed with --write is there after a reload, and later edits keep it', async () => {
    const file = fresh();
    const page = await open(await start('apps', '--write'));
    await typeIn(page, '# first\n');
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(`# first\n${NOTE}`);
    await page.reload();
    await shown(page).toContain('# first');
    await typeIn(page, '# second\n');
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(`# second\n# first\n${NOTE}`);
    await typeIn(page, '# right before a reload\n');
    await page.reload();
    await shown(page).toContain('# right before a reload');
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('# right before a reload');
  });

  it('what is typed without --write is there after a reload, and the page says that it is not on disk', async () => {
    const file = fresh();
    const page = await open(await start('apps'));
    await expect.poll(() => page.locator('#place').textContent()).toContain('is not written to disk');
    await typeIn(page, '# typed\n');
    await page.reload();
    await shown(page).toContain('# typed');
    expect(readFileSync(file, 'utf8')).toBe(NOTE);
  });

  it('changes of other programs are shown, and are not overwritten', async () => {
    const file = fresh();
    const page = await open(await start('apps', '--write'));
    writeFileSync(file, `# of another program\n${NOTE}`);
    await shown(page).toContain('# of another program');
    writeFileSync(join(folder, 'apps/b.yaml'), NOTE.replace('name: a', 'name: b'));
    await expect.poll(() => page.locator('.file-tabs').getByRole('tab').count()).toBe(2);
    rmSync(join(folder, 'apps/b.yaml'));
    await expect.poll(() => page.locator('.file-tabs').getByRole('tab').count()).toBe(1);
    await typeIn(page, '# of the page\n');
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(`# of the page\n# of another program\n${NOTE}`);
  });

  it('a file that was changed on disk and in the page is offered in both versions', async () => {
    const file = fresh();
    const page = await open(await start('apps', '--write'));
    const conflict = page.locator('#place .conflict');
    const collide = async (): Promise<void> => {
      // The request is answered after the other program has written.
      await page.route('**/save', async (route) => {
        writeFileSync(file, `# theirs\n${NOTE}`);
        await route.continue();
      });
      await typeIn(page, '# mine\n');
      await expect.poll(() => conflict.textContent()).toContain('apps/a.yaml was changed on disk');
      await page.unroute('**/save');
      await shown(page).toContain('# mine');
      expect(readFileSync(file, 'utf8')).toBe(`# theirs\n${NOTE}`);
    };
    await collide();
    await page.reload();
    await expect.poll(() => conflict.textContent()).toContain('apps/a.yaml was changed on disk');
    await shown(page).toContain('# mine');
    await conflict.getByRole('button', { name: 'Take the other' }).click();
    await shown(page).not.toContain('# mine');
    await typeIn(page, '# both\n');
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(`# both\n# theirs\n${NOTE}`);
    await collide();
    await conflict.getByRole('button', { name: 'Keep this one' }).click();
    await expect.poll(() => readFileSync(file, 'utf8')).toMatch(/^# mine\n# both\n/);
    await expect.poll(() => conflict.count()).toBe(0);
  });

  it('a file that was deleted on disk is not created again, and what was typed stays in the page', async () => {
    const file = fresh();
    writeFileSync(join(folder, 'apps/c.yaml'), NOTE);
    const page = await open(await start('apps', '--write'));
    await page.route('**/save', async (route) => {
      rmSync(file, { force: true });
      await route.continue();
    });
    await typeIn(page, '# mine\n');
    await expect.poll(() => page.locator('#place .conflict').textContent()).toContain('was deleted on disk');
    await page.reload();
    await page.locator('.file-tabs').getByRole('tab', { name: 'apps/a.yaml' }).click();
    await shown(page).toContain('# mine');
    expect(existsSync(file)).toBe(false);
    rmSync(join(folder, 'apps/c.yaml'));
  });

  it('two tabs of a folder do not overwrite each other', async () => {
    const file = fresh();
    const url = await start('apps', '--write');
    const first = await open(url);
    const second = await open(url, await first.context().newPage());
    await typeIn(first, '# first tab\n');
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('# first tab');
    await second.bringToFront();
    await shown(second).toContain('# first tab');
    await typeIn(second, '# second tab\n');
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(`# second tab\n# first tab\n${NOTE}`);
  });

  it('an example, a lesson, a link and dropped files are not written to the folder', async () => {
    const names = ['cache.rgd.yaml', 'storefront.rgd.yaml', 'books.yaml'];
    for (const name of names) writeFileSync(join(folder, 'apps', name), NOTE);
    const page = await open(await start('apps', '--write'));
    for (const hash of ['#example=collections', '#lesson=for-each']) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await shown(page).not.toContain('name: a');
      await typeIn(page, '# elsewhere\n');
    }
    await page.goBack();
    await page.goBack();
    await shown(page).toContain('name: a');
    await page.evaluate(`
      const transfer = new DataTransfer();
      transfer.items.add(new File(['dropped: 1'], 'apps/books.yaml'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    `);
    await shown(page).toContain('dropped: 1');
    await page.waitForTimeout(1500);
    for (const name of names) {
      expect(readFileSync(join(folder, 'apps', name), 'utf8'), name).toBe(NOTE);
      rmSync(join(folder, 'apps', name));
    }
  });

  it('Delete says that the file stays on disk', async () => {
    const file = fresh();
    const page = await open(await start('apps', '--write'));
    await choose(page, 'File', /^Delete/);
    await notice(page).toContain('It stays on disk, and a reload shows it.');
    expect(existsSync(file)).toBe(true);
    await page.reload();
    await shown(page).toContain('name: a');
  });

  it('files that the page cannot show are named, and the others are shown', async () => {
    fresh();
    const names = ['b\u200b.yaml', 'b\n.yaml', `${'x'.repeat(120)}${'y'.repeat(100)}.yaml`];
    for (const name of names) writeFileSync(join(folder, 'apps', name), NOTE);
    const page = await open(await start('apps'));
    await notice(page).toContain('3 files of the folder are not shown');
    await expect.poll(() => page.locator('.file-tabs').getByRole('tab').allTextContents()).toEqual(['apps/a.yaml']);
    for (const name of names) rmSync(join(folder, 'apps', name));
  });

  it('the server of the playground rejects a page of another origin that knows the URL', async () => {
    const file = join(folder, 'apps/a.yaml');
    writeFileSync(file, NOTE);
    const url = await start('apps', '--write');
    const other = createServer((_, response) => response.end('<p>elsewhere</p>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const page = await browser.newPage();
      await page.goto(`http://localhost:${(other.address() as AddressInfo).port}/`);
      const body = JSON.stringify({ name: 'apps/a.yaml', text: 'gone' });
      const outcomes = await page.evaluate(`(async () => {
        const save = ${JSON.stringify(`${url}save`)};
        const body = ${JSON.stringify(body)};
        const tried = [
          fetch(save, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
          fetch(save, { method: 'POST', mode: 'no-cors', body }).then(({ type }) => { throw new Error(type); }),
          fetch(${JSON.stringify(url)}).then((answer) => answer.text()),
        ];
        return (await Promise.allSettled(tried)).map(({ status }) => status);
      })()`);
      expect(outcomes).toEqual(['rejected', 'rejected', 'rejected']);
      const answers: number[] = [];
      page.on('response', (response) => answers.push(response.status()));
      await page.evaluate(
        `document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(url)} }))`,
      );
      await vi.waitFor(() => expect(answers).toEqual([403]), { timeout: HANGING });
      expect(readFileSync(file, 'utf8')).toBe(NOTE);
    } finally {
      other.close();
    }
  });
});
