import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { scalarValueOf } from './scalar.ts';
import type { YamlNode } from './tree.ts';

/** The syntax of YAML: the parts of a document with their positions. `readTrees` accepts incomplete documents. */

export { isSyntaxProblem, type SyntaxProblem } from './events.ts';
export { readJsonTree } from './flow.ts';
export { parseTree } from './parse.ts';
export { readTrees } from './read.ts';
export { scalarTextOf, textOffset, textOffsetAt, valueOffsetAt, valueText } from './scalar.ts';
export * from './tree.ts';

export function treeValue(text: string, node: YamlNode): Value {
  if (node.kind === 'scalar') return scalarValueOf(text, node);
  if (node.kind === 'list') return node.items.map(({ value }) => treeValue(text, value));
  const map: ValueMap = {};
  for (const { name, complete, value } of node.entries) if (complete) setKey(map, name, treeValue(text, value));
  return map;
}
