import type { Collector, Report } from '../diagnostics/index.ts';
import { type InputObject, identityOf, titleOf } from '../model/object.ts';
import type { RenderInput } from '../model/render.ts';
import { flattenObjects } from '../parse/index.ts';
import { type Definition, readDefinition } from '../rgd/definition/index.ts';
import { reportNotKnown } from './not-known.ts';
import { distinct, sortPackage } from './package.ts';

export { distinct } from './package.ts';

/** A package, read and sorted out. */
export interface Package {
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
  roleOf(input: InputObject): 'rgd' | 'crd' | 'observed' | 'other';
}

/** The parse step: lists flattened, objects sorted by what they are for, RGDs decoded strictly. */
export function readPackage(input: RenderInput, reports: Collector): Package {
  const own = sortPackage(input.objects, reports);
  const beside = sortPackage(input.definitions ?? [], reports);
  reportNotKnown([...own.others, ...beside.others], [...own.crds, ...beside.crds], reports);
  const rgds = distinct([...own.rgds, ...beside.rgds]);
  const definitions = rgds.flatMap((rgd) => readDefinition(rgd, reports) ?? []);
  const others = new Set(own.others);
  const crds = new Set(own.crds);
  const observed = new Set(own.observed);
  const roleOf = (object: InputObject): ReturnType<Package['roleOf']> => {
    if (others.has(object)) return 'other';
    if (crds.has(object)) return 'crd';
    return observed.has(object) ? 'observed' : 'rgd';
  };
  return {
    objects: own.objects,
    rgds,
    definitions,
    crds: [...own.crds, ...beside.crds],
    candidates: own.others,
    observed: withoutTwins([...own.observed, ...flattenObjects(input.observed ?? [], reports)], reports),
    roleOf,
  };
}

/** Two live objects of one identity contradict each other. */
function withoutTwins(observed: readonly InputObject[], reports: Collector): InputObject[] {
  const unique = new Map<string, InputObject>();
  for (const input of distinct(observed)) {
    const key = identityOf(input.object);
    if (unique.has(key)) {
      const message = 'two observed objects have this group, kind, namespace and name';
      const report: Report = {
        code: 'observed-twice',
        message,
        path: ['metadata', 'name'],
        object: titleOf(input.object),
      };
      reports.add(input.source === undefined ? report : { ...report, source: input.source });
    } else unique.set(key, input);
  }
  return [...unique.values()];
}
