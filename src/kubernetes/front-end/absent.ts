import { EACH, type Step } from '../../core/model/read.ts';
import { isMap } from '../../core/model/value.ts';

/*
 * What is pending: a value that an object does not have, although something reads it. Every front end asks here: for an
 * object that a reference names, for the inputs of a provider, and for the fields that a failed expression reads. An
 * `Unknown` of the CEL engine is something else: there the data has a mark, and reading it does not fail.
 */

/** A part that a value does not have: only a live object can have it. */
export interface AbsentPart {
  /** With indexes instead of `EACH` as far as there are elements. */
  path: readonly Step[];
  there: number;
}

export const isAbsent = (object: unknown, path: readonly Step[] = []): boolean => absentIn(object, path).length > 0;

/** Returns the absent parts that a read of a value meets. null counts as absent, as for expressions. */
export function absentIn(value: unknown, path: readonly Step[], before: readonly Step[] = []): AbsentPart[] {
  if (value === undefined || value === null) return [{ path: [...before, ...path], there: before.length - 1 }];
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (step === EACH) {
    const keys = Array.isArray(value) ? value.keys() : isMap(value) ? Object.keys(value) : [];
    return [...keys].flatMap((key) => absentIn(member(value, key), rest, [...before, key]));
  }
  const isReadable = typeof step === 'number' ? Array.isArray(value) : isMap(value);
  // A value of another type is an error of the expression, not pending.
  return isReadable ? absentIn(member(value, step), rest, [...before, step]) : [];
}

function member(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
