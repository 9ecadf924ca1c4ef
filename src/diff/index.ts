/** What a change of RGDs and instances does to the rendered objects. */

export type { ObjectChange } from './changes.ts';
export { type Comparison, compareVersions } from './compare.ts';
export { comparisonJson, comparisonValue } from './json.ts';
export { comparisonMarkdown } from './markdown.ts';
export { diffPackages, toldOnce } from './packages.ts';
export { type Reviewed, renderVersion, reviewAlone, type Version } from './reviewed.ts';
export { comparisonText, type Paint } from './text.ts';
export type { ChangeWarning } from './warnings.ts';
