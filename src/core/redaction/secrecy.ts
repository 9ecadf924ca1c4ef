import { EACH, type Step } from '../model/path.ts';
import { isMap, setKey, type Value, type ValueMap } from '../model/value.ts';

/**
 * Which parts of a value may hold values of Secrets: all of it, nothing, or what its fields say. `others` is for every
 * key that `fields` does not name, and for the elements of a list.
 */
export type Secrecy = boolean | { readonly fields: ReadonlyMap<string, Secrecy>; readonly others: Secrecy };

const NONE: ReadonlyMap<string, Secrecy> = new Map();

/** A list, or a map with any keys, whose members are all alike. */
export const membersOf = (member: Secrecy): Secrecy => (member === false ? false : { fields: NONE, others: member });

/** Known fields and nothing else. */
export const fieldsOf = (fields: Readonly<Record<string, Secrecy>>, others: Secrecy = false): Secrecy => ({
  fields: new Map(Object.entries(fields)),
  others,
});

/** What lies at `path`, and nothing beside it, is `secrecy`. */
export function secretAt(path: readonly Step[], secrecy: Secrecy): Secrecy {
  return path.reduceRight<Secrecy>(
    (inner, step) => (typeof step === 'string' ? fieldsOf({ [step]: inner }) : membersOf(inner)),
    secrecy,
  );
}

/** What is secret in any of them. */
export function anyOf(all: Iterable<Secrecy>): Secrecy {
  let joined: Secrecy = false;
  for (const one of all) joined = either(joined, one);
  return joined;
}

/** What is secret in one or the other. */
export function either(a: Secrecy, b: Secrecy): Secrecy {
  if (a === true || b === true) return true;
  if (a === false) return b;
  if (b === false) return a;
  const keys = new Set([...a.fields.keys(), ...b.fields.keys()]);
  const fields = new Map([...keys].map((key) => [key, either(member(a, key), member(b, key))]));
  return { fields, others: either(a.others, b.others) };
}

/** The part that a step leads to; a step to every member leads to all that any of them has. */
function member(secrecy: Secrecy, step: Step): Secrecy {
  if (typeof secrecy === 'boolean') return secrecy;
  if (step === EACH) return either(anyOf(secrecy.fields.values()), secrecy.others);
  return secrecy.fields.get(String(step)) ?? secrecy.others;
}

export const within = (secrecy: Secrecy, path: readonly Step[]): Secrecy =>
  path.reduce<Secrecy>((at, step) => member(at, step), secrecy);

/** Whether anything at `path`, or anything that what lies there is a part of, may be a value of a Secret. */
export const isSecret = (secrecy: Secrecy, path: readonly Step[] = []): boolean => holds(within(secrecy, path));

function holds(secrecy: Secrecy): boolean {
  if (typeof secrecy === 'boolean') return secrecy;
  return holds(secrecy.others) || [...secrecy.fields.values()].some(holds);
}

/** A value with `instead` wherever a value of a Secret may be. */
export function withoutSecrets(value: Value, secrecy: Secrecy, instead: string): Value {
  if (typeof secrecy === 'boolean') return secrecy ? instead : value;
  if (Array.isArray(value)) return value.map((item, index) => withoutSecrets(item, member(secrecy, index), instead));
  if (!isMap(value)) return holds(secrecy) ? instead : value;
  const whole: ValueMap = {};
  for (const [key, one] of Object.entries(value))
    setKey(whole, key, withoutSecrets(one, member(secrecy, key), instead));
  return whole;
}
