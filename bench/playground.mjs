// Measures the playground in Chromium: the first load, and the time from an edit to its objects.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { buildPlayground } from '../tools/playground/index.mjs';
import { sizesOf } from '../tools/playground/sizes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
/** Numbers of nodes, with the milliseconds in which 95 of 100 keystrokes should show their objects. */
const SIZES = [
  { nodes: 40, target: 100 },
  { nodes: 200, target: 250 },
];

export const title = 'The playground in Chromium';

export async function run({ short }) {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-bench-'));
  try {
    await buildPlayground(root, folder);
    const size = sizesOf(folder).reduce((sum, { gzip, first }) => sum + (first ? gzip : 0), 0) / 1000;
    const executablePath = browserPath();
    if (executablePath === undefined) return { lines: [['first load', `${size.toFixed(0)} kB gzip`]], claims: [] };
    const { interactive, rendered, keystrokes } = await measured(folder, executablePath, short ? 30 : 100);
    const keys = SIZES.map(({ nodes, target }, index) => {
      const [median, most] = [0.5, 0.95].map((part) => {
        const times = keystrokes[index];
        return times[Math.floor(part * (times.length - 1))];
      });
      return { nodes, target, median, most };
    });
    return {
      lines: [
        ['', 'measured'],
        ['first load', `${size.toFixed(0)} kB gzip`],
        ['files can be edited after', `${interactive.toFixed(0)} ms`],
        ['rendered by the page itself after', `${rendered.toFixed(0)} ms`],
        ...keys.flatMap(({ nodes, median, most }) => [
          [`keystroke in an RGD of ${nodes} nodes until its objects are shown, median`, `${median.toFixed(0)} ms`],
          ['the same, 95th percentile', `${most.toFixed(0)} ms`],
        ]),
      ],
      claims: [
        { name: 'first load of the playground', figure: size, target: 450, unit: 'kB gzip' },
        { name: 'the playground is interactive', figure: interactive, target: 1000, unit: 'ms' },
        ...keys.map(({ nodes, target, most }) => {
          return { name: `a keystroke in ${nodes} nodes shows its objects (p95)`, figure: most, target, unit: 'ms' };
        }),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function browserPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'chrome'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

async function measured(folder, executablePath, count) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/\/$/, '/index.html');
    try {
      const body = readFileSync(join(folder, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
  try {
    const start = await startOf(browser, url);
    const keystrokes = [];
    for (const { nodes } of SIZES) keystrokes.push(await keystrokesOf(browser, url, count, nodes));
    return { ...start, keystrokes };
  } finally {
    await browser.close();
    server.close();
  }
}

/**
 * Returns the time from the navigation until files can be edited, and until the page has rendered: the best of three
 * visits.
 */
async function startOf(browser, url) {
  const visits = [];
  for (let visit = 0; visit < 3; visit += 1) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(url);
    await page.waitForFunction(() => Number(document.documentElement.dataset.rendered) > 0);
    await page.waitForFunction(() => performance.getEntriesByName('rendered').length > 0);
    visits.push(
      await page.evaluate(() =>
        ['interactive', 'rendered'].map((name) => performance.getEntriesByName(name)[0].startTime),
      ),
    );
    await page.context().close();
  }
  const [interactive, rendered] = [0, 1].map((at) => Math.min(...visits.map((times) => times[at])));
  return { interactive, rendered };
}

/** Returns the times from a key event to the frame with its result, sorted. */
async function keystrokesOf(browser, url, count, nodes) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${url}#s=${packed(packageOf(nodes))}`);
  await page.waitForFunction(() => document.documentElement.dataset.language === 'connected');
  await page.locator('.pane.active .cm-line', { hasText: 'replicas:' }).last().click();
  await page.keyboard.press('End');
  await page.evaluate(recordKeystrokes);
  for (let at = 0; at < count; at += 1) {
    // Changes a value of one object, and changes it back.
    await page.keyboard.press(at % 2 === 0 ? '1' : 'Backspace');
    await page.waitForFunction((wanted) => globalThis.keystrokes.length > wanted, at);
    await page.waitForTimeout(100);
  }
  return (await page.evaluate(() => globalThis.keystrokes)).sort((a, b) => a - b);
}

function recordKeystrokes() {
  let pressed = 0;
  globalThis.keystrokes = [];
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      pressed = timeStamp;
    },
    true,
  );
  new MutationObserver(() => {
    requestAnimationFrame(() => globalThis.keystrokes.push(performance.now() - pressed));
  }).observe(document.documentElement, { attributeFilter: ['data-rendered'] });
}

/** An RGD of so many Deployments, and an instance of it. */
function packageOf(count) {
  const nodes = Array.from({ length: count }, (_, index) => nodeOf(index)).join('');
  const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: big
spec:
  schema:
    apiVersion: v1alpha1
    kind: Big
    spec:
      image: string
  resources:
${nodes}`;
  const instance = 'apiVersion: kro.run/v1alpha1\nkind: Big\nmetadata: {name: a, namespace: b}\nspec: {image: nginx}\n';
  return {
    files: [
      { name: 'big.yaml', text: rgd },
      { name: 'a.yaml', text: instance },
    ],
  };
}

const nodeOf = (index) => `    - id: node${index}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.metadata.name}-${index}
        spec:
          selector:
            matchLabels:
              app: \${schema.metadata.name}-${index}
          template:
            metadata:
              labels:
                app: ${index === 0 ? 'x' : `\${node${index - 1}.metadata.name}`}
            spec:
              containers:
                - name: web
                  image: \${schema.spec.image}
          replicas: 2
`;

/** Returns a share link of version 1. */
const packed = (contents) =>
  Buffer.concat([Buffer.from([1]), deflateRawSync(JSON.stringify(contents))]).toString('base64url');
