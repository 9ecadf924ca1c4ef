export { definedKind, outlineOf } from './outline.ts';
export { type Definition, definedKinds, isRgd, type NodeDefinition, present, readDefinition } from './read.ts';
export { bracedExpression, dollarHint, helmTemplateIn, plainReferenceIn } from './shape.ts';
