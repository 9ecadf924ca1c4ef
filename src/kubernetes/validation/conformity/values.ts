import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { enumerated } from '../../../core/text/clip.ts';
import { memberSchema, type Schema } from '../../schema/index.ts';
import { canonical } from '../check.ts';
import { isCheckedFormat } from '../formats/index.ts';
import { isQuantity, QUANTITY } from '../native/resources.ts';
import { typeOf } from '../type.ts';
import { checkNumber, checkText, isInteger } from './scalars.ts';
import { add, isFull, type Walk } from './walk.ts';

/**
 * Checks that sets have no duplicate items, and keyed lists no duplicate keys (k8s.io/apiextensions-apiserver,
 * listtype.ValidateListSetsAndMaps).
 */
function checkDuplicates(schema: Schema, list: readonly Value[], walk: Walk): void {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const identity = canonical(type === 'set' ? item : keyOf(item, keys));
    if (seen.has(identity)) {
      const why = type === 'set' ? 'the list is a set' : `items must differ in ${keys.join(', ')}`;
      add(walk, 'duplicate', phrase`is a duplicate: ${why}`, index);
    }
    seen.add(identity);
  }
}

/** Distinguishes a missing key from a null one. */
const keyOf = (item: Value, keys: readonly string[]): ValueMap =>
  Object.fromEntries(
    keys.flatMap((key) => (isMap(item) && Object.hasOwn(item, key) ? [[key, item[key] as Value]] : [])),
  );

/** Validates a value whose defaults are filled in (k8s.io/kube-openapi/pkg/validation/validate). */
export function visit(schema: Schema, value: Value, walk: Walk): void {
  if (isFull(walk)) return;
  if (!hasType(schema, value)) {
    add(walk, 'type', phrase`must be ${wantedTypes(schema)}, got ${aTypeOf(value)}`);
    return;
  }
  checkEnum(schema, value, walk);
  if (value === null) return;
  if (isQuantityType(schema) && !isQuantity(value)) {
    add(walk, 'value', phrase`${shown(QUANTITY)}`);
    return;
  }
  checkAlternatives(schema, value, walk);
  if (typeof value === 'string') checkText(schema, value, walk);
  else if (typeof value === 'bigint' || typeof value === 'number') checkNumber(schema, value, walk);
  else if (Array.isArray(value)) visitList(schema, value, walk);
  else if (isMap(value)) visitMap(schema, value, walk);
}

/** In Kubernetes' own table only quantities are strings or numbers. */
const isQuantityType = ({ type, oneOf }: Schema): boolean =>
  type === undefined && oneOf?.length === 2 && oneOf[0]?.type === 'string' && oneOf[1]?.type === 'number';

function hasType(schema: Schema, value: Value): boolean {
  const { type } = schema;
  if (value === null) return schema.nullable === true || !isTyped(schema);
  const actual = typeOf(value);
  if (schema['x-kubernetes-int-or-string'] === true) return actual === 'string' || isInteger(value);
  if (type === undefined || type === actual) return true;
  if (type === 'number') return actual === 'integer';
  if (type === 'integer') return isInteger(value);
  // The API server checks only the format if a list is given for a string (kube-openapi, validate/type.go).
  return type === 'string' && actual === 'array' && isCheckedFormat(schema.format ?? '');
}

const isTyped = (schema: Schema): boolean => schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true;

const wantedTypes = (schema: Schema): string =>
  schema['x-kubernetes-int-or-string'] === true ? 'an integer or a string' : article(schema.type ?? 'value');
const aTypeOf = (value: Value): string => (value === null ? 'null' : article(typeOf(value)));
const article = (noun: string): string => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** For Kubernetes' own kinds an empty string is absent, and filled in by the API server. */
function checkEnum({ enum: values }: Schema, value: Value, walk: Walk): void {
  if (!walk.custom && value === '') return;
  if (values === undefined || values.length === 0 || values.some((one) => isOption(one, value))) return;
  add(walk, 'value', phrase`must be one of ${enumerated(values.map((one) => JSON.stringify(one, plainIntegers)))}`);
}

/** Compares as the API server does: the value is converted to the type of the option; null never matches. */
function isOption(option: Value, value: Value): boolean {
  if (value === null || option === null) return false;
  if (typeof option === 'bigint' && typeof value === 'number') return BigInt(Math.trunc(value)) === option;
  if (typeof option === 'number' && typeof value === 'bigint') return Number(value) === option;
  if (typeof option === 'string' && typeof value === 'bigint') return characterOf(value) === option;
  if (typeof option === 'object') return text(option) === text(value);
  return option === value;
}

const characterOf = (code: bigint): string =>
  code >= 0n && code <= 0x10ffffn ? String.fromCodePoint(Number(code)) : '\ufffd';

const text = (value: Value): string => JSON.stringify(value, plainIntegers);
const plainIntegers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

/** Checks only whether an alternative matches, as an API server does. */
function checkAlternatives({ allOf, anyOf, oneOf, not }: Schema, value: Value, walk: Walk): void {
  // Most schemas have none, and no closure is made for them.
  if (allOf === undefined && anyOf === undefined && oneOf === undefined && not === undefined) return;
  const fits = (schema: Schema): boolean => fitsAlternative(schema, value, walk);
  if (allOf?.every(fits) === false) add(walk, 'value', phrase`does not match all required schemas (allOf)`);
  if (anyOf !== undefined && anyOf.length > 0 && !anyOf.some(fits)) {
    add(walk, 'value', phrase`fits none of the schemas that it may have (anyOf)`);
  }
  const fitting = oneOf?.filter(fits).length ?? 1;
  if (oneOf !== undefined && oneOf.length > 0 && fitting !== 1) {
    add(walk, 'value', phrase`must match exactly one of ${oneOf.length} schemas (oneOf), got ${fitting}`);
  }
  if (not !== undefined && fits(not)) add(walk, 'value', phrase`fits a schema that it must not (not)`);
}

/** The maximum nesting of alternatives: references in schemas may be cyclic. */
const MAX_ALTERNATIVES = 200;

/** A value that nests too deeply matches, and so does a recursive question. */
function fitsAlternative(schema: Schema, value: Value, walk: Walk): boolean {
  if (walk.alternatives >= MAX_ALTERNATIVES) return true;
  if (!hasType(schema, value)) return false;
  const known = walk.fitting.get(schema) ?? new Map<Value, boolean>();
  walk.fitting.set(schema, known);
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, true);
  const inner: Walk = { ...walk, path: [], faults: [], alternatives: walk.alternatives + 1 };
  visit(schema, value, inner);
  const fits = inner.faults.length === 0;
  known.set(value, fits);
  return fits;
}

function visitList(schema: Schema, list: readonly Value[], walk: Walk): void {
  const { items, minItems, maxItems } = schema;
  if (minItems !== undefined && list.length < minItems)
    add(walk, 'value', phrase`must have at least ${minItems} items`);
  if (maxItems !== undefined && list.length > maxItems) add(walk, 'value', phrase`must have at most ${maxItems} items`);
  if (walk.custom) checkDuplicates(schema, list, walk);
  if (items === undefined) return;
  for (let index = 0; index < list.length; index++) visitAt(items, index, list[index] as Value, walk);
}

const isDefaulted = ({ properties = {} }: Schema, key: string): boolean =>
  Object.hasOwn(properties, key) && properties[key]?.default !== undefined;

function visitMap(schema: Schema, map: ValueMap, walk: Walk): void {
  const { required, minProperties, maxProperties } = schema;
  const keys = Object.keys(map);
  if (minProperties !== undefined && keys.length < minProperties)
    add(walk, 'value', phrase`must have at least ${minProperties} fields`);
  if (maxProperties !== undefined && keys.length > maxProperties)
    add(walk, 'value', phrase`must have at most ${maxProperties} fields`);
  const missing = required?.filter((key) => !Object.hasOwn(map, key) && !isDefaulted(schema, key));
  if (missing?.length) for (const key of new Set(missing)) add(walk, 'required', phrase`is required`, key);
  for (const key of keys) {
    const below = memberSchema(schema, key);
    if (below !== undefined) visitAt(below, key, map[key] as Value, walk);
  }
}

function visitAt(schema: Schema, step: string | number, value: Value, walk: Walk): void {
  walk.path.push(step);
  visit(schema, value, walk);
  walk.path.pop();
}
