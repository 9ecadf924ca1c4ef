import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { partOf } from '../properties/runs.ts';
import { describeInBrowser, openSite, type Site } from './playground-page.ts';

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Waits until the line of the first visit is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.locator('.threads .thread').first().waitFor({ state: 'attached' });
}

/** Shows a pending node, its error at its line, and the graph. */
async function showGraph(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.getByRole('button', { name: /^settings/ }).click();
}

const PICTURES: readonly Picture[] = [
  { name: 'playground-light', width: 1360, height: 800, colorScheme: 'light', path: '', prepare: drawn },
  {
    name: 'playground-dark',
    width: 1360,
    height: 800,
    colorScheme: 'dark',
    path: '#example=pending',
    prepare: showGraph,
  },
  { name: 'playground-phone', width: 390, height: 844, colorScheme: 'light', path: '#lesson=include-when' },
];

const VIEWS = ['Objects', 'Graph', 'Changes', 'Schema'];
const SIZES = [
  ['desktop', 1440, 900],
  ['tablet', 1024, 768],
  ['phone', 390, 844],
  ['keyboard', 390, 450],
] as const;

/** `SCREENSHOTS=docs/images` writes the pictures of the docs, and of every view in small. */
describeInBrowser('pictures of the playground', () => {
  let site: Site;
  const scratch = mkdtempSync(join(tmpdir(), 'render-rgd-pictures-'));
  const folder = process.env.SCREENSHOTS ?? scratch;
  beforeAll(async () => {
    site = await openSite();
    mkdirSync(join(folder, 'playground'), { recursive: true });
  });
  afterAll(async () => {
    await site.close();
    rmSync(scratch, { recursive: true });
  });

  it.each(PICTURES)('draws $name', async ({ name, width, height, colorScheme, path, prepare }) => {
    const page = await site.open({ viewport: { width, height }, colorScheme, path });
    await page.waitForTimeout(1000);
    await prepare?.(page);
    await page.mouse.move(0, 0);
    await page.waitForTimeout(500);
    const file = join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    expect(statSync(file).size).toBeGreaterThan(20_000);
  });

  const all = SIZES.flatMap(([size, width, height]) =>
    (['light', 'dark'] as const).map((scheme) => [size, scheme, width, height] as const),
  );
  it.each(process.env.SCREENSHOTS === undefined ? partOf(all, all.length) : all)(
    'draws every view on a %s, %s',
    async (size, colorScheme, width, height) => {
      const page = await site.open({ viewport: { width, height }, colorScheme, deviceScaleFactor: 0.5 });
      const introduction = page.getByRole('button', { name: 'Close the introduction' });
      if (await introduction.isVisible()) await introduction.click();
      const half = page.getByRole('button', { name: /^It becomes/ });
      for (const view of VIEWS) {
        if (await half.isVisible()) await half.click();
        await page.getByRole('tab', { name: view, exact: true }).click();
        await page.waitForTimeout(1000);
        const file = join(folder, 'playground', `${view.toLowerCase()}-${size}-${colorScheme}.jpg`);
        await page.screenshot({ path: file, type: 'jpeg', quality: 60 });
        expect(statSync(file).size).toBeGreaterThan(3000);
      }
    },
  );
});
