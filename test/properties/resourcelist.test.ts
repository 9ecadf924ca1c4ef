import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Document, parseDocument } from 'yaml';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { type Answer, noteRgd, runFunction } from '../cli/resourcelist/packages.ts';
import { LONG, runs } from './runs.ts';
import { type WrittenList, writtenLists } from './written-items.ts';

const rgd = noteRgd.replace('spec: {text', 'spec: {extra: object, text');

type Data = Map<unknown, unknown>;
const MARKS = ['config.kubernetes.io/local-config', 'render-rgd.dev/marked'];

/** Returns the items as another reader reads them, by the rules of YAML 1.1 or 1.2. */
function itemsIn(text: string, version: '1.1' | '1.2'): Data[] {
  const document: Document = parseDocument(text, {
    version,
    merge: true,
    uniqueKeys: false,
    intAsBigInt: true,
    strict: false,
  });
  const value = document.toJS({ mapAsMap: true, maxAliasCount: -1 }) as Data;
  return (value.get('items') as Data[] | null) ?? [];
}

/** Reports whether all readers accept the text. */
function isRead({ text }: WrittenList): boolean {
  try {
    for (const version of ['1.1', '1.2'] as const) itemsIn(text, version);
    return readStream(text).problems.every(({ code }) => code !== 'yaml-syntax');
  } catch {
    return false;
  }
}

const isRendered = (item: Data): boolean => annotationsOf(item)?.has('render-rgd.dev/rendered') === true;
const annotationsOf = (item: Data): Data | undefined => {
  const annotations = (item.get('metadata') as Data | undefined)?.get('annotations');
  return annotations instanceof Map ? annotations : undefined;
};

/** Returns an item without its marks; an empty map of annotations equals none. */
function unmarked(item: Data): Data {
  const copy = structuredClone(item);
  const annotations = annotationsOf(copy);
  for (const mark of MARKS) annotations?.delete(mark);
  const metadata = copy.get('metadata');
  if (metadata instanceof Map && (annotations?.size ?? 0) === 0) metadata.delete('annotations');
  return copy;
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (part.startsWith(char, at)) at += char.length;
  return at === part.length;
}

function check(list: WrittenList, answer: Answer): void {
  expect(answer.code, answer.stderr).toBe(0);
  for (const { text, foreign } of list.items) if (foreign) expect(answer.stdout).toContain(text.trimEnd());
  const isRewritten = /\*n|local-config: ['"]false|annotations: ~/.test(list.text);
  if (!isRewritten) expect(isSubsequence(list.text, answer.stdout), 'nothing of the text is lost').toBe(true);
  for (const version of ['1.1', '1.2'] as const) {
    const before = itemsIn(list.text, version);
    const after = itemsIn(answer.stdout, version).filter((item) => !isRendered(item));
    expect(after).toHaveLength(before.length);
    before.forEach((item, index) => {
      const now = after[index] as Data;
      const isForeign = list.items[index]?.foreign === true;
      if (isForeign) expect(isDeepStrictEqual(now, item), 'a foreign item is the same').toBe(true);
      else {
        expect(unmarked(now)).toEqual(unmarked(item));
        expect(annotationsOf(now)?.get(MARKS[0])).toBe('true');
      }
    });
  }
}

describe('the text of a ResourceList', () => {
  it(
    'changes only in the marks of RGDs and instances and in rendered objects',
    async () => {
      const property = fc.asyncProperty(writtenLists(rgd).filter(isRead), async (list) => {
        const first = await runFunction(list.text);
        check(list, first);
        const second = await runFunction(first.stdout);
        expect(second.stdout).toBe(first.stdout);
      });
      await fc.assert(property, runs(30));
    },
    LONG,
  );

  it(
    'is the input and results after an error',
    async () => {
      const lists = writtenLists(rgd.replace('kind: Note', 'kind: note')).filter(isRead);
      const property = fc.asyncProperty(lists, async ({ text }) => {
        const { code, stdout } = await runFunction(text);
        expect(code).toBe(1);
        const added = stdout.length - text.length;
        let at = 0;
        while (at < text.length && text[at] === stdout[at]) at++;
        expect(stdout.slice(0, at) + stdout.slice(at + added)).toBe(text);
      });
      await fc.assert(property, runs(20));
    },
    LONG,
  );
});
