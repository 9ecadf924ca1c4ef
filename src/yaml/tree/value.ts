import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { scalarValueOf } from './scalar.ts';
import type { YamlNode } from './tree.ts';

/** Returns the value of a tree. Incomplete entries are omitted. */
export function treeValue(text: string, node: YamlNode): Value {
  if (node.kind === 'scalar') return scalarValueOf(text, node);
  if (node.kind === 'list') return node.items.map(({ value }) => treeValue(text, value));
  const map: ValueMap = {};
  for (const { name, complete, value } of node.entries) if (complete) setKey(map, name, treeValue(text, value));
  return map;
}
