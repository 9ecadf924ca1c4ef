import { describe, expect, it, test } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { Value } from '../../../src/core/model/value.ts';
import { createLocator, shownReports } from '../../../src/yaml/locate/locate.ts';
import { flattenObjects } from '../../../src/yaml/parse/flatten.ts';
import { readStream, readStreams } from '../../../src/yaml/parse/yaml.ts';
import { asReports } from '../../messages.ts';
import { faults } from './faults.ts';

const values = (text: string): [number, Value][] =>
  readStream(text).documents.map(({ index, value }) => [index, value]);
describe('documents of a stream', () => {
  test.each<[string, string, [number, Value][]]>([
    ['one without markers', 'a: 1', [[0, { a: 1n }]]],
    [
      'several',
      'a: 1\n---\nb: 2\n--- # c\nc: 3\n',
      [
        [0, { a: 1n }],
        [1, { b: 2n }],
        [2, { c: 3n }],
      ],
    ],
    ['comments and a directive before the first', '# c\n%YAML 1.1\n---\na: 1\n', [[0, { a: 1n }]]],
    [
      'empty ones count and are omitted',
      '---\n---\na: 1\n---\n# c\n---\nb: 2\n---\n',
      [
        [1, { a: 1n }],
        [3, { b: 2n }],
      ],
    ],
    ['nothing at all', '', []],
    ['comments only', '# a\n\n# b', []],
    ['a document end with nothing but comments behind it', 'a: 1\n... # c\n\n# d\n', [[0, { a: 1n }]]],
    [
      'an end, then a start',
      'a: 1\n...\n---\nb: 2\n',
      [
        [0, { a: 1n }],
        [1, { b: 2n }],
      ],
    ],
    [
      'CRLF',
      'a: 1\r\n---\r\nb: |\r\n  x\r\n  y\r\n',
      [
        [0, { a: 1n }],
        [1, { b: 'x\ny\n' }],
      ],
    ],
    [
      'byte order marks',
      '\uFEFFa: 1\n---\n\uFEFFb: 2\n',
      [
        [0, { a: 1n }],
        [1, { b: 2n }],
      ],
    ],
    ['a byte order mark before a marker', '\uFEFF---\na: 1\n', [[0, { a: 1n }]]],
    [
      'markers that are none',
      'a: |\n  ---\n  ...\nb: ---x\nc: "--- "\n',
      [[0, { a: '---\n...\n', b: '---x', c: '--- ' }]],
    ],
    [
      'a block at the end of a document keeps its line break',
      'a: |\n  x\n---\na: |\r\n  x\r\n---\r\na: |-\n  x\n---\na: |+\n  x\n\n---\na: >\n  x',
      [
        [0, { a: 'x\n' }],
        [1, { a: 'x\n' }],
        [2, { a: 'x' }],
        [3, { a: 'x\n\n' }],
        [4, { a: 'x\n' }],
      ],
    ],
    ['JSON', '{"a": [1, 2.5, {"b": null}]}', [[0, { a: [1n, 2.5, { b: null }] }]]],
    [
      'JSON lines',
      '{"a": "}{"}\n{"b": "\\"}{"}\n\n{"c": {}} ',
      [
        [0, { a: '}{' }],
        [1, { b: '"}{' }],
        [2, { c: {} }],
      ],
    ],
    ['a flow map that looks like two', "{a: '}{', b: it's}\n", [[0, { a: '}{', b: "it's" }]]],
    ['__proto__ is a key like any other', '__proto__: 1\n', [[0, JSON.parse('{"__proto__": null}')]]],
  ])('%s', (name, text, expected) => {
    if (name.startsWith('__proto__')) Object.defineProperty(expected[0]?.[1], '__proto__', { value: 1n });
    expect(readStream(text).problems).toEqual([]);
    expect(values(text)).toEqual(expected);
  });

  test('are not read after too many errors', () => {
    expect(readStream(`a: [${'*a , '.repeat(5000)}]\n`).problems).toHaveLength(1001);
    const { documents, problems } = readStream(`${'---\na: {\n'.repeat(5000)}---\nb: 1\n`);
    expect(documents).toEqual([]);
    expect(problems).toHaveLength(1001);
  });

  test.each(['---\t\n', '---\r\n# c\r\n', '--- # c\n \n#\n', ''])('%j has no documents', (document) => {
    expect(readStream(`${document}\n---\na: 1\n${document}`).documents).toHaveLength(1);
    expect(readStream(document.repeat(3))).toEqual({ documents: [], problems: [] });
  });

  test.each(['{}', '---\n'])('that exceed the maximum number are rejected: %j', (document) => {
    const { documents, problems } = readStream(document.repeat(500_001));
    expect(documents).toEqual([]);
    expect(problems).toMatchObject([{ code: 'yaml-syntax', document: 500_000 }]);
  });

  test('may nest deeply', () => {
    const text = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`;
    expect(readStream(text).problems).toEqual([]);
  });
});

describe('lines that YAML requires deeper than go-yaml does', () => {
  test.each<[string, string, Value]>([
    ['a bracket under its key', 'a:\n  b: [\n    x,\n  ]\n  c: d\n', { a: { b: ['x'], c: 'd' } }],
    ['braces', 'a: {\n  b: {\n  c: d\n}\n}\ne: f\n', { a: { b: { c: 'd' } }, e: 'f' }],
    ['after a comment', 'a: [x # ]\n# c\n]\n', { a: ['x'] }],
    ['tabs', 'a: [\n\tb\n]\n', { a: ['b'] }],
    ['a quoted scalar', 'a:\n  b: "x\ny \\\nz"\n  c: \'p\n\nq\'\n', { a: { b: 'x y z', c: 'p\nq' } }],
    ['with CRLF', 'a: [\r\nb\r\n]\r\n', { a: ['b'] }],
  ])('%s', (_, text, value) => {
    expect(readStream(text)).toEqual({ documents: [{ index: 0, value }], problems: [] });
  });

  test('have correct positions after them', () => {
    const text = 'a: [\n  x\n]\nb: "p\nq"\nc: 1\nc: 2\n';
    expect(faults(text)).toEqual(['0 7:1 duplicate-key c']);
    expect(createLocator()({ text, document: 0, path: ['a', 0] })).toMatchObject({ line: 2, column: 3 });
    expect(createLocator()({ text, document: 0, path: ['b'], offset: 2 })).toMatchObject({ line: 5, column: 1 });
  });
});

describe('syntax errors of YAML', () => {
  test.each<[string, string, string[]]>([
    [
      'all duplicate keys',
      'a: 1\nb:\n  - c: 1\n    "c": 2\na: 2\n',
      ['0 4:5 duplicate-key b[0].c', '0 5:1 duplicate-key a'],
    ],
    ['a map below an indented marker, which is text', 'x: y\n---\n ---\na: 1\n', ['1 4:1 yaml-syntax']],
    [
      'in every document',
      'a: [\n---\na: 1\na: 2\n---\nb: }\n',
      ['0 1:5 yaml-syntax', '1 4:1 duplicate-key a', '2 6:4 yaml-syntax'],
    ],
    [
      'numbers that JSON lacks',
      'a: [.inf, 1, -.Inf, .NAN]',
      ['0 1:5 yaml-value a[0]', '0 1:14 yaml-value a[2]', '0 1:21 yaml-value a[3]'],
    ],
    [
      'keys that JSON lacks',
      '~: 1\n[a]: 2\n18446744073709551615: 3\n',
      ['0 1:1 yaml-value', '0 2:1 yaml-value', '0 3:1 yaml-value'],
    ],
    ['an alias without an anchor', 'a: *b\n', ['0 1:4 yaml-alias a']],
    ['an anchor of another document', 'a: &b 1\n---\na: *b\n', ['1 3:4 yaml-alias a']],
    ['an alias inside of its anchor', 'a: &b [1, *b]\n', ['0 1:11 yaml-alias a[1]']],
    ['what << cannot merge', 'a: {<<: 1}\n', ['0 1:5 yaml-value a']],
    ['text that does not fit its tag', 'a: !!int x\n', ['0 1:10 yaml-value a']],
    ['a directive without a document', '%YAML 1.1\n', ['0 1:10 yaml-syntax']],
    ['with CR line breaks', 'a: 1\rb: 2\ra: 3\r', ['0 3:1 duplicate-key a']],
  ])('%s', (_, text, expected) => {
    expect(faults(text)).toEqual(expected);
  });

  test.each<[string, string, RegExp]>([
    ['an unquoted expression', 'a: ${b ? {"c": 1} : {}}\n', /quotes/],
    ['a second colon', 'a: b: c\n', /quotes/],
    ['a tab', 'a:\n\tb: c\n', /spaces/],
    ['a no-break space before a key', 'a:\n\u00A0 b: c\n  d: e\n', /no-break space \(U\+00A0\)/],
    ['a no-break space in an indentation', 'a:\n  b: c\n \u00A0d: e\n', /no-break space \(U\+00A0\)/],
    ['a double quote inside double quotes', 'a: "x "y" z"\n', /write \\" for a quote/],
    ['a single quote inside single quotes', "a: 'it's'\nb: 1\n", /write '' for a quote/],
  ])('%s has a hint', (_, text, hint) => {
    expect(asReports(readStream(text).problems)[0]?.hint).toMatch(hint);
  });

  test.each([
    ['a: "x "y" z"\n', 1, 7],
    ["a: 'it's'\n", 1, 7],
    ['a:\n  - "${a == "b"}"\nc: 1\n', 2, 13],
    ['a: {b: "x"y", c: 1}\n', 1, 10],
    ['a: "b" c\nd: 1\n', 1, 6],
  ])('have the position of the quote that ends a text too early: %j', (text, line, column) => {
    expect(asReports(readStream(text).problems)).toMatchObject([
      { code: 'yaml-syntax', line, column, message: expect.stringContaining('quoted text ends') },
    ]);
  });

  test.each(['a: "b" # c\nd: [\n', 'a: "b"\nd: [\n', 'a: ["b", \'c\']\nd: [\n', '"a": "b\\"c"\nd: [\n'])(
    'do not have the position of another quote: %j',
    (text) => expect(asReports(readStream(text).problems)[0]?.message).not.toContain('quoted text'),
  );

  test('that are not fatal keep the document', () => {
    expect(values('a: 1\na: 2\nb: .nan\n')).toEqual([[0, { a: 2n, b: null }]]);
  });

  test.each([
    ['texts', 'a: 1\na: 2', { a: 2n }],
    ['in quotes or not', 'a: 1\n"a": 2', { a: 2n }],
    ['spellings of true', 'y: 1\non: 2', { true: 2n }],
    ['spellings of a number', '1: a\n0x1: b', { 1: 'b' }],
    ['around what is merged in', 'x: &x {a: 1}\nb: {a: 2, <<: *x, a: 3}', { x: { a: 1n }, b: { a: 3n } }],
  ])('duplicate keys in Go are a warning, and the last one wins: %s', (_, text, value) => {
    const { documents, problems } = readStream(text);
    expect(documents).toEqual([{ index: 0, value }]);
    expect(problems).toMatchObject([{ code: 'duplicate-key', severity: 'warning' }]);
  });

  test.each([
    ['a number and a text', "1: a\n'1': b"],
    ['a boolean and a text', 'true: a\n"true": b'],
  ])('keys that are duplicates only in JSON are an error, because their order is random: %s', (_, text) => {
    const [problem, ...others] = readStream(text).problems;
    expect([problem?.code, problem?.severity ?? 'error', others]).toEqual(['duplicate-key', 'error', []]);
  });

  test.each(['y', 'N', 'on', 'off', 'yes', 'No'])('include a warning that %s is read as a boolean', (word) => {
    const [problem] = asReports(readStream(`${/^(y|on)/i.test(word) ? 'true' : 'false'}: 1\n${word}: 2`).problems);
    expect(problem?.message).toContain(`YAML reads the key ${word} as a boolean`);
    expect(problem?.hint).toContain(`'${word}'`);
  });
});

describe('aliases', () => {
  test('have a separate value for every use', () => {
    const [document] = readStream('a: &x {p: [1]}\nb: *x\nc: {<<: *x}\n').documents;
    const { a, b, c } = (document?.value ?? {}) as Record<string, { p: Value }>;
    expect([b, c]).toEqual([a, a]);
    expect(b).not.toBe(a);
    expect(c?.p).not.toBe(a?.p);
  });

  test.each([
    [
      'by breadth',
      ['a0: &a0 x', ...Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`)],
    ],
    ['by length', [`a: &a ${'x'.repeat(100_000)}`, `b: &b [${'*a, '.repeat(1000)}]`, `c: [${'*b, '.repeat(1000)}]`]],
    [
      'by depth',
      [
        'a0: &a0 x',
        ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} ${'['.repeat(90)}*a${i}${']'.repeat(90)}`),
      ],
    ],
    [
      'over documents',
      Array.from({ length: 200 }, () => `---\na: &a [${'1,'.repeat(100)}]\nb: [${'*a,'.repeat(100)}]`),
    ],
  ])('that expand too far are rejected: %s', (_, lines) => {
    const { problems } = readStream(lines.join('\n'));
    expect(problems.map(({ code }) => code)).toEqual(['yaml-alias']);
  });
});

test('tags create no functions, dates or objects of other types', () => {
  const text = 'a: !!js/function "function () {}"\nb: !unheard of\nc: !!timestamp 2024-01-01\n';
  const [document] = readStream(text).documents;
  expect(document?.value).toEqual({ a: 'function () {}', b: 'of', c: '2024-01-01' });
});

describe('a document that does not parse is identified by name', () => {
  const nameOf = (metadata: string): string | undefined =>
    readStream(`apiVersion: v1\nkind: Secret\nmetadata:\n${metadata}stringData:\n  name: hunter2\n  p: [\n`).problems[0]
      ?.object;
  test.each([
    ['the first field', '  name: a\n', 'Secret/a'],
    ['another field', '  labels:\n    name: hunter2\n  # where\n  namespace: b\n  name: a\n', 'Secret/a'],
    ['four spaces', '    labels: {}\n    name: a\n', 'Secret/a'],
    ['an annotation', '  annotations:\n    name: hunter2\n', undefined],
    ['an annotation and the name behind it', '  annotations:\n    name: hunter2\n  name: a\n', 'Secret/a'],
    ['nothing', '', undefined],
  ])('%s', (_, metadata, name) => expect(nameOf(metadata)).toBe(name));
});

describe('what go-yaml reads in its own way', () => {
  it.each([
    ['{a: b}# c', { a: 'b' }],
    ['"x"# c', 'x'],
    ["a: 'x'#c\nb: 1", { a: 'x', b: 1n }],
    ['a: [1]#\nb: {c: d}# 😀 e\n', { a: [1n], b: { c: 'd' } }],
    ['{a: "x"# c\n}', { a: 'x' }],
    ['a: x# c', { a: 'x# c' }],
    ['a: &y-1_ "q"\nb: *y-1_', { a: 'q', b: 'q' }],
    ['a: [&y q, *y]', { a: ['q', 'q'] }],
    [' ---', '---'],
    ['  --- \n', '---'],
    [' ---\n  b\n', '--- b'],
  ])('%j is accepted', (text, value) => {
    expect(readStream(text)).toEqual({ documents: [{ index: 0, value }], problems: [] });
  });

  it.each(['&y"q"', 'a: &y"q"', "a: &y'q'", 'a: &y[1]', 'a: &y{b: c}', 'a: &y.1 b', 'a: &ä b'])(
    '%j is rejected',
    (text) => {
      const { documents, problems } = readStream(text);
      expect(documents).toEqual([]);
      expect(asReports(problems)).toMatchObject([{ code: 'yaml-syntax', message: expect.stringContaining('anchor') }]);
    },
  );
});

describe('diagnostics beyond the limit are counted', () => {
  const repeated = `a: 0\n${'a: 1\n'.repeat(5000)}`;

  test('for duplicate keys', () => {
    const { documents, problems, moreTwice } = readStream(repeated);
    expect(documents).toMatchObject([{ value: { a: 1n } }]);
    expect([problems.length, moreTwice]).toEqual([1000, 4000]);
  });

  test.each([
    [false, 1001, { severity: 'warning', count: 9000 }],
    [true, 2000, { severity: 'error' }],
  ])('for all files together (strict: %s)', (strict, length, last) => {
    const reports = new Collector();
    readStreams(
      [1, 2].map((file) => ({ file: `${file}.yaml`, text: repeated })),
      reports,
      strict,
    );
    expect(reports.all).toHaveLength(length);
    expect(reports.all.at(-1)).toMatchObject({ code: 'duplicate-key', ...last });
  });

  test('for documents that are not objects', () => {
    const reports = new Collector();
    const inputs = readStreams([{ file: 'a.yaml', text: '---\n{a: b}\n'.repeat(5000) }], reports);
    expect(flattenObjects(inputs, reports)).toEqual([]);
    expect(reports.all.at(-1)).toMatchObject({ code: 'not-an-object', severity: 'info', count: 4000 });
    expect(shownReports(reports.all).at(-1)?.message).toBe('not shown: 4001 infos');
  });

  test.each(['{a: b}', '[1, {a: "x"}]', 'a', '"a b"', '1.5', 'true', 'null', '~', '{}', 'a b # c', '- a'])(
    'for a document of %j that is read by the fast path, as by the parser',
    (text) => {
      const [one] = readStream(`${text}\n`).documents;
      // The fast path has no tabs.
      const [other] = readStream(`#\t\n${text}\n`).documents;
      expect(one?.value).toEqual(other?.value);
    },
  );
});
