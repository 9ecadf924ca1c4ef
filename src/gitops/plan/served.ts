import { type ObjectChange, titleOfReviewed } from '../../compare/diff/index.ts';
import { hiddenTitleOfReviewed } from '../../compare/review/index.ts';
import { type Report, toReport } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind } from '../../core/model/object.ts';
import type { KubernetesRelease } from '../../core/model/render.ts';
import { unservedKind } from '../../kubernetes/schema/index.ts';
import type { Cause } from './application.ts';
import type { Repository } from './repository.ts';

/** What decides whether an object of an application can be applied. */
interface Served {
  /** The releases of Kubernetes that its sources are for; undefined for the document of a cluster. */
  releases: readonly (KubernetesRelease | undefined)[];
  /** The kinds that the repository defines. */
  kinds: Repository['kinds'];
  at: Cause['at'];
}

/** Returns the error of an added or updated object whose kind no release of its application serves. */
export function unservedReport({ after }: ObjectChange, { releases, kinds, at }: Served): Report | undefined {
  if (after === undefined || hiddenTitleOfReviewed(after) === 'everything') return undefined;
  const gvk = groupVersionKind(after.object);
  if (kinds.has(groupKind(gvk))) return undefined;
  const problems = releases.map((release) => (release === undefined ? undefined : unservedKind(gvk, release)));
  const [found] = problems;
  if (found === undefined || problems.includes(undefined)) return undefined;
  const report = { ...toReport({ ...found, path: at?.path ?? [] }), object: titleOfReviewed(after) };
  return at === undefined ? report : { ...report, source: at.source };
}
