import { getOrCompute } from '../../core/model/lazily.ts';
import { type GroupVersionKind, groupKind, groupKindOf, isKubeObject, nameOf } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import { type DocumentTree, type Entry, entryOf, nodeAt, scalarTextOf, type YamlNode } from '../../yaml/tree/index.ts';
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

interface DeclaringRgd {
  file: SourceFile;
  tree: DocumentTree;
}

const rgdsByKind = new WeakMap<Checked, ReadonlyMap<string, DeclaringRgd>>();

/** Returns the first RGD of each kind. */
function indexRgds({ plan }: Checked): ReadonlyMap<string, DeclaringRgd> {
  const found = new Map<string, DeclaringRgd>();
  for (const file of [...plan.files, ...plan.beside]) {
    const seen = new Set<string>();
    for (const { kind, document } of file.facts.rgds) {
      // Only the first one of a file is its declaration.
      if (seen.has(kind)) continue;
      seen.add(kind);
      const tree = file.trees[document];
      if (tree !== undefined && !found.has(kind)) found.set(kind, { file, tree });
    }
  }
  return found;
}

const rgdOf = (checked: Checked, kind: string): DeclaringRgd | undefined =>
  getOrCompute(rgdsByKind, checked, () => indexRgds(checked)).get(kind);

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

const objectsByName = new WeakMap<Checked, ReadonlyMap<string, Target>>();
const keyOfObject = (kind: string, name: string): string => `${kind} ${name}`;

/** Returns the first declaration of each object, by its kind and name. */
function indexObjects({ plan }: Checked): ReadonlyMap<string, Target> {
  const found = new Map<string, Target>();
  for (const file of [...plan.files, ...plan.beside]) {
    for (const { object, source } of file.read.documents) {
      if (!isKubeObject(object)) continue;
      const name = nameOf(object);
      const key = keyOfObject(groupKindOf(object), name);
      if (found.has(key)) continue;
      const node = nodeAt(file.trees[source?.document ?? -1]?.root, ['metadata', 'name']);
      const target = targetAt(file, node, 'object', name);
      if (target !== undefined) found.set(key, target);
    }
  }
  return found;
}

export const objectTarget = (checked: Checked, gvk: GroupVersionKind, name: string): Target | undefined =>
  getOrCompute(objectsByName, checked, () => indexObjects(checked)).get(keyOfObject(groupKind(gvk), name));

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
