import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelValueFault, nameFault } from '../../src/core/model/names.ts';
import { labelValue } from '../../src/kubernetes/label/index.ts';
import { LONG, runs } from './runs.ts';

const alphanumeric = 'abcxyz019';
const name = (inner: string, maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...alphanumeric),
      fc.string({ unit: fc.constantFrom(...inner), maxLength, size: 'max' }),
      fc.constantFrom(...alphanumeric),
    )
    .map((parts) => parts.join(''));
/** Valid names, and valid label values except for their length. */
const values = fc.oneof(
  name(`${alphanumeric}--..`, 251).filter((value) => nameFault({ group: '', kind: 'ConfigMap' }, value) === undefined),
  name(`${alphanumeric}-._AZ`, 300),
);

const shortened = (value: string): { value: string; told: boolean } => {
  let told = false;
  const short = labelValue(value, () => {
    told = true;
  });
  return { value: short, told };
};

describe('label values', () => {
  it(
    'are valid, reported if they are shortened, and deterministic',
    () => {
      fc.assert(
        fc.property(values, (value) => {
          const first = shortened(value);
          expect(labelValueFault(first.value)).toBeUndefined();
          expect(first.told).toBe(value.length > 63);
          if (!first.told) expect(first.value).toBe(value);
          expect(shortened(value)).toEqual(first);
        }),
        runs(1000),
      );
    },
    LONG,
  );

  it(
    'are different for names that differ after the shortened part',
    () => {
      fc.assert(
        fc.property(
          fc.string({ unit: fc.constantFrom(...alphanumeric), minLength: 60, maxLength: 90 }),
          fc.uniqueArray(name(alphanumeric, 6), { minLength: 2 }),
          (start, ends) => {
            const made = ends.map((end) => shortened(`${start}${end}`).value);
            expect(new Set(made).size).toBe(ends.length);
          },
        ),
        runs(200),
      );
    },
    LONG,
  );
});
