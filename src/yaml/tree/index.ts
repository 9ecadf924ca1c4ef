/** The syntax of YAML: the parts of a document with their positions. `readTrees` accepts incomplete documents. */

export { isSyntaxProblem, type SyntaxProblem } from './events.ts';
export { readJsonTree } from './flow.ts';
export { parseTree } from './parse.ts';
export { readTrees } from './read.ts';
export { scalarTextOf, textOffset, textOffsetAt, treeValue, valueOffsetAt, valueText } from './scalar.ts';
export * from './tree.ts';
