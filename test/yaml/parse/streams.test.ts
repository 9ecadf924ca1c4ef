import { describe, expect, test } from 'vitest';
import { format } from '../../../src/core/diagnostics/index.ts';
import { isMap, type Value } from '../../../src/core/model/value.ts';
import { createLocator } from '../../../src/yaml/locate/locate.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { asReports } from '../../messages.ts';
// The answers of YAMLOrJSONDecoder of k8s.io/apimachinery v0.37.0 (kubectl's reader) for each stream: a JSON list of
// its documents that are not null, or null if it is rejected.
import rows from './streams.json' with { type: 'json' };

const asJson = (value: Value): string =>
  JSON.stringify(value, (_, item: Value) => {
    if (typeof item === 'bigint') return Number(item);
    return isMap(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item;
  });

describe('a stream contains the documents that Kubernetes reads', () => {
  test.each(rows as [string, string | null][])('%j', (text, json) => {
    const { documents, problems } = readStream(text);
    if (json === null) expect(problems).not.toEqual([]);
    else {
      expect(problems).toEqual([]);
      expect(asJson(documents.map(({ value }) => value))).toBe(json);
    }
  });
});

describe('what Kubernetes would silently drop is an error', () => {
  const DROPPED = /^Kubernetes reads one document up to the next '---' line/;

  test.each<[string, string, string]>([
    ['a document after dots', 'a: 1\n...\nb: 2\n', '3:1'],
    ['whatever it is', 'a: 1\n... # c\n\n  [broken\n---\nc: 1\n', '4:3'],
    ['in a later part', 'a: 1\n---\nb: 1\n...\nc: 1\n', '5:1'],
    ['after an empty one', '---\n...\na: 1\n', '3:1'],
    ['with CRLF', 'a: 1\r\n...\r\nb: 2\r\n', '3:1'],
    ['behind carriage returns', 'a: 1\r---\rb: 2\r', '2:1'],
  ])('%s', (_, text, place) => {
    const { documents, problems } = readStream(text);
    expect(problems).toHaveLength(1);
    expect(asReports(problems)[0]).toMatchObject({ code: 'yaml-syntax', message: expect.stringMatching(DROPPED) });
    expect(`${problems[0]?.line}:${problems[0]?.column}`).toBe(place);
    expect(documents.every(({ index }) => index !== problems[0]?.document)).toBe(true);
  });

  test('flow maps that are not JSON, and those after a marker', () => {
    for (const text of ['{a: 1}\n{b: 2}\n', '# c\n{"a": 1}\n{"b": 2}\n', '---\n{"a": 1}{"b": 2}\n']) {
      expect(readStream(text).problems).toMatchObject([{ code: 'yaml-syntax' }]);
    }
  });
});

describe('only a comment may follow a separator', () => {
  test.each([
    ['a key', 'a: 1\n---b: 2\n', '2:4'],
    ['a value', '--- {a: 1}\n', '1:5'],
    ['a block scalar', 'a: 1\n---  |\n x\n', '2:6'],
    ['a fourth dash', 'a: 1\n----\nb: 2\n', '2:4'],
    ['the line of a certificate in a quoted text', 'a: "x\n-----BEGIN X-----\ny"\n', '2:4'],
  ])('%s', (_, text, place) => {
    const [problem] = readStream(text).problems.filter(({ message }) =>
      format(message).startsWith('a line that begins'),
    );
    expect(problem?.code).toBe('yaml-syntax');
    expect(`${problem?.line}:${problem?.column}`).toBe(place);
  });
});

test('a directive before a document is read, although kubectl rejects it', () => {
  expect(readStream('# c\n%YAML 1.1\n---\na: 1\n').documents).toEqual([{ index: 0, value: { a: 1n } }]);
});

test('positions after separators of all kinds are those of the text', () => {
  const text = 'a: 1\n---#c\nb: 2\n---\n\uFEFFc: 3\n--- # d\nd: |\n  e';
  const locator = createLocator();
  const places = readStream(text).documents.map(({ index, value }) => {
    const [key = ''] = isMap(value) ? Object.keys(value) : [];
    const { line, column } = locator({ text, document: index, path: [key], target: 'key' }) ?? {};
    return `${key} ${line}:${column}`;
  });
  expect(places).toEqual(['a 1:1', 'b 3:1', 'c 5:2', 'd 7:1']);
});

test('a long comment is scanned once for all documents', () => {
  const text = `# ${'c'.repeat(1_000_000)}\n${'---\na: 1\n'.repeat(20_000)}`;
  expect(readStream(text).documents).toHaveLength(20_000);
  expect(readStream(`# ${'c'.repeat(1_000_000)}\r${'---\r'.repeat(20_000)}`).problems).toHaveLength(1);
});
