import type { Report } from '../diagnostics/index.ts';
import { annotationOf, type InputObject, isKubeObject, type KubeObject } from '../model/object.ts';
import type { RenderOutput } from '../pipeline.ts';
import { definedKindAsOrigin, originKind, originOf, RENDERED } from '../rerender/index.ts';
import { isRgd } from '../rgd/definition/index.ts';
import { groupBy } from './group-by.ts';
import type { ResourceList } from './read.ts';
import { reportElsewhere } from './report.ts';

/**
 * Tells of objects that a function of another name rendered from an RGD that is here: when it was renamed they are
 * left over.
 */
export function tellOthers(
  list: ResourceList,
  output: RenderOutput,
  definitions: readonly InputObject[],
  reports: Report[],
): void {
  const others = list.items.filter(isKubeObject).filter((object) => originOf(object, list.name) === 'foreign');
  if (others.length === 0) return;
  const rgds = [...output.entries.map(({ input }) => input), ...definitions].filter(({ object }) => isRgd(object));
  const kinds = new Set(rgds.map(({ object }) => definedKindAsOrigin(object)));
  const left = others.filter((object) => kinds.has(originKind(object)));
  for (const [name, objects] of groupBy(left, functionOf)) reportElsewhere(name, objects, reports);
}

/** The name of the function that rendered an object. */
export const functionOf = (object: KubeObject): string => annotationOf(object, RENDERED)?.replace(/\/[^/]*$/, '') ?? '';
