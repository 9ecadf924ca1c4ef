import { phrase } from '../../../core/diagnostics/index.ts';
import { isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { memberSchema, objectMetaSchema, type Schema } from '../../schema/index.ts';
import { add, at, isFull, type Walk } from './walk.ts';

/** Reports the fields that strict field validation rejects: those that the kind does not have. */
export function checkUnknown(schema: Schema, value: Value, walk: Walk): void {
  if (walk.custom) prune(schema, value, walk);
  else visitTyped(schema, value, walk);
}

const unknown = (walk: Walk, key: string): void =>
  add(walk, 'unknown', phrase`is a field that the kind does not have`, key);

/** Visits Kubernetes' own types; types without a description may contain anything. */
function visitTyped(schema: Schema, value: Value, walk: Walk): void {
  if (isFull(walk)) return;
  const { properties, additionalProperties, items } = schema;
  if (Array.isArray(value)) {
    if (items !== undefined) for (const [index, item] of value.entries()) visitTypedAt(items, index, item, walk);
    return;
  }
  if (!isMap(value)) return;
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    additionalProperties === true ||
    (properties === undefined && additionalProperties === undefined);
  for (const key of Object.keys(value)) {
    const below = memberSchema(schema, key);
    if (below !== undefined) visitTypedAt(below, key, value[key] as Value, walk);
    else if (!isOpen) unknown(walk, key);
  }
}

function visitTypedAt(schema: Schema, step: string | number, value: Value, walk: Walk): void {
  walk.path.push(step);
  visitTyped(schema, value, walk);
  walk.path.pop();
}

const META_FIELDS = ['apiVersion', 'kind', 'metadata'];

/**
 * Visits structural schemas (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning): below a field without a
 * schema no field is known, and a schema that keeps unknown fields does so for itself and its lists.
 */
function prune(schema: Schema | undefined, value: Value, walk: Walk, keep = keepsUnknownFields(schema)): void {
  if (isFull(walk)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      at(walk, index, () => prune(schema?.items, item, walk, keep || keepsUnknownFields(schema?.items)));
    }
  } else if (isMap(value)) pruneMap(schema, value, walk, keep);
}

const keepsUnknownFields = (schema: Schema | undefined): boolean =>
  schema?.['x-kubernetes-preserve-unknown-fields'] === true;

function pruneMap(schema: Schema | undefined, map: ValueMap, walk: Walk, keep: boolean): void {
  const isEmbedded = schema?.['x-kubernetes-embedded-resource'] === true;
  for (const key of Object.keys(map)) {
    if (isEmbedded && key === 'metadata') {
      visitTypedAt(objectMetaSchema, key, map[key] as Value, walk);
    }
    if (isEmbedded && META_FIELDS.includes(key)) continue;
    const below = schema && memberSchema(schema, key);
    if (below !== undefined || schema?.additionalProperties === true) {
      at(walk, key, () => prune(below, map[key] as Value, walk));
    } else if (!keep) unknown(walk, key);
  }
}
