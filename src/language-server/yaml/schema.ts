import graphSchema from '../../../data/graph-schema.json';
import { groupKind, groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import { getAt, isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { DIALECT, rgdJsonSchema } from '../../describe/jsonschema/index.ts';
import { isInputProvider, isResourceSet, PROVIDER_SPEC, SET_SPEC } from '../../flux/index.ts';
import { isGraph } from '../../graph/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { objectMetaSchema, type Schema, schemaAt as schemaOf } from '../../kubernetes/schema/index.ts';
import { functionConfigSchema, isFunctionConfig } from '../../render/options/index.ts';
import type { Checked } from '../workspace/check.ts';

/** JSON Schemas have the same keywords as far as they are used here. */
const asSchema = (schema: ValueMap): Schema => schema as unknown as Schema;

const RGD: Schema = asSchema(rgdJsonSchema);
const GRAPH: Schema = asSchema(graphSchema as unknown as ValueMap);
const TYPE_META: Readonly<Record<string, Schema>> = { apiVersion: { type: 'string' }, kind: { type: 'string' } };
const struct = (spec: Schema): Schema => ({
  type: 'object',
  properties: { ...TYPE_META, metadata: objectMetaSchema, spec },
  required: ['apiVersion', 'kind', 'metadata'],
});
const SET = struct(SET_SPEC);
const PROVIDER = struct(PROVIDER_SPEC);

function schemaOfDocument(value: Value, checked: Checked | undefined): Schema | undefined {
  const object = isMap(value) ? { apiVersion: 'v1', kind: '', ...value } : undefined;
  if (object === undefined || !isKubeObject(object)) return undefined;
  if (isRgd(object)) return RGD;
  if (isGraph(object)) return GRAPH;
  if (isResourceSet(object)) return SET;
  if (isInputProvider(object)) return PROVIDER;
  if (isFunctionConfig(object)) return asSchema(functionConfigSchema(DIALECT));
  const gvk = groupVersionKind(object);
  return withObjectMetadata(checked?.schemaOf(groupKind(gvk)) ?? checked?.kinds.find(gvk)?.schema);
}

const withObjectMetadata = (schema: Schema | undefined): Schema | undefined =>
  schema && { ...schema, properties: { ...TYPE_META, ...schema.properties, metadata: objectMetaSchema } };

/** Returns the schema at a path of a document. Templates have that of their kind. */
export function schemaAt(root: Value, path: Path, checked: Checked | undefined): Schema | undefined {
  const top = schemaOfDocument(root, checked);
  const template = templateIn(root, path);
  // Nested graphs have the same nodes.
  if (template === undefined) {
    const inside = isGraphDocument(root) ? inNode(root, path) : path;
    return schemaOf(top, inside === path ? path : ['spec', 'nodes', 0, ...inside]);
  }
  const [at, inside] = template;
  const object = getAt(root, at);
  const gvk = groupVersionKind(isMap(object) ? object : {});
  const schema = withObjectMetadata(checked?.kinds.find(gvk)?.schema) ?? struct({});
  return schemaOf(schema, inside);
}

export const isRgdDocument = (value: Value): boolean => isKubeObject(value) && isRgd(value);

const isGraphDocument = (value: Value): boolean => isKubeObject(value) && isGraph(value);

/** Returns the path of the template that contains a path of an RGD, a Graph or a ResourceSet, and the rest of it. */
export function templateIn(root: Value, path: Path): [at: Path, inside: Path] | undefined {
  const ofSet = setTemplateIn(root, path);
  if (ofSet !== undefined) return ofSet;
  const inside = inNode(root, path);
  return inside.length < path.length && inside[0] === 'template'
    ? [path.slice(0, path.length - inside.length + 1), inside.slice(1)]
    : undefined;
}

/** Returns the path of the object in the resources of a ResourceSet that contains a path, and the rest of it. */
export function setTemplateIn(root: Value, path: Path): [at: Path, inside: Path] | undefined {
  if (!isKubeObject(root) || !isResourceSet(root)) return undefined;
  const [spec, resources, index] = path;
  if (spec !== 'spec' || resources !== 'resources' || typeof index !== 'number') return undefined;
  return [path.slice(0, 3), path.slice(3)];
}

/** Returns the part of a path in its innermost node of an RGD or a Graph, or the path itself. */
export function inNode(root: Value, path: Path): Path {
  const list = isRgdDocument(root) ? 'resources' : isGraphDocument(root) ? 'nodes' : undefined;
  const isNode = (at: number): boolean => path[at] === list && typeof path[at + 1] === 'number';
  if (list === undefined || path[0] !== 'spec' || !isNode(1)) return path;
  let at = 3;
  while (path[at] === 'graph' && isNode(at + 1)) at += 3;
  return path.slice(at);
}

/** Returns the type of a schema in a word; JSON Schemas may have several, of which null is ignored. */
export function schemaType(schema: Schema | undefined): string | undefined {
  const type: unknown = schema?.type;
  if (Array.isArray(type)) return String(type.find((one) => one !== 'null') ?? '') || undefined;
  return typeof type === 'string' ? type : schema?.properties === undefined ? undefined : 'object';
}
