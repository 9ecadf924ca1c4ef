import type { Schema } from '../../kubernetes/schema/index.ts';

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/**
 * Returns what an API server rejects in the list type of a list (k8s.io/apiextensions-apiserver,
 * ValidateListSetsAndMaps).
 */
export function listFaults(schema: Schema): string[] {
  const { items } = schema;
  if (schema.type !== 'array' || items === undefined) return [];
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return setFaults(items);
    case 'map':
      return mapFaults(items, schema['x-kubernetes-list-map-keys'] ?? []);
    default:
      return [];
  }
}

function setFaults(items: Schema): string[] {
  const isAtomicList = items.type === 'array' && [undefined, 'atomic'].includes(items['x-kubernetes-list-type']);
  if (isAtomicList || SCALARS.includes(items.type) || items['x-kubernetes-map-type'] === 'atomic') return [];
  return ['a set (uniqueItems=true, listType=set) holds scalars or plain lists: structs and maps cannot be told apart'];
}

function mapFaults(items: Schema, keys: readonly string[]): string[] {
  if (items.type !== 'object') return ['listType=map needs items that are structs'];
  if (keys.length === 0) return ['listType=map needs a listMapKey'];
  return keys.flatMap((key) => {
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    if (property === undefined) return `listMapKey=${key} is no field of the items`;
    if (!SCALARS.includes(property.type)) return `listMapKey=${key} must be a string, an integer, a float or a boolean`;
    const isGiven = items.required?.includes(key) || property.default !== undefined;
    return isGiven ? [] : `listMapKey=${key} must be required, or have a default: an item without it has no key`;
  });
}
