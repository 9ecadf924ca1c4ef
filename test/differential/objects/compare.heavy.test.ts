import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sample } from '../draw.ts';
import { compareObjects, NOT_LOOKED_FOR, type ObjectDisagreement, type ObjectOracle, validated } from './compare.ts';
import { objectsOf } from './generated.ts';

const inputs = sample(objectsOf, 20, 5);

/** An oracle that always gives the same answer. */
const oracleOf = (errors: readonly string[]): ObjectOracle => ({
  ask: async (questions) =>
    questions.map(({ objects }) => ({ verdicts: objects.map(() => ({ errors: [...errors] })) })),
  close: () => {},
});

it('generates objects that validate accepts, others that it rejects, and the same for the same seed', () => {
  expect(sample(objectsOf, 20, 5)).toEqual(inputs);
  const verdicts = inputs.flatMap(({ crd, specs }) => specs.map((spec) => validated(crd, spec)));
  expect(verdicts.filter((found) => found.length === 0).length).toBeGreaterThan(5);
  expect(verdicts.filter((found) => found.length > 0).length).toBeGreaterThan(20);
  expect(verdicts.flat().filter((one) => !one.startsWith('rendered-'))).toEqual([]);
});

/** Those about objects: others are about the defaults of a CRD, for which the oracle has no answer of its own. */
const ofObjects = (all: readonly ObjectDisagreement[]): readonly ObjectDisagreement[] =>
  all.filter(({ spec }) => spec !== null);

it('reports what only one side rejects', async () => {
  const alarms = await compareObjects(oracleOf([]), inputs);
  const unseen = await compareObjects(oracleOf(['spec.a: Invalid value: 1']), inputs);
  const ofAlarms = ofObjects(alarms.disagreements);
  const ofUnseen = ofObjects(unseen.disagreements);
  expect(new Set(ofAlarms.map(({ kind }) => kind))).toEqual(new Set(['false alarm']));
  expect(new Set(ofUnseen.map(({ kind }) => kind))).toEqual(new Set(['unseen']));
  expect(ofAlarms.length + ofUnseen.length).toBe(alarms.compared);
});

it('counts documented differences as not checked', async () => {
  const { disagreements, notLookedFor } = await compareObjects(oracleOf(['validation failed: cost budget']), inputs);
  expect(ofObjects(disagreements)).toEqual([]);
  expect(notLookedFor).toBeGreaterThan(5);
});

it('documents what is not checked', () => {
  const page = readFileSync('docs/validate.md', 'utf8').replace(/\s+/g, ' ');
  for (const { documented } of NOT_LOOKED_FOR) expect(page).toContain(documented);
});
