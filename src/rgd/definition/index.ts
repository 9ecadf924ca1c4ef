export { type Definition, groupKind, isRgd, type NodeDefinition, present } from './definition.ts';
export { reportOtherRgds } from './other-version.ts';
export { definedKind, type Outline, outlineOf } from './outline.ts';
export { definedKinds, readDefinition } from './read.ts';
