import { get, getAt, isMap, setKey, type Value, type ValueMap } from '../../src/core/model/value.ts';

/**
 * Returns the part of an object that a manager applied, according to `managedFields`; undefined if it applied nothing.
 */
export function appliedBy(object: ValueMap, manager: string): ValueMap | undefined {
  const entries = getAt(object, ['metadata', 'managedFields']);
  const entry = (Array.isArray(entries) ? entries : []).find(
    (one) =>
      get(one, 'manager') === manager && get(one, 'operation') === 'Apply' && get(one, 'subresource') === undefined,
  );
  const fields = get(entry, 'fieldsV1');
  if (!isMap(fields)) return undefined;
  const part = partOf(object, fields);
  return isMap(part) ? part : {};
}

function partOf(value: Value, fields: ValueMap): Value {
  const steps = Object.keys(fields).filter((key) => key !== '.');
  if (steps.length === 0) return value;
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf(item, value, fields));
  if (!isMap(value)) return value;
  const part: ValueMap = {};
  for (const step of steps) {
    const key = step.slice(2);
    const below = fields[step];
    if (!step.startsWith('f:') || !Object.hasOwn(value, key)) continue;
    setKey(part, key, partOf(value[key] ?? null, isMap(below) ? below : {}));
  }
  return part;
}

/** An item of a list, when the fields name it by its keys, its value or its index. */
function itemsOf(item: Value, list: readonly Value[], fields: ValueMap): Value[] {
  for (const [step, below] of Object.entries(fields)) {
    if (!isItem(step, item, list)) continue;
    return [partOf(item, isMap(below) ? below : {})];
  }
  return [];
}

function isItem(step: string, item: Value, list: readonly Value[]): boolean {
  const text = step.slice(2);
  if (step.startsWith('i:')) return list.indexOf(item) === Number(text);
  if (step.startsWith('v:')) return String(JSON.parse(text)) === String(item);
  if (!step.startsWith('k:')) return false;
  const keys = Object.entries(JSON.parse(text) as Record<string, unknown>);
  return keys.every(([key, value]) => String(get(item, key)) === String(value));
}
