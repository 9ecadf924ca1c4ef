import fc from 'fast-check';
import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { isMap, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { textWithValue } from '../../src/yaml/edit/index.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import { readStream } from '../../src/yaml/parse/index.ts';
import { LONG, runs } from './runs.ts';

/** A document as people write one, with a comment at every line that can have one. */
interface Written {
  value: ValueMap;
  /** Lines of the document; each comment is the only one with its text. */
  text: string;
}

const words = fc.constantFrom('web', 'nginx:1.27', 'a b', 'yes', '3', '', 'x: y', '# no', 'two\nlines');
const keys = fc.uniqueArray(fc.constantFrom('name', 'image', 'labels', 'ports', 'spec', 'args', 'data', 'a/b'), {
  minLength: 1,
  maxLength: 4,
});
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    words,
    fc.bigInt({ min: 0n, max: 99n }),
    fc.boolean(),
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    mapOf(tie('value')),
  ),
})).value;

function mapOf(of: fc.Arbitrary<Value>): fc.Arbitrary<ValueMap> {
  return keys.chain((names) =>
    fc
      .tuple(...names.map(() => of))
      .map((all) => Object.fromEntries(names.map((name, index) => [name, all[index] as Value]))),
  );
}

type Place = 'above' | 'beside' | 'below';

/** Writes a document in block style: each line that begins an entry or an item has a comment. */
function written(value: ValueMap, indent: number, place: Place): Written {
  const lines: string[] = [];
  let count = 0;
  const add = (column: number, text: string): void => {
    const comment = `# c${count++}`;
    const start = ' '.repeat(column);
    if (place === 'above') lines.push(start + comment, start + text);
    else if (place === 'beside') lines.push(`${start}${text} ${comment}`);
    // A comment that is indented deeper belongs to what is above it.
    else lines.push(start + text, `${start} ${comment}`);
  };
  const write = (node: Value, column: number, lead: string): void => {
    if (isMap(node)) {
      let start = lead;
      if (lead !== '') add(column - indent, start.trimEnd());
      for (const [key, one] of Object.entries(node)) {
        start = '';
        if (isMap(one) || Array.isArray(one)) {
          add(column, `${key}:`);
          write(one, column + indent, start);
        } else add(column, `${key}: ${toJsonText(one)}`);
      }
    } else if (Array.isArray(node)) {
      if (lead !== '') add(column - indent, lead.trimEnd());
      for (const one of node) {
        if (isMap(one) || Array.isArray(one)) write(one, column + indent, '- ');
        else add(column, `- ${toJsonText(one)}`);
      }
    }
  };
  write(value, 0, '');
  return { value, text: `${lines.join('\n')}\n` };
}

/** A change of a value: at an entry or item that the numbers choose. */
function changed(node: Value, choices: readonly number[], next: Value): Value {
  const [choice = 0, ...rest] = choices;
  if (Array.isArray(node)) {
    const at = choice % (node.length + 1);
    if (at === node.length) return rest.length > 1 ? [...node, next] : node.length > 1 ? node.slice(0, -1) : node;
    return node.map((one, index) => (index === at ? changed(one, rest, next) : one));
  }
  if (!isMap(node)) return next;
  const names = Object.keys(node);
  const at = choice % (names.length + 2);
  if (at === names.length) return { ...node, added: next };
  const name = names[at % names.length] as string;
  if (at > names.length && names.length > 1)
    return Object.fromEntries(Object.entries(node).filter(([key]) => key !== name));
  return { ...node, [name]: changed(node[name] as Value, rest, next) };
}

/** Numbers of the comments of a text, in their order. */
const comments = (text: string): string[] => [...text.matchAll(/# c\d+$/gm)].map(([comment]) => comment);

/** Returns the line above each comment. */
function linesAbove(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n');
  return new Map(
    lines.flatMap((line, at) => (/^ *# c/.test(line) ? [[line.trim(), lines[at - 1] ?? ''] as const] : [])),
  );
}

const plain = (node: unknown): unknown =>
  JSON.parse(JSON.stringify(node, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));

describe('an edited text', () => {
  it('is read by js-yaml as the new value, and keeps the other lines', { timeout: LONG }, () => {
    const { numRuns } = runs(2000);
    let compared = 0;
    const places = fc.constantFrom<Place>('above', 'beside', 'below');
    const choices = fc.array(fc.nat(20), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(mapOf(value), fc.constantFrom(2, 4), places, choices, value, (before, indent, place, at, next) => {
        const { text } = written(before, indent, place);
        expect(plain(load(text, { schema: CORE_SCHEMA }))).toEqual(plain(before));
        const after = changed(before, at, next) as ValueMap;
        const edited = textWithValue(text, before, after);
        if (edited === undefined) return;
        compared += 1;
        expect(plain(load(edited, { schema: CORE_SCHEMA }))).toEqual(plain(after));
        expect(readStream(edited).documents.map((document) => document.value)).toEqual([after]);
        // Only what is written anew has no comments any more, and the others keep their order.
        const kept = comments(edited);
        expect(comments(text).filter((comment) => kept.includes(comment))).toEqual(kept);
        const lines = text.split('\n');
        const others = edited.split('\n').filter((line) => !lines.includes(line));
        // The lines of a large value may be equal to others.
        if (place === 'below' && !isLarge(next)) {
          const earlier = linesAbove(text);
          const isOnlyOne = (line: string | undefined): boolean =>
            [text, edited].every((one) => one.split('\n').filter((other) => other === line).length === 1);
          for (const [comment, line] of linesAbove(edited))
            if (isOnlyOne(earlier.get(comment))) expect(line).toBe(earlier.get(comment));
        }
        if (plainSize(before) === plainSize(after) && !isLarge(next)) expect(others.length).toBeLessThanOrEqual(1);
        if (JSON.stringify(plain(before)) === JSON.stringify(plain(after))) expect(edited).toBe(text);
      }),
      { numRuns },
    );
    expect(compared).toBeGreaterThan(numRuns / 3);
  });
});

const isLarge = (node: Value): boolean => typeof node === 'object' || (typeof node === 'string' && node.includes('\n'));

/** Returns the number of entries and items, and of lines. */
function plainSize(node: Value): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, one) => sum + plainSize(one) + 1, 0);
  if (isMap(node)) return Object.values(node).reduce<number>((sum, one) => sum + plainSize(one) + 1, 0);
  return typeof node === 'string' ? node.split('\n').length : 1;
}
