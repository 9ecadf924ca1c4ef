import type { InputObject } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';
import type { SchemaChange } from './changes.ts';

/** Returns the instances that the old schema accepts and the new one rejects, each with the rejected fields. */
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

/** An instance that a change breaks, and the rejected fields: the changed one, or those below it. */
export interface Broken {
  input: InputObject;
  paths: readonly Path[];
}

/** Returns the instances that a change breaks. */
export const brokenBy = (change: SchemaChange, refused: ReadonlyMap<InputObject, readonly Path[]>): Broken[] =>
  [...refused].flatMap(([input, all]) => {
    const paths = all.filter((path) => areOnOneWay(change.path, path));
    return paths.length === 0 ? [] : [{ input, paths }];
  });

function areOnOneWay(schemaPath: Path, path: Path): boolean {
  if (path.length < schemaPath.length) return false;
  return schemaPath.every((step, index) => step === path[index] || isAny(step, path[index]));
}

const isAny = (step: string | number, actual: string | number | undefined): boolean =>
  (step === 'items' && typeof actual === 'number') || (step === 'values' && typeof actual === 'string');
