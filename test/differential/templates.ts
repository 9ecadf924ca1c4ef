import type { Draw } from './draw.ts';
import { expressionOf, type Scope, type Variable } from './expressions.ts';
import { always, fieldOf, metadataType, sometimes } from './fields.ts';
import { type Gadget, validValue } from './gadgets.ts';
import { kindOf } from './kinds.ts';
import {
  drawnKey,
  drawnValue,
  type Field,
  isList,
  isStruct,
  type Json,
  type JsonMap,
  names,
  type Type,
} from './types.ts';

/** An RGD, with what a template of its kind needs. */
export interface Made {
  rgd: JsonMap;
  apiVersion: string;
  kind: string;
  specType: { fields: Record<string, Field> };
  status: Record<string, Field>;
}

export interface Around {
  objects: JsonMap[];
  observed: JsonMap[];
  cluster: boolean;
  nested: Made | undefined;
  gadget: Gadget | undefined;
  /** That of the instances. */
  namespace: string;
}

export interface Template {
  object: JsonMap;
  type: Type;
}

/** The template of a node, of one of several kinds. */
export function templateOf(
  draw: Draw,
  id: string,
  scope: Scope,
  iterators: readonly Variable[],
  around: Around,
): Template {
  const suffix = iterators.map(suffixOf);
  const base = draw.pick([`\${schema.metadata.name}-${id}`, `${id}`, `\${schema.metadata.name}-${id}`]);
  const metadata: JsonMap = { name: draw.chance(98) ? base + suffix.join('') : base };
  if (around.cluster || draw.chance(8)) metadata.namespace = namespaceOf(draw, scope);
  if (draw.chance(25)) metadata.labels = { team: draw.pick(names), fixed: 'yes' };
  if (draw.chance(4)) metadata.labels = { team: valueless(draw, scope), fixed: 'yes' };
  if (draw.chance(3)) metadata.labels = `\${${expressionOf(draw, scope, { map: 'string' }, 1)}}`;
  if (draw.chance(4)) metadata.annotations = { note: valueless(draw, scope) };
  if (draw.chance(10))
    metadata.annotations = draw.chance(50)
      ? { note: fieldOf(draw, scope, 'string') }
      : (`\${${expressionOf(draw, scope, { map: 'string' }, 1)}}` as Json);
  const object = (apiVersion: string, kind: string, rest: JsonMap): JsonMap => ({
    apiVersion,
    kind,
    metadata,
    ...rest,
  });
  const roll = draw.int(1, 100);
  if (around.nested !== undefined && roll <= 45) return nestedOf(draw, scope, metadata, around.nested);
  if (around.gadget !== undefined && roll <= 45) return gadgetTemplate(draw, scope, metadata, around.gadget);
  if (roll <= 55) {
    const data: Json = draw.chance(80)
      ? Object.fromEntries(draw.times(1, 3, () => [drawnKey(draw), dataOf(draw, scope)]))
      : `\${${expressionOf(draw, scope, { map: 'string' }, 2)}}`;
    return {
      object: object('v1', 'ConfigMap', { data }),
      type: { fields: { metadata: always(metadataType), data: sometimes({ map: 'string' }) } },
    };
  }
  if (roll <= 62) {
    return {
      object: object('v1', 'Secret', { stringData: { key: fieldOf(draw, scope, 'string') } }),
      type: { fields: { metadata: always(metadataType), stringData: sometimes({ map: 'string' }) } },
    };
  }
  if (roll <= 72) {
    const spec: JsonMap = {
      ports: [
        { port: fieldOf(draw, scope, 'int'), targetPort: fieldOf(draw, scope, draw.pick<Type>(['int', 'string'])) },
      ],
    };
    if (draw.chance(50))
      spec.selector = draw.chance(50)
        ? { app: fieldOf(draw, scope, 'string', 1) }
        : (`\${${expressionOf(draw, scope, { map: 'string' }, 1)}}` as Json);
    return {
      object: object('v1', 'Service', { spec }),
      type: {
        fields: {
          metadata: always(metadataType),
          spec: sometimes({ fields: { type: sometimes('string'), clusterIP: sometimes('string') } }),
        },
      },
    };
  }
  if (roll <= 80) {
    const container: JsonMap = { name: 'main', image: fieldOf(draw, scope, 'string', 1) };
    if (draw.chance(50))
      container.args = draw.chance(50)
        ? [fieldOf(draw, scope, 'string')]
        : (`\${${expressionOf(draw, scope, { list: 'string' }, 2)}}` as Json);
    if (draw.chance(20)) container.resources = fieldOf(draw, scope, resourcesType, 1);
    const spec: JsonMap = {
      replicas: fieldOf(draw, scope, 'int', 1),
      selector: draw.chance(15) ? fieldOf(draw, scope, selectorType, 1) : { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } }, spec: { containers: [container] } },
    };
    return {
      object: object('apps/v1', 'Deployment', { spec }),
      type: {
        fields: {
          metadata: always(metadataType),
          spec: sometimes({ fields: { replicas: sometimes('int') } }),
          status: sometimes({ fields: { readyReplicas: sometimes('int') } }),
        },
      },
    };
  }
  if (roll <= 90 && roll > 82) {
    const { apiVersion, kind, rest, type, isOfCluster } = kindOf(draw, scope);
    if (isOfCluster === true && draw.chance(97)) delete metadata.namespace;
    if (kind === 'CustomResourceDefinition') metadata.name = 'things.example.net';
    return { object: object(apiVersion, kind, rest), type };
  }
  if (roll <= 82) {
    delete metadata.namespace;
    return { object: object('v1', 'Namespace', {}), type: { fields: { metadata: always(metadataType) } } };
  }
  return widgetOf(draw, scope, object);
}

const stringList: Type = { list: 'string' };
/** Structs with lists among their fields, which a map literal may match. */
const resourcesType: Type = {
  fields: {
    limits: sometimes({ map: 'string' }),
    requests: sometimes({ map: 'string' }),
    claims: sometimes({ list: { fields: { name: sometimes('string') } } }),
  },
};
const selectorType: Type = {
  fields: {
    matchLabels: sometimes({ map: 'string' }),
    matchExpressions: sometimes({
      list: { fields: { key: sometimes('string'), operator: sometimes('string'), values: sometimes(stringList) } },
    }),
  },
};

/** A label or annotation whose expression may have no value. */
const valueless = (draw: Draw, scope: Scope): Json =>
  draw.pick([
    () => null,
    () => "${schema.metadata.?labels[?'nope']}",
    () => '${optional.none()}',
    () => '${dyn(null)}',
    () => `\${schema.metadata.?labels.?team}`,
    () => `\${${expressionOf(draw, scope, 'dyn', 1)}}`,
  ])();

/** Returns a read of what only a cluster has all of: a whole node, its metadata, or a field with a fallback. */
function wholeRead(draw: Draw, scope: Scope): string | undefined {
  const nodes = scope.variables.filter(
    ({ path, type }) => /^[a-z]+\d+$/.test(path) && (isStruct(type) || isList(type)),
  );
  if (nodes.length === 0) return undefined;
  const { path, type } = draw.pick(nodes);
  const one = isList(type) ? `${path}[0]` : path;
  return draw.pick([
    `json.marshal(${path})`,
    `json.marshal(${one}.metadata)`,
    `string(has(${one}.metadata.uid))`,
    `${one}.metadata.?uid.orValue("none")`,
    `string(size(json.marshal(${path})) > 0)`,
  ]);
}

const dataOf = (draw: Draw, scope: Scope): Json => {
  const whole = draw.chance(5) ? wholeRead(draw, scope) : undefined;
  return whole === undefined ? plainDataOf(draw, scope) : `\${${whole}}`;
};

const plainDataOf = (draw: Draw, scope: Scope): Json =>
  draw.chance(97) ? fieldOf(draw, scope, 'string', 3) : draw.pick([() => null, () => valueless(draw, scope)])();

function memberOf(draw: Draw, scope: Scope, name: string, type: Type): Json {
  const valid = draw.chance(93) ? validValue(draw, name) : undefined;
  if (typeof valid === 'string' && draw.chance(30)) return `\${${JSON.stringify(valid)}}`;
  if (valid !== undefined) return valid;
  return draw.chance(30) ? drawnValue(draw, type) : fieldOf(draw, scope, type, 1);
}

function gadgetTemplate(draw: Draw, scope: Scope, metadata: JsonMap, { spec: type }: Gadget): Template {
  const members = Object.entries(type.fields)
    .filter(() => draw.chance(60))
    .map(([name, field]): [string, Json] => [name, draw.chance(5) ? null : memberOf(draw, scope, name, field.type)]);
  const spec: Json = draw.chance(10) ? fieldOf(draw, scope, type, 1) : Object.fromEntries(members);
  return {
    object: { apiVersion: 'example.com/v1', kind: 'Gadget', metadata, spec },
    type: { fields: { metadata: always(metadataType), spec: sometimes(type) } },
  };
}

function widgetOf(
  draw: Draw,
  scope: Scope,
  object: (apiVersion: string, kind: string, rest: JsonMap) => JsonMap,
): Template {
  const spec: JsonMap = {};
  const put = (name: string, type: Type): void => {
    if (draw.chance(35)) spec[name] = fieldOf(draw, scope, type, 2);
  };
  put('size', 'int');
  put('ratio', 'double');
  put('title', 'string');
  put('enabled', 'bool');
  put('tags', { list: 'string' });
  put('limits', { map: 'int' });
  put('port', draw.pick<Type>(['int', 'string']));
  put('free', draw.pick<Type>(['dyn', 'string', { list: 'int' }, { map: 'string' }]));
  if (draw.chance(20))
    spec.rules = [{ name: fieldOf(draw, scope, 'string', 1), weight: fieldOf(draw, scope, 'int', 1) }];
  if (draw.chance(8)) spec.open = fieldOf(draw, scope, { fields: { known: sometimes('string') } }, 1);
  const nodes = scope.variables.filter(({ path }) => /^[a-z]+\d+$/.test(path));
  if (nodes.length > 0 && draw.chance(5)) spec.free = `\${${draw.pick(nodes).path}}`;
  if (draw.chance(1)) spec.unknown = 'x';
  return {
    object: object('example.com/v1', 'Widget', { spec }),
    type: {
      fields: {
        metadata: always(metadataType),
        spec: sometimes({
          fields: {
            size: sometimes('int'),
            ratio: sometimes('double'),
            title: sometimes('string'),
            enabled: sometimes('bool'),
            tags: sometimes({ list: 'string' }),
            limits: sometimes({ map: 'int' }),
          },
        }),
        status: sometimes({ fields: { phase: sometimes('string'), ready: sometimes('int') } }),
      },
    },
  };
}

function nestedOf(draw: Draw, scope: Scope, metadata: JsonMap, nested: Made): Template {
  const spec: JsonMap = {};
  for (const [name, field] of Object.entries(nested.specType.fields)) {
    if (!field.optional || draw.chance(50)) spec[name] = fieldOf(draw, scope, field.type, 1);
  }
  const { apiVersion, kind, specType, status } = nested;
  return {
    object: { apiVersion, kind, metadata, spec },
    type: { fields: { metadata: always(metadataType), spec: always(specType), status: sometimes({ fields: status }) } },
  };
}

/** Returns what an iterator adds to the name of an object, so that each item has its own. */
function suffixOf({ path, type }: Variable): string {
  if (type === 'string') return `-\${${path}.lowerAscii().findAll("[a-z0-9]+").join("")}x`;
  if (type === 'int') return `-n\${string(${path}).replace("-", "m")}`;
  const isObject = isStruct(type) && type.fields.metadata !== undefined;
  return isObject ? `-\${${path}.metadata.name}` : `-\${random.seededString(5, json.marshal(${path}))}`;
}

/** Returns a namespace: literal, computed, and now and then none or an invalid one. */
function namespaceOf(draw: Draw, scope: Scope): Json {
  const roll = draw.int(1, 100);
  if (roll <= 80) return draw.pick(['team-a', '${schema.metadata.name}', 'shared']);
  if (roll <= 85) return draw.pick(['', ' ', '  ', '${" "}', '${""}', 'A_B']);
  if (roll <= 92) return `\${${expressionOf(draw, scope, 'string', 1)}}`;
  return `ns-\${${expressionOf(draw, scope, 'string', 0)}.lowerAscii().findAll("[a-z0-9]+").join("")}`;
}

/** What a cluster adds to objects of a kind. */
const LIVE: ReadonlyMap<string, JsonMap> = new Map<string, JsonMap>([
  ['Service', { spec: { clusterIP: '10.0.0.7', type: 'ClusterIP' }, status: { loadBalancer: {} } }],
  ['Deployment', { status: { readyReplicas: 2, replicas: 3 } }],
  ['Widget', { spec: { title: 'live' }, status: { phase: 'Ready', ready: 1 } }],
  ['ConfigMap', { data: { live: 'yes' } }],
]);

/** Returns the live object of a template, if its name is known; the cluster of the oracle has it under that name. */
export function observedOf(draw: Draw, template: JsonMap, { namespace }: Around): JsonMap | undefined {
  const { apiVersion, kind, metadata } = template as { apiVersion: string; kind: string; metadata: JsonMap };
  const added = LIVE.get(kind);
  const name = String(metadata.name).replace('${schema.metadata.name}', 'one');
  const where = metadata.namespace ?? namespace;
  if (added === undefined || name.includes('${') || typeof where !== 'string' || where.includes('${')) return undefined;
  if (where.trim() === '') return undefined;
  const server = draw.chance(80) ? { uid: '5f3c7d1e-0000-4000-8000-000000000001', resourceVersion: '7' } : {};
  return { apiVersion, kind, metadata: { name, namespace: where, ...server }, ...added };
}
