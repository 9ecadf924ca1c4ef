import type { Overload } from '../library.ts';
import { type CelType, formatType } from '../types.ts';

/** The type of an expression with an error; it matches every type, so that one error is reported once. */
export const ERROR: CelType = { kind: 'opaque', name: '!error!' };

/** Formats a type as the checker of cel-go does, which differs from the run-time name for a few. */
export function describeType(type: CelType): string {
  switch (type.kind) {
    case 'null':
    case 'duration':
    case 'timestamp':
      return type.kind;
    case 'list':
      return `list(${describeType(type.element)})`;
    case 'map':
      return `map(${describeType(type.key)}, ${describeType(type.value)})`;
    case 'optional':
      return `optional_type(${describeType(type.value)})`;
    case 'type':
      return `type(${describeType(type.of)})`;
    default:
      return formatType(type);
  }
}

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
