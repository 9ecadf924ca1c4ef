export { type Definition, groupKind, isRgd, type NodeDefinition, present } from './definition.ts';
export { definedKind, outlineOf, type RgdOutline } from './outline.ts';
export { definedKinds, readDefinition } from './read.ts';
