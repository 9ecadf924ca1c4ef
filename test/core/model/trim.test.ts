import { describe, expect, it } from 'vitest';
import { addField, EACH, noFields, type Step, trimmed } from '../../../src/core/model/read.ts';
import type { Value } from '../../../src/core/model/value.ts';

const value: Value = {
  id: 'x',
  list: [{ a: '1', b: '2' }, { a: '3' }, 'text'],
  map: { one: { a: '1', b: '2' }, two: {} },
  none: null,
};

function kept(...paths: readonly (readonly [readonly Step[], boolean])[]): Value {
  const tree = noFields();
  for (const [path, whole] of paths) addField(tree, path, whole);
  return trimmed(value, [tree]);
}

describe('trimming', () => {
  it.each([
    ['a field', [[['id'], true]], { id: 'x' }],
    ['a field that is not there', [[['other', 'id'], true]], {}],
    ['a field below one that is there', [[['map', 'three', 'a'], true]], { map: {} }],
    ['a field below a text', [[['id', 'a'], true]], { id: 'x' }],
    ['a null', [[['none'], true]], { none: null }],
    ['a whole map', [[['map'], true]], { map: { one: { a: '1', b: '2' }, two: {} } }],
    ['only whether a map is there', [[['map'], false]], { map: {} }],
    ['only whether a text is there', [[['id'], false]], { id: 'x' }],
    ['an element, and the place of those before it', [[['list', 1, 'a'], true]], { list: [{}, { a: '3' }] }],
    ['an element that is not there', [[['list', 7], true]], { list: [{}, {}, 'text'] }],
    ['a field of every element', [[['list', EACH, 'a'], true]], { list: [{ a: '1' }, { a: '3' }, 'text'] }],
    ['how many there are', [[['list', EACH], false]], { list: [{}, {}, 'text'] }],
    ['a field of every value', [[['map', EACH, 'a'], true]], { map: { one: { a: '1' }, two: {} } }],
    [
      'a field of every element, and another one of the first',
      [
        [['list', EACH, 'a'], true],
        [['list', 0, 'b'], true],
      ],
      { list: [{ a: '1', b: '2' }, { a: '3' }, 'text'] },
    ],
  ] as [string, [Step[], boolean][], Value][])('keeps %s', (_, paths, expected) => {
    expect(kept(...paths)).toEqual(expected);
  });
});
