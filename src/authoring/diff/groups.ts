import { toJsonText } from '../../yaml/emit/index.ts';
import type { ObjectChange } from './changes.ts';
import { type Hunk, hunksOf } from './hunks.ts';

/** Objects in which the same fields change from the same values to the same values. */
export interface ChangeGroup {
  changes: readonly ObjectChange[];
  hunks: readonly Hunk[];
}

/** Puts together the objects that change alike, at the place of the first one. */
export function groupsOf(changes: readonly ObjectChange[]): ChangeGroup[] {
  const groups = new Map<unknown, { changes: ObjectChange[]; hunks: readonly Hunk[] }>();
  for (const change of changes) {
    const hunks = hunksOf(change);
    const key = change.change === 'changed' ? toJsonText(hunks.map(({ title, lines }) => [title, ...lines])) : change;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { changes: [change], hunks });
    else group.changes.push(change);
  }
  return [...groups.values()];
}
