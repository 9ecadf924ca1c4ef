import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { Value } from '../../../src/core/model/value.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

/** Returns the objects of a text, read with the values of an earlier version. */
function readAfter(text: string, before: ReadonlyMap<string, Value> = new Map()) {
  const now = new Map<string, Value>();
  const reports = new Collector();
  const documents = readStreams([{ file: 'a.yaml', text }], reports, false, { before, now });
  return { objects: documents.map(({ object }) => object), now, reports };
}

const PLAIN = 'kind: A\n';
const WITH_ANCHOR = 'a: &x {b: 1}\n';
const WITH_ALIAS = 'a: &x {b: 1}\nc: *x\n';

describe('readStreams with an earlier version', () => {
  it.each([
    ['plain', PLAIN],
    ['with an anchor', WITH_ANCHOR],
    ['JSON', '{"kind": "A"}\n'],
  ])('keeps the value of a document that did not change: %s', (_, text) => {
    const first = readAfter(text);
    const second = readAfter(`---\nkind: New\n---\n${text}`, new Map([[`---\n${text}`, first.objects[0] as Value]]));
    expect(second.objects).toHaveLength(2);
    expect(second.objects[1]).toBe(first.objects[0]);
  });
  it('reads the same document twice as two values', () => {
    const first = readAfter(`---\n${PLAIN}---\n${PLAIN}`);
    const second = readAfter(`---\n${PLAIN}---\n${PLAIN}`, first.now);
    expect(second.objects[0]).toEqual(second.objects[1]);
    expect(second.objects[0]).not.toBe(second.objects[1]);
  });
  it.each([
    ['aliases, which are counted', WITH_ALIAS],
    ['a key that is there twice', 'a: 1\na: 2\n'],
    ['a syntax error', 'a: [\n'],
  ])('reads a document again that has %s', (_, text) => {
    const first = readAfter(text);
    const second = readAfter(text, first.now);
    expect([...first.now]).toEqual([]);
    expect(second.reports.all).toEqual(first.reports.all);
  });
});
