/** Surveys what the instances of a package read of a cluster: the pending values, and the fields of live objects. */

import type { Surveyed } from '../../kubernetes/front-end/index.ts';
import type { DefaultNamespace, Expansion } from '../expand/index.ts';
import { liveReads } from './needs.ts';
import { awaitedByNodes } from './pending.ts';
import { surveyRuns } from './survey.ts';

export { reportFirstCauses } from './first-causes.ts';

/** Surveys every node of a finished expansion, including those after pending nodes. */
export function surveyed(expansion: Expansion, observedNamespace: DefaultNamespace): Surveyed {
  const survey = surveyRuns(expansion, observedNamespace);
  return { pending: () => awaitedByNodes(survey), reads: () => liveReads(survey) };
}
