import { type Document, groupKind, groupVersionKind, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import { get, getAt, listOf, textAt, textOf } from '../../core/model/value.ts';
import type { DefinedKind } from '../../core/text/template-text.ts';
import type { Outline } from '../../kubernetes/front-end/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';

import { isRgd } from './read.ts';

export * from './read.ts';
export { bracedExpression, dollarHint, helmTemplateIn, plainReferenceIn } from './shape.ts';

/** Returns what an RGD defines and renders, even if it has errors. */
export function outlineOf(rgd: KubeObject): Outline {
  const [kind, group] = ['kind', 'group'].map((key) => textOf(getAt(rgd, ['spec', 'schema', key])));
  const resources = getAt(rgd, ['spec', 'resources']);
  const nodes = listOf(resources).flatMap((resource) => {
    const template = get(resource, 'template');
    if (!isKubeObject(template)) return [];
    const gvk = groupVersionKind(template);
    return [{ id: textAt(resource, 'id'), kind: gvk.kind, group: gvk.group }];
  });
  return { kind: kind ?? '', group: group || 'kro.run', nodes };
}

/** Returns the kind, as `Kind.group`, that an RGD defines. */
export const definedKind = (rgd: KubeObject): string => groupKind(outlineOf(rgd));

/** Returns the kinds that RGDs define, even if they have errors. */
export const definedKinds = (inputs: readonly Document[]): DefinedKind[] =>
  objectsIn(inputs)
    .flatMap(({ object }) => (isRgd(object) ? outlineOf(object) : []))
    .filter(({ kind }) => kind !== '');
