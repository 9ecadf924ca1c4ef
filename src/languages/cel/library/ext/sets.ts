/** cel-go ext.Sets, which validation rules have and kro does not (https://pkg.go.dev/github.com/google/cel-go/ext#Sets). */
import { fn, type Library } from '../../library.ts';
import { BOOL, listOf, param } from '../../types.ts';
import { valueSet } from '../../value/equal.ts';
import type { CelValue } from '../../value/values.ts';

type List = readonly CelValue[];

const LIST = listOf(param('T'));

function contains(list: List, part: List): boolean {
  const set = valueSet(list);
  return part.every((item) => set.has(item));
}

function intersects(a: List, b: List): boolean {
  const set = valueSet(b);
  return a.some((item) => set.has(item));
}

export const sets: Library = {
  name: 'cel-go ext.Sets',
  overloads: [
    fn('sets.contains', [LIST, LIST], BOOL, contains),
    fn('sets.equivalent', [LIST, LIST], BOOL, (a: List, b: List) => contains(a, b) && contains(b, a)),
    fn('sets.intersects', [LIST, LIST], BOOL, intersects),
  ],
};
