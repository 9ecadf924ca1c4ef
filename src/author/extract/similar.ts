import { groupKindOf } from '../../core/model/object.ts';
import { leavesOf, sharedFields } from './leaves.ts';
import type { Copy, Identity } from './model.ts';

/** The share of fields that a copy has in common with the first one of its group. */
const ALIKE = 0.4;

/** Returns the groups of copies that are copies of one thing. Each copy is compared with the first one of each group. */
export function groupsOf(copies: readonly Copy[], identities: readonly Identity[]): Copy[][] {
  const groups: { fields: ReadonlySet<string>; kinds: ReadonlySet<string>; copies: Copy[] }[] = [];
  for (const [index, copy] of copies.entries()) {
    const fields = fieldsOf(copy, identities[index]?.own ?? '');
    const kinds = new Set(copy.objects.map(({ object }) => groupKindOf(object)));
    const group = groups.find(
      (one) => sharedFields(one.fields, fields) >= ALIKE && sharedFields(one.kinds, kinds) >= ALIKE,
    );
    if (group === undefined) groups.push({ fields, kinds, copies: [copy] });
    else group.copies.push(copy);
  }
  return groups.map((group) => group.copies);
}

/** Returns the fields of all objects of a copy by kind. */
function fieldsOf({ objects }: Copy, name: string): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const { object } of objects) {
    for (const path of leavesOf(object, name).keys()) fields.add(`${groupKindOf(object)}${path}`);
  }
  return fields;
}
