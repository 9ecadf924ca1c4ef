import { type Report, titleText } from '../../core/diagnostics/index.ts';
import { OBSERVED } from '../../core/model/keys.ts';
import {
  annotationOf,
  type Document,
  groupKind,
  groupVersionKind,
  isKubeObject,
  type KubeObject,
} from '../../core/model/object.ts';
import { getAt, type Path } from '../../core/model/value.ts';
import { definedKind, isRgd } from '../../kro/definition/index.ts';
import { objectsIn, rejectDuplicateKey } from '../../yaml/parse/index.ts';
import { objectsAmong, type ResourceList } from './read.ts';

/**
 * Returns a test for objects that are not rendered: no RGD, CRD or live object, and of no kind that an RGD defines.
 * They are returned unchanged, so their errors do not matter here.
 */
export function foreignTest(list: ResourceList, definitions: readonly Document[]): (object: KubeObject) => boolean {
  let kinds: Set<string> | undefined;
  const kindsOf = (): Set<string> => {
    const all = [...objectsIn(objectsAmong(list), () => true), ...objectsIn(definitions)];
    return new Set(all.filter(({ object }) => isRgd(object)).map(({ object }) => definedKind(object)));
  };
  return (object) => {
    kinds ??= kindsOf();
    const gvk = groupVersionKind(object);
    const isOurs = gvk.group === 'kro.run' || gvk.group === 'apiextensions.k8s.io' || kinds.has(groupKind(gvk));
    return !isOurs && annotationOf(object, OBSERVED) === undefined;
  };
}

/**
 * Returns the YAML errors of a list, with the object of each. In a foreign object it is an info; with `strict` a
 * duplicate key elsewhere is an error.
 */
export function faultsIn(
  { faults, value, source }: ResourceList,
  foreign: (object: KubeObject) => boolean,
  strict: boolean,
): Report[] {
  return faults.map((fault) => {
    const report = strict ? rejectDuplicateKey(fault) : fault;
    const place = objectContaining(value, report.path);
    const object = place.length > 0 ? getAt(value, place) : undefined;
    if (!isKubeObject(object)) return report;
    const path = report.path.slice(place.length);
    const located = { ...report, object: titleText(object, false), path, source: { ...source, path: place } };
    return foreign(object) ? { ...located, severity: 'info' } : located;
  });
}

/** Returns the path of the object that contains a path, including items of a List; the empty path outside of items. */
function objectContaining(value: ResourceList['value'], path: Path): Path {
  let found: Path = [];
  for (let length = 2; path[length - 2] === 'items' && length <= path.length; length += 2) {
    const at = path.slice(0, length);
    if (isKubeObject(getAt(value, at))) found = at;
  }
  return found;
}
