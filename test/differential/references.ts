import type { Draw } from './draw.ts';
import type { Scope } from './expressions.ts';
import { always, fieldOf, metadataType, sometimes } from './fields.ts';
import type { Around } from './templates.ts';
import { type JsonMap, names, type Type } from './types.ts';

/** An external reference, by name or by selector, mostly with objects for it to find. */
export function referenceOf(draw: Draw, id: string, scope: Scope, { objects, observed, cluster }: Around) {
  const type: Type = { fields: { metadata: always(metadataType), data: sometimes({ map: 'string' }) } };
  const found = (name: string, namespace: string): JsonMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { team: draw.pick(names), kind: 'shared' } },
    data: { a: draw.pick(texts), team: draw.pick(names) },
  });
  if (draw.chance(50)) {
    const namespace = draw.pick(['default', 'team-a', 'shared']);
    const metadata: JsonMap = { name: `${id}-known` };
    if (cluster || draw.chance(70)) metadata.namespace = namespace;
    if (draw.chance(90)) (draw.chance(50) ? objects : observed).push(found(`${id}-known`, namespace));
    return {
      externalRef: { apiVersion: 'v1', kind: 'ConfigMap', metadata } as JsonMap,
      variable: { path: id, type, optional: false },
      collection: false,
    };
  }
  for (const [index, namespace] of ['default', 'team-a', 'team-b'].entries()) {
    if (draw.chance(60)) (draw.chance(50) ? objects : observed).push(found(`${id}-${index}`, namespace));
  }
  const selector: JsonMap = draw.pick<JsonMap>([
    { matchLabels: { kind: 'shared' } },
    { matchLabels: { team: fieldOf(draw, scope, 'string', 0) } },
    {
      matchExpressions: [
        { key: 'team', operator: draw.pick(['In', 'NotIn']), values: [draw.pick(names), draw.pick(names)] },
      ],
    },
    { matchExpressions: [{ key: 'team', operator: draw.pick(['Exists', 'DoesNotExist']) }] },
    {},
  ]);
  const metadata: JsonMap = { selector };
  if (draw.chance(40)) metadata.namespace = draw.pick(['default', 'team-a']);
  return {
    externalRef: { apiVersion: 'v1', kind: 'ConfigMap', metadata } as JsonMap,
    variable: { path: id, type: { list: type } as Type, optional: false },
    collection: true,
  };
}

const texts = ['1', 'x', 'blue', '', 'two words'];
