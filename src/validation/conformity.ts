import { compileRegex, patternSize } from '../cel/index.ts';
import { isMap, type Path, setKey, type Value, type ValueMap } from '../model/value.ts';
import type { Schema } from '../schema/index.ts';
import { enumerated } from '../text/clip.ts';
import { boundFor } from './scalars.ts';
import { isInt64, typeOf } from './type.ts';

/** What an API server would refuse of an object, or drop. Nothing of it quotes the object but names of fields. */
export interface Fault {
  kind: 'type' | 'required' | 'value' | 'unknown' | 'duplicate' | 'budget';
  message: string;
  path: Path;
}

/** More of one object is of no use to anybody. */
const MAX_FAULTS = 100;

/** What the patterns of all schemas may take that are compiled to check the objects of a package, in characters. */
const MOST_PATTERNS = 2_000_000;

const TOO_MANY_PATTERNS =
  'the patterns in the schemas of rendered objects take more than 2,000,000 characters with counted repetitions written out';

/** What of it is left; negative when an object could not be checked. */
export interface PatternRoom {
  left: number;
  known: Set<string>;
}

export const createPatternRoom = (): PatternRoom => ({ left: MOST_PATTERNS, known: new Set() });

interface Check {
  /** Whether lists that are sets or maps of items are held to that. */
  uniqueItems: boolean;
  /** One for all objects of a package. */
  patterns: PatternRoom;
}

/** Holds a value against the schema of its kind. A null counts as left out, as for an API server. */
export function faultsOf(schema: Schema, value: Value, check: Check): Fault[] {
  const walk: Walk = { path: [], faults: [], ...check, alternatives: 0, fitting: new Map() };
  visit(schema, value, walk);
  if (check.patterns.left < 0) return [{ kind: 'budget', message: TOO_MANY_PATTERNS, path: [] }];
  return walk.faults.slice(0, MAX_FAULTS);
}

interface Walk extends Check {
  path: (string | number)[];
  faults: Fault[];
  /** How many alternatives the walk is inside of. */
  alternatives: number;
  /** Whether values fit alternatives: each is looked at once, however many schemas share it. */
  fitting: Map<Schema, Map<Value, boolean>>;
}

function add({ path, faults }: Walk, kind: Fault['kind'], message: string, ...below: (string | number)[]): void {
  faults.push({ kind, message, path: [...path, ...below] });
}

function visit(schema: Schema, value: Value, walk: Walk): void {
  if (walk.faults.length >= MAX_FAULTS || value === null) return;
  if (!hasType(schema, value)) {
    add(walk, 'type', `must be ${wantedTypes(schema)}, and is ${aTypeOf(value)}`);
    return;
  }
  checkEnum(schema, value, walk);
  checkAlternatives(schema, value, walk);
  if (typeof value === 'string') checkText(schema, value, walk);
  else if (typeof value === 'bigint' || typeof value === 'number') checkNumber(schema, value, walk);
  else if (Array.isArray(value)) visitList(schema, value, walk);
  else if (isMap(value)) visitMap(schema, value, walk);
}

function hasType(schema: Schema, value: Value): boolean {
  const { type } = schema;
  const actual = typeOf(value);
  if (schema['x-kubernetes-int-or-string'] === true) return actual === 'integer' || actual === 'string';
  if (type === undefined || type === actual) return true;
  if (type === 'number') return actual === 'integer';
  // Whole numbers written with a fraction are integers.
  return type === 'integer' && typeof value === 'number' && Number.isSafeInteger(value);
}

const wantedTypes = (schema: Schema): string =>
  schema['x-kubernetes-int-or-string'] === true ? 'an integer or a string' : article(schema.type ?? 'value');
const aTypeOf = (value: Value): string => article(typeOf(value));
const article = (noun: string): string => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;

function checkEnum({ enum: values }: Schema, value: Value, walk: Walk): void {
  if (values === undefined || values.length === 0 || values.some((one) => one === value)) return;
  add(walk, 'value', `must be one of ${enumerated(values.map((one) => JSON.stringify(one, plainIntegers)))}`);
}

const plainIntegers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

/** Only whether an alternative fits counts, as for an API server. */
function checkAlternatives({ allOf = [], anyOf, oneOf, not }: Schema, value: Value, walk: Walk): void {
  const fits = (schema: Schema): boolean => fitsAlternative(schema, value, walk);
  if (!allOf.every(fits)) add(walk, 'value', 'does not fit all of the schemas that it has to (allOf)');
  if (anyOf !== undefined && anyOf.length > 0 && !anyOf.some(fits)) {
    add(walk, 'value', 'fits none of the schemas that it may have (anyOf)');
  }
  const fitting = oneOf?.filter(fits).length ?? 1;
  if (oneOf !== undefined && oneOf.length > 0 && fitting !== 1) {
    add(walk, 'value', `must fit exactly one of ${oneOf.length} schemas (oneOf), and fits ${fitting}`);
  }
  if (not !== undefined && fits(not)) add(walk, 'value', 'fits a schema that it must not (not)');
}

/** As many as nobody writes: schemas of references may hold each other in a chain of any length. */
const MAX_ALTERNATIVES = 200;

/** What is nested too deeply fits, and so does a value inside of its own question. */
function fitsAlternative(schema: Schema, value: Value, walk: Walk): boolean {
  if (walk.alternatives >= MAX_ALTERNATIVES) return true;
  const known = walk.fitting.get(schema) ?? new Map<Value, boolean>();
  walk.fitting.set(schema, known);
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, true);
  const inner: Walk = { ...walk, path: [], faults: [], alternatives: walk.alternatives + 1 };
  visit({ 'x-kubernetes-preserve-unknown-fields': true, ...schema }, value, inner);
  const fits = inner.faults.every(({ kind }) => kind === 'unknown');
  known.set(value, fits);
  return fits;
}

function checkText({ pattern, minLength, maxLength, format }: Schema, value: string, walk: Walk): void {
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) add(walk, 'value', `must have at least ${minLength} characters`);
  if (maxLength !== undefined && length > maxLength) add(walk, 'value', `must have at most ${maxLength} characters`);
  if (pattern !== undefined && hasRoom(pattern, walk.patterns) && !matches(pattern, value)) {
    add(walk, 'value', `must match '${pattern}'`);
  }
  if (format === 'byte' && !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value)) add(walk, 'value', 'must be base64');
}

/** Each pattern counts once. */
function hasRoom(pattern: string, room: PatternRoom): boolean {
  if (!room.known.has(pattern)) room.left -= patternSize(pattern);
  if (room.left >= 0) room.known.add(pattern);
  return room.left >= 0;
}

/** A pattern that is not RE2 keeps nothing out: a cluster does not have such a CRD. */
function matches(pattern: string, value: string): boolean {
  try {
    return compileRegex(pattern).test(value);
  } catch {
    return true;
  }
}

type Bound = bigint | number;

function checkNumber(schema: Schema, value: bigint | number, walk: Walk): void {
  const { minimum, maximum, multipleOf, format } = schema;
  const [low, high] = [minimum ?? -Infinity, maximum ?? Infinity].map((bound) => boundFor(value, bound)) as [
    Bound,
    Bound,
  ];
  const tooSmall = schema.exclusiveMinimum === true ? value <= low : value < low;
  const tooLarge = schema.exclusiveMaximum === true ? value >= high : value > high;
  if (tooSmall) add(walk, 'value', `must be ${schema.exclusiveMinimum === true ? 'more than' : 'at least'} ${minimum}`);
  if (tooLarge) add(walk, 'value', `must be ${schema.exclusiveMaximum === true ? 'less than' : 'at most'} ${maximum}`);
  if (multipleOf !== undefined && Number(value) % Number(multipleOf) !== 0) {
    add(walk, 'value', `must be a multiple of ${multipleOf}`);
  }
  if (typeof value !== 'bigint') return;
  if (format === 'int32' && BigInt.asIntN(32, value) !== value) add(walk, 'value', 'must fit 32 bits');
  if (!isInt64(value)) add(walk, 'value', 'must fit 64 bits');
}

function visitList(schema: Schema, list: readonly Value[], walk: Walk): void {
  const { items, minItems, maxItems } = schema;
  if (minItems !== undefined && list.length < minItems) add(walk, 'value', `must have at least ${minItems} items`);
  if (maxItems !== undefined && list.length > maxItems) add(walk, 'value', `must have at most ${maxItems} items`);
  if (walk.uniqueItems) checkDuplicates(schema, list, walk);
  if (items === undefined) return;
  for (const [index, item] of list.entries()) {
    if (item === null && items.nullable !== true)
      add(walk, 'type', `must be ${wantedTypes(items)}, and is null`, index);
    else visitAt(items, index, item, walk);
  }
}

function checkDuplicates(schema: Schema, list: readonly Value[], walk: Walk): void {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const identity = type === 'set' ? item : keys.map((key) => (isMap(item) ? (item[key] ?? null) : null));
    const text = JSON.stringify(identity, plainIntegers);
    if (seen.has(text)) {
      add(
        walk,
        'duplicate',
        `is there twice: ${type === 'set' ? 'the list is a set' : `items differ in ${keys.join(', ')}`}`,
        index,
      );
    }
    seen.add(text);
  }
}

function visitMap(schema: Schema, map: ValueMap, walk: Walk): void {
  const { properties = {}, additionalProperties, required = [], minProperties, maxProperties } = schema;
  const present = Object.keys(map).filter((key) => map[key] !== null);
  if (minProperties !== undefined && present.length < minProperties)
    add(walk, 'value', `must have at least ${minProperties} fields`);
  if (maxProperties !== undefined && present.length > maxProperties)
    add(walk, 'value', `must have at most ${maxProperties} fields`);
  for (const key of new Set(required)) {
    const isDefaulted = Object.hasOwn(properties, key) && properties[key]?.default !== undefined;
    if (!present.includes(key) && !isDefaulted) add(walk, 'required', 'is required', key);
  }
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    additionalProperties === true ||
    (schema.properties === undefined && additionalProperties === undefined);
  for (const key of present) {
    const value = map[key] as Value;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property !== undefined) visitAt(property, key, value, walk);
    else if (typeof additionalProperties === 'object') visitAt(additionalProperties, key, value, walk);
    else if (!isOpen) add(walk, 'unknown', 'is a field that the kind does not have', key);
  }
}

function visitAt(schema: Schema, step: string | number, value: Value, walk: Walk): void {
  walk.path.push(step);
  visit(schema, value, walk);
  walk.path.pop();
}

/** A copy with the defaults of its schema, which validation rules see, and without nulls. */
export function withDefaults(schema: Schema, value: Value): Value {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => withDefaults(items, item));
  }
  if (!isMap(value)) return value;
  const { properties = {}, additionalProperties } = schema;
  const copy: ValueMap = {};
  for (const key of Object.keys(value)) {
    const given = value[key] as Value;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const below = property ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (given === null && below?.nullable !== true) continue;
    setKey(copy, key, below === undefined ? given : withDefaults(below, given));
  }
  for (const [key, property] of Object.entries(properties)) {
    if (property.default === undefined || Object.hasOwn(copy, key)) continue;
    setKey(copy, key, withDefaults(property, property.default));
  }
  return copy;
}
