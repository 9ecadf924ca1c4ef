import { EACH, type Step } from '../model/read.ts';
import { mapItems, type Value } from '../model/value.ts';

/**
 * Which parts of a value may contain values of Secrets: all of it, nothing, or some of its fields. `others` applies to
 * every key that is not in `fields`, and to the elements of a list.
 */
export type Secrecy = boolean | { readonly fields: ReadonlyMap<string, Secrecy>; readonly others: Secrecy };

const NONE: ReadonlyMap<string, Secrecy> = new Map();

/** A list, or a map with any keys, whose members have the same secrecy. */
export const membersOf = (member: Secrecy): Secrecy => (member === false ? false : { fields: NONE, others: member });

/** Known fields and nothing else. */
export const fieldsOf = (fields: Readonly<Record<string, Secrecy>>, others: Secrecy = false): Secrecy => ({
  fields: new Map(Object.entries(fields)),
  others,
});

/** Returns the secrecy of a value in which only `path` has the given secrecy. */
export function secretAt(path: readonly Step[], secrecy: Secrecy): Secrecy {
  return path.reduceRight<Secrecy>(
    (inner, step) => (typeof step === 'string' ? fieldsOf({ [step]: inner }) : membersOf(inner)),
    secrecy,
  );
}

/** Returns the union of all. */
export function anyOf(all: Iterable<Secrecy>): Secrecy {
  let joined: Secrecy = false;
  for (const one of all) joined = either(joined, one);
  return joined;
}

/** Returns the union of two. */
export function either(a: Secrecy, b: Secrecy): Secrecy {
  if (a === true || b === true) return true;
  if (a === false) return b;
  if (b === false) return a;
  const keys = new Set([...a.fields.keys(), ...b.fields.keys()]);
  const fields = new Map([...keys].map((key) => [key, either(member(a, key), member(b, key))]));
  return { fields, others: either(a.others, b.others) };
}

/** Returns the part at a step; a step to every member returns the union of all members. */
function member(secrecy: Secrecy, step: Step): Secrecy {
  if (typeof secrecy === 'boolean') return secrecy;
  if (step === EACH) return either(anyOf(secrecy.fields.values()), secrecy.others);
  return secrecy.fields.get(String(step)) ?? secrecy.others;
}

export const within = (secrecy: Secrecy, path: readonly Step[]): Secrecy =>
  path.reduce<Secrecy>((at, step) => member(at, step), secrecy);

/** Reports whether the value at `path`, a part of it, or a value that contains it, may be a value of a Secret. */
export const isSecret = (secrecy: Secrecy, path: readonly Step[] = []): boolean => holds(within(secrecy, path));

function holds(secrecy: Secrecy): boolean {
  if (typeof secrecy === 'boolean') return secrecy;
  return holds(secrecy.others) || [...secrecy.fields.values()].some(holds);
}

/** Returns a value with `instead` in the place of every value that may come from a Secret. */
export function withoutSecrets(value: Value, secrecy: Secrecy, instead: string): Value {
  if (typeof secrecy === 'boolean') return secrecy ? instead : value;
  if (typeof value !== 'object' || value === null) return holds(secrecy) ? instead : value;
  return mapItems(value, (item, key) => withoutSecrets(item, member(secrecy, key), instead));
}
