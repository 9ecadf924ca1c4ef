import {
  type GroupVersionKind,
  groupKind,
  groupVersionKind,
  isKubeObject,
  nameOf,
} from '../../../core/model/object.ts';
import type { Path } from '../../../core/model/value.ts';
import { type DocumentTree, entryOf, nodeAt } from '../../../yaml/tree/index.ts';
import type { RgdModel } from '../rgd/model.ts';
import type { Checked } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Target } from './occurrence.ts';
import { fieldEntry } from './schema-place.ts';

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
  const node = rgd && nodeAt(rgd.tree.root, ['spec', 'schema', 'kind']);
  if (rgd === undefined || node?.kind !== 'scalar') return undefined;
  return {
    uri: rgd.file.uri,
    start: node.innerStart,
    end: node.innerEnd,
    role: 'kind',
    name: kind.split('.')[0] ?? '',
  };
}

/** Returns the declaration of a field of a kind. `own` is the current RGD, which may be newer than the package. */
export function fieldTarget(checked: Checked, kind: string, path: Path, own?: RgdModel): Target | undefined {
  const rgd = own !== undefined && groupKind(own.definition) === kind ? own : rgdOf(checked, kind);
  const entry = rgd && fieldEntry(rgd.file.text, rgd.tree.root, path);
  if (rgd === undefined || entry === undefined) return undefined;
  const { innerStart: start, innerEnd: end } = entry.key;
  return { uri: rgd.file.uri, start, end, role: path.length === 1 ? 'object' : 'field', name: entry.name };
}

/** Returns the location of the name of an object in the workspace. */
export function objectTarget({ plan }: Checked, gvk: GroupVersionKind, name: string): Target | undefined {
  for (const file of [...plan.files, ...plan.beside]) {
    for (const { object, source } of file.read.documents) {
      if (!isKubeObject(object) || nameOf(object) !== name || groupKind(groupVersionKind(object)) !== groupKind(gvk))
        continue;
      const tree = source && file.trees[source.document];
      const node = tree && entryOf(nodeAt(tree.root, ['metadata']), 'name')?.value;
      if (node?.kind !== 'scalar') continue;
      return { uri: file.uri, start: node.innerStart, end: node.innerEnd, role: 'object', name };
    }
  }
  return undefined;
}
