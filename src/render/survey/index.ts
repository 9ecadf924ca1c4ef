/** What a package reads of a cluster, printed and taken from live objects. */

export { awaitedText, kubectlCommands, liveObjects, observedObjects, withLive } from './observe.ts';
