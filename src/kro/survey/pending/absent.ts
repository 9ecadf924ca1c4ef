import { isMap } from '../../../core/model/value.ts';
import { EACH, type Step } from '../reads/index.ts';

/** A path that does not exist. */
export interface Absence {
  /** With indexes instead of `EACH` as far as there are elements. */
  path: readonly Step[];
  /** The number of its steps that exist. */
  there: number;
}

/** Returns paths of a value that do not exist. null counts as absent, as for expressions. */
export function absencesIn(value: unknown, path: readonly Step[], before: readonly Step[] = []): Absence[] {
  const [step, ...rest] = path;
  if (value === undefined || value === null) return [{ path: [...before, ...path], there: before.length - 1 }];
  if (step === undefined) return [];
  if (step === EACH) {
    const keys = Array.isArray(value) ? value.keys() : isMap(value) ? Object.keys(value) : [];
    return [...keys].flatMap((key) => absencesIn(member(value, key), rest, [...before, key]));
  }
  const isReadable = typeof step === 'number' ? Array.isArray(value) : isMap(value);
  // A value of another type is an error of the expression, not pending.
  return isReadable ? absencesIn(member(value, step), rest, [...before, step]) : [];
}

function member(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
