import { getOrCompute } from '../../core/model/lazily.ts';
import { equal, isMap, ownValue, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { type Cells, type Field, membersOf, type Pattern, type Place, type Rows } from './model.ts';
import { Names, typeNameFor } from './name.ts';

/** The schema of the instances, as a person would write it. */
export interface WrittenSchema {
  readonly spec: ValueMap;
  readonly types: ValueMap;
  /** Places whose values have no common type. */
  readonly untyped: readonly Place[];
  /** The types and the markers of the fields, without their descriptions. */
  readonly lines: ReadonlyMap<Field, string>;
}

/** Writes the fields in SimpleSchema. */
export function writeSchema(fields: ReadonlyMap<Rows, readonly Field[]>, root: Rows, kind: string): WrittenSchema {
  const types: ValueMap = {};
  const untyped: Place[] = [];
  const lines = new Map<Field, string>();
  const typeNames = new Names([kind, 'string', 'integer', 'float', 'boolean', 'object', 'map']);
  const namedType = (field: Field, written: ValueMap): string => {
    const known = Object.keys(types).find((name) => equal(ownValue(types, name), written));
    if (known !== undefined) return known;
    const name = typeNameFor(field, typeNames);
    setKey(types, name, written);
    return name;
  };
  const typeText = (field: Field): string => {
    if (field.items !== undefined) return `[]${namedType(field, scope(field.items))}`;
    if (field.shape !== undefined) return `[]${namedType(field, shapeType(field.shape))}`;
    const [place] = field.uses;
    const type = typeOf(field.cells, place?.schema);
    if (type === undefined && place !== undefined) untyped.push(place);
    return type ?? 'object';
  };
  const scope = (rows: Rows): ValueMap => {
    const written: ValueMap = {};
    for (const field of ordered(fields.get(rows) ?? [])) {
      if (field.isItem) continue;
      const type = typeText(field);
      const markers = markersOf(type, field);
      lines.set(field, lineOf(type, markers));
      const description = field.description === undefined ? [] : [`description=${markerValue(field.description)}`];
      setKey(written, field.name, lineOf(type, [...markers, ...description]));
    }
    return written;
  };
  const spec = scope(root);
  return { spec, types, untyped, lines };
}

const orders = new WeakMap<readonly Field[], Field[]>();

/** Orders fields by how much they matter: what instances must set, then what most of them set. */
export const ordered = (fields: readonly Field[]): readonly Field[] =>
  getOrCompute(orders, fields, () => {
    const ranked = fields.map((field) => ({
      field,
      isRequired: isAlways(field) && field.default === undefined ? 1 : 0,
      count: field.cells.filter((cell) => cell !== undefined && !equal(cell, field.default)).length,
    }));
    const nameFirst = ({ field }: { field: Field }): number => (field.name === 'name' ? 0 : 1);
    ranked.sort((a, b) => b.isRequired - a.isRequired || b.count - a.count || nameFirst(a) - nameFirst(b));
    return ranked.map(({ field }) => field);
  });

const isAlways = ({ cells, decides }: Field): boolean => !decides && cells.every((cell) => cell !== undefined);

/** Returns the markers of a field without its description. */
function markersOf(type: string, field: Field): string[] {
  const markers: string[] = [];
  if (field.default !== undefined) markers.push(`default=${markerValue(field.default)}`);
  else if (isAlways(field)) markers.push('required=true');
  for (const bound of boundsOf(type, field)) markers.push(bound);
  return markers;
}

const lineOf = (type: string, markers: readonly string[]): string =>
  markers.length === 0 ? type : `${type} | ${markers.join(' ')}`;

const markerValue = (value: Value): string =>
  typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : toJsonText(value);

/** Returns the bounds of the Kubernetes schema, if the field only fills such fields. */
function boundsOf(type: string, { uses, cells }: Field): string[] {
  const schemas = new Set(uses.filter(({ hint }) => hint === undefined).map(({ schema }) => schema));
  const [schema] = schemas;
  if (schemas.size !== 1 || schema === undefined) return [];
  const bounds: string[] = [];
  if (type === 'integer') {
    if (schema.minimum !== undefined && schema.exclusiveMinimum !== true) bounds.push(`minimum=${schema.minimum}`);
    if (schema.maximum !== undefined && schema.exclusiveMaximum !== true) bounds.push(`maximum=${schema.maximum}`);
  }
  const choices = schema.enum?.filter((choice) => typeof choice === 'string') ?? [];
  const isChoice =
    choices.length > 0 && cells.every((cell) => cell === undefined || choices.some((choice) => choice === cell));
  if (type === 'string' && isChoice && choices.every((choice) => /^[\w.-]+$/.test(choice)))
    bounds.push(`enum="${choices.join(',')}"`);
  return bounds;
}

/** Writes the type of items that a field holds as they are. */
function shapeType(shape: Pattern): ValueMap {
  const written: ValueMap = {};
  if (shape.type !== 'map') return written;
  for (const { key, pattern, condition } of shape.entries) {
    if (pattern.type === 'map') {
      setKey(written, key, shapeType(pattern));
      continue;
    }
    const type = (pattern.type === 'hole' ? typeOf(pattern.cells, pattern.place.schema) : undefined) ?? 'object';
    setKey(written, key, condition === undefined && isRequiredIn(shape) ? `${type} | required=true` : type);
  }
  return written;
}

/** A map of items that is absent in some has no required fields: SimpleSchema would require the map. */
const isRequiredIn = (shape: Pattern): boolean =>
  shape.type === 'map' && shape.entries.some(({ condition }) => condition === undefined);

/** Returns the type that holds all values; `undefined` if there is none. */
function typeOf(cells: Cells, schema: Schema | undefined): string | undefined {
  const values = cells.filter((cell) => cell !== undefined);
  if (values.length === 0) return schemaType(schema);
  if (values.every((value) => typeof value === 'string')) return 'string';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.every((value) => typeof value === 'bigint')) return 'integer';
  if (values.every((value) => typeof value === 'number')) return 'float';
  if (values.every((value) => Array.isArray(value))) {
    const items = typeOf(values.flat(), schema?.items);
    return items === undefined ? undefined : `[]${items}`;
  }
  if (!values.every(isMap)) return undefined;
  const isFree = schema?.properties === undefined;
  const inner = isFree
    ? typeOf(
        values.flatMap((value) => Object.values(value)),
        valueSchema(schema),
      )
    : undefined;
  return inner === undefined || inner === 'object' || inner.startsWith('[]object') ? 'object' : `map[string]${inner}`;
}

function schemaType(schema: Schema | undefined): string {
  if (schema?.type === 'integer') return 'integer';
  if (schema?.type === 'boolean') return 'boolean';
  return schema?.type === 'object' || schema?.properties !== undefined ? 'object' : 'string';
}

/** Returns the value of a field for one row, with the items of a list; `undefined` if the instance leaves it out. */
function valueFor(field: Field, row: number, fields: ReadonlyMap<Rows, readonly Field[]>): Value | undefined {
  const cell = field.cells[row];
  if (cell === undefined || equal(cell, field.default)) return undefined;
  const { items } = field;
  if (items === undefined) return cell;
  return (membersOf(items).get(row) ?? []).map((inner) => specFor(items, inner, fields));
}

/** Returns the fields that an instance, or an item of a list, sets. */
export function specFor(rows: Rows, row: number, fields: ReadonlyMap<Rows, readonly Field[]>): ValueMap {
  const spec: ValueMap = {};
  for (const field of ordered(fields.get(rows) ?? [])) {
    const value = field.isItem ? undefined : valueFor(field, row, fields);
    if (value !== undefined) setKey(spec, field.name, value);
  }
  return spec;
}
