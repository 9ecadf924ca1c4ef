import { type Collector, composeText, shownTitleOf } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import {
  type Document,
  groupKind,
  groupVersionKind,
  type InputObject,
  identityOf,
  isKubeObject,
  type KubeObject,
} from '../../core/model/object.ts';
import { get, getAt, listOf, textAt } from '../../core/model/value.ts';
import type { DefinedKind } from '../../core/text/template-text.ts';
import { distinct, type ObjectRole, type Outline, type Package, roleOf } from '../../kubernetes/front-end/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { type Definition, isRgd, readDefinition } from './read.ts';

export * from './read.ts';
export { bracedExpression, dollarHint, helmTemplateIn, plainReferenceIn } from './shape.ts';

/** Returns what an RGD defines and renders, even if it has errors. */
export function outlineOf(rgd: KubeObject): Outline {
  const resources = getAt(rgd, ['spec', 'resources']);
  const nodes = listOf(resources).flatMap((resource) => {
    const template = get(resource, 'template');
    if (!isKubeObject(template)) return [];
    const gvk = groupVersionKind(template);
    return [{ id: textAt(resource, 'id'), kind: gvk.kind, group: gvk.group }];
  });
  return { ...kindOfRgd(rgd), nodes };
}

/** Returns the kind that an RGD defines, even if it has errors. */
export function kindOfRgd(rgd: KubeObject): DefinedKind {
  const schema = getAt(rgd, ['spec', 'schema']);
  return { kind: textAt(schema, 'kind'), group: textAt(schema, 'group') || 'kro.run' };
}

export const definedKind = (rgd: KubeObject): string => groupKind(kindOfRgd(rgd));

export const definedKinds = (inputs: readonly Document[]): DefinedKind[] =>
  objectsIn(inputs)
    .flatMap(({ object }) => (isRgd(object) ? kindOfRgd(object) : []))
    .filter(({ kind }) => kind !== '');

/** The objects of a package by their role for RGDs. */
export interface RgdPackage {
  /** Every object that may become output, in order. */
  objects: readonly InputObject[];
  /** All RGDs, valid or not, including those of `definitions`. */
  rgds: readonly InputObject[];
  definitions: readonly Definition[];
  crds: readonly InputObject[];
  /** Possible instances, or ordinary objects. */
  candidates: readonly InputObject[];
  /** Live objects, in the package and in `observed`. */
  observed: readonly InputObject[];
}

/** Returns the role of an object for RGDs. */
export const rgdRoleOf = ({ object }: InputObject): 'rgd' | ObjectRole => {
  const role = roleOf(object);
  return role === 'other' && isRgd(object) ? 'rgd' : role;
};

export function readRgds({ objects, beside, observed }: Package, reports: Collector): RgdPackage {
  const own = groupBy(objects, rgdRoleOf);
  const others = groupBy(beside, rgdRoleOf);
  const rgds = distinct([...(own.get('rgd') ?? []), ...(others.get('rgd') ?? [])]);
  return {
    objects,
    rgds,
    definitions: rgds.flatMap((rgd) => readDefinition(rgd, reports) ?? []),
    crds: [...(own.get('crd') ?? []), ...(others.get('crd') ?? [])],
    candidates: own.get('other') ?? [],
    observed: withoutDuplicates([...(own.get('observed') ?? []), ...observed], reports),
  };
}

/** Reports two live objects of one identity, because they contradict each other. */
function withoutDuplicates(observed: readonly InputObject[], reports: Collector): InputObject[] {
  const unique = new Map<string, InputObject>();
  for (const input of distinct(observed)) {
    const key = identityOf(input.object);
    if (unique.has(key)) {
      const message = composeText`two observed objects have this group, kind, namespace and name`;
      reports.add({
        code: 'observed-twice',
        message,
        path: ['metadata', 'name'],
        object: shownTitleOf(input),
        source: input.source,
        related: [{ message: composeText`the other one`, source: unique.get(key)?.source, path: ['metadata', 'name'] }],
      });
    } else unique.set(key, input);
  }
  return [...unique.values()];
}
