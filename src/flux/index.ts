/** Flux ResourceSets: templates in Go's language, rendered for every set of inputs. */

export { PROVIDER_SPEC, SET_SPEC } from './crd.ts';
export type { ExpandedSet } from './expand.ts';
export { flux } from './front-end.ts';
export { toYaml } from './functions/index.ts';
export { templateName } from './inputs/combine.ts';
export { firstOfFile, isInputProvider, isResourceSet } from './kinds.ts';
export { type InputUse, inputUseOf } from './reads.ts';
export { templatePlaces } from './spec.ts';
