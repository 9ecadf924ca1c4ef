import { describe, expect, it } from 'vitest';
import { INJECTED, inject, sanitized } from '../../../src/describe/reference/index.ts';

describe('Markdown in descriptions of authors', () => {
  it.each([
    ['How *many* of `them`, see [the docs](https://example.com/a?b=c).'],
    ['**bold**, [a page](docs/page.md), [a place](#here), [up](../README.md), [mail](mailto:a@example.com)'],
    ['`<b>` stays code'],
  ])('is kept: %s', (text) => expect(sanitized(text)).toBe(text));

  it.each([
    ['a | b', 'a \\| b'],
    ['`a | b`', '`a \\| b`'],
    ['one\n two\r\nthree', 'one<br>two<br>three'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['&#60;b&#62;', '&amp;#60;b&amp;#62;'],
    ['![x](https://example.com/x.png)', '[x](https://example.com/x.png)'],
    ['<javascript:alert(1)>', '&lt;javascript:alert(1)&gt;'],
    ['`never closed <b>', '`never closed &lt;b&gt;'],
  ])('is escaped in its table cell, and runs no code: %s', (text, expected) => {
    expect(sanitized(text)).toBe(expected);
  });

  it.each(['javascript:alert(1)', 'JavaScript:alert(1)', ' data:text/html,x', 'vbscript:x', 'file:///etc/passwd'])(
    'links only to web pages: %s',
    (target) => expect(sanitized(`[x](${target})`)).not.toMatch(/(?<!\\)\]\(/),
  );
});

describe('inject', () => {
  const { begin, end } = INJECTED;

  it('replaces the text between the markers, and nothing else', () => {
    const text = `# A\n${begin}\nold\n${end}\nrest\n`;
    const once = inject(text, 'new\n');
    expect(once).toBe(`# A\n${begin}\n\nnew\n\n${end}\nrest\n`);
    expect(inject(once ?? '', 'new\n')).toBe(once);
  });

  it.each([[''], [begin], [end], [`${end}${begin}`], [`${begin}${end}${begin}${end}`], [`${end}${begin}${end}`]])(
    'requires both markers, once each and in order: %j',
    (text) => expect(inject(text, 'x')).toBeUndefined(),
  );
});
