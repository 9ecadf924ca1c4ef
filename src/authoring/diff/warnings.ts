import { composeText, joinTexts, type Text } from '../../core/diagnostics/index.ts';
import { groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import { getAt, type Path } from '../../core/model/value.ts';
import { refusedUpdates } from '../../kubernetes/update/index.ts';
import type { ChangeWarning } from './change-warning.ts';
import type { ObjectChange } from './changes.ts';
import { lostWith } from './holds-data.ts';
import { shownPath } from './mask.ts';
import { titleOfReviewed } from './title.ts';
import { refusedTransitions } from './transitions.ts';

/** What an API server deletes with an object, by `Kind.group`. */
const LOST: Readonly<Record<string, (object: KubeObject) => Text | undefined>> = {
  'PersistentVolumeClaim.': () => composeText`the volume behind it may be deleted with its data`,
  'PersistentVolume.': () => composeText`nothing refers to its data any more`,
  'Namespace.': () => composeText`every object in it is deleted too`,
  'CustomResourceDefinition.apiextensions.k8s.io': () => composeText`every object of its kind is deleted too`,
  'StatefulSet.apps': (object) =>
    claimsOf(object) === undefined
      ? undefined
      : composeText`the claims of its volumeClaimTemplates are left behind or deleted`,
};

const claimsOf = (object: KubeObject): unknown => getAt(object, ['spec', 'volumeClaimTemplates', 0]);

const kindOf = (object: KubeObject): string => {
  const { group, kind } = groupVersionKind(object);
  return `${kind}.${group}`;
};

/** Returns the warnings about a change; `holdsData` names further kinds that lose data when they are deleted. */
export function warningsOf(change: ObjectChange, holdsData: readonly string[]): ChangeWarning[] {
  const { before, after } = change;
  if (before === undefined) return [];
  const title = titleOfReviewed(before);
  const kind = kindOf(before.object);
  const lost = LOST[kind]?.(before.object) ?? lostWith(before.object, holdsData);
  if (after === undefined || change.change === 'replaced') {
    return lost === undefined ? [] : [{ kind: 'data-loss', message: composeText`${title} is deleted: ${lost}` }];
  }
  const shown = (path: Path): Text => shownPath(path, after.secrecy, before.secrecy);
  const native = refusedUpdates(before.object, after.object).map((field) => shown(field.split('.')));
  const ruled = refusedTransitions(before.object, after.object, after.schema).map(
    ({ path, message }) => composeText`${shown(path)} (${message})`,
  );
  const fields = [...new Set([...native, ...ruled])];
  if (fields.length === 0) return [];
  const message = composeText`${title}: ${joinTexts(fields, ', ')} cannot be changed in place, the object must be deleted and created again`;
  const isLost = lost !== undefined && (kind !== 'StatefulSet.apps' || fields.some((field) => field === CLAIMS));
  return [{ kind: isLost ? 'data-loss' : 'recreate', message }];
}

const CLAIMS = 'spec.volumeClaimTemplates';
