import { groupKind, groupVersionKind } from '../../../core/model/object.ts';
import { entryOf, scalarTextOf, walkTree, type YamlNode } from '../../../yaml/tree/index.ts';
import type { Checked } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';
import { fieldTarget, kindTarget, type Occurrence, occurrenceOf, scalarIn } from './elsewhere.ts';

/** Returns the kind, `Kind.group`, of an object. */
function kindOf(text: string, root: YamlNode): string | undefined {
  const [apiVersion, kind] = ['apiVersion', 'kind'].map((key) => {
    const node = scalarIn(root, [key]);
    return node === undefined ? '' : scalarTextOf(text, node).value;
  });
  return kind === '' || kind === undefined
    ? undefined
    : groupKind(groupVersionKind({ apiVersion: apiVersion ?? '', kind }));
}

/** Returns the names in an instance: its kind, and the fields of its schema. */
export function instanceOccurrences(file: SourceFile, root: YamlNode, checked: Checked): Occurrence[] {
  const kind = kindOf(file.text, root);
  const node = scalarIn(root, ['kind']);
  const target = kind === undefined ? undefined : kindTarget(checked, kind);
  if (kind === undefined || target === undefined || node === undefined) return [];
  return [occurrenceOf(node, target), ...templateOccurrences(checked, kind, root)];
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
      found.push(occurrenceOf(entry.key, target));
    },
    ['spec'],
    spec,
  );
  return found;
}
