import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineIndex } from '../../../src/core/text/line-index.ts';

const lines = (text: string): string[] => text.split(/\r\n?|\n/);

describe('the lines of a text', () => {
  it('are the texts between line breaks, in any order of access', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n'), maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(14), { maxLength: 5 }), (text, asked) => {
        const index = createLineIndex(text);
        for (const offset of asked) {
          const before = lines(text.slice(0, offset));
          // A line does not end between the two characters of a line break.
          if (text[offset - 1] === '\r' && text[offset] === '\n') continue;
          const line = Math.min(before.length, lines(text).length);
          expect(index.position(offset).line).toBe(line);
          expect(index.lineText(line)).toBe(lines(text)[line - 1]);
        }
        expect(lines(text).map((_, at) => index.lineText(at + 1))).toEqual(lines(text));
        expect(index.offset(lines(text).length + 1)).toBe(text.length);
      }),
    );
  });

  it('start at column 1', () => {
    const index = createLineIndex('ab\ncd');
    expect([0, 1, 3, 4].map((offset) => index.position(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 2, column: 2 },
    ]);
  });
});
