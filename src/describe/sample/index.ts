/** Sample instances, and descriptions of schemas. */

export { boundsOf, typeName } from './notes.ts';
export { type Extent, type Sample, sampleInstance, sampleValue, varied } from './sample.ts';
