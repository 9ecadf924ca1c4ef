import { describe, expect, it } from 'vitest';
import { lackExamples, nearMisses, nextExamples } from './near-misses.ts';
import { nextPurposes, type Purpose, purposes } from './on-purpose.ts';
import { lacks } from './published.ts';
import { recordedDisagreement } from './purposes-recorded.ts';

/** Pairs of which one difference is a case of the other: a refused object, and what `validate` says of it. */
const KIN: readonly (readonly [string, string])[] = [];

const isKin = (one: Purpose, other: Purpose): boolean =>
  KIN.some((pair) => pair.includes(one.reason) && pair.includes(other.reason));

describe.each(purposes.map((purpose) => ({ purpose, reason: purpose.reason })))('$reason', ({ purpose }) => {
  const found = recordedDisagreement(purpose);

  it('holds for its sample', () => {
    expect(found).toBeDefined();
    expect(found && purpose.holds(found, purpose.sample)).toBe(true);
  });

  it('does not hold for its near miss', () => {
    const miss = nearMisses[purpose.reason];
    expect(miss).toBeDefined();
    expect(found && purpose.holds({ ...found, ...miss?.found }, miss?.input ?? purpose.sample)).toBe(false);
  });

  it('does not hold for the samples of the others', () => {
    const others = purposes.filter((other) => other !== purpose && !isKin(purpose, other));
    const held = others.filter((other) => {
      const theirs = recordedDisagreement(other);
      return theirs !== undefined && purpose.holds(theirs, other.sample);
    });
    expect(held.map(({ reason }) => reason)).toEqual([]);
  });
});

describe.each(nextPurposes.map((purpose) => ({ purpose, documented: purpose.documented })))(
  'with kro 0.10: $documented',
  ({ purpose }) => {
    const example = nextExamples[purpose.documented];

    it('holds for its example', () => {
      expect(example && purpose.holds(example.found, example.input ?? purpose.sample)).toBe(true);
    });

    it('does not hold for its near miss', () => {
      const not = example?.not;
      expect(example && purpose.holds({ ...example.found, ...not?.found }, not?.input ?? purpose.sample)).toBe(false);
    });
  },
);

describe.each(
  Object.entries(lacks).flatMap(([version, rows]) => rows.map((row) => ({ version, row, documented: row.documented }))),
)('$version: $documented', ({ version, row }) => {
  const example = lackExamples[version]?.[row.documented];

  it('holds for its example', () => {
    expect(example && row.holds(example.found, row.sample)).toBe(true);
  });

  it('does not hold for its near miss', () => {
    expect(example && row.holds({ ...example.found, ...example.not }, row.sample)).toBe(false);
  });
});

it('every example is of a row', () => {
  expect(Object.keys(nearMisses).sort()).toEqual(purposes.map(({ reason }) => reason).sort());
  expect(Object.keys(nextExamples).sort()).toEqual(nextPurposes.map(({ documented }) => documented).sort());
  for (const [version, rows] of Object.entries(lacks))
    expect(Object.keys(lackExamples[version] ?? {}).sort()).toEqual(rows.map(({ documented }) => documented).sort());
});
