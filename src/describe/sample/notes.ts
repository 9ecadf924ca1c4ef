import { enumerated } from '../../core/text/clip.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';

/** Returns the type of a field in words: `list of string`, `map of integer`. */
export function typeName(schema: Schema | undefined): string {
  if (schema === undefined) return 'anything';
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (schema.type === 'array') return `list of ${typeName(schema.items)}`;
  if (schema.type !== 'object') return schema.type ?? 'anything';
  if (typeof schema.additionalProperties === 'object') return `map of ${typeName(schema.additionalProperties)}`;
  return schema.properties === undefined ? 'anything' : 'object';
}

/** The message of rules without one (kro: simpleschema markers). */
const GENERIC = 'validation failed';

/** Returns the constraints of a value besides its type: `at least 1`, `one of "a", "b"`. */
export function boundsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, minProperties, maxProperties } = schema;
  const about = (text: string, bound: bigint | number | undefined): string[] =>
    bound === undefined ? [] : [text.replace('N', String(bound))];
  return [
    ...(schema.enum === undefined ? [] : [`one of ${enumerated(schema.enum.map((value) => toJsonText(value)))}`]),
    ...about(schema.exclusiveMinimum === true ? 'more than N' : 'at least N', minimum),
    ...about(schema.exclusiveMaximum === true ? 'less than N' : 'at most N', maximum),
    ...about('at least N characters', minLength),
    ...about('at most N characters', maxLength),
    ...about('at least N items', minItems),
    ...about('at most N items', maxItems),
    ...about('at least N entries', minProperties),
    ...about('at most N entries', maxProperties),
    ...(schema.pattern === undefined ? [] : [`matches ${schema.pattern}`]),
    ...(schema.uniqueItems === true || schema['x-kubernetes-list-type'] === 'set' ? ['no item twice'] : []),
    ...(schema['x-kubernetes-list-type'] === 'map'
      ? [`no two items with the same ${(schema['x-kubernetes-list-map-keys'] ?? []).join(', ')}`]
      : []),
    ...(schema['x-kubernetes-validations'] ?? []).map(({ rule, message }) =>
      message === undefined || message === GENERIC ? `must hold: ${rule}` : message,
    ),
  ];
}
