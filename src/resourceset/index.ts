/** Flux ResourceSets: templates in Go's language, rendered for every set of inputs. */

export { firstOfFile } from './first-of-file.ts';
export { API_VERSION, isInputProvider, isResourceSet, PROVIDER, SET } from './kinds.ts';
export { mayHoldSets, type Output, packageForRgds, rendersSets, renderWithSets } from './package.ts';
export type { SetSurvey } from './survey.ts';
