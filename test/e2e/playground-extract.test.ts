import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { choose, describeInBrowser, openForTests, type Site } from './playground-page.ts';

const app = (name: string, image: string, host = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
      - name: web
        image: ${image} # the image
${host}`;

const ingress = (name: string): string => `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ${name}}
spec: {defaultBackend: {service: {name: ${name}, port: {number: 80}}}, rules: [{host: ${name}.example.org}]}
`;

describeInBrowser('the command "From my manifests"', () => {
  let site: Site;
  openForTests((opened) => {
    site = opened;
  });

  const openDialog = async (): Promise<Page> => {
    const page = await site.open();
    await choose(page, 'New', 'From my manifests');
    return page;
  };
  const found = (page: Page) => page.getByRole('region', { name: 'Fields' });
  const fields = (page: Page) => found(page).locator('tbody th');
  const opener = (page: Page) => page.getByRole('button', { name: 'Open the RGD' });

  it('shows the fields while copies are pasted, and opens the RGD with its instances', async () => {
    const page = await openDialog();
    expect(await opener(page).isDisabled()).toBe(true);
    await page.getByLabel('Copy 1').fill(app('shop', 'shop:1'));
    // One copy alone has the fields that people usually set.
    await expect.poll(() => fields(page).allTextContents()).toEqual(['image']);
    await page.getByLabel('Copy 2').fill(app('blog', 'ghost:5', ingress('blog')));
    await expect.poll(() => fields(page).allTextContents()).toEqual(['image', 'host']);
    // There is always room for another copy.
    await page.getByLabel('Copy 3').fill(app('docs', 'hugo:3'));
    await expect.poll(() => found(page).textContent()).toContain('4 of 4 objects of 3 copies are rendered again');
    await page.getByLabel('Kind of the instances').fill('Site');
    await opener(page).click();
    await expect.poll(() => page.locator('#panel-objects details.object').count()).toBe(4);
    const names = await page.locator('.file-tabs').getByRole('tab').allTextContents();
    const instances = ['shop', 'blog', 'docs'].map((name) => `instances/${name}.yaml`);
    expect(names.map((name) => name.trim())).toEqual(['site.yaml', ...instances]);
    await expect.poll(() => page.locator('#editor').textContent()).toContain('# the image');
    await page.locator('#notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.locator('#editor').textContent()).not.toContain('# the image');
  });

  it('reports why there is no RGD, with the copy and the line', async () => {
    const page = await openDialog();
    await page
      .getByLabel('Copy 1')
      .fill('apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: hunter2}\n');
    await expect.poll(() => found(page).textContent()).toContain('copy-1:1: a Secret is not written into a template');
    expect(await found(page).textContent()).not.toContain('hunter2');
    expect(await opener(page).isDisabled()).toBe(true);
    await page.getByLabel('Kind of the instances').fill('site');
    await expect.poll(() => found(page).textContent()).toContain("'site' is no kind");
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('takes files, one copy each', async () => {
    const page = await openDialog();
    const files = [app('shop', 'shop:1'), app('blog', 'ghost:5')].map((text, at) => ({
      name: `copy${at}.yaml`,
      mimeType: 'text/yaml',
      buffer: Buffer.from(text),
    }));
    await page.getByLabel('Files, one copy each').setInputFiles(files);
    await expect.poll(() => fields(page).allTextContents()).toEqual(['image']);
    await expect.poll(() => found(page).textContent()).toContain('2 of 2 objects of 2 copies');
    await page.keyboard.press('Escape');
  });
});
