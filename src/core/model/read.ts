import { formatPath, mapItems, type Path, type Value } from './value.ts';

/** Every element of a list, or every value of a map. */
export const EACH: unique symbol = Symbol('each');

/** A step of a path that may match many values. */
export type Step = string | number | typeof EACH;

/** Returns the part of a path that leads to one value; the rest may match many. */
export function upToEach(path: readonly Step[]): Path {
  const end = path.indexOf(EACH);
  return (end < 0 ? path : path.slice(0, end)) as Path;
}

/** The origin of a value in a template or an expression: a variable, and the path from it. */
export interface Source {
  readonly root: string;
  readonly path: readonly Step[];
  /** The number of steps that must exist; steps after an optional one (`.?`, `[?]`, `has()`) need not. */
  readonly needed: number;
  /** The position of what reads it: a name in an expression, a part of a template. */
  readonly offset: number;
}

/** One read of a template or an expression. */
export interface Read extends Source {
  /** The whole value is read; otherwise only its existence and its number of elements. */
  readonly whole: boolean;
}

/** Formats a path, with `[*]` for every element: `status.subnets[*].id`. */
export function formatSteps(path: readonly Step[]): string {
  return path.reduce<string>((text, step) => {
    const written = step === EACH ? '[*]' : formatPath([step]);
    return text === '' || written.startsWith('[') ? text + written : `${text}.${written}`;
  }, '');
}

export const isOptional = ({ path, needed }: Pick<Source, 'path' | 'needed'>): boolean => needed < path.length;

/** Reports whether one path leads to the other one, or to a part of it. */
export const touches = (one: readonly Step[], other: readonly Step[]): boolean =>
  one.every((step, index) => index >= other.length || step === other[index] || step === EACH || other[index] === EACH);

/** Reports whether a path leads to another one, or to a value that contains it. */
export const leadsTo = (short: readonly Step[], long: readonly Step[]): boolean =>
  short.length <= long.length && short.every((step, index) => step === long[index]);

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

/** Returns the value with only the kept fields, in which every kept read has the same result, including absence. */
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
