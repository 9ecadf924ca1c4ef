import { phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { formatPath } from '../../core/model/path.ts';
import { get, isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { clipped, enumerated } from '../../core/text/clip.ts';
import { nearest } from '../../core/text/nearest.ts';
import { compileRegex } from '../../languages/cel/index.ts';
import type { Schema } from '../schema/index.ts';
import { isInt64, typeFault } from './type.ts';
import { breaks, type Check, checkAt, fault, faultAt, isFull, matchesIn, type Visit } from './visit.ts';

function listCheck(schema: Schema, item: Check): Check {
  const { minItems, maxItems, items } = schema;
  const duplicates = duplicateCheck(schema);
  const missing = items?.default;
  return (value, visit) => {
    if (!Array.isArray(value)) {
      typeFault('array', value, visit);
      return value;
    }
    const before = visit.problems.length;
    // A null item of a type that is not nullable gets the default of the type (apiextensions Default).
    const checked = value.map((one, index) => checkAt(item, index, one === null ? (missing ?? null) : one, visit));
    if (minItems !== undefined && checked.length < minItems) {
      breaks(visit, `should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && checked.length > maxItems) {
      breaks(visit, `should have at most ${maxItems} items`);
    }
    if (visit.problems.length === before) duplicates?.(checked, visit);
    return checked;
  };
}

/**
 * Checks that sets have no duplicate items, and keyed lists no duplicate keys (apiextensions
 * listtype.ValidateListSetsAndMaps).
 */
function duplicateCheck(schema: Schema): ((list: readonly Value[], visit: Visit) => void) | undefined {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const identity = listType === 'set' ? (item: Value) => item : (item: Value) => keyOf(item, keys);
  return (list, visit) => {
    const seen = new Map<string, number>();
    list.forEach((item, index) => {
      const what = identity(item);
      const text = canonical(what);
      const times = (seen.get(text) ?? 0) + 1;
      seen.set(text, times);
      if (times === 2) faultAt(visit, index, 'instance-duplicate', phrase`Duplicate value: ${clipped(text, 200)}`);
    });
  };
}

function keyOf(item: Value, keys: readonly string[]): ValueMap {
  const found = keys.flatMap((key) => {
    const value = get(item, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(found);
}

/** Returns JSON text that is the same for equal values. */
export function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isMap(value)) {
    const entries = Object.keys(value).sort();
    return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Value)}`).join(',')}}`;
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

const booleanCheck: Check = (value, visit) => {
  if (typeof value !== 'boolean') typeFault('boolean', value, visit);
  return value;
};

function stringCheck(schema: Schema): Check {
  const { pattern, minLength, maxLength } = schema;
  const regex = pattern === undefined ? undefined : compileRegex(pattern);
  const inEnum = enumCheck(schema);
  return (value, visit) => {
    if (typeof value !== 'string') {
      typeFault('string', value, visit);
      return value;
    }
    if (minLength !== undefined || maxLength !== undefined) checkLength(value, minLength, maxLength, visit);
    if (regex !== undefined && !matchesIn(visit, regex, value)) {
      breaks(visit, `should match '${pattern}'`);
    }
    inEnum(value, visit);
    return value;
  };
}

/** Lengths count code points. */
function checkLength(value: string, min: bigint | undefined, max: bigint | undefined, visit: Visit): void {
  const length = [...value].length;
  if (min !== undefined && length < min) {
    breaks(visit, `should be at least ${min} chars long`);
  }
  if (max !== undefined && length > max) {
    breaks(visit, `should be at most ${max} chars long`);
  }
}

/** Accepts whole numbers written with a fraction or an exponent (3.0, 1e3) as integers if doubles are exact there. */
function integerCheck(schema: Schema): Check {
  const inBounds = boundsCheck(schema);
  const inEnum = enumCheck(schema);
  return (value, visit) => {
    const integer = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof integer !== 'bigint' || !isInt64(integer)) {
      typeFault('integer', value, visit);
      return value;
    }
    inBounds(integer, visit);
    inEnum(integer, visit);
    return integer;
  };
}

/** Accepts integers for numbers, and converts them to doubles, which expressions see. */
function numberCheck(schema: Schema): Check {
  const inBounds = boundsCheck(schema);
  return (value, visit) => {
    if ((typeof value !== 'number' && typeof value !== 'bigint') || !Number.isFinite(Number(value))) {
      typeFault('number', value, visit);
      return value;
    }
    inBounds(value, visit);
    // A number that no double represents is stored as written.
    return typeof value === 'bigint' && !Number.isSafeInteger(Number(value)) ? value : Number(value);
  };
}

function boundsCheck({ minimum, maximum }: Schema): (value: bigint | number, visit: Visit) => void {
  return (value, visit) => {
    if (minimum !== undefined && value < boundFor(value, minimum)) {
      breaks(visit, `should be greater than or equal to ${minimum}`);
    }
    if (maximum !== undefined && value > boundFor(value, maximum)) {
      breaks(visit, `should be less than or equal to ${maximum}`);
    }
  };
}

/** Truncates the bound of a whole number, as an API server does (kube-openapi, validate/values.go). */
const boundFor = (value: bigint | number, bound: bigint | number): bigint | number =>
  typeof value === 'bigint' && typeof bound === 'number' ? Math.trunc(bound) : bound;

function enumCheck({ enum: values }: Schema): (value: Value, visit: Visit) => void {
  if (values === undefined) return () => {};
  const supported = enumerated(values.map((value) => `"${String(value)}"`));
  const allowed = new Set(values);
  return (value, visit) => {
    if (allowed.has(value)) return;
    const written = typeof value === 'string' ? JSON.stringify(clipped(value, 100)) : String(value);
    const refused = quote(`Unsupported value: ${written}: supported values: `, 'the value has to be one of ');
    fault(visit, 'instance-value', phrase`${refused}${shown(supported)}`);
  };
}

/** Copies content without a schema. Integers beyond int64 are doubles in Kubernetes. */
const untyped: Check = (value, visit) => {
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value);
  if (Array.isArray(value)) return value.map((item, index) => checkAt(untyped, index, item, visit));
  if (!isMap(value)) return value;
  const copy: ValueMap = {};
  for (const key of Object.keys(value)) setKey(copy, key, checkAt(untyped, key, value[key] as Value, visit));
  return copy;
};

/** A field or the values of a map. */
interface Member {
  check: Check;
  fallback: Value | undefined;
}

type CompileCheck = (schema: Schema) => Check;

/**
 * Applies defaults, prunes nulls and checks the members of a struct, a map or an untyped object. As in the API server a
 * default is filled in first and then checked like any other value.
 */
function objectCheck(schema: Schema, compile: CompileCheck): Check {
  const members = new Map(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, memberOf(one, compile)]));
  const additional = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const others = additional && memberOf(additional, compile);
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
  const defaulted = [...members].filter(([, { fallback }]) => fallback !== undefined);
  const required = [...new Set(schema.required ?? [])];
  return (value, visit) => {
    if (!isMap(value)) {
      typeFault('object', value, visit);
      return value;
    }
    const checked: ValueMap = {};
    for (const key of Object.keys(value)) {
      const given = value[key] as Value;
      const member = members.get(key) ?? others;
      if (member !== undefined) checkMember(member, key, given, checked, visit);
      else if (open) setKey(checked, key, untyped(given, visit));
      else unknownField(key, schema, visit);
    }
    for (const [key, member] of visit.bare ? [] : defaulted) {
      if (!Object.hasOwn(checked, key)) checkMember(member, key, null, checked, visit);
    }
    for (const key of required) {
      if (Object.hasOwn(checked, key)) continue;
      const hint = visit.hints ? phrase`add ${key}: ${exampleOf(schema.properties?.[key])}` : undefined;
      faultAt(visit, key, 'instance-required', phrase`Required value`, hint);
    }
    return checked;
  };
}

const EXAMPLES: Readonly<Record<string, string>> = { array: '[...]', object: '{...}', integer: '1', boolean: 'true' };

/** Returns a value for a hint: the first of an enum, or the form of the type. */
const exampleOf = ({ type, enum: [first] = [] }: Schema = {}): string =>
  typeof first === 'string' ? first : ((type && EXAMPLES[type]) ?? '...');

const memberOf = (schema: Schema, compile: CompileCheck): Member => ({
  check: compile(schema),
  fallback: schema.default,
});

/** No field of SimpleSchema is nullable: a null gets the default, and without one it is dropped. */
function checkMember(member: Member, key: string, given: Value, checked: ValueMap, visit: Visit): void {
  const value = given === null && !visit.bare ? member.fallback : given;
  if (value !== undefined) setKey(checked, key, checkAt(member.check, key, value, visit));
}

function unknownField(key: string, { properties = {} }: Schema, visit: Visit): void {
  if (isFull(visit)) return;
  const names = Object.keys(properties);
  const close = visit.hints ? nearest(key, names) : [];
  const below = visit.hints ? names.filter((name) => Object.hasOwn(properties[name]?.properties ?? {}, key)) : [];
  const intended = close.length > 0 ? close : below.slice(0, 2).map((name) => `${name}.${key}`);
  const hint = intended.length > 0 ? phrase`did you mean ${intended.join(' or ')}?` : phrase`${fieldsHint(names)}`;
  const field = formatPath([...visit.path, key]);
  faultAt(visit, key, 'instance-unknown-field', phrase`unknown field "${field}"`, hint);
}

const fieldsHint = (names: readonly string[]): string =>
  names.length === 0 ? 'no fields are declared here' : `the fields here are ${enumerated(names)}`;

/**
 * Compiles a schema of SimpleSchema into a function that returns a checked copy of a value: defaults filled in, nulls
 * dropped, numbers in their own type. The schema is not read again at run time. A type that is used many times is
 * compiled once.
 */
export function compileCheck(schema: Schema): Check {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const check = compile(schema);
  compiled.set(schema, check);
  return check;
}

const compiled = new WeakMap<Schema, Check>();

function compile(schema: Schema): Check {
  switch (schema.type) {
    case 'string':
      return stringCheck(schema);
    case 'integer':
      return integerCheck(schema);
    case 'number':
      return numberCheck(schema);
    case 'boolean':
      return booleanCheck;
    case 'array':
      return listCheck(schema, schema.items === undefined ? untyped : compileCheck(schema.items));
    case 'object':
      return objectCheck(schema, compileCheck);
    default:
      return untyped;
  }
}
