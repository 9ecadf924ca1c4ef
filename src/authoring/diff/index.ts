/** Compares the rendered objects of two versions of RGDs and instances. */

export {
  type ChangeWarning,
  DANGER_CODES,
  type FieldChange,
  fieldChanges,
  instanceOfReviewed,
  type ObjectChange,
  titleOfReviewed,
} from './changes.ts';
export { type Comparison, changesBetween, compareVersions, comparisonJson, sideValue } from './compare.ts';
export { findItem, otherItems } from './items.ts';
export { commentOf, comparisonMarkdown, folded, inCode, listed, MOST_CHARACTERS } from './markdown.ts';
export { isMasked, maskedObjects } from './mask.ts';
export { type Denials, type DiffOptions, denialsBy, diffPackages, inputOfReviewed } from './packages.ts';
export { comparisonText, type Hunk, headline, hunksOf, hunksText, type Paint, plain } from './text.ts';
export { KIND_PATTERN, warningsOf } from './warnings.ts';
