import { composeText, type Text, trusted } from '../../../core/diagnostics/index.ts';
import { groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { getAt, listAt, textAt, textOf } from '../../../core/model/value.ts';
import { includes, type Permission, permissionsOf } from '../../rbac/index.ts';
import type { Danger } from './danger.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** Reports roles that allow more than before, bindings with new subjects, and new bindings to cluster-admin. */
export function accessDangers(before: KubeObject | undefined, after: KubeObject): Danger[] {
  const { group, kind } = groupVersionKind(after);
  const messages =
    group !== GROUP ? [] : /^(Cluster)?Role$/.test(kind) ? wider(before, after) : bound(kind, before, after);
  return messages.map((message) => ({ code: 'danger-access-wider', message }));
}

function bound(kind: string, before: KubeObject | undefined, after: KubeObject): Text[] {
  if (!/^(Cluster)?RoleBinding$/.test(kind)) return [];
  const role = textOf(getAt(after, ['roleRef', 'name']));
  if (before === undefined) return role === 'cluster-admin' ? [composeText`it binds subjects to cluster-admin`] : [];
  const known = new Set(subjectsOf(before));
  return subjectsOf(after)
    .filter((subject) => !known.has(subject))
    .map((one) => composeText`${trusted.redacted(one)} gets the permissions of ${trusted.redacted(role)}`);
}

const subjectsOf = (binding: KubeObject): string[] =>
  listAt(binding, 'subjects').map((subject) =>
    [textAt(subject, 'kind'), textAt(subject, 'namespace'), textAt(subject, 'name')].filter(Boolean).join(' '),
  );

function wider(before: KubeObject | undefined, after: KubeObject): Text[] {
  if (before === undefined) return [];
  const allowed = permissionsOf(before.rules);
  const more = permissionsOf(after.rules).filter((one) => !allowed.some((other) => includes(other, one)));
  return more.length === 0 ? [] : [composeText`it allows more than before: ${trusted.redacted(shown(more))}`];
}

const MOST_SHOWN = 3;

function shown(permissions: readonly Permission[]): string {
  const texts = new Set(permissions.map(({ group, resource, verb }) => `${verb} ${resource}${group && `.${group}`}`));
  const more = texts.size - MOST_SHOWN;
  return `${[...texts].slice(0, MOST_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
