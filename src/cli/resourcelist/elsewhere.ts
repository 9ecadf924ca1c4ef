import type { Collector } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { RENDERED } from '../../core/model/keys.ts';
import { annotationOf, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import type { RenderOutput } from '../../render/pipeline.ts';
import { definedKindAsOrigin, originKind, originOf } from '../../render/rerender/index.ts';
import type { ResourceList } from './read.ts';
import { reportOtherFunction } from './report.ts';

/** Reports objects that a function of another name rendered from an RGD here: after a rename they are stale. */
export function reportOthers(list: ResourceList, { defined }: RenderOutput, reports: Collector): void {
  const others = list.items.filter(isKubeObject).filter((object) => originOf(object, list.name) === 'foreign');
  if (others.length === 0) return;
  const kinds = new Set(defined.map(definedKindAsOrigin));
  const left = others.filter((object) => kinds.has(originKind(object)));
  for (const [name, objects] of groupBy(left, functionOf)) reportOtherFunction(name, objects, reports);
}

/** Returns the name of the function that rendered an object. */
const functionOf = (object: KubeObject): string => annotationOf(object, RENDERED)?.replace(/\/[^/]*$/, '') ?? '';
