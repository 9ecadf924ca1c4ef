import type { Problem } from '../../core/diagnostics/index.ts';
import { allowance } from '../../core/model/limits.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { getAt, isMap, listOf, type Path } from '../../core/model/value.ts';
import { partsOf, type Schema, schemaAt, toSchema } from '../schema/index.ts';
import { compileCheck } from './check.ts';
import { META_FIELDS } from './native/index.ts';
import { asDecoded } from './scalars.ts';
import { type PatternBudget, startVisit, type Visit } from './visit.ts';

/** The maximum number of errors of one CRD. */
const MAX_FAULTS = 100;

/**
 * Returns what an API server rejects in the defaults of a CRD: a default must be valid by its own schema, without other
 * defaults (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting, ValidateDefaults).
 */
export function defaultFaults(crd: KubeObject, patterns: PatternBudget): Problem[] {
  const visit: Visit = {
    ...startVisit([], allowance(Number.POSITIVE_INFINITY)),
    of: 'rendered',
    most: MAX_FAULTS,
    hints: false,
    patterns,
    bare: true,
  };
  for (const [index, version] of listOf(getAt(crd, ['spec', 'versions'])).entries()) {
    const written = getAt(version, ['schema', 'openAPIV3Schema']);
    if (!isMap(written)) continue;
    const path = ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
    checkBelow({ ...toSchema(written, { known: new Map() }), 'x-kubernetes-embedded-resource': true }, path, visit);
  }
  // A default may have duplicates: the objects that get it are rejected.
  const refused = visit.problems.filter(({ code }) => code !== 'rendered-duplicate');
  // Nothing is dropped from a default.
  return refused.map((one) => (one.code === 'rendered-unknown-field' ? { ...one, code: 'rendered-value' } : one));
}

/**
 * Checks the defaults of what a schema describes. Other rules apply to the metadata of an object, and an API server does
 * not look at the values of maps.
 */
function checkBelow(schema: Schema, path: Path, visit: Visit): void {
  for (const { schema: part, key, of } of partsOf(schema)) {
    if (of === 'values') continue;
    if (of === 'field' && schema['x-kubernetes-embedded-resource'] === true && META_FIELDS.includes(key)) continue;
    const at = of === 'field' ? [...path, 'properties', key] : [...path, key];
    if (part.default !== undefined) {
      const { problems } = visit;
      visit.problems = [];
      visit.path = [...at, 'default'];
      compileCheck(part, 'custom')(asDecoded(part.default), visit);
      const found = visit.problems.filter((problem) => !isOfMetadata(problem, part, at.length + 1));
      visit.problems = problems.concat(found);
    }
    checkBelow(part, at, visit);
  }
}

/** Reports whether a problem is a field that the metadata of an object in a default does not have: it is dropped. */
function isOfMetadata({ code, path }: Problem, schema: Schema, start: number): boolean {
  if (code !== 'rendered-unknown-field') return false;
  const inside = path.slice(start);
  return inside.some(
    (step, index) =>
      step === 'metadata' && schemaAt(schema, inside.slice(0, index))?.['x-kubernetes-embedded-resource'] === true,
  );
}
