import type { Overload } from '../library.ts';
import { type CelType, formatTypeWith } from '../types.ts';

/** The type of an expression with an error; it matches every type, so that one error is reported once. */
export const ERROR: CelType = { kind: 'opaque', name: '!error!' };

/** Formats a type as the checker of cel-go does, which differs from the run-time name for a few. */
export const describeType = (type: CelType): string => formatTypeWith(type, {});

/** Formats argument types of a call: `(int, string)`, `string.(int)` for a member call. */
export function describeArguments(types: readonly CelType[], member: boolean): string {
  const texts = types.map(describeType);
  return member ? `${texts[0]}.(${texts.slice(1).join(', ')})` : `(${texts.join(', ')})`;
}

/** Formats a call of an overload: `string.replace(string, string)`. */
export function describeCall({ name, params, member }: Overload): string {
  const texts = params.map(describeType);
  return member ? `${texts[0]}.${name}(${texts.slice(1).join(', ')})` : `${name}(${texts.join(', ')})`;
}
