import { expect, it } from 'vitest';
import { fn, matching, method } from '../../../../src/languages/cel/library.ts';
import { INT, listOf, STRING } from '../../../../src/languages/cel/types.ts';

it('an implementation has the parameters of its declaration, or it does not compile', () => {
  const repeat = (text: string, times: bigint): string => text.repeat(Number(times));
  const wrong = [
    // @ts-expect-error the parameters have another order
    fn('repeat', [INT, STRING], STRING, repeat),
    // @ts-expect-error there is one parameter
    method('repeat', [STRING], STRING, repeat),
    // @ts-expect-error the items are texts
    method('sum', [listOf(STRING)], INT, (list: readonly bigint[]) => list.length),
    // @ts-expect-error the cost depends on the same arguments
    method('repeat', [STRING, INT], STRING, repeat, { work: (times: bigint) => Number(times) }),
    // @ts-expect-error a pattern is a text
    matching(method, 'find', [STRING, INT], STRING, (_charge, text) => text),
  ];
  expect(wrong.map(({ name }) => name)).toEqual(['repeat', 'repeat', 'sum', 'repeat', 'find']);
  expect(fn('repeat', [STRING, INT], STRING, repeat).params).toEqual([STRING, INT]);
});
