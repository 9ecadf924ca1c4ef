import type { Draw } from './draw.ts';
import { expressionOf, reachable, type Variable } from './expressions.ts';
import { always, metadataType, scopeOf } from './fields.ts';
import { gadgetOf } from './gadgets.ts';
import { withNull } from './nulls.ts';
import { referenceOf } from './references.ts';
import { schemaOf } from './simple-schema.ts';
import { type Around, type Made, templateOf } from './templates.ts';
import { anything, drawnValue, type Json, type JsonMap, names, type Type } from './types.ts';
import { widgets } from './widgets.ts';

/** A package of RGDs, CRDs, instances and objects, as plain objects. */
export interface GeneratedPackage {
  objects: JsonMap[];
  observed: JsonMap[];
}

interface Node {
  id: string;
  variable: Variable;
  collection: boolean;
}

/**
 * Returns packages with one or two RGDs, their instances, references and observed objects; some of them are invalid.
 */
export function packageOf(draw: Draw): GeneratedPackage {
  const objects: JsonMap[] = [widgets];
  const observed: JsonMap[] = [];
  const cluster = draw.chance(12);
  const gadget = draw.chance(25) && !cluster ? gadgetOf(draw) : undefined;
  if (gadget !== undefined) objects.push(gadget.crd);
  const inner =
    draw.chance(20) && !cluster
      ? rgdOf(draw, 'Inner', { objects, observed, cluster: false, nested: undefined, gadget })
      : undefined;
  const outer = rgdOf(draw, 'App', { objects, observed, cluster, nested: inner, gadget });
  const rgds = [...(inner === undefined ? [] : [inner.rgd]), outer.rgd];
  objects.push(...rgds.map((rgd) => (draw.chance(3) ? withNull(draw, rgd) : rgd)));
  for (const name of draw.chance(25) ? ['one', 'two'] : ['one']) {
    const metadata: JsonMap = { name };
    if (!cluster && draw.chance(70)) metadata.namespace = draw.pick(['team-a', 'team-b', 'default']);
    if (draw.chance(40)) metadata.labels = { team: draw.pick(names), a: 'b' };
    const spec = draw.chance(98) ? drawnValue(draw, outer.specType) : anything(draw, 2);
    if (draw.chance(1) && typeof spec === 'object' && spec !== null && !Array.isArray(spec)) spec.stranger = 1;
    const instance: JsonMap = { apiVersion: 'kro.run/v1alpha1', kind: 'App', metadata, spec };
    objects.push(draw.chance(3) ? withNull(draw, instance) : instance);
    if (draw.chance(10)) observed.push(earlierOf(draw, instance, outer.specType, cluster));
  }
  return { objects: draw.chance(10) ? objects.reverse() : objects, observed: oncePerName(observed) };
}

/**
 * Returns an earlier version of an instance, with other values in some of its fields. It has no other fields, because
 * the cluster of the oracle keeps observed fields that the package lacks.
 */
function earlierOf(draw: Draw, instance: JsonMap, type: Made['specType'], cluster: boolean): JsonMap {
  const spec = drawnValue(draw, type) as JsonMap;
  const given = instance.spec;
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    for (const [name, value] of Object.entries(given)) if (draw.chance(60)) spec[name] = value;
  }
  return {
    ...instance,
    metadata: { ...(cluster ? {} : { namespace: 'default' }), ...(instance.metadata as JsonMap) },
    spec: within(spec, given ?? null),
  };
}

/** Returns a value without the members that another one lacks. */
function within(value: Json, other: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (typeof other !== 'object' || other === null || Array.isArray(other)) return other;
  const shared = Object.entries(value).filter(([key]) => Object.hasOwn(other, key));
  return Object.fromEntries(shared.map(([key, member]) => [key, within(member, other[key] ?? null)]));
}

/** Removes duplicate names: two RGDs may refer to objects of one name, and a cluster has only one of them. */
function oncePerName(objects: readonly JsonMap[]): JsonMap[] {
  const names = objects.map(({ metadata }) => {
    const { name, namespace } = metadata as JsonMap;
    return `${namespace}/${name}`;
  });
  return objects.filter((_, index) => names.indexOf(names[index] as string) === index);
}

export function rgdOf(draw: Draw, kind: string, around: Around): Made {
  const generated = schemaOf(draw);
  const schemaVariable: Variable = {
    path: 'schema',
    optional: false,
    type: { fields: { spec: always(generated.type), metadata: always(metadataType) } },
  };
  const nodes: Node[] = [];
  const resources: Json[] = [];
  const count = kind === 'Inner' ? draw.int(1, 2) : draw.int(1, draw.chance(30) ? 8 : 4);
  for (let index = 0; index < count; index++) {
    const id = `${draw.pick(['conf', 'web', 'svc', 'item', 'ref'])}${index}`;
    resources.push(nodeOf(draw, id, schemaVariable, nodes, around));
  }
  const schema: JsonMap = { apiVersion: 'v1alpha1', kind, spec: generated.spec };
  if (Object.keys(generated.types).length > 0) schema.types = generated.types;
  if (around.cluster) schema.scope = 'Cluster';
  if (draw.chance(kind === 'Inner' ? 80 : 40)) schema.status = statusOf(draw, schemaVariable, nodes);
  if (draw.chance(4)) draw.pick([resources])?.reverse();
  const rgd: JsonMap = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: kind.toLowerCase() },
    spec: { schema, resources },
  };
  return { rgd, specType: generated.type, schema };
}

function statusOf(draw: Draw, schema: Variable, nodes: readonly Node[]): JsonMap {
  const scope = scopeOf([
    ...nodes.map(({ variable }) => variable),
    ...(nodes.length === 0 || draw.chance(10) ? [schema] : []),
  ]);
  const status: JsonMap = {};
  for (const name of ['ready', 'summary', 'count'].slice(0, draw.int(1, 3))) {
    const type = draw.pick<Type>(['string', 'int', 'bool', { list: 'string' }]);
    const named = draw.pick(nodes);
    const expression = expressionOf(draw, scope, type, 2);
    const mentions = named.collection ? `size(${named.id}) >= 0` : `${named.id}.metadata.name != ""`;
    status[name] = draw.chance(1) ? `\${${expression}}` : `\${${mentions} ? ${expression} : ${expression}}`;
  }
  return status;
}

function nodeOf(draw: Draw, id: string, schema: Variable, nodes: Node[], around: Around): JsonMap {
  const node: JsonMap = { id };
  const earlier = nodes.map(({ variable }) => variable);
  const iterators: Variable[] = [];
  const roll = draw.int(1, 100);
  if (roll <= 12) {
    const reference = referenceOf(draw, id, scopeOf([schema, ...earlier]), around);
    node.externalRef = reference.externalRef;
    nodes.push({ id, variable: reference.variable, collection: reference.collection });
    return node;
  }
  if (draw.chance(30)) {
    node.forEach = draw.times(1, draw.chance(15) ? 3 : 2, (index) => {
      const item = draw.pick<Type>(['string', 'string', 'int']);
      const name = `it${index}`;
      iterators.push({ path: name, type: item, optional: false });
      const known = reachable([schema, ...earlier]);
      return { [name]: `\${${expressionOf(draw, { variables: known, nested: 0 }, { list: item }, draw.int(0, 2))}}` };
    });
  }
  const scope = scopeOf([schema, ...earlier, ...iterators]);
  if (draw.chance(20)) {
    const conditions = scopeOf(draw.chance(75) ? [schema] : [schema, ...earlier]);
    node.includeWhen = [`\${${expressionOf(draw, conditions, 'bool', 2)}}`];
  }
  const template = templateOf(draw, id, scope, iterators, around);
  node.template = template.object;
  if (draw.chance(8)) node.readyWhen = [`\${${iterators.length > 0 ? 'each' : id}.metadata.name != ""}`];
  const type: Type = iterators.length > 0 ? { list: template.type } : template.type;
  nodes.push({ id, variable: { path: id, type, optional: false }, collection: iterators.length > 0 });
  return node;
}
