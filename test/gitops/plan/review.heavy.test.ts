import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../src/gitops/plan/index.ts';
import { instance, planOf, type Texts, WEB } from './repository.ts';
import { app, claim, map, server } from './reviewed.ts';

/** Many applications with one changed object each. */
const harmless = (count: number, value: string): Texts =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => `h${index}`).flatMap((name) => [
      [`argocd/${name}.yaml`, app(name)],
      [`apps/${name}/map.yaml`, map(name, `${value}-${name}`)],
    ]),
  );

describe('what destroys most', () => {
  const before = {
    ...harmless(999, 'old'),
    'argocd/zz.yaml': app('zz'),
    'apps/zz/claim.yaml': claim,
    'apps/zz/web.yaml': server('nginx:1.27'),
  };
  const after = harmless(999, 'new');
  const text = planMarkdown(planOf(before, after));

  it('comes first in the list of dangers, in the table and among the changes, however many others there are', () => {
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain('- :warning: `danger-data-loss` <code>Application zz&#58; PersistentVolumeClaim web/db');
    const [, first] = text.split('| --- | ---: | ---: |\n');
    expect(first).toMatch(/^\| <code>Application zz<\/code> \*\*is deleted\*\* \| 2 \| 0 \|\n/);
    const groups = [...text.matchAll(/<details><summary><code>(.*?)<\/code>/g)].map(([, title]) => title);
    expect(groups[0]).toBe('removed PersistentVolumeClaim web/db in Application zz');
    expect(groups[1]).toBe('removed Deployment web/web in Application zz');
  });

  it('is counted if even it does not fit', () => {
    const many = { ...before, ...Object.fromEntries(Object.entries(harmless(999, 'old'))) };
    const gone = planMarkdown(planOf(many, {}));
    expect(gone.length).toBeLessThan(60_000);
    expect(gone).toMatch(/\| and (\d+) more \(\1 \*\*deleted\*\*\) \|/);
  });

  it('is listed after errors', () => {
    const broken = { ...after, 'platform/web.yaml': WEB, 'apps/b/web.yaml': instance('b', '{ titel: a }') };
    const found = planMarkdown(planOf(before, broken));
    expect(found.indexOf('- :x: <code>error&#58; folder apps/b')).toBeGreaterThan(0);
    expect(found.indexOf('- :x:')).toBeLessThan(found.indexOf(':warning:'));
    expect(found.indexOf(':warning:')).toBeLessThan(found.indexOf('| application |'));
  });
});
