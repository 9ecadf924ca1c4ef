import { groupKind, groupVersionKind } from '../../../core/model/object.ts';
import { entryOf, scalarTextOf, walkTree, type YamlNode } from '../../../yaml/tree/index.ts';
import type { Checked } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';
import { fieldTarget, kindTarget, type Occurrence } from './elsewhere.ts';

/** Returns the kind, `Kind.group`, of an object. */
function kindOf(text: string, root: YamlNode): string | undefined {
  const [apiVersion, kind] = ['apiVersion', 'kind'].map((key) => {
    const node = entryOf(root, key)?.value;
    return node?.kind === 'scalar' ? scalarTextOf(text, node).value : '';
  });
  return kind === '' || kind === undefined
    ? undefined
    : groupKind(groupVersionKind({ apiVersion: apiVersion ?? '', kind }));
}

/** Returns the names in an instance: its kind, and the fields of its schema. */
export function instanceOccurrences(file: SourceFile, root: YamlNode, checked: Checked): Occurrence[] {
  const kind = kindOf(file.text, root);
  const node = entryOf(root, 'kind')?.value;
  const target = kind === undefined ? undefined : kindTarget(checked, kind);
  if (kind === undefined || target === undefined || node?.kind !== 'scalar') return [];
  return [{ start: node.innerStart, end: node.innerEnd, target }, ...templateOccurrences(checked, kind, root)];
}

/** Returns the fields of an object, or of a template, whose kind an RGD defines. */
export function templateOccurrences(checked: Checked, kind: string, root: YamlNode): Occurrence[] {
  const found: Occurrence[] = [];
  const spec = entryOf(root, 'spec');
  if (spec === undefined || kindTarget(checked, kind) === undefined) return [];
  walkTree(
    spec.value,
    (_, path, entry) => {
      const target = entry === undefined || path.length < 2 ? undefined : fieldTarget(checked, kind, path);
      if (entry === undefined || target === undefined) return;
      found.push({ start: entry.key.innerStart, end: entry.key.innerEnd, target });
    },
    ['spec'],
    spec,
  );
  return found;
}
