import { isObserved } from '../../core/model/annotations.ts';
import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { MODE } from '../../core/model/keys.ts';
import { annotationOf, groupVersionKind, type InputObject, type KubeObject, nameOf } from '../../core/model/object.ts';
import { equal, get } from '../../core/model/value.ts';

/** Returns the role of an object, for any front end. Live objects supply values and are never rendered. */
export function roleOf(object: KubeObject): 'crd' | 'observed' | 'other' {
  if (isObserved(object)) return 'observed';
  const { group, version, kind } = groupVersionKind(object);
  const isCrd = group === 'apiextensions.k8s.io' && version === 'v1' && kind === 'CustomResourceDefinition';
  return isCrd ? 'crd' : 'other';
}

/**
 * Removes inputs that repeat an earlier one: the same file can be given twice. Annotations of a runner or an earlier
 * rendering make no difference.
 */
export function distinct(inputs: readonly InputObject[]): InputObject[] {
  const byName = new Map<string, InputObject[]>();
  return inputs.filter((input) => {
    const name = `${nameOf(input.object)}/${String(get(get(input.object, 'metadata'), 'namespace') ?? '')}`;
    const alike = byName.get(name) ?? [];
    if (alike.some(({ object }) => areDuplicates(object, input.object))) return false;
    byName.set(name, [...alike, input]);
    return true;
  });
}

/** The mode of an object is a difference. */
const areDuplicates = (one: KubeObject, other: KubeObject): boolean =>
  equal(withoutBookkeeping(one), withoutBookkeeping(other)) && annotationOf(one, MODE) === annotationOf(other, MODE);
