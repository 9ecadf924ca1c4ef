import type { Draw } from './draw.ts';
import { expressionOf, type Scope } from './expressions.ts';
import { always, fieldOf, metadataType, sometimes } from './fields.ts';
import type { Around } from './templates.ts';
import { type Json, type JsonMap, names, type Type } from './types.ts';

/** Returns an external reference, by name or by selector, usually with matching objects. */
export function referenceOf(draw: Draw, id: string, scope: Scope, { objects, observed, cluster }: Around) {
  const type: Type = { fields: { metadata: always(metadataType), data: sometimes({ map: 'string' }) } };
  const found = (name: string, namespace: string): JsonMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { team: draw.pick(names), kind: 'shared' } },
    data: { a: draw.pick(texts), team: draw.pick(names) },
  });
  const external = (metadata: JsonMap): JsonMap => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  if (draw.chance(50)) {
    const namespace = draw.pick(['default', 'team-a', 'shared']);
    const metadata: JsonMap = { name: `${id}-known` };
    if (cluster || draw.chance(70)) metadata.namespace = namespace;
    if (draw.chance(90)) (draw.chance(50) ? objects : observed).push(found(`${id}-known`, namespace));
    return {
      externalRef: external(draw.chance(3) ? { ...metadata, selector: draw.pick<Json>([null, {}, '']) } : metadata),
      variable: { path: id, type, optional: false },
      collection: false,
    };
  }
  for (const [index, namespace] of ['default', 'team-a', 'team-b'].entries()) {
    if (draw.chance(60)) (draw.chance(50) ? objects : observed).push(found(`${id}-${index}`, namespace));
  }
  const metadata: JsonMap = { selector: selectorOf(draw, scope) };
  if (draw.chance(40)) metadata.namespace = draw.pick<Json>(['default', 'team-a', 'team-a', '', null]);
  if (draw.chance(3)) metadata.name = draw.pick<Json>([null, '', ' ', `${id}-known`]);
  return {
    externalRef: external(metadata),
    variable: { path: id, type: { list: type } as Type, optional: false },
    collection: true,
  };
}

/** Returns a label selector: literal, with expressions in it, or one expression; some are invalid. */
function selectorOf(draw: Draw, scope: Scope): Json {
  const label = (): Json => fieldOf(draw, scope, 'string', 0);
  const labels: Type = { map: 'string' };
  if (draw.chance(8)) return draw.pick(wrongSelectors);
  if (draw.chance(8)) return { matchExpressions: [oddRequirement(draw, label)] };
  const requirement = (): JsonMap => {
    const operator = draw.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
    return operator.endsWith('In')
      ? { key: 'team', operator, values: [draw.pick(names), label()] }
      : { key: 'team', operator };
  };
  return draw.pick<() => Json>([
    () => ({ matchLabels: { kind: 'shared' } }),
    () => ({ matchLabels: { team: label() } }),
    () => ({ matchLabels: { team: draw.pick(names), kind: 'shared' }, matchExpressions: [requirement()] }),
    () => ({ matchExpressions: draw.times(0, 2, requirement) }),
    () => ({ matchLabels: `\${${expressionOf(draw, scope, labels, 1)}}` }),
    () => `\${{"matchLabels": ${expressionOf(draw, scope, labels, 1)}}}`,
    () => `\${{"matchLabels": {"kind": "shared"}, "matchExpressions": []}}`,
    () =>
      `\${{"matchExpressions": [{"key": "team", "operator": "In", "values": ${expressionOf(draw, scope, { list: 'string' }, 1)}}]}}`,
    () => ({ matchExpressions: '${[{"key": "team", "operator": "Exists"}]}' }),
    () => `\${${expressionOf(draw, scope, 'dyn', 1)}}`,
    () => ({}),
  ])();
}

/** Invalid or misleading selectors. */
const wrongSelectors: readonly Json[] = [
  null,
  '',
  'team=alpha',
  { matchLabels: null },
  { matchLabels: {}, matchExpressions: null },
  { matchLabels: { team: null } },
  { matchLabels: { team: 1 } },
  { matchLabels: { 'a b': 'x' } },
  { matchLabels: { team: 'a b' } },
  { matchlabels: { team: 'alpha' } },
  { team: 'alpha' },
  ['team'],
  5,
  { matchExpressions: [null] },
];

function oddRequirement(draw: Draw, label: () => Json): JsonMap {
  return {
    key: draw.chance(60) ? 'team' : draw.pick<Json>(['a b', '', label(), null, 'example.com/team', '-x']),
    operator: draw.chance(60)
      ? draw.pick(['In', 'NotIn', 'Exists', 'DoesNotExist'])
      : draw.pick<Json>(['in', 'Equals', '', null, label()]),
    values: draw.pick<Json>([[draw.pick(names), label()], [], null, [label()], ['a b'], [1], [null], 'alpha']),
  };
}

const texts = ['1', 'x', 'blue', '', 'two words'];
