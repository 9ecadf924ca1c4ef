import { type Collector, publicText, type Report } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { type InputObject, identityOf, titleOf } from '../../core/model/object.ts';
import { distinct, type Package, roleOf } from '../../kubernetes/front-end/index.ts';
import { type Definition, isRgd, readDefinition } from '../definition/index.ts';

/** A package as RGDs see it: its objects by what they are for. */
export interface RgdPackage {
  /** Every object that may become output, in order. */
  objects: readonly InputObject[];
  /** All RGDs, those read beside the package included, whatever their shape. */
  rgds: readonly InputObject[];
  /** The RGDs whose shape is right, those read beside the package included. */
  definitions: readonly Definition[];
  /** All CRDs, those read beside the package included. */
  crds: readonly InputObject[];
  /** What may be an instance, or else stays as it is. */
  candidates: readonly InputObject[];
  /** Live objects, from the package and from beside it. */
  observed: readonly InputObject[];
}

export const rgdRoleOf = ({ object }: InputObject): 'rgd' | ReturnType<typeof roleOf> => {
  const role = roleOf(object);
  return role === 'other' && isRgd(object) ? 'rgd' : role;
};

/** Sorts out the objects of a package, and decodes RGDs strictly. */
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
    observed: withoutTwins([...(own.get('observed') ?? []), ...observed], reports),
  };
}

/** Two live objects of one identity contradict each other. */
function withoutTwins(observed: readonly InputObject[], reports: Collector): InputObject[] {
  const unique = new Map<string, InputObject>();
  for (const input of distinct(observed)) {
    const key = identityOf(input.object);
    if (unique.has(key)) {
      const message = publicText`two observed objects have this group, kind, namespace and name`;
      const report: Report = {
        code: 'observed-twice',
        message,
        path: ['metadata', 'name'],
        object: titleOf(input.object),
        related: [{ message: publicText`the other one`, source: unique.get(key)?.source, path: ['metadata', 'name'] }],
      };
      reports.add(input.source === undefined ? report : { ...report, source: input.source });
    } else unique.set(key, input);
  }
  return [...unique.values()];
}
