export { flattenObjects, objectsIn } from './flatten.ts';
export { noObjectProblems } from './no-object.ts';
export { mayHoldSecret, type SecretRange, secretRanges, showsSecret, tornOffIn } from './secret-ranges.ts';
export { createSharedReaders, readStreams, rejectDuplicateKey, type TextStream } from './streams.ts';
export { readStream, type StreamDocument } from './yaml.ts';
