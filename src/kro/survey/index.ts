/** Surveys what a package reads of a cluster: the pending values, and the fields to observe. */

export { liveObjects, observedObjects, withLive } from './observe/index.ts';
export { reportFirstCauses } from './pending/first-causes.ts';
export { awaitedValues } from './pending/index.ts';
export { kubectlCommands } from './pending/kubectl.ts';
export { awaitedText } from './pending/text.ts';

export { type PendingValue, type Survey, surveyRuns } from './reads/index.ts';
