import type { KubeObject } from '../../../core/model/object.ts';
import {
  get,
  isMap,
  listAt,
  listOf,
  type Path,
  setKey,
  textAt,
  textOf,
  type Value,
  type ValueMap,
} from '../../../core/model/value.ts';
import type { Definition, NodeDefinition } from '../../../kro/definition/index.ts';

/** Decodes an RGD leniently: invalid parts are omitted, and nodes keep their indexes. */
export function looseDefinition(value: Value): Definition {
  const spec = get(value, 'spec');
  const schema = mapOf(get(spec, 'schema'));
  const object: KubeObject = { ...mapOf(value), apiVersion: 'kro.run/v1alpha1', kind: 'ResourceGraphDefinition' };
  return {
    input: { object },
    name: textAt(get(value, 'metadata'), 'name') || 'rgd',
    uid: undefined,
    group: textOf(schema.group) || 'kro.run',
    version: textOf(schema.apiVersion) || 'v1alpha1',
    kind: textOf(schema.kind) || 'Instance',
    plural: textOf(schema.plural) || undefined,
    namespaced: textOf(schema.scope) !== 'Cluster',
    schema: looseSchema(schema),
    nodes: listAt(spec, 'resources').map((resource, index) => looseNode(mapOf(resource), index)),
  };
}

/** Removes invalid parts of the schema that the CRD would contain. */
function looseSchema(schema: ValueMap): ValueMap {
  const kept: ValueMap = {};
  for (const key of ['spec', 'types', 'status']) if (isMap(schema[key])) setKey(kept, key, schema[key]);
  return kept;
}

function looseNode(resource: ValueMap, index: number): NodeDefinition {
  const path: Path = ['spec', 'resources', index];
  const template = looseObject(resource.template);
  return {
    id: textOf(resource.id),
    path,
    template,
    externalRef: resource.template === undefined ? looseObject(resource.externalRef) : undefined,
    contentKey: template === undefined ? 'externalRef' : 'template',
    forEach: listOf(resource.forEach ?? null).flatMap((entry, at) => {
      const [[name, text] = []] = Object.entries(mapOf(entry));
      return name === undefined ? [] : [{ name, text: textOf(text), path: [...path, 'forEach', at, name] }];
    }),
    includeWhen: listOf(resource.includeWhen ?? null).map(textOf),
    readyWhen: listOf(resource.readyWhen ?? null).map(textOf),
  };
}

/** Adds metadata to a template, whose kind is known without it. */
function looseObject(value: Value | undefined): ValueMap | undefined {
  if (!isMap(value)) return undefined;
  return isMap(value.metadata) ? value : { ...value, metadata: {} };
}

const mapOf = (value: Value | undefined): ValueMap => (isMap(value) ? value : {});
