import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/core/diagnostics/diagnostic.ts';
import { groupVersionKind, type KubeObject } from '../../../src/core/model/object.ts';
import { getAt, isMap, type Value } from '../../../src/core/model/value.ts';
import { instanceSchema } from '../../../src/kro/simpleschema/index.ts';
import { compileAdmission } from '../../../src/kubernetes/validation/index.ts';
import { casesWith, crdOf, isRgd, jsonOf, objectsOf } from '../../kro/simpleschema/cases.ts';
import { asReports } from '../../messages.ts';

/** Admits every instance of a case; validation rules belong to the compile step and are skipped here. */
function admitAll(name: string): Problem[] {
  const objects = objectsOf(name);
  const admissions = new Map(
    objects.filter(isRgd).map((rgd) => {
      const crd = crdOf(rgd);
      const key = `${getAt(crd, ['spec', 'group'])}/${getAt(crd, ['spec', 'names', 'kind'])}`;
      return [
        key,
        compileAdmission(instanceSchema(crd), { rules: { applies: () => false, run: () => undefined } }),
      ] as const;
    }),
  );
  const admissionFor = (object: KubeObject) => {
    const { group, kind } = groupVersionKind(object);
    return admissions.get(`${group}/${kind}`);
  };
  return objects.flatMap((object) => asReports(admissionFor(object)?.admit(object).problems ?? []));
}

describe('instances that kro accepts', () => {
  test.each(casesWith('expected.json').filter((name) => !name.startsWith('cel/')))('%s', (name) => {
    expect(admitAll(name)).toEqual([]);
  });
});

describe('instances that kro rejects', () => {
  const refusals = casesWith('expected-error.json').flatMap((name): [string, string][] => {
    const error: Value = jsonOf(name, 'expected-error.json');
    const text = isMap(error) && error.stage === 'instance' ? String(error.kro) : '';
    // The version is checked elsewhere, rules need CEL, an inner instance exists only after rendering, and a Graph is
    // checked when it is read.
    const elsewhere = /is not served|validation failed/.test(text) || /chain|-graph-/.test(name);
    return text === '' || elsewhere ? [] : [[name, text]];
  });

  test.each(refusals)('%s: %s', (name, text) => {
    const [problem, ...more] = admitAll(name);
    expect(more).toEqual([]);
    // kro puts the path before some sentences and brackets around an unknown field.
    expect(text.replace(/\[([^\]]+)\]$/, '"$1"')).toContain(problem?.message);
  });
});
