/** Flux ResourceSets: templates in Go's language, rendered for every set of inputs. */

export type { ExpandedSet } from './expand.ts';
export { firstOfFile } from './first-of-file.ts';
export { mayHoldSets, type Output, rendersSets } from './holds.ts';
export { isInputProvider, isResourceSet } from './kinds.ts';
export { packageForRgds, renderWithSets } from './package.ts';
export { type InputRead, type InputUse, inputUseOf, secretInputs } from './reads.ts';
export type { SetSurvey } from './survey.ts';
