export { isSyntaxFault, type ParsedDocument, parseDocument, quoteLength } from './events.ts';
export { flattenObjects, objectsIn } from './flatten.ts';
export { breaksIn, scalarText } from './scalar-text.ts';
export { mayHoldSecret, type SecretRange, secretRanges, showsSecret, tornOffIn } from './secret-ranges.ts';
export { readStreams, refusedIfTwice, type TextStream } from './streams.ts';
export { readStream, type StreamDocument } from './yaml.ts';
