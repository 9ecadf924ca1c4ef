import { isMap, setKey, type Value, type ValueMap } from '../model/value.ts';

/** A JSON value of JavaScript. Integers beyond 2^53 are bigint, since a number would not hold them. */
export type Plain =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Plain[]
  | { readonly [key: string]: Plain | undefined };

/** Takes a JavaScript value in: safe integers become exact ones, undefined members are left out. */
export function fromPlain(value: Plain): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : finite(value);
  if (Array.isArray(value)) return value.map((item) => fromPlain(item ?? null));
  if (!isPlainMap(value)) return scalar(value);
  const map: ValueMap = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== undefined) setKey(map, key, fromPlain(member));
  }
  return map;
}

/** Gives a value out: integers that a number holds exactly become numbers, larger ones stay bigint. */
export function toPlain(value: Value): Plain {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isMap(value)) return value;
  const plain: Record<string, Plain> = {};
  for (const key of Object.keys(value)) setKey(plain as ValueMap, key, toPlain(value[key] as Value) as Value);
  return plain;
}

function isPlainMap(value: unknown): value is { readonly [key: string]: Plain | undefined } {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function scalar(value: unknown): Value {
  const known = value === null || ['string', 'boolean', 'bigint'].includes(typeof value);
  if (!known) throw new TypeError(`not a JSON value: ${Object.prototype.toString.call(value)}`);
  return value as Value;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError(`not a JSON number: ${value}`);
  return value;
}
