import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { CORE_SCHEMA, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { toJsonText } from '../../src/emit/json.ts';
import { toYaml, writeYaml } from '../../src/emit/yaml.ts';
import type { KubeObject } from '../../src/model/object.ts';
import { isMap, setKey, type Value, type ValueMap } from '../../src/model/value.ts';
import { readStream } from '../../src/parse/yaml.ts';

const object = (more: ValueMap): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', ...more });

/** The text of one object without its apiVersion and kind. */
const text = (more: ValueMap): string =>
  toYaml([object(more)])
    .split('\n')
    .slice(2)
    .join('\n');

describe('block style', () => {
  test('identity first, everything else in its order', () => {
    const metadata = { labels: { b: '1', a: 'x' }, uid: 'u', annotations: {}, namespace: 'ns', name: 'm' };
    const objects = [{ spec: { b: 1n, a: 2n }, metadata, kind: 'K', apiVersion: 'v1' }, object({ metadata: null })];
    expect(toYaml(objects)).toBe(`apiVersion: v1
kind: K
metadata:
  name: m
  namespace: ns
  labels:
    b: "1"
    a: x
  annotations: {}
  uid: u
spec:
  b: 1
  a: 2
---
apiVersion: v1
kind: ConfigMap
metadata: null
`);
  });

  test('pieces of moderate size', () => {
    const many = Array.from({ length: 2000 }, (_, index) => object({ a: BigInt(index), text: 'some text' }));
    for (const objects of [[], many.slice(0, 2), many, [object({ items: many })]]) {
      const pieces: string[] = [];
      writeYaml(objects, (piece) => pieces.push(piece));
      expect(pieces.join('')).toBe(toYaml(objects));
      expect(pieces.every(({ length }) => length > 0 && length < 20_000)).toBe(true);
    }
    expect(toYaml([])).toBe('');
    expect(toYaml(many.slice(0, 2))).toBe(
      'apiVersion: v1\nkind: ConfigMap\na: 0\ntext: some text\n---\napiVersion: v1\nkind: ConfigMap\na: 1\ntext: some text\n',
    );
  });

  test('a blank line keeps the last line break of a block scalar from readers that split at the marker', () => {
    expect(toYaml([object({ a: 'b\nc\n' }), object({ a: 'b\nc' }), object({ a: ['b\nc\n', {}] }), object({})])).toBe(
      `apiVersion: v1\nkind: ConfigMap\na: |\n  b\n  c\n\n---
apiVersion: v1\nkind: ConfigMap\na: |-\n  b\n  c\n---
apiVersion: v1\nkind: ConfigMap\na:\n- |\n  b\n  c\n- {}\n---
apiVersion: v1\nkind: ConfigMap\n`,
    );
  });

  test('lists and maps in each other', () => {
    const nested = [['a', ['b'], []], { c: [{ d: 'e', f: { g: [] } }], h: {} }, [{ i: 'j' }, { k: [['l']] }]];
    expect(text({ nested })).toBe(`nested:
- - a
  - - b
  - []
- c:
  - d: e
    f:
      g: []
  h: {}
- - i: j
  - k:
    - - l
`);
  });

  test('numbers as Kubernetes writes them', () => {
    const numbers = [9223372036854775807n, -1n, 1.5, 3, 1e21, 1.5e-7, 1e20, -0];
    expect(text({ numbers })).toBe(
      `numbers:\n${['9223372036854775807', '-1', '1.5', '3', '1.0e+21', '1.5e-7', '100000000000000000000', '-0'].map((n) => `- ${n}\n`).join('')}`,
    );
  });

  test('text of several lines', () => {
    const lines = {
      clip: 'a\n b\n\nc\n',
      strip: 'a\nb',
      keep: 'a\n\n\n',
      blank: ' a\nb\n',
      empty: '\na\n',
      list: ['x\ny'],
    };
    expect(text(lines)).toBe(`clip: |
  a
   b

  c
strip: |-
  a
  b
keep: "a\\n\\n\\n"
blank: |2
   a
  b
empty: |2

  a
list:
- |-
  x
  y
`);
  });

  test('a long key', () => {
    const key = 'k'.repeat(1100);
    expect(text({ [key]: { a: 'b' } })).toBe(`? ${key}\n:\n  a: b\n`);
  });
});

describe('quotes', () => {
  test.each([
    ...[
      'nginx:1.27',
      'http://a.b/c?d=e&f',
      '128Mi',
      '100m',
      '10.0.0.0/8',
      'a b',
      "it's",
      'a#b',
      'a:b',
      '--flag=x',
      '-x',
    ],
    ...[
      '${a.b}-c',
      '/etc/x',
      '_x',
      'ünïcode',
      '日本',
      '😀',
      '(a)',
      'a: b'.replace(' ', ''),
      'a,b',
      'a]',
      'key=value',
      'v1beta1',
    ],
  ])('none around %s', (value) => {
    expect(text({ value })).toBe(`value: ${value}\n`);
  });

  test.each([
    ...[
      '',
      ' ',
      ' a',
      'a ',
      'a: b',
      'a:',
      'a #b',
      '#a',
      '- a',
      '-',
      '---',
      '...',
      '? a',
      ': a',
      '%a',
      '@a',
      '`a',
      '!a',
      '&a',
      '*a',
    ],
    ...[
      '|',
      '>',
      '{a}',
      '[a]',
      ',',
      '=',
      '<<',
      '~',
      'null',
      'Null',
      'true',
      'FALSE',
      'yes',
      'No',
      'on',
      'OFF',
      'y',
      'N',
    ],
    ...[
      '0777',
      '0o17',
      '0x1F',
      '0b1',
      '1',
      '+1',
      '-1',
      '1.0',
      '1e3',
      '.5',
      '1_000',
      '.inf',
      '-.INF',
      '.nan',
      '1:30',
      '1:30:15.5',
    ],
    ...[
      '2024-01-01',
      '2024-01-01T00:00:00Z',
      '2001-12-14 21:59:43.10 -5',
      '\u0085',
      '\u2028',
      '\uFEFF',
      '\u202Ea',
      'a\tb',
      '\r',
    ],
  ])('around %j', (value) => {
    expect(text({ value })).toMatch(/^value: (".*"|'.*')\n$/);
    expect(text({ [value]: 'x' })).toMatch(/^(".*"|'.*'): x\n$/);
  });

  test('what no line may hold is escaped', () => {
    expect(text({ value: '\u0000\u001B\u007F\u0085\u00A0\u2028\u202E\uFEFF\uFFFE\n\t"\\' })).toBe(
      'value: "\\u0000\\u001b\\u007f\\u0085\\u00a0\\u2028\\u202e\\ufeff\\ufffe\\n\\t\\"\\\\"\n',
    );
  });

  test('half of a surrogate pair becomes U+FFFD, as in Go', () => {
    expect(text({ value: 'a\uD83Db' })).toBe('value: "a\uFFFDb"\n');
    expect(toJsonText('a\uD83D😀')).toBe('"a\uFFFD😀"');
  });

  test('single ones where double ones would need escapes', () => {
    expect(text({ value: '{"a": "\\\\d"}' })).toBe(`value: '{"a": "\\\\d"}'\n`);
  });
});

describe('JSON', () => {
  test('exact and in order', () => {
    const value = { b: [9223372036854775807n, 1.5, 3, 1e21, null, true], a: {}, c: [], '': 'é\n' };
    expect(toJsonText(value)).toBe('{"b":[9223372036854775807,1.5,3,1e+21,null,true],"a":{},"c":[],"":"é\\n"}');
    expect(toJsonText(value, 2)).toBe(
      `{
  "b": [
    9223372036854775807,
    1.5,
    3,
    1e+21,
    null,
    true
  ],
  "a": {},
  "c": [],
  "": "é\\n"
}`,
    );
  });

  test('has no infinities', () => {
    expect(() => toJsonText(Number.NaN)).toThrow(RangeError);
  });
});

const tricky = fc.constantFrom(
  ...[
    '\n',
    '\n\n',
    ' ',
    '\t',
    ':',
    ': ',
    ' #',
    '#',
    '-',
    '- ',
    '---',
    '...',
    '"',
    "'",
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    '&',
    '*',
    '!',
    '|',
    '>',
  ],
  ...[
    '%',
    '@',
    '`',
    '?',
    '? ',
    '=',
    '<<',
    '~',
    'null',
    'yes',
    'n',
    'True',
    'off',
    '0',
    '0x1',
    '1e3',
    '1_0',
    '.5',
    '.inf',
    '1:30',
    '+',
    '_',
  ],
  ...[
    '2024-01-01',
    'T10:00:00Z',
    'a',
    'b c',
    'é',
    '😀',
    '\u0085',
    '\u2028',
    '\uFEFF',
    '\u0000',
    '\u001B',
    '\r',
    '\u00A0',
    '\uFFFE',
  ],
);
const string = fc.oneof(
  fc.array(tricky, { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const scalar = fc.oneof(
  { weight: 5, arbitrary: string },
  { weight: 1, arbitrary: fc.constantFrom<Value>(null, true, false) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
  {
    weight: 1,
    arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
  },
);
const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(string, tie('value')), { maxLength: 4 }).map((entries) => {
      const map: ValueMap = {};
      for (const [key, value] of entries) setKey(map, key, value);
      return map;
    }),
  ),
}));

/** What a reader with one kind of number makes of a value; maps as lists of entries, so that `__proto__` shows. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return { map: [...value].map(([key, item]) => [key, plain(item)]) };
  if (!isMap(value)) return value;
  return { map: Object.keys(value).map((key) => [key, plain(value[key])]) };
}

const readers: [string, (text: string) => unknown[]][] = [
  ['js-yaml, YAML 1.2', (yaml) => loadAll(yaml, { schema: CORE_SCHEMA })],
  ['js-yaml, YAML 1.1', (yaml) => loadAll(yaml, { schema: YAML11_SCHEMA })],
  ['yaml 1.2', (yaml) => parseAllDocuments(yaml).map((document) => document.toJS({ mapAsMap: true }))],
  [
    'yaml 1.1',
    (yaml) => parseAllDocuments(yaml, { version: '1.1' }).map((document) => document.toJS({ mapAsMap: true })),
  ],
];

describe('every reader reads back what was written', () => {
  test('our own, exactly', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const objects = [object({ value }), object({ value })];
        const { documents, problems } = readStream(toYaml(objects));
        expect(problems).toEqual([]);
        expect(documents.map((document) => document.value)).toEqual(objects);
        expect(readStream(toJsonText(objects)).documents[0]?.value).toEqual(objects);
      }),
      { numRuns: 500 },
    );
  });

  test.each(readers)('%s', (_, read) => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(read(toYaml([object({ value }), object({ value })])).map(plain)).toEqual([
          plain(object({ value })),
          plain(object({ value })),
        ]);
      }),
      { numRuns: 500 },
    );
  });

  const hasPython = spawnSync('python3', ['-c', 'import yaml']).status === 0;
  test.skipIf(!hasPython)('PyYAML', () => {
    const samples = fc.sample(anyValue, 400);
    const program = `
import json, sys, yaml
def plain(value):
    if isinstance(value, dict): return {'map': [[key, plain(item)] for key, item in value.items()]}
    return [plain(item) for item in value] if isinstance(value, list) else value
for document in yaml.safe_load_all(sys.stdin.buffer.read().decode('utf-8')): print(json.dumps(plain(document)))
`;
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      input: toYaml(samples.map((value) => object({ value }))),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    expect(stderr).toBe('');
    const got = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(got).toEqual(samples.map((value) => plain(object({ value }))));
  });
});
