import { describe, expect, test } from 'vitest';
import { format } from '../../../src/core/diagnostics/index.ts';
import { isMap, type Value } from '../../../src/core/model/value.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
// The answers of YAMLToJSONStrict of sigs.k8s.io/yaml v1.6.0 for each text: JSON, or null if it is rejected.
import rows from './kubernetes.json' with { type: 'json' };

/** JSON with each number as apimachinery decodes it: int64 where the digits fit, else float64. */
function decoded(json: string): string {
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    if (token.startsWith('"')) return token;
    const isInt = /^-?\d+$/.test(token) && BigInt.asIntN(64, BigInt(token)) === BigInt(token);
    return isInt ? `"int ${BigInt(token)}"` : `"float ${Number(token)}"`;
  });
  return sorted(JSON.parse(marked) as Value);
}

function sorted(value: Value): string {
  return JSON.stringify(value, (_, item: Value) => {
    if (typeof item === 'bigint') return `int ${item}`;
    if (typeof item === 'number') return `float ${item}`;
    return isMap(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item;
  });
}

describe('a document has the meaning that it has in Kubernetes', () => {
  test.each(rows as [string, string | null][])('%j', (text, json) => {
    const { documents, problems } = readStream(text);
    if (json === null) expect(problems).not.toEqual([]);
    else {
      expect(problems).toEqual([]);
      expect(sorted(documents[0]?.value ?? null)).toBe(decoded(json));
    }
  });
});

describe('an escape for half of a character', () => {
  // sigs.k8s.io/yaml: "found invalid Unicode character escape code"; encoding/json writes U+FFFD.
  test.each([
    ['a: "\\ud83d"', 1, 5],
    ['b: 1\na: "x \\udc00 y"', 2, 5],
    ['a: "\\ude00\\ud83d"', 1, 5],
    ['a: "\\U0000d83d"', 1, 5],
    ['a: "\\ud83d\\n\\ude00"', 1, 5],
    ['"a\\ud83d": b', 1, 2],
    ['a: [b, {c: "\\ud83d"}]', 1, 13],
    ['{"a": "\\ud83d"}', 1, 8],
    ['{"a\\ud83d": 1}', 1, 3],
    ['[{"a": ["b", "\\uDC00"]}]', 1, 15],
  ])('is an error: %j', (text, line, column) => {
    const { problems } = readStream(text);
    expect(problems).toMatchObject([{ code: 'yaml-value', line, column }]);
    // The reason is hidden where the kind is unknown, which may be Secret.
    expect(problems.map(({ message }) => format(message)).join()).toContain('half of a character');
  });

  test('is named where no Secret can be involved', () => {
    const [problem] = readStream('kind: ConfigMap\ndata: {a: "\\udc00"}').problems;
    expect(problem && format(problem.message)).toBe('the escape \\udc00 is half of a character; write the whole one');
  });

  test('is an error without an escape too, which a program may pass', () => {
    for (const text of ['a: \ud83d', 'a: "\ud83d"', '{"a": "\ud83d"}', '# \ude00\na: b'])
      expect(readStream(text)).toMatchObject({ documents: [], problems: [{ code: 'yaml-syntax', line: 1 }] });
  });

  test.each(['a: "\\ud83d\\ude00"', "a: '\\ud83d'", 'a: \\ud83d', 'a: |\n  \\ud83d', 'a: "\\\\ud83d"'])(
    'is not in %j',
    (text) => expect(readStream(text).problems).toEqual([]),
  );
});

describe('a document that go-yaml v2 rejects is read', () => {
  test.each<[string, string, Value]>([
    ['a key wins over what is merged in', 'a: &x {p: 1}\nb: {<<: *x, p: 2}', { a: { p: 1n }, b: { p: 2n } }],
    ['wherever it stands', 'a: &x {p: 1}\nb: {p: 2, <<: *x}', { a: { p: 1n }, b: { p: 2n } }],
    ['the first of several maps wins', 'b: {<<: [{p: 1}, {p: 2, q: 3}]}', { b: { p: 1n, q: 3n } }],
    ['a later merge wins', 'b:\n  <<: {p: 1}\n  <<: {p: 2}', { b: { p: 2n } }],
    ['YAML 1.2', '%YAML 1.2\n---\na: 1', { a: 1n }],
    ["JSON's escapes", '{"a": "\\/\\ud83d\\ude00"}', { a: '/😀' }],
  ])('%s', (_, text, value) => {
    expect(readStream(text)).toEqual({ documents: [{ index: 0, value }], problems: [] });
  });

  test('two spellings of one key are a duplicate', () => {
    expect(readStream("1: a\n'1': b").problems).toMatchObject([{ code: 'duplicate-key' }]);
  });
});
