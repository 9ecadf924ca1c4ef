import { describe, expect, test } from 'vitest';
import { nameOf } from '../../../src/core/model/object.ts';
import { isMap, type Value } from '../../../src/core/model/value.ts';
import { instanceSchema, toOpenApi, validationRules } from '../../../src/kro/simpleschema/index.ts';
import { asJson, casesWith, crdOf, isRgd, jsonOf, objectsOf, schemaOf } from './cases.ts';

/** The status is inferred from expressions, so a case with its own status is compared without it. */
function comparable(crd: Value, withStatus: boolean): Value {
  const copy = structuredClone(asJson(crd)) as unknown as Parameters<typeof instanceSchema>[0];
  if (!withStatus) delete instanceSchema(copy).properties?.status;
  return copy;
}

describe('the CRDs of the conformance cases', () => {
  test.each(casesWith('expected-crds.json'))('%s', (name) => {
    const rgds = objectsOf(name).filter(isRgd);
    const expected = jsonOf(name, 'expected-crds.json') as Value[];
    expect(rgds.length).toBeGreaterThan(0);
    for (const rgd of rgds) {
      const { status, kind } = schemaOf(rgd);
      const withStatus = !isMap(status) || Object.keys(status).length === 0;
      const crd = crdOf(rgd);
      const wanted = expected.find((one) => isMap(one) && nameOf(one) === nameOf(crd));
      expect(wanted, `a CRD for ${kind} called ${nameOf(crd)}`).toBeDefined();
      expect(comparable(crd, withStatus)).toEqual(comparable(wanted ?? null, withStatus));
    }
  });
});

/** Excludes cases whose RGD is invalid outside of its SimpleSchema. */
const ours = /field (\w|-)+: |node \w+ does not exist|serialised|CRD|ignores/;

describe('the schema errors of the conformance cases', () => {
  const names = casesWith('expected-error.json').filter((name) => {
    const error = jsonOf(name, 'expected-error.json');
    const text = isMap(error) && error.stage === 'compile' ? String(error.kro) : '';
    return ours.test(text) && (name.startsWith('schema/') || /^beyond\/01[0-6]/.test(name));
  });

  test('include many cases', () => expect(names.length).toBeGreaterThan(20));

  test.each(names)('%s', (name) => {
    const problems = objectsOf(name)
      .filter(isRgd)
      .flatMap((rgd) => {
        const { spec, types } = schemaOf(rgd);
        const { schema, problems } = toOpenApi({ spec, types });
        // The compile step checks the CEL of rules: here the rule must be complete.
        const rules = [...validationRules(schema)].filter(({ rule }) => rule.rule === 'self >');
        return [...problems, ...rules];
      });
    expect(problems).not.toEqual([]);
  });
});
