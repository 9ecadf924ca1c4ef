import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { plainKey } from '../../core/text/plain-scalar.ts';
import { scalarTextOf, scalarValueOf } from './scalar.ts';
import type { YamlNode } from './tree.ts';

/** Returns the value of a tree. Incomplete entries are omitted. */
export function treeValue(text: string, node: YamlNode): Value {
  if (node.kind === 'scalar') return scalarValueOf(text, node);
  if (node.kind === 'list') return node.items.map(({ value }) => treeValue(text, value));
  const map: ValueMap = {};
  for (const { key, colon, value } of node.entries) {
    if (colon < 0) continue;
    const written = scalarTextOf(text, key).value;
    setKey(map, key.style === 'plain' ? (plainKey(written) ?? written) : written, treeValue(text, value));
  }
  return map;
}
