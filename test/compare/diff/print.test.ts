import { describe, expect, it } from 'vitest';
import { comparisonMarkdown, comparisonText } from '../../../src/compare/diff/index.ts';
import { compare, packageOf } from './versions.ts';

const map = (name: string, value: string) =>
  `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {v: ${JSON.stringify(value)}}}`;

describe('a diff as text', () => {
  it('has the path of each field that differs', () => {
    const text = comparisonText(compare(packageOf({ a: map('a', 'x') }), packageOf({ a: map('a', 'y') })));
    expect(text).toMatch(/^changed ConfigMap ns\/a \(Thing ns\/t, node a\)\n/);
    expect(text).toMatch(/\n {2}@@ data\.v @@\n {2}-v: x\n {2}\+v: "y"\n\n1 changed\n$/);
  });

  it('has colours on request', () => {
    const painted = comparisonText(
      compare(packageOf({ a: map('a', 'x') }), packageOf({ a: map('a', 'z') })),
      (colour, text) => `<${colour}>${text}</>`,
    );
    expect(painted).toContain('<red>-v: x</>');
    expect(painted).toContain('<green>+v: z</>');
  });

  it('prints a text with too many changes as a whole', () => {
    const many = (letter: string) => Array.from({ length: 3000 }, (_, line) => `${letter}${line}`).join('\n');
    const text = comparisonText(compare(packageOf({ a: map('a', many('x')) }), packageOf({ a: map('a', many('y')) })));
    expect(text).toContain('  -x2999\n  +y0\n');
  });
});

describe('a diff as Markdown', () => {
  const many = (count: number, value: string, own = false) =>
    packageOf(
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`n${index}`, map(`n${index}`, own ? `${index}${value}` : value)]),
      ),
    );

  it('folds each object', () => {
    const text = comparisonMarkdown(compare(many(2, 'x', true), many(2, 'z', true)));
    expect(text).toMatch(
      /^\*\*2 changed\*\*\n\n<details><summary><code>changed ConfigMap ns\/n0 \(Thing ns\/t, node n0\)<\/code><\/summary>\n\n```diff\n/,
    );
    expect(text.match(/<\/details>\n/g)).toHaveLength(2);
  });

  it('stays below 60,000 characters, with whole blocks and all counts', () => {
    const text = comparisonMarkdown(compare(many(300, 'x'.repeat(200), true), many(300, 'y'.repeat(200), true)));
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/^\*\*300 changed\*\*\n/);
    const shown = text.match(/<details>/g)?.length ?? 0;
    expect(text.match(/<\/details>/g)).toHaveLength(shown);
    expect(text).toContain(`\n${300 - shown} more objects are not shown here`);
    const one = comparisonMarkdown(compare(many(1, 'x'), many(1, 'y\n'.repeat(40_000))));
    expect(one).toContain('1 more object is not shown here');
  });

  it('prints equal changes of objects once, with their count', () => {
    const comparison = compare(many(60, 'x'), many(60, 'z'));
    const text = comparisonMarkdown(comparison);
    expect(text).toContain(
      '<summary><code>changed 60 objects alike</code></summary>\n\n- <code>ConfigMap ns/n0 (Thing',
    );
    expect(text).toContain('\n- and 10 more\n\n```diff\n@@ data.v @@\n-v: x\n+v: z\n```\n');
    expect(text.match(/^-v: x$/gm)).toHaveLength(1);
    const plain = comparisonText(comparison);
    expect(plain).toMatch(/^changed 60 objects alike\n {2}ConfigMap ns\/n0 \(Thing ns\/t, node n0\)\n/);
    expect(plain).toContain('\n  and 50 more\n  @@ data.v @@\n  -v: x\n  +v: z\n\n60 changed\n');
  });

  it('escapes what its content contains', () => {
    const text = comparisonMarkdown(compare(many(1, 'x'), many(1, 'a\n````\n</details><img src=x>\n')));
    expect(text).toContain('\n`````diff\n');
    expect(text).toContain('\n`````\n\n</details>\n');
  });

  it('reports that nothing changes', () => {
    expect(comparisonMarkdown(compare(many(1, 'x'), many(1, 'x')))).toBe('No rendered object changes (1 unchanged).\n');
  });
});
