/** Tests collections of nodes: their objects were read with a schema, their list has none. */
import { describe, expect, test } from 'vitest';
import { declaredType } from '../../../src/kro/compile/declared-type.ts';
import { type CelType, DYN, listOf } from '../../../src/languages/cel/types.ts';
import { json } from './engine.ts';

const object = declaredType({ type: 'object', properties: { wait: { type: 'string', format: 'duration' } } }, 'each');
const pods: CelType = { ...listOf(object ?? DYN), collection: true };
const setting = { types: { pods, none: pods }, values: { pods: [{ wait: '90s' }], none: [] } };

describe('a list accepts items of any type', () => {
  test.each([
    ['pods + [null]', [{ wait: '90s' }, null]],
    ['none + [dyn(1)]', [1n]],
    ['(none + dyn(["a"]))[?0].hasValue()', true],
    ['cel.bind(l, pods, l + [dyn("a")])', [{ wait: '90s' }, 'a']],
  ])('%s', (source, expected) => expect(json(source, setting)).toEqual(expected));
});

test.each([
  ['optional.ofNonZeroValue(none).hasValue()', false],
  ['optional.ofNonZeroValue(pods).hasValue()', true],
  ['pods[0].wait.getSeconds()', 90n],
  ['pods == pods', true],
])('%s', (source, expected) => expect(json(source, setting)).toEqual(expected));

test.each(['[0.0 / 0.0]', '{"a": 0.0 / 0.0}', 'optional.of(0.0 / 0.0)', '[[0.0 / 0.0]]'])(
  '%s is not equal to itself',
  (source) => {
    expect(json(`cel.bind(x, ${source}, x == x || x in [x] || [x, x].distinct().size() == 1)`)).toBe(false);
  },
);
