import { formatPath, type Path } from './value.ts';

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

/** Reports whether a part of the path may be missing. */
export const isOptional = ({ path, needed }: Pick<Source, 'path' | 'needed'>): boolean => needed < path.length;

/** Reports whether one path leads to the other one, or to a part of it. */
export const touches = (one: readonly Step[], other: readonly Step[]): boolean =>
  one.every((step, index) => index >= other.length || step === other[index] || step === EACH || other[index] === EACH);

/** Reports whether a path leads to another one, or to a value that contains it. */
export const leadsTo = (short: readonly Step[], long: readonly Step[]): boolean =>
  short.length <= long.length && short.every((step, index) => step === long[index]);
