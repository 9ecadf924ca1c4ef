import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { browserArguments, browserPath, describeInBrowser, write } from './playground-page.ts';
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
    await expect.poll(() => page.locator('.file-tabs').textContent()).toBe('apps/a.yaml');
    await write(page, NOTE.replace('name: a', 'name: b'));
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('name: b');
    await expect.poll(() => page.locator('#notice').textContent()).toBe('apps/a.yaml was written.');
  });

  it('the playground does not write files without --write', async () => {
    const file = join(folder, 'apps/a.yaml');
    writeFileSync(file, NOTE);
    const page = await browser.newPage();
    await page.goto(await start('apps'));
    await expect.poll(() => page.locator('.file-tabs').textContent()).toBe('apps/a.yaml');
    await write(page, NOTE.replace('name: a', 'name: b'));
    await page.waitForTimeout(1500);
    expect(readFileSync(file, 'utf8')).toBe(NOTE);
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
