import table from '../../../data/gitops-fields.json';
import { groupKindOf, type KubeObject } from '../../core/model/object.ts';
import { formatPath, isMap, ownValue, type Path, type Value } from '../../core/model/value.ts';

/**
 * What a plan does with a field: a file of the sources reads it, it has no effect on what is applied (with the file of
 * the controller that reads it for something else), or it is not supported. `type` has the fields of its value.
 */
interface FieldRow {
  read?: string;
  noEffect?: string;
  unsupported?: boolean;
  type?: string;
}

type Fields = Readonly<Record<string, FieldRow>>;

const TYPES: Readonly<Record<string, Fields>> = table.types;
const KINDS: Readonly<Record<string, string>> = table.kinds;

/** Returns the first field of an object that is set and not supported: what its controller does is not known here. */
export function unsupportedField(object: KubeObject): string | undefined {
  const type = ownValue(KINDS, groupKindOf(object));
  const found = type === undefined ? undefined : unsupportedIn(object, type, []);
  return found && formatPath(found);
}

function unsupportedIn(value: Value, type: string, path: Path): Path | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = unsupportedIn(item, type, [...path, index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const fields = ownValue(TYPES, type);
  if (!isMap(value) || fields === undefined) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const row = ownValue(fields, key);
    if (row === undefined || !isSet(item)) continue;
    if (row.unsupported) return [...path, key];
    const found = row.type === undefined ? undefined : unsupportedIn(item, row.type, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSet(value: Value): boolean {
  if (value === null || value === '' || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isMap(value) || Object.keys(value).length > 0;
}
