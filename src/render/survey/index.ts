/** What a package reads of a cluster, printed and taken from live objects. */

export { kubectlCommands } from './kubectl.ts';
export { liveObjects, withLive } from './live.ts';
export { observedObjects } from './observe.ts';
export { awaitedText } from './text.ts';
