import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, openSite, type Site } from './playground-page.ts';

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Clicks on a rendered field to show its source. */
async function explain(page: Page): Promise<void> {
  const field = page.locator('#panel-objects .line', { hasText: 'memory: 256Mi' });
  await field.first().click();
  await expect.poll(() => page.locator('#origin').textContent()).toContain('expression');
}

/** Shows a pending node, its error at its line, and the graph. */
async function showGraph(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.getByRole('button', { name: /^settings/ }).waitFor();
}

const PICTURES: readonly Picture[] = [
  { name: 'playground-light', width: 1360, height: 800, colorScheme: 'light', path: '', prepare: explain },
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

/** `SCREENSHOTS=docs/images` writes the pictures of the docs. */
describeInBrowser('pictures of the playground', () => {
  let site: Site;
  const scratch = mkdtempSync(join(tmpdir(), 'render-rgd-pictures-'));
  const folder = process.env.SCREENSHOTS ?? scratch;
  beforeAll(async () => {
    site = await openSite();
    mkdirSync(folder, { recursive: true });
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
});
