export { flattenObjects, noObjectProblems, objectsIn } from './flatten.ts';
export { mayHoldSecret, type SecretRange, secretRanges, showsSecret, tornOffIn } from './secret-ranges.ts';
export { createSharedReaders, readStreams, rejectDuplicateKey, type TextStream } from './streams.ts';
export { readStream, type StreamDocument, treeIn } from './yaml.ts';
