import { groupVersionKind, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { Reviewed } from '../review/index.ts';
import type { FieldChange, ObjectChange } from './changes.ts';
import type { Comparison } from './compare.ts';

/** Returns a comparison as JSON: `counts`, `warnings`, and `objects` with the changed fields. */
export const comparisonJson = (comparison: Comparison): string =>
  visible(`${toJsonText(comparisonValue(comparison), 2)}\n`);

/** Returns the same as a value; possible values of a Secret are replaced by a text. */
function comparisonValue({ counts, warnings, changes }: Comparison): Value {
  return {
    counts: Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, BigInt(count)])),
    warnings: warnings.map(({ kind, message }) => ({ kind, message })),
    objects: changes.map(changeValue),
  };
}

function changeValue({ change, before, after, shown, fields }: ObjectChange): ValueMap {
  const value: ValueMap = { change };
  if (before !== undefined) value.before = sideValue(before);
  if (after !== undefined) value.after = sideValue(after);
  if (change === 'added') value.object = shown.after ?? null;
  else if (change === 'removed') value.object = shown.before ?? null;
  else value.fields = fieldValues(fields);
  return value;
}

/** Returns changed fields as JSON: `path`, `before` and `after`, and `order` if only the order of the items changes. */
export const fieldValues = (fields: readonly FieldChange[]): ValueMap[] =>
  fields.map(({ path, isOrder, ...values }) => ({ path, ...(isOrder && { order: true }), ...values }));

function sideValue({ object, nameless, place }: Reviewed): ValueMap {
  const { group, version, kind } = groupVersionKind(object);
  const identity: ValueMap = { group, version, kind };
  if (nameless) identity.hidden = true;
  else {
    identity.namespace = namespaceOf(object);
    identity.name = nameOf(object);
  }
  if (place === undefined) return identity;
  return { ...identity, instance: place.instance, instanceNamespace: place.namespace, node: place.node };
}
