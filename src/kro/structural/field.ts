import type { Path } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';

/** A schema with its path. */
export interface Field {
  schema: Schema;
  /**
   * The path of the field that contains it: lists and maps are declared in the text of their field, so they add no
   * step.
   */
  path: Path;
  /** It is below a list whose items cannot be matched between versions of the object. */
  uncorrelatable: boolean;
}

/** Returns every schema below one, each once per relevant context. */
export function* fieldsOf(root: Schema, path: Path): Iterable<Field> {
  yield* below({ schema: root, path, uncorrelatable: false }, [new Set(), new Set()]);
}

function* below(field: Field, seen: readonly [Set<Schema>, Set<Schema>]): Iterable<Field> {
  const { schema, path, uncorrelatable } = field;
  const known = seen[uncorrelatable ? 1 : 0];
  if (known.has(schema)) return;
  known.add(schema);
  yield field;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* below({ schema: property, path: [...path, name], uncorrelatable }, seen);
  }
  const { items, additionalProperties } = schema;
  if (items !== undefined) {
    // Only the keys of a keyed list match its items.
    const lost = uncorrelatable || schema['x-kubernetes-list-type'] !== 'map';
    yield* below({ schema: items, path, uncorrelatable: lost }, seen);
  }
  if (typeof additionalProperties === 'object')
    yield* below({ schema: additionalProperties, path, uncorrelatable }, seen);
}
