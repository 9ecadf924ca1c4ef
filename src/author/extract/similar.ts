import { groupKindOf } from '../../core/model/object.ts';
import { leavesOf, sharedFields, withoutItems } from './leaves.ts';
import type { Copy, Identity } from './model.ts';

/** The share of fields that a copy, or a group, has in common with a group. */
const ALIKE = 0.4;

/** Copies that are copies of one thing, with the fields and the kinds of all of them. */
interface Group {
  readonly fields: Set<string>;
  readonly kinds: Set<string>;
  /** The indexes of the copies. */
  readonly members: number[];
}

/**
 * Returns the groups of copies that are copies of one thing. Two copies with nothing in common are in one group if others
 * connect them, in any order.
 */
export function groupsOf(copies: readonly Copy[], identities: readonly Identity[]): Copy[][] {
  let groups: Group[] = [];
  for (const [index, copy] of copies.entries()) {
    const fields = fieldsOf(copy, identities[index]?.own ?? '');
    const kinds = new Set(copy.objects.map(({ object }) => groupKindOf(object)));
    groups = withGroup(groups, { fields, kinds, members: [index] });
  }
  return groups.map(({ members }) => members.flatMap((index) => copies[index] ?? []));
}

/** Returns groups with another one, which joins all that are like it; those are like what has joined them before, too. */
function withGroup(groups: readonly Group[], added: Group): Group[] {
  let rest = [...groups];
  let joined = added;
  for (let found = rest.find((one) => areAlike(one, joined)); found !== undefined; ) {
    const target = found;
    for (const field of joined.fields) target.fields.add(field);
    for (const kind of joined.kinds) target.kinds.add(kind);
    for (const member of joined.members) target.members.push(member);
    rest = rest.filter((one) => one !== target);
    joined = target;
    found = rest.find((one) => areAlike(one, target));
  }
  joined.members.sort((a, b) => a - b);
  return [...rest, joined].sort((a, b) => (a.members[0] ?? 0) - (b.members[0] ?? 0));
}

const areAlike = (a: Group, b: Group): boolean =>
  sharedFields(a.fields, b.fields) >= ALIKE && sharedFields(a.kinds, b.kinds) >= ALIKE;

/** Returns the fields of all objects of a copy by kind. */
function fieldsOf({ objects }: Copy, name: string): Set<string> {
  const fields = new Set<string>();
  for (const { object } of objects) {
    for (const path of leavesOf(object, name).keys()) fields.add(`${groupKindOf(object)}${withoutItems(path)}`);
  }
  return fields;
}
