import { composeText, trusted } from '../../../core/diagnostics/index.ts';
import { groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { getAt, listAt, textAt, textOf } from '../../../core/model/value.ts';
import { includes, type Permission, permissionsOf } from '../../rbac/index.ts';
import type { Danger } from './danger.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** Reports roles that allow more than before, bindings with new subjects, and new bindings to cluster-admin. */
export function accessDangers(before: KubeObject | undefined, after: KubeObject): Danger[] {
  const { group, kind } = groupVersionKind(after);
  if (group !== GROUP) return [];
  if (kind === 'Role' || kind === 'ClusterRole') return before === undefined ? [] : widerRules(before, after);
  if (kind !== 'RoleBinding' && kind !== 'ClusterRoleBinding') return [];
  const role = textOf(getAt(after, ['roleRef', 'name']));
  if (before === undefined) {
    return role === 'cluster-admin'
      ? [{ code: 'danger-access-wider', message: composeText`it binds subjects to cluster-admin` }]
      : [];
  }
  const known = new Set(subjectsOf(before));
  return subjectsOf(after)
    .filter((subject) => !known.has(subject))
    .map((subject) => ({
      code: 'danger-access-wider',
      message: composeText`${trusted.redacted(subject)} gets the permissions of ${trusted.redacted(role)}`,
    }));
}

const subjectsOf = (binding: KubeObject): string[] =>
  listAt(binding, 'subjects').map((subject) =>
    [textAt(subject, 'kind'), textAt(subject, 'namespace'), textAt(subject, 'name')].filter(Boolean).join(' '),
  );

function widerRules(before: KubeObject, after: KubeObject): Danger[] {
  const allowed = permissionsOf(before.rules);
  const wider = permissionsOf(after.rules).filter((one) => !allowed.some((other) => includes(other, one)));
  return wider.length === 0
    ? []
    : [
        {
          code: 'danger-access-wider',
          message: composeText`it allows more than before: ${trusted.redacted(shown(wider))}`,
        },
      ];
}

const MOST_SHOWN = 3;

function shown(permissions: readonly Permission[]): string {
  const texts = new Set(permissions.map(({ group, resource, verb }) => `${verb} ${resource}${group && `.${group}`}`));
  const more = texts.size - MOST_SHOWN;
  return `${[...texts].slice(0, MOST_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
