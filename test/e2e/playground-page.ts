import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LIMIT } from '../../playground/engine/protocol.ts';
import { bundle, findTool, HANGING } from './sandbox.ts';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The shell is the same engine without a browser's window: a page needs half the time in it. */
export const browserPath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'chrome']
  .map(findTool)
  .find((path) => path);

/**
 * Tests in a browser. Without a browser they are skipped, with a notice; on CI that is a failure. CI runs a failed test
 * twice more, because a browser on a busy machine is not deterministic, and reports which tests needed it.
 */
export function describeInBrowser(name: string, define: () => void): void {
  const retry = process.env.CI === 'true' ? 2 : 0;
  const defineTests = (): void => {
    afterEach(({ task }) => {
      const tries = task.result?.retryCount ?? 0;
      if (tries > 0) console.log(`--- RETRIED ${tries} times: ${task.name}`);
    });
    define();
  };
  if (browserPath !== undefined) describe(name, { retry }, defineTests);
  else if (process.env.CI === 'true') it(`requires a browser for ${name}`, () => expect(browserPath).toBeDefined());
  else describe.skip(`${name} (no Chromium is installed)`, define);
}

/** A file of a package that a link opens. */
export interface OpenedFile {
  readonly name: string;
  readonly text: string;
  readonly role?: string;
}

/** How many links were opened. */
let links = 0;

/** The built page behind a path of its own server, and a browser. */
export interface Site {
  readonly browser: Browser;
  readonly url: string;
  /** The folder with its files. */
  readonly folder: string;
  /** Its files. */
  readonly paths: readonly string[];
  /** The errors of any page: scripts, policies, external requests. */
  readonly faults: string[];
  /** Opens a page and waits until it has rendered. Slow renderings are not stopped, see `stopSlowRenderings`. */
  open(options?: BrowserContextOptions & { readonly path?: string }): Promise<Page>;
  /** Opens a package in a page that tests share, because a page takes most of the time of a short test. */
  openPackage(files: readonly OpenedFile[]): Promise<Page>;
  /** Closes all pages but the shared one, and that as well if a test may have left it in any state. */
  closePages(isSharedToo: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a site for the tests of a block. After each test its pages are closed, and the test fails if a page has faults:
 * no script fails, nothing violates the policy, and no request leaves the page.
 */
export function openForTests(take: (site: Site) => void): void {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
    take(site);
  }, 600_000);
  afterAll(() => site.close());
  afterEach(async ({ task }) => {
    await site.closePages(task.result?.state === 'fail');
    expect(site.faults.splice(0)).toEqual([]);
  });
}

export async function openSite(): Promise<Site> {
  const folder = join(dirname(bundle), 'playground');
  const server = await serve(folder);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below/a/path/`;
  const browser = await chromium.launch({ executablePath: browserPath ?? '', args: browserArguments });
  const faults: string[] = [];
  let shared: Page | undefined;
  const site: Site = {
    browser,
    url,
    folder,
    paths: readdirSync(folder, { recursive: true }).map(String),
    faults,
    open: async ({ path = '', ...options } = {}) => {
      const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, ...options });
      context.setDefaultTimeout(HANGING);
      await context.addInitScript(stretchTimers);
      await context.addInitScript(keepEngine);
      const page = await context.newPage();
      watch(page, context, url, faults);
      await page.goto(url + path);
      await rendered(page);
      return page;
    },
    openPackage: async (files) => {
      shared ??= await site.open();
      await openFiles(shared, files);
      await shared.getByRole('tab', { name: 'Objects', exact: true }).click();
      return shared;
    },
    closePages: async (isSharedToo) => {
      if (isSharedToo) shared = undefined;
      for (const context of browser.contexts()) if (context !== shared?.context()) await context.close();
    },
    close: async () => {
      await browser.close();
      server.close();
    },
  };
  return site;
}

/**
 * Runs in the page: stretches the timers of the rendering limit by a hundred, because a busy machine may exceed the
 * limit.
 */
const stretchTimers = `
  globalThis.stretch = 100;
  const setTimer = globalThis.setTimeout;
  globalThis.setTimeout = (run, delay, ...values) =>
    setTimer(run, delay === ${LIMIT} ? delay * globalThis.stretch : delay, ...values);
`;

/** Runs in the page: makes the worker that renders known to tests, which end it. */
const keepEngine = `
  const NamedWorker = globalThis.Worker;
  globalThis.Worker = class extends NamedWorker {
    constructor(url, options) {
      super(url, options);
      if (options?.name === 'engine') globalThis.engine = this;
    }
  };
`;

/**
 * Whether the page stops slow renderings: after a small part of the limit, so that a slow one takes longer than that on
 * any machine, or never.
 */
export async function stopSlowRenderings(page: Page, stops: boolean): Promise<void> {
  await page.evaluate(`globalThis.stretch = ${stops ? 0.05 : 100}`);
}

function watch(page: Page, context: BrowserContext, url: string, faults: string[]): void {
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  context.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      faults.push(`requests ${request.url()}`);
  });
}

function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const file = new URL(request.url ?? '', 'http://localhost').pathname
      .replace(/^\/below\/a\/path/, '')
      .replace(/\/$/, '/index.html');
    try {
      const body = readFileSync(join(folder, file));
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** How often the page has rendered. */
const renderings = async (page: Page): Promise<number> =>
  Number(await page.evaluate("document.documentElement.dataset.rendered ?? '0'"));

/** Waits until the page has rendered more often than `before`. */
export async function rendered(page: Page, before = 0): Promise<void> {
  const wait = async (): Promise<void> => {
    if ((await renderings(page)) > before) return;
    throw new Error(`the page did not render: ${await page.locator('#notice').textContent()}`);
  };
  await vi.waitFor(wait, { timeout: HANGING, interval: 50 });
}

/** Replaces the text of the file that is shown. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator('.pane.active .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Pastes a text over that of the file that is shown. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.locator('.pane.active .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.evaluate(`
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  `);
}

/** Opens a package through a share link. */
export async function openFiles(page: Page, files: readonly OpenedFile[]): Promise<void> {
  // Each link is another one, so that a page opens what it had opened before.
  const contents = JSON.stringify({ files, options: {} }) + ' '.repeat(++links);
  const fragment = await page.evaluate(packInPage, contents);
  const before = await renderings(page);
  await page.evaluate(`location.hash = ${JSON.stringify(`s=${fragment}`)}`);
  await rendered(page, before);
}

/** Runs in the page: returns a fragment of version 1. */
async function packInPage(text: string): Promise<string> {
  const packed = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')));
  const bytes = new Uint8Array(await packed.arrayBuffer());
  let binary = '\u0001';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Runs a command of a menu, whose button may show the current choice after its name. */
export async function choose(page: Page, menu: string, command: string | RegExp): Promise<void> {
  await menuOf(page, menu).click();
  await page.getByRole('menu').locator('[role^="menuitem"]').filter({ hasText: command }).first().click();
}

/** Returns the button of a menu. */
export const menuOf = (page: Page, menu: string): Locator =>
  page.locator(`[aria-haspopup="menu"]:is([aria-label="${menu}"], [aria-label^="${menu}: "])`).locator('visible=true');

/** The names on the tabs of files, joined by spaces. */
export async function tabNames(page: Page): Promise<string> {
  const names = await page.locator('.file-tabs').getByRole('tab').allTextContents();
  return names.join(' ');
}
