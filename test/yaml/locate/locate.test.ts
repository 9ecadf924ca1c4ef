import { describe, expect, test } from 'vitest';
import type { Path } from '../../../src/core/model/value.ts';
import { createLocator, type FieldPosition } from '../../../src/yaml/locate/locate.ts';

const locator = createLocator();

/** `LINE:COLUMN-END` of a location and the rest of its line from there. */
function at(text: string, path: Path, more: Partial<FieldPosition> = {}): string | undefined {
  const found = locator({ text, document: 0, path, ...more });
  if (found === undefined) return undefined;
  const end = found.endColumn === undefined ? '' : `-${found.endColumn}`;
  return `${found.line}:${found.column}${end} ${found.lineText.slice(found.column - 1)}`.trimEnd();
}

const text = `# a comment
spec:
  name: "x y" # why
  'quoted': 'it''s'
  empty:
  list:
    - id: a
      flow: [1, {b: c}, []]
    -
      id: b
    - null
  base: &base {p: q}
  copy: *base
  more:
    <<: *base
    r: s
  yes: 1
`;

describe('the positions of values and keys', () => {
  test.each<[string, Path, string]>([
    ['a plain value', ['spec', 'list', 0, 'id'], '7:11-12 a'],
    ['a quoted value, quotes included', ['spec', 'name'], '3:9-14 "x y" # why'],
    ['single quotes', ['spec', 'quoted'], "4:13-20 'it''s'"],
    ['the key of a map', ['spec'], '2:1-5 spec:'],
    ['the key of a list', ['spec', 'list'], '6:3-7 list:'],
    ['the key of nothing', ['spec', 'empty'], '5:3-8 empty:'],
    ['a map in a list', ['spec', 'list', 0], '7:7 id: a'],
    ['a map in a list on the next line', ['spec', 'list', 1], '10:7 id: b'],
    ['a null in a list', ['spec', 'list', 2], '11:7-11 null'],
    ['inside of a flow list', ['spec', 'list', 0, 'flow', 1, 'b'], '8:21-22 c}, []]'],
    ['a flow map', ['spec', 'list', 0, 'flow', 1], '8:17 {b: c}, []]'],
    ['an alias', ['spec', 'copy', 'p'], '12:19-20 q}'],
    ['what is merged in', ['spec', 'more', 'p'], '12:19-20 q}'],
    ['beside what is merged in', ['spec', 'more', 'r'], '16:8-9 s'],
    ['a key that is not a string as written', ['spec', 'true'], '17:8-9 1'],
    ['the document', [], '2:1 spec:'],
    ['a missing key: its map', ['spec', 'list', 0, 'nope'], '7:7 id: a'],
    ['a missing item: its list', ['spec', 'list', 9, 'x'], '6:3-7 list:'],
    ['beyond a scalar: the scalar', ['spec', 'name', 'x', 0], '3:9-14 "x y" # why'],
  ])('%s', (_, path, expected) => {
    expect(at(text, path)).toBe(expected);
  });

  test('are those of the key on request', () => {
    expect(at(text, ['spec', 'name'], { target: 'key' })).toBe('3:3-7 name: "x y" # why');
    expect(at(text, ['spec', 'quoted'], { target: 'key' })).toBe("4:3-11 'quoted': 'it''s'");
  });

  test('count documents as they are read', () => {
    const stream = '# c\n---\n---\na: 1\n---\r\nb:\r\n  c: 2\r\n';
    expect(at(stream, ['a'], { document: 1 })).toBe('4:4-5 1');
    expect(at(stream, ['b', 'c'], { document: 2 })).toBe('7:6-7 2');
    expect(at(stream, [], { document: 3 })).toBeUndefined();
    expect(at('{"a":1} {"b":\n2}', ['b'], { document: 1 })).toBe('2:1-2 2}');
  });

  test('do not exist in a document that is not YAML', () => {
    expect(at('a: b: c', ['a'])).toBeUndefined();
  });

  test('exist in many documents of many texts', () => {
    const stream = Array.from({ length: 200 }, (_, index) => `a${index}: 1\n`).join('---\n');
    for (let round = 0; round < 20; round++) {
      const other = `${stream}# ${round}`;
      for (let document = 0; document < 200; document += 50) {
        expect(at(other, [`a${document}`], { document, target: 'key' })).toMatch(`${document * 2 + 1}:1-`);
      }
    }
  });
});

describe('the position of a character in a scalar', () => {
  /** The source from the position of the first `@` of the value on; the `@`s are not in the text. */
  test.each<[string, string, number, string]>([
    ['plain', 'a: ${x.y}', 2, '1:6 x.y}'],
    ['at its end', 'a: xy', 2, '1:6'],
    ['beyond its end', 'a: xy', 9, '1:6'],
    ['double-quoted', 'a: "${x}"', 2, '1:7 x}"'],
    ['after escapes', 'a: "\\"\\u00e9\\U0001F600\\x41${x}"', 7, '1:29 x}"'],
    ['single-quoted', "a: '''${''x''}'", 4, "1:11 x''}'"],
    ['folded plain lines', 'a: one\n  two\n\n  three', 5, '2:4 wo'],
    ['after a blank line', 'a: one\n  two\n\n  three', 9, '4:4 hree'],
    ['folded double quotes', 'a: "one  \n  two\\\n   three"', 8, '3:5 hree"'],
    ['folded single quotes', "a: 'one\n\n\n  two'", 5, "4:3 two'"],
    ['a literal block', 'a: |\n    one\n      two\n    three\n', 7, '3:8 wo'],
    ['with an indentation indicator', 'a: |2-\n    one\n  two\n', 6, '3:3 two'],
    ['after blank lines', 'a: |\n\n\n  one\n', 2, '4:3 one'],
    ['with CRLF', 'a: |\r\n  one\r\n  two\r\n', 4, '3:3 two'],
    ['its first character', 'a: |\n  one\n', 0, '2:3 one'],
    ['a folded block', 'a: >-\n  one\n  two\n\n  three\n', 8, '5:3 three'],
    ['a folded block with deeper lines', 'a: >\n  one\n    two\n  three\n  four\n', 16, '5:3 four'],
    ['the break between two lines', 'a: >\n  one\n  two\n', 3, '2:6'],
    ['in a list in a map', 'a:\n- b: >-\n    x\n    ${y}\n', 4, '4:7 y}'],
  ])('%s', (_, source, offset, expected) => {
    const path: Path = source.startsWith('a:\n-') ? ['a', 0, 'b'] : ['a'];
    expect(at(source, path, { offset })).toBe(expected);
  });

  test('of a block is that of its source', () => {
    const lines = ['if (a)', '  b # c', '', '\tx', 'd: e'];
    const source = `k:\n  - |\n${lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')}\n`;
    const value = `${lines.join('\n')}\n`;
    [...value].forEach((char, offset) => {
      const found = locator({ text: source, document: 0, path: ['k', 0], offset });
      if (char !== '\n') expect(found?.lineText[(found?.column ?? 0) - 1]).toBe(char);
    });
  });
});
