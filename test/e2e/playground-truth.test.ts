import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { checkPackage } from '../../playground/engine/check.ts';
import type { Package } from '../../playground/engine/protocol.ts';
import { renderPackage } from '../../playground/engine/render.ts';
import { problemsOf } from '../../playground/state/problems.ts';
import { texts, withMistake } from '../language-server/fixes.ts';
import { randomFrom } from '../language-server/mutants.ts';
import { LONG, runs } from '../properties/runs.ts';
import { seed } from '../seed.ts';
import { NOTE, RGD } from './playground-notes.ts';
import { describeInBrowser, openFiles, openForTests, type Site, stopSlowRenderings, write } from './playground-page.ts';

interface Shown {
  readonly problems: readonly string[];
  readonly objects: number;
}

/** What the page shows. */
const shownOn = (page: Page): Promise<Shown> =>
  page.evaluate(`({
    problems: [...document.querySelectorAll('#problems .severity')].map(({ textContent }) => textContent).sort(),
    objects: document.querySelectorAll('#panel-objects details.object:not(.stale)').length,
  })`);

/** The text of the editor. */
const textOn = (page: Page): Promise<string> =>
  page.evaluate(`{
    const content = document.querySelector('.pane.active .cm-content');
    (content.cmTile ?? content.cmView).root.view.state.doc.toString();
  }`);

/** What the library says about a text. */
function expected(text: string): Shown {
  const pack: Package = { files: [{ name: 'all.yaml', text, role: 'objects' }], options: {} };
  const { objects, diagnostics } = renderPackage(pack);
  const problems = problemsOf(diagnostics, checkPackage(pack).diagnostics).filter(
    ({ code }) => code !== 'node-skipped',
  );
  const isFailed = diagnostics.some(({ severity }) => severity === 'error');
  return {
    problems: problems.map(({ severity, code }) => `${severity}[${code}]`).sort(),
    // Of a package with errors the page shows the objects that have nothing to do with them.
    objects: isFailed ? -1 : objects.length,
  };
}

describeInBrowser('what the playground shows', () => {
  let site: Site;
  openForTests((opened) => {
    site = opened;
  });

  it('is of the newest text after an edit that is undone at once', async () => {
    const page = await site.openPackage([{ name: 'all.yaml', text: `${RGD}---\n${NOTE}` }]);
    for (let time = 0; time < 3; time += 1) {
      await write(page, RGD.replace('schema.spec.text', 'schema.spec.txt'));
      await page.keyboard.press('Control+z');
      await expect.poll(() => shownOn(page)).toEqual({ problems: [], objects: 1 });
      // An answer that is late would come now.
      await page.waitForTimeout(300);
      expect(await shownOn(page)).toEqual({ problems: [], objects: 1 });
    }
  });

  it(
    'is of the newest text after random edits, undone and repeated',
    async () => {
      const random = randomFrom(seed);
      const below = (limit: number): number => Math.floor(random() * limit);
      const all = texts().filter(({ text }) => text.length < 4000);
      const page = await site.openPackage([{ name: 'all.yaml', text: '' }]);
      const { numRuns } = runs(40);
      for (let run = 0; run < numRuns; run += 1) {
        const { name, text } = all[below(all.length)] as (typeof all)[number];
        if (below(3) > 0) await write(page, withMistake(text, random));
        if (below(2) > 0) await write(page, text);
        const undone = below(3);
        for (let time = 0; time < undone; time += 1) await page.keyboard.press('Control+z');
        if (below(3) === 0) await page.keyboard.press('Control+y');
        const wanted = expected(await textOn(page));
        const seen = async (): Promise<Shown> => {
          const { problems, objects } = await shownOn(page);
          return { problems, objects: wanted.objects < 0 ? -1 : objects };
        };
        await expect.poll(seen, { message: `${name}, run ${run}`, timeout: 20_000 }).toEqual(wanted);
      }
    },
    LONG,
  );

  it('is an error after a rendering was stopped, with objects that look stale', async () => {
    const page = await site.open();
    await stopSlowRenderings(page, true);
    const nested = 'lists.range(1000).map(a, lists.range(1000).map(b, a * b).sum()).sum()';
    const values = Array.from({ length: 60 }, (_, index) => `          k${index}: \${string(${nested} + ${index})}`);
    const endless = RGD.replace('          text: ${schema.spec.text}', values.join('\n'));
    const many = Array.from({ length: 100 }, (_, index) => NOTE.replace('first', `note-${index}`)).join('---\n');
    await write(page, `${endless}---\n${many}`);
    await expect.poll(() => page.locator('#problems').textContent()).toContain('stopped after 2 s');
    await expect.poll(async () => (await shownOn(page)).objects).toBe(0);
    expect(await page.locator('#panel-objects details.object.stale').count()).toBeGreaterThan(0);
  });

  it('is of the newest text after a node is renamed', async () => {
    const page = await site.openPackage([{ name: 'all.yaml', text: `${RGD}---\n${NOTE}` }]);
    await expect.poll(() => page.evaluate('document.documentElement.dataset.language')).toBe('connected');
    for (const name of ['first', 'second', 'third']) {
      await page.locator('.pane.active .cm-line', { hasText: '- id:' }).click();
      await page.keyboard.press('End');
      await page.keyboard.press('F2');
      await page.getByRole('dialog').getByRole('textbox').fill(name);
      await page.keyboard.press('Enter');
      await expect.poll(() => textOn(page)).toContain(`- id: ${name}`);
      await expect.poll(() => shownOn(page)).toEqual({ problems: [], objects: 1 });
      await expect.poll(() => page.locator('#panel-objects').textContent()).toContain(`kro.run/node-id: ${name}`);
    }
  });

  it('is rendered again after the browser ended the engine', async () => {
    const page = await site.open();
    await openFiles(page, [{ name: 'all.yaml', text: `${RGD}---\n${NOTE}` }]);
    await expect.poll(() => page.locator('#panel-objects').textContent()).toContain('text: hello');
    await page.evaluate(`
      globalThis.stretch = 1;
      globalThis.engine.terminate();
    `);
    await write(page, `${RGD}---\n${NOTE.replace('hello', 'again')}`);
    await expect.poll(() => page.locator('#panel-objects').textContent()).toContain('text: again');
    await expect.poll(() => shownOn(page)).toEqual({ problems: [], objects: 1 });
  });

  describe('after a rename over files', () => {
    const files = [
      { name: 'note.rgd.yaml', text: RGD },
      { name: 'first.yaml', text: NOTE },
      { name: 'second.yaml', text: NOTE.replace('name: first', 'name: second') },
    ];
    /** Renames the kind, and returns the text of a file. */
    const renameKind = async (page: Page, name: string): Promise<void> => {
      await expect.poll(() => page.evaluate('document.documentElement.dataset.language')).toBe('connected');
      await page.locator('.file-tabs').getByRole('tab', { name: 'note.rgd.yaml' }).click();
      await page.locator('.pane.active .cm-line', { hasText: 'kind: Note' }).click();
      await page.keyboard.press('End');
      await page.keyboard.press('F2');
      await page.getByRole('dialog').getByRole('textbox').fill(name);
      await page.keyboard.press('Enter');
    };
    const textOf = async (page: Page, file: string): Promise<string> => {
      await page.locator('.file-tabs').getByRole('tab', { name: file }).click();
      return textOn(page);
    };

    it('is taken back in all files by one undo', async () => {
      const page = await site.openPackage(files);
      for (const undo of ['key', 'button']) {
        await renameKind(page, 'Memo');
        await expect.poll(() => page.locator('#notice').textContent()).toContain('3 files changed.');
        await expect.poll(() => shownOn(page)).toEqual({ problems: [], objects: 2 });
        if (undo === 'key') await page.keyboard.press('Control+z');
        else await page.locator('#notice').getByRole('button', { name: 'Undo' }).click();
        for (const { name, text } of files) await expect.poll(() => textOf(page, name), { message: name }).toBe(text);
      }
    });

    it('is as before if a file is no YAML, which a message names', async () => {
      const broken = { name: 'second.yaml', text: 'kind: Note\n  spec: [' };
      const page = await site.openPackage([...files.slice(0, 2), broken]);
      await renameKind(page, 'Memo');
      await expect.poll(() => page.locator('#notice').textContent()).toContain('second.yaml may read it');
      for (const { name, text } of files.slice(0, 2)) expect(await textOf(page, name), name).toBe(text);
    });
  });

  it('is text that validates after a snippet is inserted', async () => {
    const page = await site.openPackage([{ name: 'all.yaml', text: '' }]);
    await expect.poll(() => page.evaluate('document.documentElement.dataset.language')).toBe('connected');
    await page.locator('.pane.active .cm-content').click();
    await page.keyboard.type('Resourc');
    await page.locator('.cm-tooltip-autocomplete').getByText('ResourceGraphDefinition', { exact: true }).click();
    await expect.poll(() => textOn(page)).toContain('name: ${schema.metadata.name}');
    await expect.poll(async () => (await shownOn(page)).problems).not.toContain('error[yaml-syntax]');
    expect((await shownOn(page)).problems.filter((problem) => problem.startsWith('error'))).toEqual([]);
  });

  it('is a graph whose arrows pass behind no node', async () => {
    const nodes = Array.from({ length: 21 }, (_, index) => {
      const reads = index === 0 ? 'x' : `\${n${Math.floor((index - 1) / 4)}.metadata.name}`;
      const far = index > 12 ? '${n0.metadata.name}' : 'y';
      return `    - id: n${index}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}-${index}"}
        data: {reads: "${reads}", far: "${far}"}`;
    });
    const wide = `${RGD.slice(0, RGD.indexOf('    - id: config'))}${nodes.join('\n')}\n`;
    const page = await site.openPackage([{ name: 'all.yaml', text: `${wide}---\n${NOTE}` }]);
    await page.locator('#result-tabs').getByRole('tab', { name: 'Graph' }).click();
    await expect.poll(() => page.locator('.graph .arrow').count()).toBeGreaterThan(20);
    const hidden: string[] = await page.evaluate(`{
      const boxes = [...document.querySelectorAll('.graph [data-node]')].map((node) => {
        const box = [...node.querySelectorAll('.box')].at(-1);
        const at = (name) => Number(box.getAttribute(name));
        return { id: node.dataset.node, x: at('x'), y: at('y'), width: at('width'), height: at('height') };
      });
      const isIn = ({ x, y }, box, by) =>
        x > box.x - by && x < box.x + box.width + by && y > box.y - by && y < box.y + box.height + by;
      [...document.querySelectorAll('.graph .arrow')].flatMap((path) => {
        const length = path.getTotalLength();
        const ends = [path.getPointAtLength(0), path.getPointAtLength(length)];
        const others = boxes.filter((box) => !ends.some((end) => isIn(end, box, 2)));
        const points = Array.from({ length: 200 }, (_, step) => path.getPointAtLength((length * step) / 199));
        return others.filter((box) => points.some((point) => isIn(point, box, -1))).map(({ id }) => id);
      });
    }`);
    expect(hidden).toEqual([]);
  });
});
