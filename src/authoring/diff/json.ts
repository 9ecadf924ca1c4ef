import { groupVersionKind, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { Reviewed } from '../review/index.ts';
import type { ObjectChange } from './changes.ts';
import type { Comparison } from './compare.ts';

/**
 * Returns a comparison as JSON: `counts`, `warnings`, and `objects` with the changed fields. Possible values of a Secret
 * are replaced by a text.
 */
export function comparisonJson({ counts, warnings, changes }: Comparison): string {
  const value = {
    counts: Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, BigInt(count)])),
    warnings: warnings.map(({ kind, message }) => ({ kind, message })),
    objects: changes.map(changeValue),
  };
  return visible(`${toJsonText(value, 2)}\n`);
}

const changeValue = ({ change, before, after, shown, fields }: ObjectChange): ValueMap => ({
  change,
  ...(before !== undefined && { before: sideValue(before) }),
  ...(after !== undefined && { after: sideValue(after) }),
  ...(before !== undefined && after !== undefined ? { fields } : { object: shown.after ?? shown.before ?? null }),
});

/** Returns the identity of an object, and the node and the instance that render it. A name that may be a value of a Secret is omitted. */
export function sideValue({ object, nameless, place }: Reviewed): ValueMap {
  const named: ValueMap = nameless ? { hidden: true } : { namespace: namespaceOf(object), name: nameOf(object) };
  const origin = place && { instance: place.instance, instanceNamespace: place.namespace, node: place.node };
  return { ...groupVersionKind(object), ...named, ...origin };
}
