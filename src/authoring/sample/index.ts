/** Instances to start from, and words for what a schema asks for. */

export { boundsOf, typeName } from './notes.ts';
export { type Extent, type Sample, sampleInstance } from './sample.ts';
