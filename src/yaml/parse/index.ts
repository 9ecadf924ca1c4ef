export { isSyntaxProblem, type ParsedDocument, parseDocument, quoteLength } from './events.ts';
export { flattenObjects, objectsIn } from './flatten.ts';
export { noObjectProblems } from './no-object.ts';
export { breaksIn, scalarText } from './scalar-text.ts';
export { mayHoldSecret, type SecretRange, secretRanges, showsSecret, tornOffIn } from './secret-ranges.ts';
export { createSharedReaders } from './sharing.ts';
export { readStreams, rejectDuplicateKey, type TextStream } from './streams.ts';
export { type ReadDocuments, readStream, type StreamDocument } from './yaml.ts';
