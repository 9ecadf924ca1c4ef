/** Compares the rendered objects of two versions of RGDs and instances. */

export {
  type ChangeWarning,
  DANGER_CODES,
  type FieldChange,
  fieldChanges,
  instanceOfReviewed,
  isMasked,
  maskedAlone,
  maskedObjects,
  type ObjectChange,
  titleOfReviewed,
} from './changes.ts';
export * from './compare.ts';
export { type Denial, type Denials, denialsBy } from './denials.ts';
export * from './packages.ts';
export * from './text.ts';
export { KIND_PATTERN, warningsOf } from './warnings.ts';
