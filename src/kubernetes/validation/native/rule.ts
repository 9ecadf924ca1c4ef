import { type Message, phrase } from '../../../core/diagnostics/index.ts';
import { get, isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { enumerated } from '../../../core/text/clip.ts';
import type { Violation } from '../conformity/walk.ts';

/** The current location, and the errors so far. */
export interface Place {
  path: (string | number)[];
  faults: Violation[];
}

/** A requirement of an API server for a value. The schema checks the type of the value. */
export type Rule = (value: Value, place: Place) => void;
type MapRule = (map: ValueMap, place: Place) => void;
type ListRule = (list: readonly Value[], place: Place) => void;

export function refuse({ path, faults }: Place, message: Message, ...below: (string | number)[]): void {
  faults.push({ kind: 'value', message, path: [...path, ...below] });
}

export function missing({ path, faults }: Place, message: Message, ...below: (string | number)[]): void {
  faults.push({ kind: 'required', message, path: [...path, ...below] });
}

export function at(place: Place, step: string | number, value: Value | undefined, rule: Rule): void {
  if (value === undefined) return;
  place.path.push(step);
  rule(value, place);
  place.path.pop();
}

export const all =
  (...rules: readonly Rule[]): Rule =>
  (value, place) => {
    for (const rule of rules) rule(value, place);
  };

export const map =
  (rule: MapRule): Rule =>
  (value, place) => {
    if (isMap(value)) rule(value, place);
  };

export const list =
  (rule: ListRule): Rule =>
  (value, place) => {
    if (Array.isArray(value)) rule(value, place);
  };

export const fields = (rules: Readonly<Record<string, Rule>>): Rule => {
  const keys = Object.keys(rules);
  return map((value, place) => {
    for (const key of keys) if (Object.hasOwn(value, key)) at(place, key, value[key], rules[key] as Rule);
  });
};

export const each = (rule: Rule): Rule =>
  list((value, place) => {
    for (let index = 0; index < value.length; index++) at(place, index, value[index], rule);
  });

export const eachValue = (rule: Rule): Rule =>
  map((value, place) => {
    for (const key of Object.keys(value)) at(place, key, value[key], rule);
  });

export const eachKey = (test: (key: string) => boolean, message: Message): Rule =>
  map((value, place) => {
    for (const key of Object.keys(value)) if (!test(key)) refuse(place, phrase`has the key '${key}', which ${message}`);
  });

/** A string that is not empty: for Kubernetes' own types an empty one is absent. */
export const text =
  (test: (text: string) => boolean, message: Message): Rule =>
  (value, place) => {
    if (typeof value === 'string' && value !== '' && !test(value)) refuse(place, message);
  };

/** As `text`, for a field whose Go type is a pointer, so that an empty string is a value. */
export const anyText =
  (test: (text: string) => boolean, message: Message): Rule =>
  (value, place) => {
    if (typeof value === 'string' && !test(value)) refuse(place, message);
  };

export const oneOf = (...values: readonly string[]): Rule =>
  anyText(
    (value) => values.includes(value),
    phrase`must be one of ${enumerated(values.map((one) => JSON.stringify(one)))}`,
  );

/** Required keys, with another value than an empty string, list or zero. */
export const required = (...keys: readonly string[]): Rule =>
  map((value, place) => {
    for (const key of keys) if (isEmpty(value[key])) missing(place, phrase`is required`, key);
  });

/** Reports whether Go treats a value as absent. */
export const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

export const between =
  (low: bigint, high: bigint): Rule =>
  (value, place) => {
    if (typeof value === 'bigint' && (value < low || value > high))
      refuse(place, phrase`must be from ${low} to ${high}`);
  };

export const atLeast =
  (low: bigint): Rule =>
  (value, place) => {
    if (typeof value === 'bigint' && value < low) refuse(place, phrase`must be at least ${low}`);
  };

export const notNegative = atLeast(0n);
export const positive = atLeast(1n);

export const unique = (keyOf: (item: Value) => string | undefined, field: string): Rule =>
  list((value, place) => {
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      const key = keyOf(item);
      if (key === undefined) continue;
      if (seen.has(key))
        // biome-ignore lint/plugin: one field
        refuse(place, phrase`is a duplicate of an earlier item`, index, ...(field === '' ? [] : [field]));
      seen.add(key);
    }
  });

export const textAt = (value: Value | undefined, key: string): string => {
  const found = get(value, key);
  return typeof found === 'string' ? found : '';
};

export const itemsAt = (value: Value | undefined, key: string): readonly Value[] => {
  const found = get(value, key);
  return Array.isArray(found) ? found : [];
};

export const isSet = (value: Value | undefined, key: string): boolean => {
  const found = get(value, key);
  return found !== undefined && found !== null;
};

/** Requires exactly one of these fields. */
export const exactlyOne = (what: string, keys: readonly string[]): Rule =>
  map((value, place) => {
    const given = keys.filter((key) => isSet(value, key) && !(Array.isArray(value[key]) && isEmpty(value[key])));
    if (given.length === 0) missing(place, phrase`must have ${what}`);
    for (const key of given.slice(1)) refuse(place, phrase`is a second ${what.replace(/^an? /, '')}`, key);
  });
