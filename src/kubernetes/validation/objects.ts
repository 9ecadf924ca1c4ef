import { phrase } from '../../core/diagnostics/index.ts';
import { formatPath } from '../../core/model/path.ts';
import { isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { nearest } from '../../core/text/nearest.ts';
import type { Schema } from '../schema/index.ts';
import { typeFault } from './type.ts';
import { untyped } from './untyped.ts';
import { type Check, checkAt, faultAt, isFull, type Visit } from './visit.ts';

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
export function objectCheck(schema: Schema, compile: CompileCheck): Check {
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
