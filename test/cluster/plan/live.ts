import { getAt, type ValueMap } from '../../../src/core/model/value.ts';
import { byIdentity } from '../../differential/compare.ts';
import type { Api } from '../control-plane/api.ts';
import { appliedBy } from '../managed-fields.ts';
import { KRO, whole } from '../verdict.ts';

/** How long a list serves several cases, in milliseconds. */
const FRESH = 1_000;
const GROUP = 'kro.run/instance-group';

/** Reads the objects that kro manages. */
export class LiveObjects {
  private readonly lists = new Map<string, { at: number; items: Promise<ValueMap[]> }>();
  constructor(private readonly api: Pick<Api, 'list'>) {}

  /** What kro applied for the instances of a case, by identity; `kinds` has an object of each kind. */
  async of(label: string, kinds: readonly ValueMap[]): Promise<Map<string, string>> {
    const lists = await Promise.all(kinds.map((kind) => this.list(kind)));
    const parts = lists.flat().flatMap((object) => {
      const group = String(getAt(object, ['metadata', 'labels', GROUP]) ?? '');
      // An object with a finalizer of a controller that does not run here stays, but it is deleted.
      const isDeleted = getAt(object, ['metadata', 'deletionTimestamp']) !== undefined;
      const applied = group.startsWith(`${label}.`) && !isDeleted ? appliedBy(object, KRO) : undefined;
      return applied === undefined ? [] : [whole(applied, object)];
    });
    return byIdentity(parts);
  }

  private list(kind: ValueMap): Promise<ValueMap[]> {
    const key = `${kind.apiVersion} ${kind.kind}`;
    const known = this.lists.get(key);
    if (known !== undefined && Date.now() - known.at < FRESH) return known.items;
    const items = this.api.list(kind).catch(() => []);
    this.lists.set(key, { at: Date.now(), items });
    return items;
  }
}

/** The objects that differ between two revisions, as `plan` lists them. */
export interface LiveChange {
  added: string[];
  changed: string[];
  removed: string[];
}

export function changeBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): LiveChange {
  const [old, young] = [[...before.keys()], [...after.keys()]];
  return {
    added: young.filter((one) => !before.has(one)).sort(),
    changed: young.filter((one) => before.has(one) && before.get(one) !== after.get(one)).sort(),
    removed: old.filter((one) => !after.has(one)).sort(),
  };
}
