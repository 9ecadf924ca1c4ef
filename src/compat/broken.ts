import type { InputObject } from '../model/object.ts';
import type { Path } from '../model/value.ts';
import type { Graph } from '../rgd/compile/index.ts';
import type { SchemaChange } from './changes.ts';

/** The instances that the old schema takes and the new one refuses, each with the fields that it refuses. */
export function refusedBy(
  instances: readonly InputObject[],
  before: Graph,
  after: Graph,
): Map<InputObject, readonly Path[]> {
  const refused = new Map<InputObject, readonly Path[]>();
  for (const input of instances) {
    if (before.admission.admit(input.object, undefined, false).problems.length > 0) continue;
    const { problems } = after.admission.admit(input.object, undefined, false);
    if (problems.length > 0)
      refused.set(
        input,
        problems.map(({ path }) => path),
      );
  }
  return refused;
}

/** The instances that a change breaks: those whose refused fields are the one that changed, or below it, or around it. */
export const brokenBy = (change: SchemaChange, refused: ReadonlyMap<InputObject, readonly Path[]>): InputObject[] =>
  [...refused].flatMap(([input, paths]) => (paths.some((path) => areOnOneWay(change.path, path)) ? [input] : []));

/** `items` and `values` of a schema stand for any step of a value. */
function areOnOneWay(schemaPath: Path, path: Path): boolean {
  if (path.length < schemaPath.length) return false;
  return schemaPath.every((step, index) => step === path[index] || isAny(step, path[index]));
}

const isAny = (step: string | number, actual: string | number | undefined): boolean =>
  (step === 'items' && typeof actual === 'number') || (step === 'values' && typeof actual === 'string');
