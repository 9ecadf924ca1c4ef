export { flattenObjects, noObjectProblems, objectsIn } from './flatten.ts';
export { mayHoldSecret, type SecretRange, secretRanges, showsSecret, tornOffIn } from './secret-ranges.ts';
export {
  createSharedReaders,
  readStream,
  readStreams,
  rejectDuplicateKey,
  type StreamDocument,
  type TextStream,
  treeIn,
} from './yaml.ts';
