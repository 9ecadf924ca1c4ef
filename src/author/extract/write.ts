import type { KubeObject } from '../../core/model/object.ts';
import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { conditionText, fieldText, toTemplate } from './cel.ts';
import type { Field, Identity, Node, Rows } from './model.ts';
import { specFor, type WrittenSchema } from './schema.ts';

/** The kind that the RGD defines. */
export interface Target {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** Returns the RGD with the nodes, in the order of the objects in the copies. */
export function writeRgd(
  { kind, group, version }: Target,
  { spec, types }: WrittenSchema,
  nodes: readonly Node[],
): KubeObject {
  const schema: ValueMap = { apiVersion: version, kind, group };
  if (Object.keys(types).length > 0) schema.types = types;
  schema.spec = spec;
  return {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: kind.toLowerCase() },
    spec: { schema, resources: nodes.map(writeNode) },
  };
}

function writeNode({ id, condition, list, pattern }: Node): ValueMap {
  const node: ValueMap = { id };
  if (condition !== undefined) node.includeWhen = [`\${${conditionText(condition)}}`];
  if (list?.field !== undefined) {
    const iterator: ValueMap = {};
    setKey(iterator, list.inner.prefix, `\${${fieldText(list.field)}}`);
    node.forEach = [iterator];
  }
  node.template = toTemplate(pattern) as Value;
  return node;
}

/** Returns the instance of each copy, with the fields that differ from the defaults. */
export function writeInstances(
  { kind, group, version }: Target,
  identities: readonly Identity[],
  fields: ReadonlyMap<Rows, readonly Field[]>,
  root: Rows,
): KubeObject[] {
  return identities.map(({ name, namespace }, row) => {
    const metadata: ValueMap = namespace === '' ? { name } : { name, namespace };
    return { apiVersion: `${group}/${version}`, kind, metadata, spec: specFor(root, row, fields) };
  });
}
