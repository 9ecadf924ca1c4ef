/** The syntax of YAML: the parts of a document with their positions. `readTrees` accepts incomplete documents. */

export {
  isSyntaxProblem,
  MAX_DEPTH,
  type ParsedDocument,
  parseDocument,
  quoteLength,
  type SyntaxProblem,
} from './events.ts';
export { readJsonTree } from './flow.ts';
export { parseTree, type SyntaxTree, treeOf } from './parse.ts';
export { readTrees } from './read.ts';
export { type ScalarText, scalarTextOf, textOffset, valueOffsetAt, valueText } from './scalar.ts';
export { scalarText } from './scalar-text.ts';
export {
  contains,
  type DocumentTree,
  type Entry,
  entryOf,
  type Item,
  isAlias,
  isBlockScalar,
  isMergeKey,
  type ListNode,
  type MapNode,
  mergedEntries,
  nodeAt,
  type Range,
  resolved,
  type ScalarNode,
  walkTree,
  type YamlNode,
} from './tree.ts';
export { treeValue } from './value.ts';
