import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/core/model/object.ts';
import type { ValueMap } from '../../../src/core/model/value.ts';
import { toJsonText } from '../../../src/yaml/emit/json.ts';
import { toYaml, writeYaml } from '../../../src/yaml/emit/yaml.ts';

const object = (more: ValueMap): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', ...more });

/** The text of one object without its apiVersion and kind. */
const text = (more: ValueMap): string =>
  toYaml([object(more)])
    .split('\n')
    .slice(2)
    .join('\n');

describe('block style', () => {
  test('writes apiVersion, kind and metadata first, and keeps the order of other keys', () => {
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

  test('writes pieces of moderate size', () => {
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

  test('writes a blank line after a block scalar for readers that split at markers', () => {
    expect(toYaml([object({ a: 'b\nc\n' }), object({ a: 'b\nc' }), object({ a: ['b\nc\n', {}] }), object({})])).toBe(
      `apiVersion: v1\nkind: ConfigMap\na: |\n  b\n  c\n\n---
apiVersion: v1\nkind: ConfigMap\na: |-\n  b\n  c\n---
apiVersion: v1\nkind: ConfigMap\na:\n- |\n  b\n  c\n- {}\n---
apiVersion: v1\nkind: ConfigMap\n`,
    );
  });

  test('writes nested lists and maps', () => {
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

  test('writes numbers as Kubernetes does', () => {
    const numbers = [9223372036854775807n, -1n, 1.5, 3, 1e21, 1.5e-7, 1e20, -0];
    expect(text({ numbers })).toBe(
      `numbers:\n${['9223372036854775807', '-1', '1.5', '3', '1.0e+21', '1.5e-7', '100000000000000000000', '-0'].map((n) => `- ${n}\n`).join('')}`,
    );
  });

  test('writes text of several lines', () => {
    const lines = {
      clip: 'a\n b\n\nc\n',
      strip: 'a\nb',
      keep: 'a\n\n\n',
      blank: ' a\nb\n',
      empty: '\na\n',
      list: ['x\ny'],
      tab: '\n\ta\nb',
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
tab: "\\n\\ta\\nb"
`);
  });

  test('writes a long key', () => {
    const key = 'k'.repeat(1100);
    expect(text({ [key]: { a: 'b' } })).toBe(`? ${key}\n:\n  a: b\n`);
  });
});

describe('quotes in YAML', () => {
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
  ])('are omitted around %s', (value) => {
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
      'e5',
      '-E+10',
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
  ])('are written around %j', (value) => {
    expect(text({ value })).toMatch(/^value: (".*"|'.*')\n$/);
    expect(text({ [value]: 'x' })).toMatch(/^(".*"|'.*'): x\n$/);
  });

  test('escape invalid characters', () => {
    expect(text({ value: '\u0000\u001B\u007F\u0085\u00A0\u2028\u202E\uFEFF\uFFFE\n\t"\\' })).toBe(
      'value: "\\u0000\\u001b\\u007f\\u0085\\u00a0\\u2028\\u202e\\ufeff\\ufffe\\n\\t\\"\\\\"\n',
    );
  });

  test('replace an unpaired surrogate with U+FFFD, as in Go', () => {
    expect(text({ value: 'a\uD83Db' })).toBe('value: "a\uFFFDb"\n');
    expect(toJsonText('a\uD83D😀')).toBe('"a\uFFFD😀"');
  });

  test('are single if double ones would need escapes', () => {
    expect(text({ value: '{"a": "\\\\d"}' })).toBe(`value: '{"a": "\\\\d"}'\n`);
  });
});

describe('JSON output', () => {
  test('is exact and in order', () => {
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
