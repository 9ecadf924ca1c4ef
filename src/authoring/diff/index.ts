/** Compares the rendered objects of two versions of RGDs and instances. */

export type { ChangeWarning } from './change-warning.ts';
export { type FieldChange, fieldChanges, type ObjectChange } from './changes.ts';
export { commentOf, folded, inCode, listed, MOST_CHARACTERS } from './comment.ts';
export { type Comparison, changesBetween, compareVersions } from './compare.ts';
export { denialsBy } from './denials.ts';
export { KIND_PATTERN } from './holds-data.ts';
export { type Hunk, hunksOf } from './hunks.ts';
export { findItem, otherItems } from './items.ts';
export { comparisonJson, fieldValues } from './json.ts';
export { comparisonMarkdown } from './markdown.ts';
export { isMasked } from './mask.ts';
export { maskedObjects } from './masked-objects.ts';
export { type DiffOptions, diffPackages } from './packages.ts';
export { comparisonText, headline, hunksText, type Paint, plain } from './text.ts';
export { instanceOfReviewed, titleOfReviewed } from './title.ts';
export { warningsOf } from './warnings.ts';
