import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allowance } from '../../src/core/model/limits.ts';
import type { Value } from '../../src/core/model/value.ts';
import { splitDocuments } from '../../src/core/text/documents.ts';
import { canonicalYaml } from '../../src/flux/canonical/index.ts';
import { constructDocument } from '../../src/yaml/parse/construct.ts';
import { readPlainDocument } from '../../src/yaml/parse/plain-document.ts';
import { isSyntaxProblem, parseTree } from '../../src/yaml/tree/index.ts';
import { documents, piece } from './documents.ts';
import { LONG, runs } from './runs.ts';
import { values } from './values.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const written = ['examples', 'test/conformance', 'test/bombs'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .sort()
    .flatMap((file) => documentsOf(readFileSync(`${root}/${folder}/${file}`, 'utf8'))),
);

function documentsOf(text: string): string[] {
  return splitDocuments(text)
    .map(({ start, end }) => text.slice(start, end))
    .map((document) => (document.endsWith('\n') ? document : `${document}\n`));
}

/** Converts maps so that the order of keys is compared. */
function ordered(value: Value): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, ordered(item)]));
}

/** Compares the two readers on a document; returns whether the fast one reads it. */
function compare(document: string): boolean {
  const plain = readPlainDocument(document);
  if (plain === undefined) return false;
  const tree = parseTree(document);
  if (isSyntaxProblem(tree)) throw new Error(`${tree.message}:\n${document}`);
  const { value, faults } = constructDocument(document, tree, {
    aliased: allowance(0),
    errors: 1,
    twice: { limit: 1, counted: 0 },
  });
  expect(faults, document).toEqual([]);
  expect(ordered(plain), document).toEqual(ordered(value));
  return true;
}

it('most usual documents are plain, and read as the parser reads them', () => {
  const plain = written.filter(compare);
  expect(plain.length).toBeGreaterThan(written.length / 2);
});

type Change = (lines: string[], at: number, other: number, text: string) => void;

const CHANGES: Record<string, Change> = {
  indent: (lines, at, other) => lines.splice(at, 1, ' '.repeat(1 + (other % 4)) + lines[at]),
  outdent: (lines, at, other) => lines.splice(at, 1, (lines[at] as string).slice(1 + (other % 2))),
  copy: (lines, at, other) => lines.splice(other % lines.length, 0, lines[at] as string),
  drop: (lines, at) => lines.splice(at, 1),
  add: (lines, at, other, text) => lines.splice(at, 0, `${' '.repeat(other % 7)}${text}`),
  append: (lines, at, _, text) => lines.splice(at, 1, `${lines[at]}${text}`),
  insert: (lines, at, other, text) => {
    const line = lines[at] as string;
    const place = other % (line.length + 1);
    lines[at] = line.slice(0, place) + text + line.slice(place);
  },
  value: (lines, at, _, text) => {
    lines[at] = (lines[at] as string).replace(/(: |- ).*$/, `$1${text.replaceAll('$', '$$$$')}`);
  },
};

const texts = fc.oneof(
  piece,
  fc.constantFrom(
    ...[
      '|',
      '|-',
      '|+',
      '|2',
      '> ',
      '# a',
      ' # b',
      '{}',
      '[]',
      '{"a": [1, {"b": null}]}',
      '[a, b-c, 1.5, on, ~]',
      '{a: b, "c":d, e: [f g , {h: i:j}]}',
      '[a:b, http://c/d?e, -1, - f]',
      "{a: 'b''c', n: 1, n: 2}",
      '[ ]',
      '{ a: {}, }',
      '["a","\\u00e9"]',
      '""',
      "''",
    ],
    ...['a:', 'a: b', '"a": b', '- ', '- - a', '- a: b', '-', '--x', "'it''s'", '"a\\tb"', '"\\ud800"', '1.0', 'y: n'],
    ...[
      '<<: {"a": 1}',
      '&a b',
      '*a',
      '__proto__: 1',
      '0x1f: 1',
      '~: 1',
      'é: ü',
      'a  b  ',
      'a#b',
      'a:b',
      '=: 1',
      '.nan',
    ],
  ),
  fc.string({ unit: fc.constantFrom(...' \n:-#"\'|>[]{}a0.\\&*!%,?~'), maxLength: 8 }),
  fc
    .string({
      unit: fc.constantFrom('[', ']', '{', '}', ', ', ',', 'a', ': ', ':', '"b"', '-', ' ', '1'),
      maxLength: 10,
    })
    .map((text) => `[${text}]`),
  fc
    .string({
      unit: fc.constantFrom('[', ']', '{', '}', ', ', ',', 'a', ': ', ':', '"b"', '-', ' ', 'n'),
      maxLength: 10,
    })
    .map((text) => `{c: ${text}}`),
);

const changes = fc.array(
  fc.tuple(fc.constantFrom(...Object.values(CHANGES)), fc.noBias(fc.nat(1e6)), fc.noBias(fc.nat(1e6)), texts),
  { maxLength: 3 },
);

/** Most changed documents are valid, with another meaning. */
const changed = (document: string, made: readonly [Change, number, number, string][]): string => {
  const lines = document.split('\n');
  for (const [change, at, other, text] of made) if (lines.length > 0) change(lines, at % lines.length, other, text);
  return `${lines.join('\n')}\n`;
};

it.each([
  ['written by people, and changed', fc.constantFrom(...written), 2000, 0.3],
  ['in the canonical form, and changed', values.map((value) => canonicalYaml({ value, last: value })), 1000, 0.05],
  ['as other writers write them, and changed', documents, 1000, 0.02],
])(
  'a document is read as the parser reads it, or not at all: %s',
  (_, sources, usual, share) => {
    let plain = 0;
    const { numRuns } = runs(usual);
    fc.assert(
      fc.property(sources, changes, (source, made) => {
        for (const document of documentsOf(changed(source, made))) if (compare(document)) plain++;
      }),
      { numRuns },
    );
    expect(plain).toBeGreaterThan(numRuns * share);
  },
  LONG,
);

it.each([
  ['a key with a bad number', 'a: .inf\n'],
  ['a key twice', 'a: 1\na: 2\n'],
  ['a key that is none in JSON', '~: 1\n'],
  ['half of a pair', 'a: "\\ud800"\n'],
  ['a text of several lines', 'a: b\n  c\n'],
  ['what is deeper than its map', 'a:\n  b: 1\n   c: 2\n'],
  ['what is in no column', '  a: 1\n b: 2\n'],
  ['a tab', 'a:\tb\n'],
  ['nothing', '# nothing\n'],
  ['JSON that is deep', `a: ${'{"a": '.repeat(300)}1${'}'.repeat(300)}\n`],
  ['a deep list', `${'- '.repeat(300)}a\n`],
  ['a long key', `${'a'.repeat(2000)}: b\n`],
])('%s is left to the parser', (_, document) => {
  expect(readPlainDocument(document)).toBeUndefined();
});

it.each([
  [
    'lists in the column of their key, and lists in lists',
    'a:\n- - 1\n  - 2\n- b: 3\n  c:\n  - 4\n',
    { a: [[1n, 2n], { b: 3n, c: [4n] }] },
  ],
  ['literal texts', 'a: |\n\n  b\n   c\n\nd: |-\n  e\n\nf: |+\n  g\n\n', { a: '\nb\n c\n', d: 'e', f: 'g\n\n' }],
  ['comments', '# a\n---\n# b\na: b # c\n# d\nb: # e\n  - c\n    # f\n', { a: 'b', b: ['c'] }],
  [
    'lists and maps in brackets',
    'a: {b: c, d: [1, e f, "g"]} # h\ni: [[], {}]\n',
    { a: { b: 'c', d: [1n, 'e f', 'g'] }, i: [[], {}] },
  ],
  ['JSON', 'a: {"b":"c","d":[1,{}]}\ne: {}\nf: []\n', { a: { b: 'c', d: [1n, {}] }, e: {}, f: [] }],
  ['nothing as a value', 'a:\nb: ~\nc:\n- \n-\n', { a: null, b: null, c: [null, null] }],
])('%s are plain', (_, document, value) => {
  expect(readPlainDocument(document)).toEqual(value);
  expect(compare(document)).toBe(true);
});

it.each([
  ['in double quotes', (text: string) => `"${text}"`],
  ['in double quotes, with escapes', (text: string) => `"${text}\\n"`],
  ['in single quotes', (text: string) => `'${text}'`],
  ['without quotes', (text: string) => text],
  ['in brackets', (text: string) => `["${text.slice(0, 700)}"]`],
  ['as a literal text', (text: string) => `|\n  ${text}`],
])('a text of millions of characters is plain: %s', (_, written) => {
  const document = `a: ${written('x y'.repeat(3_000_000))}\nb: 1\n`;
  expect(readPlainDocument(document)).toMatchObject({ b: 1n });
});

it.each(['"', "'"])('unclosed quotes of the kind %s are left to the parser', (quote) => {
  for (const text of ['', '\\', '\\"', "''", '\\\\', 'b\nc: d"', "b\nc: d'"]) {
    const document = `a: ${quote}${text}\n`;
    expect(readPlainDocument(document) === undefined || compare(document)).toBe(true);
  }
});
