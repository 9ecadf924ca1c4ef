/** Surveys what the instances of a package read of a cluster: the pending values, and the fields of live objects. */

import type { Surveyed } from '../../kubernetes/front-end/index.ts';
import type { DefaultNamespace, Expansion } from '../expand/index.ts';
import { liveReads } from './needs.ts';
import { awaitedByNodes } from './pending/index.ts';
import { surveyRuns } from './reads/index.ts';

export { reportFirstCauses } from './pending/first-causes.ts';

/** Surveys every node of a finished expansion, including those after pending nodes. */
export function surveyed(expansion: Expansion, observedNamespace: DefaultNamespace): Surveyed {
  const survey = surveyRuns(expansion, observedNamespace);
  return { pending: () => awaitedByNodes(survey), reads: () => liveReads(survey) };
}
