/** What an API server rejects in an update, beyond what it rejects in a new object. */

import { groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import { isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { builtinKinds } from '../schema/index.ts';
import { LINES } from './table.ts';

export { isSmaller as isSmallerQuantity } from './quantity.ts';
export { LINES as immutableFields } from './table.ts';
export { type TransitionRunner, transitionProblems } from './transitions.ts';

/** Returns the fields of an object of Kubernetes' own kinds that cannot change to their value in `after`. */
export function refusedUpdates(before: KubeObject, after: KubeObject): string[] {
  const { group, version, kind } = groupVersionKind(after);
  if (builtinKinds.find({ group, version, kind }) === undefined) return [];
  const lines = LINES.filter(({ kinds }) => kinds.includes(`${kind}.${group}`));
  if (lines.length === 0) return [];
  const [old, current] = [before, after].map((object) => withoutEmpty(object) as KubeObject) as [
    KubeObject,
    KubeObject,
  ];
  return [...new Set(lines.flatMap(({ rule }) => rule(old, current)))];
}

/** Booleans that are not pointers in Go, so that false equals absent. */
const FALSE_IS_NONE = ['readOnly', 'hostNetwork', 'hostPID', 'hostIPC', 'stdin', 'stdinOnce', 'tty'];

/** Maps in Go, which equal an absent field if they are empty; an empty struct does not. */
const MAPS = ['limits', 'requests', 'matchLabels', 'nodeSelector', 'labels', 'annotations'];

const isNone = (key: string, value: Value | undefined): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && MAPS.includes(key) && Object.keys(value).length === 0) ||
  (value === false && FALSE_IS_NONE.includes(key));

/** For an API server a null, an empty list and an empty map equal an absent field. */
function withoutEmpty(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isMap(value)) return value;
  const filled: ValueMap = {};
  for (const [key, one] of Object.entries(value)) {
    if (!isNone(key, one)) setKey(filled, key, withoutEmpty(one));
  }
  return filled;
}
