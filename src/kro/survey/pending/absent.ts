import { isMap } from '../../../core/model/value.ts';
import { EACH, type Step } from '../reads/index.ts';

/** A path that leads nowhere. */
export interface Absence {
  /** With indexes in place of `EACH` as far as there are elements. */
  path: readonly Step[];
  /** How many of its steps are there. */
  there: number;
}

/** Where paths into a value lead nowhere. null counts as nothing, as it does for expressions. */
export function absencesIn(value: unknown, path: readonly Step[], before: readonly Step[] = []): Absence[] {
  const [step, ...rest] = path;
  if (value === undefined || value === null) return [{ path: [...before, ...path], there: before.length - 1 }];
  if (step === undefined) return [];
  if (step === EACH) {
    const keys = Array.isArray(value) ? value.keys() : isMap(value) ? Object.keys(value) : [];
    return [...keys].flatMap((key) => absencesIn(member(value, key), rest, [...before, key]));
  }
  const isReadable = typeof step === 'number' ? Array.isArray(value) : isMap(value);
  // A value of another type is an error of the expression, nothing to wait for.
  return isReadable ? absencesIn(member(value, step), rest, [...before, step]) : [];
}

function member(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
