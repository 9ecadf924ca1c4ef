import { describe, expect, it } from 'vitest';
import { visible, visibleOnOneLine } from '../../../src/core/text/visible.ts';

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe('visible', () => {
  it('escapes exactly the control and format characters and separators that Unicode knows', () => {
    // An older release of Node knows fewer characters, and no others.
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const char = String.fromCodePoint(code);
      const isEscaped = INVISIBLE.test(char) && char !== '\n' && char !== '\t';
      const isKnown = /\P{Cn}/u.test(char);
      if (isKnown && isEscaped !== (visible(char) !== char)) expect.fail(`U+${code.toString(16)}`);
    }
  });

  it('writes the escapes of JSON, also of characters beyond U+FFFF', () => {
    const all = 'a\u061c\u200e\u202e\u0000\u{e0041}\u{110bd}b';
    expect(visible(all)).toBe('a\\u061c\\u200e\\u202e\\u0000\\udb40\\udc41\\ud804\\udcbdb');
    expect(JSON.parse(`"${visible(all)}"`)).toBe(all);
  });

  it('keeps line breaks and tabs, or escapes line breaks too', () => {
    expect(visible('a\n\tb')).toBe('a\n\tb');
    expect(visibleOnOneLine('a\nb')).toBe('a\\nb');
  });

  it('keeps other characters', () => {
    const others = '\u00e4 \u4f60 \u0627\u0644 \u{1f600} \ud800';
    expect(visible(others)).toBe(others);
  });
});
