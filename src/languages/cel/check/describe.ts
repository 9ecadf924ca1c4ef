import type { Overload } from '../library.ts';
import { type CelType, formatTypeWith } from '../types.ts';

/** The type of an expression with an error; it matches every type, so that one error is reported once. */
export const ERROR: CelType = { kind: 'opaque', name: '!error!' };

/** Formats a type as the checker of cel-go does, which differs from the run-time name for a few. */
export const describeType = (type: CelType): string => formatTypeWith(type, {});

/** Formats a call of an overload, `string.replace(string, string)`; without a name `(int, string)`, `string.(int)`. */
export function describeCall({ name = '', params, member }: Partial<Overload> & Pick<Overload, 'params'>): string {
  const texts = params.map(describeType);
  return member ? `${texts[0]}.${name}(${texts.slice(1).join(', ')})` : `${name}(${texts.join(', ')})`;
}
