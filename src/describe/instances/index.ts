/** Instances that nobody has written: generated from the boundaries of a schema, and from what expressions compare. */

export { withoutValue, withValue } from './fields.ts';
export {
  generatedInput,
  generateInstances,
  isGenerated,
  isGeneratedSource,
  type OptionalFields,
  optionalFields,
} from './generate.ts';
export { shrink } from './shrink.ts';
