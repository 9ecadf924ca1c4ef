import { describe, expect, it } from 'vitest';
import type { Outcome } from './compare.ts';
import { isTracedSince } from './first-commit.ts';
import { configMap, packageWith } from './on-purpose.ts';

const { objects } = packageWith(
  configMap('c', "name: '${one}'").replace('{id: c,', '{id: c, forEach: [{one: \'${["x"]}\'}],'),
  "name: string}, status: {state: '${schema.spec.name}', box: {size: '${size(c)}', word: '${schema.spec.name}'}",
);
const outcome = (rest: Partial<Outcome>): Outcome => ({ subject: 'App/one', ...rest });
const failing = (error: string): Outcome => outcome({ stage: 'expand', error });
const MISSING = 'includeWhen "schema.spec.a": eval "schema.spec.a": no such key: a';

describe('what the outcome in kro 0.9 tells of the first commit of the engine of kro 0.10', () => {
  it.each<[string, Outcome, Outcome, boolean]>([
    ['a condition that waits', failing(MISSING), outcome({ stage: 'pending' }), true],
    [
      'a condition that fails for another reason',
      failing('includeWhen "x": eval "x": division by zero'),
      outcome({ stage: 'pending' }),
      false,
    ],
    ['a condition that fails in both', failing(MISSING), failing(MISSING), false],
    ['a state of the author', outcome({}), outcome({ status: { state: 'x' } }), true],
    ['a field that reads a collection', outcome({}), outcome({ status: { box: { size: 0 } } }), true],
    [
      'a field that was there before',
      outcome({ status: { box: { size: 0 } } }),
      outcome({ status: { box: { size: 1 } } }),
      false,
    ],
    ['a field that reads no collection', outcome({}), outcome({ status: { box: { word: 'x' } } }), false],
  ])('%s', (_, was, is, expected) => {
    expect(isTracedSince(was, is, objects)).toBe(expected);
  });
});
