import { EACH, type Step } from './read.ts';
import { mapItems, type Value } from './value.ts';

/** The fields of a value to keep. Without fields only its existence is kept. */
export interface NeededFields {
  whole: boolean;
  /** The fields of every element to keep. */
  each: NeededFields | undefined;
  members: Map<string | number, NeededFields>;
}

export const noFields = (): NeededFields => ({ whole: false, each: undefined, members: new Map() });

/** Keeps the value at a path, or only its shape. */
export function addField(needed: NeededFields, path: readonly Step[], whole: boolean): void {
  const [step, ...rest] = path;
  if (step === undefined) {
    needed.whole ||= whole;
    return;
  }
  let next = step === EACH ? needed.each : needed.members.get(step);
  if (next === undefined) {
    next = noFields();
    if (step === EACH) needed.each = next;
    else needed.members.set(step, next);
  }
  addField(next, rest, whole);
}

/**
 * Returns the value with only the kept fields. Every kept read has the same result, including absence: maps and lists
 * on the way stay, a list up to the last element that is read by index.
 */
export function trimmed(value: Value, needed: readonly NeededFields[]): Value {
  if (needed.some(({ whole }) => whole)) return value;
  const all = needed.some(({ each }) => each !== undefined);
  const of = (key: string | number): NeededFields[] =>
    needed.flatMap(({ each, members }) => [each ?? [], members.get(key) ?? []].flat());
  if (Array.isArray(value)) {
    const indexes = needed.flatMap(({ members }) => [...members.keys()].filter((key) => typeof key === 'number'));
    const length = all ? value.length : indexes.reduce((least, index) => Math.max(least, index + 1), 0);
    return value.slice(0, length).map((item, index) => trimmed(item, of(index)));
  }
  return mapItems(value, (item, key) => {
    const inside = of(key);
    return inside.length > 0 ? trimmed(item, inside) : undefined;
  });
}
