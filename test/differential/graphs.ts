import type { Draw } from './draw.ts';
import { expressionOf, quote, reachable, type Variable } from './expressions.ts';
import { always, fieldOf, metadataType, scopeOf, sometimes } from './fields.ts';
import { type GeneratedPackage, rgdOf } from './packages.ts';
import { type Around, templateOf } from './templates.ts';
import { drawnValue, type Json, type JsonMap, names, type Type } from './types.ts';
import { widgets } from './widgets.ts';

/** What a Graph has around a list of nodes, from the inside to the outside. */
type Frames = readonly (readonly Variable[])[];

/** Returns packages with one or two Graphs, and what they read; some of them are invalid. */
export function graphPackageOf(draw: Draw): GeneratedPackage {
  const objects: JsonMap[] = [widgets];
  const observed: JsonMap[] = [];
  const alone: Around = {
    objects,
    observed,
    cluster: false,
    nested: undefined,
    gadget: undefined,
    namespace: 'default',
  };
  const nested = draw.chance(12) ? rgdOf(draw, 'Inner', alone) : undefined;
  if (nested !== undefined) objects.push(nested.rgd);
  for (const name of draw.chance(10) ? ['one', 'two'] : ['one']) {
    const metadata: JsonMap = { name };
    if (draw.chance(70)) metadata.namespace = draw.pick(['team-a', 'team-b', 'default']);
    objects.push(graphOf(draw, metadata, { ...alone, nested }));
  }
  const isOnce = ({ metadata }: JsonMap, index: number, all: readonly JsonMap[]): boolean =>
    all.findIndex((one) => JSON.stringify(one.metadata) === JSON.stringify(metadata)) === index;
  return { objects: draw.chance(10) ? objects.reverse() : objects, observed: observed.filter(isOnce) };
}

/** The node that the templates of RGDs read: in a Graph it is a variable. */
const schemaOf = (draw: Draw, name: Json): { node: JsonMap; variable: Variable } => ({
  node: { id: 'schema', def: { metadata: { name: name ?? '', labels: { team: draw.pick(names), a: 'b' } } } },
  variable: { path: 'schema', type: { fields: { metadata: always(metadataType) } }, optional: false },
});

function graphOf(draw: Draw, metadata: JsonMap, around: Around): JsonMap {
  const schema = schemaOf(draw, metadata.name ?? null);
  const nodes = nodesOf(draw, draw.int(1, 5), 0, [[schema.variable]], around).nodes;
  const all = [schema.node, ...nodes];
  if (draw.chance(6)) all.reverse();
  const spec: JsonMap = { nodes: all.map((node) => (draw.chance(0.7) ? broken(draw, node) : node)) };
  return { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec };
}

/** Returns the nodes of a frame, and their variables. */
function nodesOf(draw: Draw, count: number, depth: number, frames: Frames, around: Around) {
  const nodes: JsonMap[] = [];
  const own = [...(frames[0] ?? [])];
  for (let index = 0; index < count; index++) {
    const outer = frames.slice(1).flat();
    const shadowed = draw.chance(25) ? outer.find(({ path }) => path !== 'schema')?.path : undefined;
    const isTaken = own.some(({ path }) => path === shadowed);
    const drawn = `${draw.pick(['conf', 'web', 'Svc', 'item', 'ref'])}${depth}${index}`;
    const id = shadowed === undefined || isTaken ? drawn : shadowed;
    const { node, type } = nodeOf(draw, id, depth, [own, ...frames.slice(1)], around);
    nodes.push(node);
    own.push({ path: id, type, optional: false });
  }
  return { nodes, variables: own };
}

function nodeOf(draw: Draw, id: string, depth: number, frames: Frames, around: Around): { node: JsonMap; type: Type } {
  const scope = scopeOf(frameOf(draw, frames));
  const roll = draw.int(1, 100);
  if (roll <= 20) {
    const { def, type } = variableOf(draw, frames);
    return { node: conditional(draw, { id, def }, frames), type };
  }
  if (roll <= 34) return referenceOf(draw, id, frames, around);
  if (roll <= 50 && depth < 2) {
    const { nodes, variables } = nodesOf(draw, draw.int(draw.chance(3) ? 0 : 1, 3), depth + 1, [[], ...frames], around);
    const fields = Object.fromEntries(variables.map(({ path, type }) => [path, always(type)]));
    return { node: { id, graph: { nodes } }, type: { fields } };
  }
  const iterators: Variable[] = [];
  const node: JsonMap = { id };
  if (draw.chance(30)) {
    node.forEach = draw.times(1, draw.chance(15) ? 3 : 2, (index) => {
      const item = draw.pick<Type>(['string', 'string', 'int']);
      const known = reachable(frameOf(draw, frames));
      const name = `it${index}`;
      iterators.push({ path: name, type: item, optional: false });
      return { [name]: `\${${expressionOf(draw, { variables: known, nested: 0 }, { list: item }, draw.int(0, 2))}}` };
    });
  }
  const inside = { ...scope, variables: [...scope.variables, ...iterators] };
  const template = draw.chance(6) ? graphTemplate(draw, id, frames) : templateOf(draw, id, inside, iterators, around);
  node.template = draw.chance(6) ? withComputedKind(draw, template.object) : template.object;
  if (draw.chance(8)) node.readyWhen = [`\${${iterators.length > 0 ? 'each' : id}.metadata.name != ""}`];
  const type: Type = iterators.length > 0 ? { list: template.type } : template.type;
  return { node: conditional(draw, node, frames), type };
}

/** Returns the variables of one frame, which one expression may read; now and then of all. */
const frameOf = (draw: Draw, frames: Frames): readonly Variable[] =>
  draw.chance(3) ? frames.flat() : (frames[draw.chance(75) ? 0 : draw.int(0, frames.length - 1)] ?? []);

function conditional(draw: Draw, node: JsonMap, frames: Frames): JsonMap {
  if (!draw.chance(18)) return node;
  return { ...node, includeWhen: [`\${${expressionOf(draw, scopeOf(frameOf(draw, frames)), 'bool', 2)}}`] };
}

function variableOf(draw: Draw, frames: Frames): { def: JsonMap; type: Type } {
  const def: JsonMap = {};
  const fields: Record<string, ReturnType<typeof always>> = {};
  for (const name of ['rows', 'base', 'size', 'deep', 'lit'].filter(() => draw.chance(50))) {
    const type = draw.pick<Type>(['string', 'int', 'bool', { list: 'string' }, { list: 'int' }, { map: 'string' }]);
    def[name] = draw.chance(50) ? drawnValue(draw, type) : fieldOf(draw, scopeOf(frameOf(draw, frames)), type, 1);
    fields[name] = always(type);
  }
  if (draw.chance(15)) {
    const rest = variableOf(draw, frames);
    def.more = rest.def;
    fields.more = always(rest.type);
  }
  return { def, type: { fields } };
}

/** Returns a reference by name or by selector, usually with matching objects. */
function referenceOf(draw: Draw, id: string, frames: Frames, { objects, observed }: Around) {
  const type: Type = { fields: { metadata: always(metadataType), data: sometimes({ map: 'string' }) } };
  const put = (name: string, namespace: string): void => {
    const labels = { team: draw.pick(names), kind: 'shared' };
    const found = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels },
      data: { a: id, team: 'x' },
    };
    if (![...objects, ...observed].some(({ metadata }) => JSON.stringify(metadata).includes(`"${name}"`)))
      (draw.chance(50) ? objects : observed).push(found);
  };
  const metadata: JsonMap = draw.chance(40) ? { namespace: draw.pick(['default', 'team-a']) } : {};
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  const name = `${id.toLowerCase()}-known`;
  if (draw.chance(50)) {
    metadata.name = draw.chance(70) ? name : `\${${quote(name)}}`;
    if (draw.chance(85)) put(name, String(metadata.namespace ?? draw.pick(['default', 'team-a', 'team-b'])));
    return { node: conditional(draw, { id, ref }, frames), type };
  }
  for (const [index, namespace] of ['default', 'team-a', 'team-b'].entries())
    if (draw.chance(60)) put(`${name}-${index}`, namespace);
  const label = (): Json => fieldOf(draw, scopeOf(frameOf(draw, frames)), 'string', 0);
  const operator = draw.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const values = operator.endsWith('In') ? { values: [draw.pick(names), 'beta'] } : {};
  metadata.selector = draw.pick<() => Json>([
    () => ({ matchLabels: { kind: 'shared' } }),
    () => ({ matchLabels: { team: label() } }),
    () => ({ matchExpressions: [{ key: 'team', operator, ...values }] }),
    () => ({}),
  ])();
  return { node: conditional(draw, { id, ref }, frames), type: { list: type } as Type };
}

/** Returns a Graph that a node renders: its own expressions are quoted. */
function graphTemplate(draw: Draw, id: string, frames: Frames): { object: JsonMap; type: Type } {
  const given = fieldOf(draw, scopeOf(frameOf(draw, frames)), 'string', 1);
  const data = { v: draw.pick(['${"${seed.given}"}', '${"${seed.absent}"}', 'plain']) };
  const metadata: JsonMap = { name: `${id.toLowerCase()}-made` };
  const nodes = [
    { id: 'seed', def: { given } },
    ...(draw.chance(85) ? [{ id: 'fixed', def: { a: 'b' } }] : []),
    {
      id: 'leaf',
      template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${id.toLowerCase()}-leaf` }, data },
    },
  ];
  return {
    object: { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes } },
    type: { fields: { metadata: always(metadataType) } },
  };
}

const withComputedKind = (draw: Draw, { apiVersion, kind, ...rest }: JsonMap): JsonMap => ({
  apiVersion: draw.chance(50) ? `\${${quote(String(apiVersion))}}` : (apiVersion ?? null),
  kind: `\${${draw.chance(95) ? quote(String(kind)) : '"Nothing"'}}`,
  ...rest,
});

/** Returns a node with a mistake. */
const broken = (draw: Draw, node: JsonMap): JsonMap =>
  draw.pick<() => JsonMap>([
    () => ({ ...node, id: draw.pick(['status', 'each', 'graph', '1a', 'a-b', 'in', 'schema']) }),
    () => ({ ...node, template: null }),
    () => ({ ...node, def: { a: 1 } }),
    () => ({ ...node, other: true }),
    () => ({ ...node, includeWhen: ['${unknown.name == ""}'] }),
    () => ({ ...node, includeWhen: ['${"text"}'] }),
    () => ({ ...node, includeWhen: ['true'] }),
    () => ({ ...node, readyWhen: ['${"text"}'] }),
    () => ({ ...node, forEach: [{ it0: '${["a"]}', it1: '${["b"]}' }] }),
    () => ({ ...node, forEach: [{ each: '${["a"]}' }] }),
    () => ({ ...node, forEach: [{ it0: 'text' }] }),
    () => ({ id: node.id ?? null }),
  ])();
