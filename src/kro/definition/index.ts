export { groupKind } from '../../core/model/object.ts';
export { bracedExpression, dollarHint, helmTemplateIn, plainReferenceIn } from './braces.ts';
export { type Definition, isRgd, type NodeDefinition, present } from './definition.ts';
export { definedKind, outlineOf } from './outline.ts';
export { definedKinds, readDefinition } from './read.ts';
