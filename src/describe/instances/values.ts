/** The values that a test of a field tries: its boundaries, and what expressions compare it with. */
import { equal, isMap, ownValue, type Value } from '../../core/model/value.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import { sampleValue, varied } from '../sample/index.ts';
import { type Field, keysFor, type ValueBuilder } from './fields.ts';
import type { Literals } from './literals.ts';

export interface ValueOptions {
  literals: Literals;
  builder: ValueBuilder;
  /** Whether values are tried that are far from what an author expects: a name that is too long, a large number. */
  triesExtremes: boolean;
}

/** Returns the values of a field without duplicates; its schema may reject some of them. */
export function valuesOf({ schema, named }: Field, options: ValueOptions): Value[] {
  const constants = options.literals.byField.get(named.join('\0')) ?? [];
  const found: Value[] = [];
  for (const value of candidates(schema, named, constants, options)) {
    if (found.every((one) => !equal(one, value))) found.push(value);
  }
  return found;
}

function* candidates(
  schema: Schema,
  named: Field['named'],
  constants: readonly Value[],
  options: ValueOptions,
): Iterable<Value> {
  if (schema.enum !== undefined) {
    yield* schema.enum;
    return;
  }
  if (schema.default !== undefined) yield schema.default;
  if (schema.type === 'boolean') yield* [true, false];
  // A whole number is an integer in a file, whatever the type of its field.
  else if (schema.type === 'integer' || schema.type === 'number')
    yield* integers(schema, constants, options.triesExtremes);
  else if (schema.type === 'string') yield* texts(schema, named, constants, options);
  else if (schema.type === 'array') yield* lists(schema, named, constants, options);
  else if (valueSchema(schema) !== undefined) yield* maps(schema, named, constants, options);
  else if (schema.properties !== undefined) {
    yield options.builder.build(schema, named, false);
    yield options.builder.build(schema, named, true);
  } else yield sampleValue(schema);
}

/** The least value that is no port, and the least that is no int32. */
const LARGE = [65_536n, 2_147_483_648n];

function* integers(
  { minimum, maximum }: Schema,
  constants: readonly Value[],
  triesExtremes: boolean,
): Iterable<bigint> {
  if (minimum !== undefined) yield BigInt(Math.ceil(Number(minimum)));
  if (maximum !== undefined) yield BigInt(Math.floor(Number(maximum)));
  for (const constant of constants) {
    if (typeof constant !== 'bigint') continue;
    yield constant;
    yield constant - 1n;
    yield constant + 1n;
  }
  yield* [1n, 2n, 0n];
  if (triesExtremes) yield* [-1n, ...LARGE];
}

/** The forms of texts that expressions parse, and that fields of Kubernetes ask for. */
export const FORMS: readonly string[] = ['100m', '10.0.0.0/16', 'https://example.com', '1'];

/** The longest label, and the longest name, each with one character more. */
const LENGTHS = [64, 254];

function* texts(
  schema: Schema,
  named: Field['named'],
  constants: readonly Value[],
  { builder, triesExtremes, literals }: ValueOptions,
): Iterable<string> {
  const { minLength, maxLength, pattern } = schema;
  yield String(builder.build(schema, named, true));
  for (const constant of constants) if (typeof constant === 'string') yield constant;
  if (minLength === undefined || minLength === 0n) yield '';
  if (pattern === undefined) {
    const lengths = constants.filter((one) => typeof one === 'bigint' && one < 1000n).map(Number);
    for (const length of lengths) yield* [length, length + 1].map((one) => 'a'.repeat(Math.max(0, one)));
  }
  if (maxLength !== undefined && maxLength <= 1000n) yield fitting(schema, Number(maxLength));
  if (!triesExtremes) return;
  for (const length of LENGTHS) yield fitting(schema, length);
  yield* FORMS;
  yield 'Not A Name';
  for (const constant of literals.all.slice(0, 8)) if (typeof constant === 'string') yield constant;
}

/** Returns a text of this length; the pattern may still reject it. */
function fitting({ pattern }: Schema, length: number): string {
  const sample =
    pattern === undefined ? 'a' : String(sampleValue({ type: 'string', pattern, minLength: BigInt(length) }));
  return sample.padEnd(length, sample.at(-1) ?? 'a');
}

function* lists(
  schema: Schema,
  named: Field['named'],
  constants: readonly Value[],
  { builder, triesExtremes }: ValueOptions,
): Iterable<Value[]> {
  const ofSize = (length: number): Value[] => builder.items(schema, named, length, true);
  yield [];
  yield ofSize(1);
  yield ofSize(2);
  yield builder.items(schema, named, 1, false);
  for (const constant of constants) {
    if (typeof constant === 'bigint' && constant > 1n && constant < 20n)
      yield* [ofSize(Number(constant)), ofSize(Number(constant) + 1)];
  }
  for (const bound of [schema.minItems, schema.maxItems]) {
    if (bound !== undefined && bound < 50n) yield ofSize(Number(bound));
  }
  // Constants may be items, as in `'x' in list`.
  for (const constant of constants) if (typeof constant === 'string') yield [constant];
  if (!triesExtremes) return;
  const [item] = ofSize(1);
  if (item === undefined) return;
  yield [item, item];
  yield* alikeItems(item, schema.items ?? {});
}

/** Two letters that become one when case does not count. */
const OTHER_CASE = ['a', 'A'] as const;
/** Two texts that become one when they are cut. */
const COMMON_START = ['abcdefghijklmnopqrstuvwx-1', 'abcdefghijklmnopqrstuvwx-2'] as const;

/** Returns lists of two items that differ, and have one field in common, or nearly so. */
function* alikeItems(item: Value, schema: Schema): Iterable<Value[]> {
  const other = varied(item, 1, schema);
  if (typeof item === 'string' && schema.enum === undefined) yield* [[...OTHER_CASE], [...COMMON_START]];
  if (!isMap(item) || !isMap(other)) return;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = ownValue(item, name);
    if (value === undefined || equal(value, ownValue(other, name))) continue;
    yield [item, { ...other, [name]: value }];
    if (typeof value !== 'string' || property.enum !== undefined) continue;
    for (const [first, second] of [OTHER_CASE, COMMON_START]) {
      yield [
        { ...item, [name]: first },
        { ...other, [name]: second },
      ];
    }
  }
}

function* maps(
  schema: Schema,
  named: Field['named'],
  constants: readonly Value[],
  { builder, literals, triesExtremes }: ValueOptions,
): Iterable<Value> {
  const values = valueSchema(schema) ?? {};
  const entry = (key: string): Value => ({ [key]: builder.build(values, named, true) });
  yield {};
  yield builder.build(schema, named, true);
  for (const key of keysFor(named, literals)) yield entry(key);
  yield { ...(entry('key1') as object), ...(entry('key2') as object) } as Value;
  for (const constant of constants) if (typeof constant === 'string') yield entry(constant);
  if (triesExtremes) yield* [entry('a'.repeat(64)), entry('Not A Name')];
}
