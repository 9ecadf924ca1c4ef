import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { ValueMap } from '../../../src/core/model/value.ts';
import {
  addEntries,
  behindNode,
  columnOf,
  Entangled,
  fillEmpty,
  flowText,
  isOnlyText,
  lineBreakOf,
  lineStart,
  removeEntries,
  textWithValue,
  withEdits,
  withoutFlowParts,
} from '../../../src/yaml/edit/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';
import { entryOf, isSyntaxProblem, type MapNode, parseTree } from '../../../src/yaml/tree/index.ts';

function mapIn(text: string, name?: string): MapNode {
  const tree = parseTree(text);
  if (isSyntaxProblem(tree)) throw new Error(tree.message);
  const node = name === undefined ? tree.root : entryOf(tree.root, name)?.value;
  if (node?.kind !== 'map') throw new Error('no map');
  return node;
}

const readValue = (text: string): ValueMap =>
  readStreams([{ file: 'a.yaml', text }], new Collector())[0]?.object as unknown as ValueMap;

describe('edits of a text', () => {
  it('are made from the start, insertions before a removal', () => {
    const edits = [
      { start: 4, end: 6, text: 'X' },
      { start: 4, end: 4, text: '+' },
      { start: 0, end: 1, text: '' },
      { start: 6, end: 6, text: '!' },
    ];
    expect(withEdits('abcdefgh', edits).join('')).toBe('bcd+X!gh');
    expect(withEdits('abc', [])).toEqual(['abc']);
  });

  it('may not overlap', () => {
    expect(() =>
      withEdits('abcdef', [
        { start: 0, end: 3, text: '' },
        { start: 2, end: 4, text: '' },
      ]),
    ).toThrow(RangeError);
    expect(
      withEdits('abcdef', [
        { start: 0, end: 3, text: '' },
        { start: 3, end: 4, text: '' },
      ]).join(''),
    ).toBe('ef');
  });

  it('make pieces of a moderate size', () => {
    const text = 'x'.repeat(400_000);
    const edits = Array.from({ length: 40 }, (_, at) => ({ start: at * 10_000, end: at * 10_000 + 1, text: 'y' }));
    const pieces = withEdits(text, edits);
    expect(pieces.join('')).toBe(text.replace(/x(x{9999})/g, 'y$1'));
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.length).toBeLessThan(100_000);
  });
});

describe('a value in flow style', () => {
  it.each<[string, string, ValueMap]>([
    ['{longKey: "a", "y": 1}', '{"longKey": "a", "y": 1}', { longKey: 'a', y: 1n }],
    ['{example.org/name: null}', '{"example.org/name": null}', { 'example.org/name': null }],
    ['{"1name-x": [1.5, true, "b\\"c"]}', '{"1name-x": [1.5, true, "b\\"c"]}', { '1name-x': [1.5, true, 'b"c'] }],
    ['{spaced: {"a key b": []}}', '{"spaced": {"a key b": []}}', { spaced: { 'a key b': [] } }],
    ['{}', '{}', {}],
  ])('%s', (plain, quoted, value) => {
    expect(flowText(value, false)).toBe(plain);
    expect(flowText(value, true)).toBe(quoted);
    const expected: unknown = JSON.parse(quoted);
    expect(parse(plain)).toEqual(expected);
    expect(readValue(quoted)).toEqual(value);
  });

  it('is one on which all readers agree if it has texts alone', () => {
    expect([{ a: 'b', c: null }, ['x', ['y']], { a: { b: ['c'] } }].map(isOnlyText)).toEqual([true, true, true]);
    expect([{ a: 1n }, [true], { a: { b: ['c', 1.5] } }].map(isOnlyText)).toEqual([false, false, false]);
  });
});

describe('lines', () => {
  it('begin after any line break', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((at) => lineStart('ab\ncd\r', at))).toEqual([0, 0, 0, 3, 3, 3, 6]);
    expect(lineStart('a\r\nb', 4)).toBe(3);
  });

  it('have columns without a byte order mark', () => {
    expect(columnOf('\uFEFFab', 2)).toBe(1);
    expect(columnOf('ab\n  c', 5)).toBe(2);
  });

  it('end as the first one does', () => {
    expect(['a', 'a\nb\r\n', 'a\r\nb\n', 'a\rb'].map(lineBreakOf)).toEqual(['\n', '\n', '\r\n', '\r']);
  });

  it('of comments that are indented deeper belong to a block', () => {
    const text = 'a:\n  b: 1\n    # deep\n\n  # of the next\n# of the root\nc: 2\n';
    const end = text.indexOf('1') + 1;
    expect(text.slice(behindNode(text, end, 2))).toBe('\n  # of the next\n# of the root\nc: 2\n');
    expect(text.slice(behindNode(text, end, 0))).toBe('# of the root\nc: 2\n');
    expect(behindNode('a: 1', 4, 0)).toBe(4);
    expect(behindNode('a: 1\r\nb: 2', 4, 0)).toBe(6);
  });
});

describe('entries', () => {
  const added = (text: string, name: string | undefined, values: ValueMap): string =>
    withEdits(text, addEntries(text, mapIn(text, name), values)).join('');

  it.each<[string, string | undefined, ValueMap, string]>([
    ['a: 1\n', undefined, { b: 'x' }, 'a: 1\nb: x\n'],
    [
      'a:\n  c: 1\n    # deep\n# next\nd: 2\n',
      'a',
      { e: { f: [1n] } },
      'a:\n  c: 1\n    # deep\n  e:\n    f:\n    - 1\n# next\nd: 2\n',
    ],
    ['a:\r\n  c: 1\r\nd: 2\r\n', 'a', { e: 'x' }, 'a:\r\n  c: 1\r\n  e: x\r\nd: 2\r\n'],
    ['a: { c: 1 }\n', 'a', { longKey: 'x' }, 'a: { c: 1, longKey: "x" }\n'],
    ['a: { "c": 1 }\n', 'a', { longKey: 'x' }, 'a: { "c": 1, "longKey": "x" }\n'],
    ['a: {}\n', 'a', { longKey: 'x', other: 'y' }, 'a: {longKey: "x", "other": "y"}\n'],
    ['{"a": {"c": 1}}', 'a', { longKey: 'x' }, '{"a": {"c": 1, "longKey": "x"}}'],
  ])('are added in the style of the map: %j', (text, name, values, expected) => {
    expect(added(text, name, values)).toBe(expected);
  });

  const removed = (text: string, name: string | undefined, ...keys: string[]): string =>
    withEdits(
      text,
      removeEntries(text, mapIn(text, name), (entry) => keys.includes(entry.name)),
    ).join('');

  it.each([
    ['a: 1\nb: 2\nc: 3\n', undefined, ['b'], 'a: 1\nc: 3\n'],
    ['x:\n  a: 1\n  b:\n    d: 2\n      # deep\n  # of c\n  c: 3\n', 'x', ['b'], 'x:\n  a: 1\n  # of c\n  c: 3\n'],
    ['x: { a: 1, b: 2, c: 3 }\n', 'x', ['a'], 'x: { b: 2, c: 3 }\n'],
    ['x: { a: 1, b: 2, c: 3 }\n', 'x', ['b'], 'x: { a: 1, c: 3 }\n'],
    ['x: { a: 1, b: 2, c: 3 }\n', 'x', ['c'], 'x: { a: 1, b: 2 }\n'],
    ['x: { a: 1, b: 2, c: 3 }\n', 'x', ['a', 'b'], 'x: { c: 3 }\n'],
    ['x: { a: 1, b: 2, c: 3 }\n', 'x', ['a', 'c'], 'x: { b: 2 }\n'],
  ])('are removed with their comments, and with one comma: %j without %j %j', (text, name, keys, expected) => {
    expect(removed(text, name, ...keys)).toBe(expected);
  });

  it('are not removed from a line that has more', () => {
    expect(() => removed('- a: 1\n  b: 2\n'.replace(/^- /, '? x\n: '), 'x', 'a')).toThrow(Entangled);
  });

  it('of a list lose a comma each', () => {
    const parts = [0, 4, 8].map((start) => ({ start, end: start + 2 }));
    expect(
      withEdits(
        'aa, bb, cc',
        withoutFlowParts(parts, (index) => index !== 1),
      ).join(''),
    ).toBe('bb');
    expect(
      withEdits(
        'aa, bb, cc',
        withoutFlowParts(parts, (index) => index > 0),
      ).join(''),
    ).toBe('aa');
  });

  it.each([
    ['a:\nb: 1\n', 'a: {longKey: "x"}\nb: 1\n'],
    ['a: null\n', 'a: {longKey: "x"}\n'],
    ['"a": ~\n', '"a": {"longKey": "x"}\n'],
  ])('without a value get one: %j', (text, expected) => {
    const entry = entryOf(mapIn(text), 'a');
    expect(entry && withEdits(text, fillEmpty(text, entry, { longKey: 'x' })).join('')).toBe(expected);
  });
});

// Each row: the text, the new value, and the text by hand; js `yaml` reads the value in it.
describe('the text of another value keeps what does not change', () => {
  it.each<[string, string, unknown, string | undefined]>([
    ['a scalar', 'a: 1 # one\nb: x\n', { a: 2, b: 'x' }, 'a: 2 # one\nb: x\n'],
    ['a text', 'a: x\n', { a: 'true' }, 'a: "true"\n'],
    ['a text in quotes', 'a: "x"\n', { a: 'plain' }, 'a: plain\n'],
    ['an entry less', '# top\na: 1\n# of b\nb: 2\nc: 3\n', { a: 1, c: 3 }, '# top\na: 1\n# of b\nc: 3\n'],
    ['an entry more', 'a:\n  b: 1\nc: 2\n', { a: { b: 1, d: 'x' }, c: 2 }, 'a:\n  b: 1\n  d: x\nc: 2\n'],
    ['one of each', 'a: 1\nb: 2\n', { a: 1, c: 3 }, 'a: 1\nc: 3\n'],
    ['an item', 'a:\n  - x # one\n  - y2\n', { a: ['x', 'z'] }, 'a:\n  - x # one\n  - z\n'],
    ['an item less', 'a:\n  - x\n  - z # two\nb: 1\n', { a: ['x'], b: 1 }, 'a:\n  - x\nb: 1\n'],
    ['an item more', 'a:\n- x\nb: 1\n', { a: ['x', 'z'], b: 1 }, 'a:\n- x\n- z\nb: 1\n'],
    ['a map in an item', 'a:\n  - b: 1 # one\n    c: 2\n', { a: [{ b: 1, c: 3 }] }, 'a:\n  - b: 1 # one\n    c: 3\n'],
    ['another type', 'a: 1 # one\nb: 2\n', { a: { c: 'x' }, b: 2 }, 'a:\n  c: x\nb: 2\n'],
    ['no item', 'a:\n  - x\nb: 1\n', { a: [], b: 1 }, 'a: []\nb: 1\n'],
    ['a text of lines', 'a: |\n  x\n  z\nb: 1\n', { a: 'w', b: 1 }, 'a: w\nb: 1\n'],
    ['flow style', 'a: { b: 1, c: 2 } # all\n', { a: { b: 1, c: 3 } }, 'a: { b: 1, c: 3 } # all\n'],
    ['a flow list', 'a: [x, z]\n', { a: ['x'] }, 'a:\n- x\n'],
    ['JSON', '{"a": "x", "b": 1}', { a: 'w', b: 1 }, '{"a": "w", "b": 1}'],
    ['nothing in common', 'a: 1\n', { b: 1 }, undefined],
    ['no YAML', 'a: [\n', { a: 1 }, undefined],
    ['an anchor', 'a: &x { b: 1 }\nc: *x\n', { a: { b: 1 }, c: { b: 2 } }, 'a: &x { b: 1 }\nc:\n  b: 2\n'],
  ])('%s', (_, text, after, expected) => {
    const before = expected === undefined ? {} : readValue(text);
    const now = readValue(JSON.stringify(after));
    expect(textWithValue(text, before, now)).toBe(expected);
    if (expected !== undefined) expect(parse(expected)).toEqual(after);
  });
});
