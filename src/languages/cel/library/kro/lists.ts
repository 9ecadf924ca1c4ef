/** kro's list functions, which return a changed copy (pkg/cel/library/lists.go). */
import { fn, type Library } from '../../library.ts';
import { INT, listOf, param } from '../../types.ts';
import { type CelValue, failure } from '../../value/values.ts';

type List = readonly CelValue[];

const T = param('T');
const LIST = listOf(T);

/** Checks the index of an item, or of the position after the last if `bracket` is ']'. */
function within(name: string, list: List, index: bigint, bracket: ')' | ']'): number {
  const last = BigInt(list.length) - (bracket === ')' ? 1n : 0n);
  if (index < 0n || index > last) {
    throw failure(`lists.${name}: index ${index} out of bounds [0, ${list.length}${bracket}`);
  }
  return Number(index);
}

const setAtIndex = (list: List, index: bigint, value: CelValue): List =>
  list.with(within('setAtIndex', list, index, ')'), value);

const insertAtIndex = (list: List, index: bigint, value: CelValue): List =>
  list.toSpliced(within('insertAtIndex', list, index, ']'), 0, value);

const removeAtIndex = (list: List, index: bigint): List => list.toSpliced(within('removeAtIndex', list, index, ')'), 1);

const grown = (list: List): number => list.length + 1;

export const kroLists: Library = {
  name: 'kro lists',
  overloads: [
    fn('lists.setAtIndex', [LIST, INT, T], LIST, setAtIndex, { size: grown }),
    fn('lists.insertAtIndex', [LIST, INT, T], LIST, insertAtIndex, { size: grown }),
    fn('lists.removeAtIndex', [LIST, INT], LIST, removeAtIndex, { size: grown }),
  ],
};
