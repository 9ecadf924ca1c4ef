import { groupKind } from '../../../core/model/object.ts';
import type { Path } from '../../../core/model/value.ts';
import type { Schema } from '../../../kubernetes/schema/index.ts';
import type { RgdModel } from '../rgd/model.ts';
import type { Checked } from '../workspace/check.ts';

/** A field of a kind that an RGD defines. */
export interface DeclaredAt {
  /** `Kind.group`. */
  kind: string;
  path: Path;
}

/** Returns the locations of the schemas that declare object types, which an expression may reach in any way. */
export function declarationsOf({ definition, scopes }: RgdModel, checked: Checked): ReadonlyMap<Schema, DeclaredAt> {
  const found = new Map<Schema, DeclaredAt>();
  const own = groupKind(definition);
  // The metadata of all kinds has one schema.
  for (const part of ['spec', 'status']) put(found, scopes.schema.properties?.[part], { kind: own, path: [part] });
  for (const node of scopes.nodes) {
    if (node === undefined || checked.schemaOf(groupKind(node.gvk)) === undefined) continue;
    const kind = groupKind(node.gvk);
    for (const part of ['spec', 'status']) put(found, node.schema?.properties?.[part], { kind, path: [part] });
  }
  return found;
}

function put(found: Map<Schema, DeclaredAt>, schema: Schema | undefined, at: DeclaredAt): void {
  if (schema === undefined || found.has(schema) || at.path.length > 60) return;
  found.set(schema, at);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    put(found, field, { ...at, path: [...at.path, name] });
  put(found, schema.items, { ...at, path: [...at.path, 0] });
  if (typeof schema.additionalProperties === 'object')
    put(found, schema.additionalProperties, { ...at, path: [...at.path, '*'] });
}
