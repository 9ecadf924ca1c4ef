import type { Path } from '../../core/model/value.ts';
import type { Schema, ValidationRule } from '../../kubernetes/schema/index.ts';

/**
 * Returns every validation rule of a schema with its schema, each rule once although an alias may be used many times.
 * `path` is that of the field: lists and maps are declared in the text of their field, so they add no step.
 */
export function* validationRules(schema: Schema): Iterable<{ path: Path; schema: Schema; rule: ValidationRule }> {
  yield* rulesBelow(schema, [], new Set(), new Set());
}

function* rulesBelow(
  schema: Schema,
  path: Path,
  seen: Set<ValidationRule>,
  walked: Set<Schema>,
): Iterable<{ path: Path; schema: Schema; rule: ValidationRule }> {
  if (walked.has(schema)) return;
  walked.add(schema);
  for (const rule of schema['x-kubernetes-validations'] ?? []) {
    if (seen.has(rule)) continue;
    seen.add(rule);
    yield { path, schema, rule };
  }
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* rulesBelow(property, [...path, name], seen, walked);
  if (schema.items !== undefined) yield* rulesBelow(schema.items, path, seen, walked);
  if (typeof schema.additionalProperties === 'object')
    yield* rulesBelow(schema.additionalProperties, path, seen, walked);
}

/** Returns a schema and all below it, each once; those of the values of maps on request. */
function* schemasBelow(schema: Schema, withMapValues: boolean, seen: Set<Schema>): Iterable<Schema> {
  if (seen.has(schema)) return;
  seen.add(schema);
  yield schema;
  for (const property of Object.values(schema.properties ?? {})) yield* schemasBelow(property, withMapValues, seen);
  if (schema.items !== undefined) yield* schemasBelow(schema.items, withMapValues, seen);
  if (withMapValues && typeof schema.additionalProperties === 'object')
    yield* schemasBelow(schema.additionalProperties, withMapValues, seen);
}

/** Returns a schema and all below it, each once. */
export const schemasIn = (schema: Schema): Iterable<Schema> => schemasBelow(schema, true, new Set());

/**
 * Returns the schemas whose defaults an API server checks in a CRD: it does not check the values of maps
 * (k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting, validate).
 */
export const schemasWithCheckedDefaults = (schema: Schema): Iterable<Schema> => schemasBelow(schema, false, new Set());
