/** Documents as they are in a text that somebody is writing: every key and value with its place, nothing refused. */

export { readTrees } from './read.ts';
export { type ScalarText, scalarTextOf, valueOffsetAt } from './scalar.ts';
export {
  type DocumentTree,
  type Entry,
  entryOf,
  type Item,
  type ListNode,
  type MapNode,
  nodeAt,
  type ScalarNode,
  walkTree,
  type YamlNode,
} from './tree.ts';
export { treeValue } from './value.ts';
