/** Parses documents while they are edited: every key and value with its position, without errors. */

export { readTrees } from './read.ts';
export { type ScalarText, scalarTextOf, valueOffsetAt } from './scalar.ts';
export {
  type DocumentTree,
  type Entry,
  entryOf,
  type Item,
  type MapNode,
  nodeAt,
  type ScalarNode,
  walkTree,
  type YamlNode,
} from './tree.ts';
export { treeValue } from './value.ts';
