import type { Path } from '../../../core/model/value.ts';
import { type Entry, entryOf, nodeAt, scalarTextOf, type YamlNode } from '../../../yaml/tree/index.ts';

/**
 * Returns the entry of an RGD that declares a field of its instances, by its path in an instance: `['spec', 'ports', 0,
 * 'name']`.
 */
export function fieldEntry(text: string, root: YamlNode, path: Path): Entry | undefined {
  const [part, ...rest] = path;
  if (part !== 'spec' && part !== 'status') return undefined;
  const schema = nodeAt(root, ['spec', 'schema']);
  if (rest.length === 0) return entryOf(schema, part);
  return inside(text, entryOf(schema, part)?.value, rest, entryOf(schema, 'types')?.value, 0);
}

/** The maximum number of type references. */
const MAX_STEPS = 200;

function inside(
  text: string,
  node: YamlNode | undefined,
  path: Path,
  types: YamlNode | undefined,
  steps: number,
): Entry | undefined {
  if (node === undefined || path.length === 0 || steps > MAX_STEPS) return undefined;
  if (node.kind === 'map') {
    const entry = typeof path[0] === 'string' ? entryOf(node, path[0]) : undefined;
    return path.length === 1 ? entry : inside(text, entry?.value, path.slice(1), types, steps + 1);
  }
  if (node.kind !== 'scalar') return undefined;
  let rest = path;
  let type = typeTextOf(text, node);
  for (;;) {
    const wrapper = /^(?:\[\]|map\[string\])\s*/.exec(type)?.[0];
    if (wrapper === undefined) break;
    type = type.slice(wrapper.length);
    rest = rest.slice(1);
  }
  return inside(text, entryOf(types, type)?.value, rest, types, steps + 1);
}

/** Returns the part of a field of SimpleSchema before the first `|`. */
const typeTextOf = (text: string, node: YamlNode | undefined): string =>
  node?.kind === 'scalar' ? (scalarTextOf(text, node).value.split('|')[0] ?? '').trim() : '';

/** Returns the custom type of a field of SimpleSchema, and its offset in the value. */
export function customTypeIn(value: string): { name: string; start: number } | undefined {
  const found = /^(\s*(?:\[\]\s*|map\[string\]\s*)*)([A-Za-z]\w*)/.exec(value);
  if (found === null) return undefined;
  const [, before = '', name = ''] = found;
  return /^(?:string|integer|float|boolean|object|map)$/.test(name) ? undefined : { name, start: before.length };
}
