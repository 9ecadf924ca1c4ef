import { type GroupVersionKind, groupKind, groupKindOf, isKubeObject, nameOf } from '../../../core/model/object.ts';
import type { Path } from '../../../core/model/value.ts';
import {
  type DocumentTree,
  type Entry,
  entryOf,
  nodeAt,
  type ScalarNode,
  scalarTextOf,
  walkTree,
  type YamlNode,
} from '../../../yaml/tree/index.ts';
import type { Model } from '../rgd/model.ts';
import type { Checked } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';

/** Returns the RGD that defines a kind for a package, with its text. */
function rgdOf({ plan }: Checked, kind: string): { file: SourceFile; tree: DocumentTree } | undefined {
  for (const file of [...plan.files, ...plan.beside]) {
    const found = file.facts.rgds.find((one) => one.kind === kind);
    const tree = found && file.trees[found.document];
    if (tree !== undefined) return { file, tree };
  }
  return undefined;
}

/** Returns the location where an RGD defines a kind. */
export function kindTarget(checked: Checked, kind: string): Target | undefined {
  const rgd = rgdOf(checked, kind);
  const node = rgd && scalarIn(rgd.tree.root, ['spec', 'schema', 'kind']);
  return rgd && node && targetAt(rgd.file, node, 'kind', kind.split('.')[0] ?? '');
}

/** Returns the declaration of a field of a kind. `own` is the current RGD, which may be newer than the package. */
export function fieldTarget(checked: Checked, kind: string, path: Path, own?: Model): Target | undefined {
  const rgd = own !== undefined && groupKind(own.definition) === kind ? own : rgdOf(checked, kind);
  const entry = rgd && fieldEntry(rgd.file.text, rgd.tree.root, path);
  return rgd && entry && targetAt(rgd.file, entry.key, path.length === 1 ? 'object' : 'field', entry.name);
}

/** Returns the location of the name of an object in the workspace. */
export function objectTarget({ plan }: Checked, gvk: GroupVersionKind, name: string): Target | undefined {
  for (const file of [...plan.files, ...plan.beside]) {
    for (const { object, source } of file.read.documents) {
      if (!isKubeObject(object) || nameOf(object) !== name || groupKindOf(object) !== groupKind(gvk)) continue;
      const tree = source && file.trees[source.document];
      const node = tree && scalarIn(tree.root, ['metadata', 'name']);
      if (node !== undefined) return targetAt(file, node, 'object', name);
    }
  }
  return undefined;
}

/** The target of a name: its declaration. */
export interface Target {
  uri: string;
  start: number;
  end: number;
  role: 'node' | 'iterator' | 'field' | 'type' | 'kind' | 'template' | 'object' | 'input';
  name: string;
}

/** A name in a text, without quotes, and its target. */
export interface Occurrence {
  start: number;
  end: number;
  target: Target;
  inExpression?: boolean;
}

/** Returns a declaration at a key or another scalar. */
export const targetAt = (
  { uri }: SourceFile,
  { innerStart: start, innerEnd: end }: ScalarNode,
  role: Target['role'],
  name: string,
): Target => ({ uri, start, end, role, name });

/** Returns an occurrence of a name at a key or another scalar. */
export const occurrenceOf = ({ innerStart: start, innerEnd: end }: ScalarNode, target: Target): Occurrence => ({
  start,
  end,
  target,
});

/** A declaration is an occurrence of its own name. */
export const selfOf = (target: Target): Occurrence => ({ start: target.start, end: target.end, target });

export function scalarIn(root: YamlNode | undefined, path: Path): ScalarNode | undefined {
  const node = root && nodeAt(root, path);
  return node?.kind === 'scalar' ? node : undefined;
}

export const sameTarget = (one: Target, other: Target): boolean => one.uri === other.uri && one.start === other.start;

/**
 * Returns the entry of an RGD that declares a field of its instances, by its path in an instance: `['spec', 'ports', 0,
 * 'name']`.
 */
export function fieldEntry(text: string, root: YamlNode, path: Path): Entry | undefined {
  const [part, ...rest] = path;
  if (part !== 'spec' && part !== 'status') return undefined;
  const schema = nodeAt(root, ['spec', 'schema']);
  if (rest.length === 0) return entryOf(schema, part);
  const types = entryOf(schema, 'types')?.value;
  const inside = (node: YamlNode | undefined, path: Path, steps: number): Entry | undefined => {
    if (node === undefined || path.length === 0 || steps > MAX_STEPS) return undefined;
    if (node.kind === 'map') {
      const entry = typeof path[0] === 'string' ? entryOf(node, path[0]) : undefined;
      return path.length === 1 ? entry : inside(entry?.value, path.slice(1), steps + 1);
    }
    let rest = path;
    const type = typeTextOf(text, node).replace(/^(?:(?:\[\]|map\[string\])\s*)+/, (wrappers) => {
      rest = path.slice(wrappers.split(']').length - 1);
      return '';
    });
    return node.kind === 'scalar' ? inside(entryOf(types, type)?.value, rest, steps + 1) : undefined;
  };
  return inside(entryOf(schema, part)?.value, rest, 0);
}

/** The maximum number of type references. */
const MAX_STEPS = 200;

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

/** Returns the kind, `Kind.group`, of an object. */
function kindOf(text: string, root: YamlNode): string | undefined {
  const textIn = (node: ScalarNode | undefined): string => (node === undefined ? '' : scalarTextOf(text, node).value);
  const [apiVersion, kind] = [textIn(scalarIn(root, ['apiVersion'])), textIn(scalarIn(root, ['kind']))];
  return kind === '' ? undefined : groupKindOf({ apiVersion, kind });
}

/** Returns the names in an instance: its kind, and the fields of its schema. */
export function instanceOccurrences(file: SourceFile, root: YamlNode, checked: Checked): Occurrence[] {
  const kind = kindOf(file.text, root);
  const node = scalarIn(root, ['kind']);
  const target = kind && kindTarget(checked, kind);
  return kind && target && node ? [occurrenceOf(node, target), ...templateOccurrences(checked, kind, root)] : [];
}

/** Returns the fields of an object, or of a template, whose kind an RGD defines. */
export function templateOccurrences(checked: Checked, kind: string, root: YamlNode): Occurrence[] {
  const found: Occurrence[] = [];
  const spec = entryOf(root, 'spec');
  if (spec === undefined || kindTarget(checked, kind) === undefined) return [];
  walkTree(spec.value, (_, path, entry) => {
    const target = entry && fieldTarget(checked, kind, ['spec', ...path]);
    if (entry !== undefined && target !== undefined) found.push(occurrenceOf(entry.key, target));
  });
  return found;
}
