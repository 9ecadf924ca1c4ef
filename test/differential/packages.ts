import type { Draw } from './draw.ts';
import { expressionOf, reachable, type Variable } from './expressions.ts';
import { always, metadataType, scopeOf, sometimes } from './fields.ts';
import { gadgetOf } from './gadgets.ts';
import { withNull } from './nulls.ts';
import { referenceOf } from './references.ts';
import { schemaOf } from './simple-schema.ts';
import { statusOf } from './status.ts';
import { restyled, withOmissions } from './styles.ts';
import { type Around, type Made, observedOf, templateOf } from './templates.ts';
import {
  anything,
  drawnValue,
  type Field,
  isList,
  isMapType,
  isStruct,
  type Json,
  type JsonMap,
  names,
  type Type,
} from './types.ts';
import { widgets } from './widgets.ts';

/** A package of RGDs, CRDs, instances and objects, as plain objects. */
export interface GeneratedPackage {
  objects: JsonMap[];
  observed: JsonMap[];
  /** The feature gates of kro that it needs. */
  gates?: readonly 'omit'[];
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
  const namespace = draw.pick(['team-a', 'team-b', 'default']);
  const below = { objects, observed, cluster: false, gadget, namespace };
  const innermost = draw.chance(6) && !cluster ? rgdOf(draw, 'Innermost', { ...below, nested: undefined }) : undefined;
  const inner =
    (innermost !== undefined || draw.chance(24)) && !cluster
      ? rgdOf(draw, 'Inner', { ...below, nested: innermost })
      : undefined;
  const outer = rgdOf(draw, 'App', { ...below, cluster, nested: inner });
  const drawn = [innermost, inner, outer].flatMap((made) => (made === undefined ? [] : [made.rgd]));
  const rgds = draw.chance(8) ? drawn.map((rgd) => restyled(draw, rgd)) : drawn;
  objects.push(...rgds.map((rgd) => (draw.chance(3) ? withNull(draw, rgd) : rgd)));
  for (const name of draw.chance(25) ? ['one', 'two'] : ['one']) {
    const metadata: JsonMap = { name };
    if (!cluster && (namespace !== 'default' || draw.chance(70))) metadata.namespace = namespace;
    if (draw.chance(40)) metadata.labels = { team: draw.pick(names), a: 'b' };
    const spec = draw.chance(98) ? drawnValue(draw, outer.specType) : anything(draw, 2);
    if (draw.chance(1) && typeof spec === 'object' && spec !== null && !Array.isArray(spec)) spec.stranger = 1;
    const instance: JsonMap = { apiVersion: outer.apiVersion, kind: 'App', metadata, spec };
    objects.push(draw.chance(3) ? withNull(draw, instance) : instance);
    if (draw.chance(10)) observed.push(earlierOf(draw, instance, outer.specType, cluster));
  }
  return { objects: draw.chance(10) ? objects.reverse() : objects, observed: oncePerName(observed) };
}

/** Returns packages in which some fields of templates, of conditions and of statuses are omitted. */
export function omittingPackageOf(draw: Draw): GeneratedPackage {
  const made = packageOf(draw);
  const objects = made.objects.map((one) => (one.kind === 'ResourceGraphDefinition' ? withOmissions(draw, one) : one));
  return { ...made, objects, gates: ['omit'] };
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
  const count = kind !== 'App' ? draw.int(1, 2) : draw.int(1, draw.chance(30) ? 8 : 4);
  for (let index = 0; index < count; index++) {
    const id = `${draw.pick(['conf', 'web', 'svc', 'item', 'ref'])}${index}`;
    resources.push(nodeOf(draw, id, schemaVariable, nodes, around));
  }
  for (const reader of readersOf(draw, nodes, around)) resources.push(reader);
  const schema: JsonMap = {
    apiVersion: draw.chance(95) ? 'v1alpha1' : draw.pick(['v1', 'v2beta3']),
    kind,
    spec: generated.spec,
  };
  if (draw.chance(8)) schema.group = draw.pick(['example.org', 'apps.example.com']);
  if (draw.chance(10)) Object.assign(schema, crdFieldsOf(draw));
  if (Object.keys(generated.types).length > 0) schema.types = generated.types;
  if (around.cluster) schema.scope = 'Cluster';
  let status: Record<string, Field> = {};
  if (draw.chance(kind === 'App' ? 40 : 85)) {
    const drawn = statusOf(draw, schemaVariable, nodes);
    schema.status = drawn.status;
    status = drawn.fields;
  }
  if (draw.chance(4)) draw.pick([resources])?.reverse();
  const rgd: JsonMap = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: kind.toLowerCase() },
    spec: { schema, resources },
  };
  const apiVersion = `${schema.group ?? 'kro.run'}/${schema.apiVersion}`;
  return { rgd, apiVersion, kind, specType: generated.type, status };
}

/** Returns nodes that read only the status of a nested instance, in several ways. */
function readersOf(draw: Draw, nodes: readonly Node[], { nested }: Around): JsonMap[] {
  if (nested === undefined) return [];
  return nodes.flatMap(({ id, variable, collection }, index): JsonMap[] => {
    const inside = isList(variable.type) ? variable.type.list : variable.type;
    const status = isStruct(inside) && inside.fields.status?.type;
    if (!status || !isStruct(status) || Object.keys(status.fields).length === 0 || draw.chance(25)) return [];
    const path = collection ? `${id}[0].status` : `${id}.status`;
    const all = reachable([{ path, type: status, optional: true }], 4).slice(draw.chance(10) ? 0 : 1);
    const variables = all.length === 0 ? [{ path, type: status, optional: true }] : all;
    const read = (): Json => {
      const { path: one } = draw.pick(variables);
      if (draw.chance(35)) return `\${json.marshal(${one})}`;
      if (draw.chance(15)) return `\${has(${one}) ? "yes" : "no"}`;
      return `\${${expressionOf(draw, { variables, nested: 0 }, 'string', draw.int(0, 1))}}`;
    };
    const data = Object.fromEntries(draw.times(1, 2, (at) => [`k${at}`, read()]));
    const metadata: JsonMap = { name: `\${schema.metadata.name}-read${index}` };
    const template: JsonMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
    const reader: JsonMap = { id: `read${index}`, template };
    const lists = variables.filter(({ type }) => isList(type));
    if (draw.chance(15)) reader.includeWhen = [`\${has(${draw.pick(variables).path})}`];
    if (collection && draw.chance(30)) data.all = `\${json.marshal(${id}.map(one, ${draw.pick(loopReads)}))}`;
    if (lists.length > 0 && draw.chance(25)) {
      reader.forEach = [{ it0: `\${${draw.pick(lists).path}}` }];
      metadata.name = `\${schema.metadata.name}-read${index}-\${random.seededString(5, json.marshal(it0))}`;
      data.it = '${json.marshal(it0)}';
    }
    return [reader];
  });
}

/** Reads of the status of an item of a collection. */
const loopReads = ['one.status', 'one.?status.?ready', 'has(one.status)', 'has(one.status.ready)'];

/** Returns fields of an RGD that only change its CRD; a few are invalid. */
function crdFieldsOf(draw: Draw): JsonMap {
  const all: [string, () => Json][] = [
    ['shortNames', () => draw.pick<Json>([['ap'], ['ap', 'app1'], [], draw.chance(20) ? ['Bad'] : ['ap']])],
    ['categories', () => draw.pick<Json>([['all'], ['kro', 'demo'], []])],
    ['metadata', () => ({ labels: { team: draw.pick(names) }, annotations: { note: draw.pick(['x', 'two words']) } })],
    [
      'additionalPrinterColumns',
      () => [
        {
          name: draw.pick(['Name', 'Age']),
          type: draw.pick(['string', 'date', 'integer']),
          jsonPath: draw.pick(['.metadata.creationTimestamp', '.spec.name', '.status.ready']),
          ...(draw.chance(30) && { priority: 1, description: 'drawn' }),
        },
      ],
    ],
  ];
  return Object.fromEntries(all.filter(() => draw.chance(50)).map(([name, make]) => [name, make()]));
}

function nodeOf(draw: Draw, id: string, schema: Variable, nodes: Node[], around: Around): JsonMap {
  const node: JsonMap = { id };
  const earlier = nodes.map(({ variable }) => variable);
  const iterators: Variable[] = [];
  const roll = draw.int(1, 100);
  if (around.nested !== undefined && draw.chance(4)) {
    const { externalRef, variable } = instanceReferenceOf(draw, id, around.nested, around);
    node.externalRef = externalRef;
    nodes.push({ id, variable, collection: false });
    return node;
  }
  if (roll <= 12) {
    const reference = referenceOf(draw, id, scopeOf([schema, ...earlier]), around);
    node.externalRef = reference.externalRef;
    nodes.push({ id, variable: reference.variable, collection: reference.collection });
    return node;
  }
  if (draw.chance(30)) {
    node.forEach = draw.times(1, draw.chance(15) ? 3 : 2, (index) => {
      const { list, item } = listOf(draw, reachable([schema, ...earlier]));
      const name = `it${index}`;
      iterators.push({ path: name, type: item, optional: false });
      return { [name]: `\${${list}}` };
    });
  }
  const scope = scopeOf([schema, ...earlier, ...iterators]);
  if (draw.chance(20)) {
    const conditions = scopeOf(draw.chance(75) ? [schema] : [schema, ...earlier]);
    node.includeWhen = draw.times(1, draw.chance(15) ? 2 : 1, () => `\${${expressionOf(draw, conditions, 'bool', 2)}}`);
  }
  const template = templateOf(draw, id, scope, iterators, around);
  node.template = template.object;
  if (draw.chance(8)) node.readyWhen = [`\${${iterators.length > 0 ? 'each' : id}.metadata.name != ""}`];
  if (iterators.length === 0 && draw.chance(12)) {
    const seen = observedOf(draw, template.object, around);
    if (seen !== undefined) around.observed.push(seen);
  }
  const type: Type = iterators.length > 0 ? { list: template.type } : template.type;
  nodes.push({ id, variable: { path: id, type, optional: false }, collection: iterators.length > 0 });
  return node;
}

/** Returns a reference to an instance of a nested kind, which the package has. */
function instanceReferenceOf(draw: Draw, id: string, nested: Made, { objects, namespace }: Around) {
  const { apiVersion, kind, specType, status } = nested;
  const metadata: JsonMap = { name: `${id}-given`, namespace };
  if (draw.chance(90)) objects.push({ apiVersion, kind, metadata, spec: drawnValue(draw, specType) });
  const type: Type = {
    fields: { metadata: always(metadataType), spec: always(specType), status: sometimes({ fields: status }) },
  };
  const externalRef: JsonMap = { apiVersion, kind, metadata: { ...metadata } };
  return { externalRef, variable: { path: id, type, optional: false } };
}

/** Returns a list and the type of its elements: computed, or one that a node or the instance has. */
function listOf(draw: Draw, known: readonly Variable[]): { list: string; item: Type } {
  const found = known.filter(({ type }) => isList(type) && (isStruct(type.list) || isMapType(type.list)));
  const one = found.length > 0 && draw.chance(25) ? draw.pick(found) : undefined;
  if (one !== undefined && isList(one.type)) {
    const list = draw.pick([one.path, `${one.path}.filter(v, true)`, `${one.path}.slice(0, 1)`]);
    return {
      list: one.path.includes('.') && draw.chance(20) ? `${one.path} + ${one.path}` : list,
      item: one.type.list,
    };
  }
  if (draw.chance(6))
    return { list: '[{"name": "a", "team": "x"}, {"name": "b", "team": "y"}]', item: { map: 'string' } };
  const item = draw.pick<Type>(['string', 'string', 'int']);
  return { list: expressionOf(draw, { variables: known, nested: 0 }, { list: item }, draw.int(0, 2)), item };
}
