import { describe, expect, it } from 'vitest';
import {
  commonStart,
  countMarks,
  gapOf,
  OWN,
  type Piece,
  samePieces,
  splitAt,
  withOwn,
} from '../../../src/author/extract/texts.ts';
import type { Draw } from '../../differential/draw.ts';
import { sample } from '../../differential/draw.ts';

/** The texts have letters, digits and what separates words. */
const PARTS = ['a', 'b', 'ab', 'web', '1', '2', '-', '.', '/', ' ', ':'];

const textOf = (draw: Draw): string => draw.times(0, 8, () => draw.pick(PARTS)).join('');

/** Returns where a word begins or ends: not between two letters or digits. */
const isEdge = (text: string, at: number): boolean => !/^[A-Za-z0-9]{2}$/.test(text.slice(Math.max(0, at - 1), at + 1));

/** Returns the starts of a value that is a word of its own, found by a regular expression. */
function wordsIn(text: string, value: string): number[] {
  const escaped = value.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return [...text.matchAll(new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, 'g'))].map(({ index }) => index);
}

describe('the name of a copy', () => {
  it.each([
    ['shop-web', 'shop', `${OWN}-web`],
    ['shopping', 'shop', 'shopping'],
    ['workshop', 'shop', 'workshop'],
    ['a-shop.shop', 'shop', `a-${OWN}.${OWN}`],
    ['shop', 'shop', OWN],
    ['x', '', 'x'],
  ])('%s with %s', (text, name, expected) => {
    expect(withOwn(text, name)).toBe(expected);
  });

  it('is marked where it is a word of its own, and nowhere else', () => {
    for (const [text, value] of sample(
      (draw): [string, string] => [textOf(draw), draw.pick(['a', 'web', 'ab'])],
      500,
      3,
    )) {
      const places = wordsIn(text, value);
      const marked = withOwn(text, value);
      expect(marked.split(OWN).length - 1).toBe(places.length);
      expect(marked.replaceAll(OWN, value)).toBe(text);
    }
  });
});

describe('the pieces of a text', () => {
  it('are the text again with the value at each mark', () => {
    const cases = sample(
      (draw): [string, string, boolean] => [textOf(draw), draw.pick(['a', '1', 'web']), draw.chance(50)],
      500,
      4,
    );
    for (const [text, value, wholeWords] of cases) {
      const pieces = splitAt([text], value, 7, wholeWords);
      expect(pieces.map((piece) => (piece === 7 ? value : piece)).join('')).toBe(text);
      expect(pieces).not.toContain('');
      const expected = wholeWords ? wordsIn(text, value).length : text.split(value).length - 1;
      expect(countMarks(pieces, 7)).toBe(expected);
    }
  });

  it('keep the marks that are there', () => {
    expect(splitAt(['a', 3, 'b-a'], 'a', 4, true)).toEqual([4, 3, 'b-', 4]);
  });

  it('are the same with equal parts in one order', () => {
    expect(samePieces(['a', 1], ['a', 1])).toBe(true);
    expect(samePieces(['a', 1], ['a', 2])).toBe(false);
    expect(samePieces(['a'], ['a', 1])).toBe(false);
    expect(samePieces(['a', 1], ['a'])).toBe(false);
  });
});

describe('what texts have in common at their start', () => {
  it.each([
    [['--port=80', '--port=81'], '--port='],
    [['web-1', 'web-2'], 'web-'],
    [['web1', 'web2'], ''],
    [['same', 'same'], 'same'],
    [['web', 'web-2'], 'web'],
    [['web', 'website'], ''],
    [['0.5Gi', '0.25Gi'], ''],
    [['v1.2', 'v1.3'], ''],
    [['a.b', 'a.c'], 'a.'],
    [['a', 'b'], ''],
    [['alone'], 'alone'],
    [[], ''],
  ])('%j', (texts, expected) => {
    expect(commonStart(texts)).toBe(expected);
  });

  it('is the longest one that ends where a word does', () => {
    const inNumber = (text: string, at: number): boolean =>
      (/\d$/.test(text.slice(0, at)) && /^\.\d/.test(text.slice(at))) ||
      (/\d\.$/.test(text.slice(0, at)) && /^\d/.test(text.slice(at)));
    for (const texts of sample((draw) => draw.times(2, 3, () => `web-${textOf(draw)}`), 500, 5)) {
      const [first = ''] = texts;
      const fits = (length: number): boolean =>
        texts.every(
          (text) => text.startsWith(first.slice(0, length)) && isEdge(text, length) && !inNumber(text, length),
        );
      const lengths = Array.from({ length: first.length + 1 }, (_, at) => first.length - at);
      expect(commonStart(texts)).toBe(
        first.slice(
          0,
          lengths.find((length) => length === 0 || fits(length)),
        ),
      );
    }
  });
});

const partsOf = (...texts: string[]): Piece[][] => texts.map((text) => (text === '' ? [] : [text]));

describe('the part in which texts differ', () => {
  it.each([
    [['a-1-z', 'a-2-z'], { before: ['a-'], middles: ['1', '2'], after: ['-z'] }],
    [['1-z', '2-z'], { before: [], middles: ['1', '2'], after: ['-z'] }],
    [['a-1', 'a-2'], { before: ['a-'], middles: ['1', '2'], after: [] }],
    [['a1z', 'a2z'], { before: [], middles: ['a1z', 'a2z'], after: [] }],
    [['a-z', 'a-b-z'], { before: ['a-'], middles: ['', 'b-'], after: ['z'] }],
  ])('%j', (texts, expected) => {
    expect(gapOf(partsOf(...texts))).toEqual(expected);
  });

  it('is between marks', () => {
    expect(
      gapOf([
        [0, '-a-', 1],
        [0, '-b-', 1],
      ]),
    ).toEqual({ before: [0, '-'], middles: ['a', 'b'], after: ['-', 1] });
  });

  it('is none if texts differ in several pieces, in a mark, or if there are none', () => {
    expect(
      gapOf([
        ['a', 0, 'b'],
        ['c', 0, 'd'],
      ]),
    ).toBeUndefined();
    expect(
      gapOf([
        ['a', 0],
        ['a', 1],
      ]),
    ).toBeUndefined();
    expect(gapOf([])).toBeUndefined();
  });

  it('completes what is before and after it to the text, and is as short as words allow', () => {
    for (const texts of sample(
      (draw) => draw.times(2, 3, () => `web-${textOf(draw)}-${draw.pick(['x', 'y'])}.io`),
      500,
      6,
    )) {
      const gap = gapOf(partsOf(...texts));
      expect(gap).toBeDefined();
      const { before = [], middles = [], after = [] } = gap ?? {};
      for (const [at, text] of texts.entries()) {
        expect(`${before.join('')}${middles[at]}${after.join('')}`).toBe(text);
        expect(isEdge(text, before.join('').length)).toBe(true);
        expect(isEdge(text, text.length - after.join('').length)).toBe(true);
      }
    }
  });
});
