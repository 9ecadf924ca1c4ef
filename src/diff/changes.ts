import { EACH } from '../model/path.ts';
import { equal, get, isMap, type Path, type Value } from '../model/value.ts';
import type { Reviewed } from './reviewed.ts';

/** A field that differs; without `before` it is new, without `after` it is gone. */
export interface FieldChange {
  path: Path;
  before?: Value;
  after?: Value;
}

/**
 * What became of an object. `replaced`: the node of the instance renders another identity now, so that the old object is
 * deleted and a new one created.
 */
export interface ObjectChange {
  change: 'added' | 'removed' | 'changed' | 'replaced';
  before?: Reviewed;
  after?: Reviewed;
  /** The versions as they may be shown. */
  shown: { before?: Value; after?: Value };
  fields: readonly FieldChange[];
}

/** The deepest fields that differ, sorted by key; items of lists are compared by their place. */
export function fieldChanges(before: Value | undefined, after: Value | undefined, path: Path = []): FieldChange[] {
  if (equal(before, after)) return [];
  if (isMap(before) && isMap(after)) {
    const keys = [...Object.keys(before), ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))].sort();
    return keys.flatMap((key) => fieldChanges(get(before, key), get(after, key), [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => fieldChanges(before[index], after[index], [...path, index])).flat();
  }
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

/** Whether a change lies at, in or around a path; `EACH` stands for every element. */
export const touches = (change: Path, path: readonly (string | typeof EACH)[]): boolean =>
  path.every((step, at) => at >= change.length || step === EACH || step === change[at]);
