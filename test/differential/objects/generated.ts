import type { ObjectSource } from '../../../src/api/index.ts';
import { fromPlain } from '../../../src/api/plain.ts';
import { toJsonText } from '../../../src/yaml/emit/json.ts';
import type { Count } from '../../fidelity/page.ts';
import { type Draw, sample } from '../draw.ts';
import { startOracle } from '../oracle.ts';
import {
  compareObjects,
  type GeneratedObjects,
  type ObjectComparison,
  type ObjectOracle,
  type ObjectsAnswer,
  type ObjectsQuestion,
} from './compare.ts';
import { crdOf } from './schemas.ts';
import { objectOf } from './values.ts';

/** Objects for each CRD: a CRD takes longer to read than an object. */
const OBJECTS = 5;
/** CRDs in memory at a time. */
const BATCH = 100;

export const objectsOf = (draw: Draw): GeneratedObjects => {
  const { crd, spec } = crdOf(draw);
  return {
    crd: crd as ObjectSource,
    specs: draw.times(OBJECTS, OBJECTS, (index) => objectOf(draw, spec, Math.floor(index * 0.8))),
  };
};

/** Compares so many generated objects and prints the disagreements. */
export async function compareGenerated(judge: string, count: number, seed: number, shown: number): Promise<Count> {
  const oracle: ObjectOracle = startOracle<ObjectsQuestion, ObjectsAnswer>([judge, 'objects']);
  const total: ObjectComparison = {
    compared: 0,
    refused: 0,
    defaultsRefused: 0,
    crdsRefused: new Map(),
    notLookedFor: 0,
    disagreements: [],
  };
  for (let batch = 0; total.compared < count; batch += 1) {
    const inputs = sample(
      objectsOf,
      Math.min(BATCH, Math.ceil((count - total.compared) / OBJECTS)),
      seed * 1000 + batch,
    );
    const found = await compareObjects(oracle, inputs);
    total.compared += found.compared;
    total.refused += found.refused;
    total.defaultsRefused += found.defaultsRefused;
    total.notLookedFor += found.notLookedFor;
    total.disagreements.push(...found.disagreements);
    for (const [why, times] of found.crdsRefused) total.crdsRefused.set(why, (total.crdsRefused.get(why) ?? 0) + times);
  }
  oracle.close();
  print(total, shown);
  const { compared, notLookedFor, disagreements } = total;
  return {
    source: `generated objects of CRDs, seed ${seed}`,
    total: compared,
    onPurpose: notLookedFor,
    open: disagreements.length,
  };
}

function print(
  { disagreements, crdsRefused, defaultsRefused, compared, refused }: ObjectComparison,
  shown: number,
): void {
  for (const { kind, crd, spec, here, there } of disagreements.slice(0, shown)) {
    console.log(`\n=== ${kind}\n  here:  ${here.join('; ').slice(0, 400)}\n  there: ${there.join('; ').slice(0, 400)}`);
    console.log(`    ${toJsonText(fromPlain(crd))}\n    ${toJsonText(fromPlain(spec))}`);
  }
  const crds = [...crdsRefused].sort((a, b) => b[1] - a[1]).map(([why, times]) => `${times} x ${why}`);
  console.log(
    `\nobjects: ${compared} compared, ${refused} refused by the API server; ${defaultsRefused} CRDs because of a default`,
  );
  if (crds.length > 0) console.log(`CRDs that it refuses:\n  ${crds.slice(0, shown * 3).join('\n  ')}`);
}
