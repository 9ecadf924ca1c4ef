/** The fields of an instance, each with the values that a test of it tries. */
import { isMap, ownValue, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import { sampleValue, varied } from '../sample/index.ts';
import { type FieldPath, ITEM } from '../unguarded/index.ts';
import type { Literals } from './literals.ts';

/** A field below `spec`. Of lists the first item stands for all. */
export interface Field {
  path: Path;
  /** Its path with ITEM for items, as expressions name it. */
  named: FieldPath;
  schema: Schema;
  isRequired: boolean;
}

const MOST_FIELDS = 200;
const MOST_DEPTH = 8;

/** Returns the fields of a schema, outermost first, and whether it has more: deeper ones, or too many. */
export function fieldsOf(spec: Schema, literals: Literals): { fields: readonly Field[]; isCut: boolean } {
  const fields: Field[] = [];
  let isCut = false;
  const visit = (schema: Schema, path: Path, named: FieldPath): void => {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (fields.length >= MOST_FIELDS || path.length >= MOST_DEPTH) {
        isCut = true;
        return;
      }
      const isRequired = schema.required?.includes(name) === true && property.default === undefined;
      fields.push({ path: [...path, name], named: [...named, name], schema: property, isRequired });
      visit(property, [...path, name], [...named, name]);
    }
    if (schema.items !== undefined) visit(schema.items, [...path, 0], [...named, ITEM]);
    const values = valueSchema(schema);
    if (values === undefined) return;
    for (const key of keysFor(named, literals)) visit(values, [...path, key], [...named, ITEM]);
  };
  visit(spec, [], []);
  return { fields, isCut };
}

/** Returns the keys of a map with any keys: those that expressions name. */
export const keysFor = (named: FieldPath, { keys }: Literals): readonly string[] => {
  const known = keys.get(named.join('\0')) ?? [];
  return known.length === 0 ? ['key1'] : known;
};

/** Builds values with texts that no other field has, so that names do not collide by accident. */
export class ValueBuilder {
  #count = 0;

  constructor(private readonly literals: Literals) {}

  /** Returns a value of a field; `isFull` adds optional fields, one item of each list and one entry of each map. */
  build(schema: Schema, named: FieldPath, isFull: boolean): Value {
    if (schema.default !== undefined && !isFull) return schema.default;
    if (schema.properties !== undefined) return this.#object(schema, named, isFull);
    if (schema.enum !== undefined) return sampleValue(schema);
    if (schema.type === 'array') return this.#list(schema, named, isFull);
    const values = valueSchema(schema);
    if (values !== undefined) return this.#map(schema, values, named, isFull);
    if (schema.default !== undefined) return schema.default;
    return this.#leaf(schema);
  }

  #object(schema: Schema, named: FieldPath, isFull: boolean): ValueMap {
    const map: ValueMap = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const isNeeded = schema.required?.includes(name) === true && property.default === undefined;
      if (isFull || isNeeded) setKey(map, name, this.build(property, [...named, name], isFull));
    }
    return map;
  }

  #list(schema: Schema, named: FieldPath, isFull: boolean): Value[] {
    const least = Number(schema.minItems ?? 0n);
    const most = Number(schema.maxItems ?? 100n);
    const length = Math.min(Math.max(least, isFull ? 1 : 0), most, 100);
    return this.items(schema, named, length, isFull);
  }

  /** Returns a list of so many items that differ as far as their type allows. */
  items(schema: Schema, named: FieldPath, length: number, isFull: boolean): Value[] {
    const { items = {} } = schema;
    return Array.from({ length }, (_, index) => {
      const item = this.build(items, [...named, ITEM], isFull);
      return index === 0 ? item : varied(item, index, items);
    });
  }

  #map(schema: Schema, values: Schema, named: FieldPath, isFull: boolean): ValueMap {
    const least = Number(schema.minProperties ?? 0n);
    const known = keysFor(named, this.literals);
    const count = Math.max(least, isFull ? known.length : 0);
    const keys = Array.from({ length: Math.min(count, 100) }, (_, index) => known[index] ?? `key${index + 1}`);
    const map: ValueMap = {};
    for (const key of keys) setKey(map, key, this.build(values, [...named, ITEM], isFull));
    return map;
  }

  #leaf(schema: Schema): Value {
    if (schema.type !== 'string' || schema.pattern !== undefined || schema.format !== undefined)
      return sampleValue(schema);
    this.#count += 1;
    const text = `a${this.#count}`.padEnd(Math.min(Number(schema.minLength ?? 0n), 1000), 'x');
    return schema.maxLength === undefined ? text : text.slice(0, Number(schema.maxLength));
  }
}

/** Returns a value with another one at a path; what is missing above it is built. */
export function withValue(value: Value, path: Path, inner: Value, above: (path: Path) => Value, at: Path = []): Value {
  const [step, ...rest] = path;
  if (step === undefined) return inner;
  const here = value === null || typeof value !== 'object' ? above(at) : value;
  if (typeof step === 'number') {
    const list = Array.isArray(here) ? [...here] : [];
    list[step] = withValue(list[step] ?? above([...at, step]), rest, inner, above, [...at, step]);
    return list;
  }
  const map: ValueMap = isMap(here) ? { ...here } : {};
  setKey(map, step, withValue(ownValue(map, step) ?? above([...at, step]), rest, inner, above, [...at, step]));
  return map;
}

/** Returns a value without what is at a path. */
export function withoutValue(value: Value, path: Path): Value {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    if (typeof step !== 'number' || step >= value.length) return value;
    if (rest.length === 0) return value.toSpliced(step, 1);
    return value.with(step, withoutValue(value[step] ?? null, rest));
  }
  if (!isMap(value) || typeof step !== 'string' || !Object.hasOwn(value, step)) return value;
  const map: ValueMap = { ...value };
  if (rest.length === 0) delete map[step];
  else setKey(map, step, withoutValue(ownValue(map, step) ?? null, rest));
  return map;
}
