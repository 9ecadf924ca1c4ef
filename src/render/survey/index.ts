/** What a package reads of a cluster, printed and taken from live objects. */

export { kubectlCommands, liveObjects, observedObjects, withLive } from './observe.ts';
export { awaitedText } from './text.ts';
