import fc from 'fast-check';
import { CORE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { isScalar, parseAllDocuments } from 'yaml';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { documents } from './documents.ts';
import { difference, isIncomparable, isReadOtherwise } from './readers.ts';
import { LONG, runs } from './runs.ts';

const asYaml11 = (text: string) => [
  ...parseAllDocuments(text, { version: '1.1', intAsBigInt: true, logLevel: 'silent' }),
];
const isNull = (node: unknown): boolean => node === null || (isScalar(node) && node.value === null);

/** Runs a comparison on documents; it returns whether there was something to compare. */
function compareAll(usual: number, compare: (text: string) => boolean): void {
  let compared = 0;
  const { numRuns } = runs(usual);
  fc.assert(
    fc.property(documents, (text) => {
      if (!isReadOtherwise(text) && compare(text)) compared += 1;
    }),
    { numRuns },
  );
  expect(compared).toBeGreaterThan(numRuns / 3);
}

/** A comment forces YAML. */
const asYaml = (json: string) => readStream(`# YAML\n${json}`);

describe('JSON is read as YAML reads it', () => {
  it('with any content', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), fc.constantFrom(undefined, 2), (text, indent) => {
        const json = JSON.stringify({ value: JSON.parse(text) }, null, indent);
        expect(readStream(json)).toEqual(asYaml(json));
      }),
      runs(300),
    );
  });

  it.each([
    '{"a": [1.0, 1e3, 1E-2, -0, 9223372036854775807, 9223372036854775808, 18446744073709551616, 1e999, 0.1]}',
    '{"__proto__": {"a": 1}, "": "\\/", "<<": {"b": 2}, "y": "yes", "n": null}',
    '[{"a": "\\ud83d\\ude00"}, "\\u0085\\u2028\\ufeff", "*a", "---"]\n',
  ])('%s', (json) => {
    expect(readStream(json).documents).toHaveLength(1);
    expect(readStream(json)).toEqual(asYaml(json));
  });

  it('with the position of its errors', () => {
    const { documents, problems } = readStream('{"a": 1,\n "a": 2}');
    expect(documents).toEqual([{ index: 0, value: { a: 2n } }]);
    expect(problems).toMatchObject([{ code: 'duplicate-key', line: 2, column: 2 }]);
  });
});

describe('readers agree on texts that both can read', () => {
  it(
    'this project, and yaml with version 1.1',
    () => {
      compareAll(1000, (text) => {
        // go-yaml ignores every underscore in a number, yaml not the one after a sign.
        if (/[-+]_+[\d.]/.test(text)) return false;
        const ours = readStream(text);
        const theirs = asYaml11(text);
        if (ours.problems.length > 0 || theirs.some(({ errors }) => errors.length > 0)) return false;
        const contents = theirs.map((document) => document.contents).filter((node) => !isNull(node));
        if (contents.some(isIncomparable)) return false;
        expect(ours.documents).toHaveLength(contents.length);
        for (const [index, node] of contents.entries()) {
          expect(difference(ours.documents[index]?.value, node), text).toBeUndefined();
        }
        return true;
      });
    },
    LONG,
  );

  it(
    'js-yaml, and yaml',
    () => {
      compareAll(700, (text) => {
        // js-yaml reads a number that float64 cannot represent as text, yaml as infinity.
        if (/e\+?[0-9]{3}/i.test(text)) return false;
        const theirs = [...parseAllDocuments(text, { logLevel: 'silent' })];
        const other = loaded(text);
        if (other === undefined || theirs.some(({ errors }) => errors.length > 0)) return false;
        const values = theirs.map((document): unknown => document.toJS({ mapAsMap: true }));
        expect(other.filter(isSomething).map(unordered), text).toEqual(values.filter(isSomething).map(unordered));
        return true;
      });
    },
    LONG,
  );
});

/** The readers count empty documents differently. */
const isSomething = (value: unknown): boolean => value !== null && value !== undefined;

/** Returns `undefined` for unreadable text. */
function loaded(text: string): unknown[] | undefined {
  try {
    return loadAll(text, { schema: CORE_SCHEMA });
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

/** JavaScript objects put numeric keys first, and have only string keys. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const named = entries.map(([key, item]): [string, unknown] => [String(key), unordered(item)]);
  return { map: named.sort(([a], [b]) => (a < b ? -1 : 1)) };
}
