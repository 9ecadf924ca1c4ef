import { type GroupVersionKind, groupKind, groupKindOf, isKubeObject, nameOf } from '../../../core/model/object.ts';
import type { Path } from '../../../core/model/value.ts';
import { type Entry, entryOf, nodeAt, scalarTextOf, type YamlNode } from '../../../yaml/tree/index.ts';
import type { Model } from '../expressions.ts';
import type { Checked } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';
import { collect } from '../yaml/context.ts';

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

export const targetAt = (
  { uri }: SourceFile,
  node: YamlNode | undefined,
  role: Target['role'],
  name: string,
): Target | undefined =>
  node?.kind === 'scalar' ? { uri, start: node.innerStart, end: node.innerEnd, role, name } : undefined;

/** Returns the occurrence of a target at a key or another scalar; none if one of them does not exist. */
export const occurrences = (node: YamlNode | undefined, target: Target | undefined): Occurrence[] =>
  node?.kind === 'scalar' && target ? [{ start: node.innerStart, end: node.innerEnd, target }] : [];

export const sameTarget = (one: Target, other: Target): boolean => one.uri === other.uri && one.start === other.start;

/** Returns the text of a scalar, '' for others. */
export const textOfNode = (text: string, node: YamlNode | undefined): string =>
  node?.kind === 'scalar' ? scalarTextOf(text, node).value : '';

function rgdOf({ plan }: Checked, kind: string) {
  for (const file of [...plan.files, ...plan.beside]) {
    const found = file.facts.rgds.find((one) => one.kind === kind);
    const tree = found && file.trees[found.document];
    if (tree !== undefined) return { file, tree };
  }
  return undefined;
}

function kindTarget(checked: Checked, kind: string): Target | undefined {
  const rgd = rgdOf(checked, kind);
  return rgd && targetAt(rgd.file, nodeAt(rgd.tree.root, ['spec', 'schema', 'kind']), 'kind', kind.split('.')[0] ?? '');
}

/** Returns the declaration of a field of a kind. `own` is the current RGD, which may be newer than the package. */
export function fieldTarget(checked: Checked, kind: string, path: Path, own?: Model): Target | undefined {
  const rgd = own !== undefined && groupKind(own.definition) === kind ? own : rgdOf(checked, kind);
  const entry = rgd && fieldEntry(rgd.file.text, rgd.tree.root, path);
  return rgd && entry && targetAt(rgd.file, entry.key, path.length === 1 ? 'object' : 'field', entry.name);
}

export function objectTarget({ plan }: Checked, gvk: GroupVersionKind, name: string): Target | undefined {
  for (const file of [...plan.files, ...plan.beside]) {
    for (const { object, source } of file.read.documents) {
      if (!isKubeObject(object) || nameOf(object) !== name || groupKindOf(object) !== groupKind(gvk)) continue;
      const target = targetAt(
        file,
        nodeAt(file.trees[source?.document ?? -1]?.root, ['metadata', 'name']),
        'object',
        name,
      );
      if (target !== undefined) return target;
    }
  }
  return undefined;
}

/** Returns the names in an instance or a template: its kind, and the fields of its schema, if an RGD defines them. */
export function instanceOccurrences(
  { text }: SourceFile,
  root: YamlNode | undefined,
  checked: Checked,
  kind = kindOf(text, root),
): Occurrence[] {
  const found = occurrences(nodeAt(root, ['kind']), kindTarget(checked, kind));
  const spec = found.length === 0 ? undefined : nodeAt(root, ['spec']);
  const fields = collect(spec, (_, path, entry) =>
    entry === undefined ? [] : occurrences(entry.key, fieldTarget(checked, kind, ['spec', ...path])),
  );
  return [...found, ...fields];
}

const kindOf = (text: string, root: YamlNode | undefined): string =>
  groupKindOf({
    apiVersion: textOfNode(text, nodeAt(root, ['apiVersion'])),
    kind: textOfNode(text, nodeAt(root, ['kind'])),
  });

/** Returns the entry of an RGD that declares a field of its instances: `['spec', 'ports', 0, 'name']`. */
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
    const written = textOfNode(text, node).split('|')[0] ?? '';
    const type = written.trim().replace(/^(?:(?:\[\]|map\[string\])\s*)+/, (wrappers) => {
      rest = path.slice(wrappers.split(']').length - 1);
      return '';
    });
    return node.kind === 'scalar' ? inside(entryOf(types, type)?.value, rest, steps + 1) : undefined;
  };
  return inside(entryOf(schema, part)?.value, rest, 0);
}

/** The maximum number of type references. */
const MAX_STEPS = 200;
