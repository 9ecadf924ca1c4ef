import { type Collector, composeText, shownTitleOf } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { type InputObject, identityOf } from '../../core/model/object.ts';
import { distinct, type Package, roleOf } from '../../kubernetes/front-end/index.ts';
import { type Definition, isRgd, readDefinition } from '../definition/index.ts';

/** The objects of a package by their role for RGDs. */
export interface RgdPackage {
  /** Every object that may become output, in order. */
  objects: readonly InputObject[];
  /** All RGDs, valid or not, including those of `definitions`. */
  rgds: readonly InputObject[];
  /** The decoded RGDs, including those of `definitions`. */
  definitions: readonly Definition[];
  /** All CRDs, including those of `definitions`. */
  crds: readonly InputObject[];
  /** Possible instances, or ordinary objects. */
  candidates: readonly InputObject[];
  /** Live objects, in the package and in `observed`. */
  observed: readonly InputObject[];
}

export const rgdRoleOf = ({ object }: InputObject): 'rgd' | ReturnType<typeof roleOf> => {
  const role = roleOf(object);
  return role === 'other' && isRgd(object) ? 'rgd' : role;
};

/** Classifies the objects of a package, and decodes RGDs strictly. */
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
