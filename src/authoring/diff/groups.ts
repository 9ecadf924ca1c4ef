import { toJsonText } from '../../yaml/emit/index.ts';
import type { ObjectChange } from './changes.ts';
import { type Hunk, hunksOf } from './hunks.ts';

/** Objects with the same changes of the same fields. */
export interface ChangeGroup {
  changes: readonly ObjectChange[];
  hunks: readonly Hunk[];
}

/** Groups equal changes of objects, at the position of the first one. */
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
