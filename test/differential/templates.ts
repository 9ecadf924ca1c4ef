import type { Draw } from './draw.ts';
import { expressionOf, type Scope, type Variable } from './expressions.ts';
import { always, fieldOf, metadataType, sometimes } from './fields.ts';
import { type Gadget, validValue } from './gadgets.ts';
import { drawnKey, drawnValue, type Field, type Json, type JsonMap, names, type Type } from './types.ts';

export interface Made {
  rgd: JsonMap;
  specType: { fields: Record<string, Field> };
  schema: JsonMap;
}

export interface Around {
  objects: JsonMap[];
  observed: JsonMap[];
  cluster: boolean;
  nested: Made | undefined;
  gadget: Gadget | undefined;
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
  const suffix = iterators.map(({ path, type }) =>
    type === 'string'
      ? `-\${${path}.lowerAscii().findAll("[a-z0-9]+").join("")}x`
      : `-n\${string(${path}).replace("-", "m")}`,
  );
  const base = draw.pick([`\${schema.metadata.name}-${id}`, `${id}`, `\${schema.metadata.name}-${id}`]);
  const metadata: JsonMap = { name: draw.chance(98) ? base + suffix.join('') : base };
  if (around.cluster || draw.chance(8)) metadata.namespace = draw.pick(['team-a', '${schema.metadata.name}', 'shared']);
  if (draw.chance(25)) metadata.labels = { team: draw.pick(names), fixed: 'yes' };
  if (draw.chance(4)) metadata.labels = { team: valueless(draw, scope), fixed: 'yes' };
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
  if (around.nested !== undefined && roll <= 30) return nestedOf(draw, scope, metadata, around.nested);
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
  if (roll <= 84) {
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

const dataOf = (draw: Draw, scope: Scope): Json =>
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
  const status = nested.schema.status as JsonMap | undefined;
  const fields = Object.fromEntries(Object.keys(status ?? {}).map((name) => [name, sometimes('string')]));
  return {
    object: { apiVersion: 'kro.run/v1alpha1', kind: 'Inner', metadata, spec },
    type: { fields: { metadata: always(metadataType), spec: always(nested.specType), status: sometimes({ fields }) } },
  };
}
