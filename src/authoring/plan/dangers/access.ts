import { publicText } from '../../../core/diagnostics/index.ts';
import { groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { get, getAt, listOf, textOf, textsOf, type Value } from '../../../core/model/value.ts';
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
      ? [{ code: 'danger-access-wider', message: publicText`it binds subjects to cluster-admin` }]
      : [];
  }
  const known = new Set(subjectsOf(before));
  return subjectsOf(after)
    .filter((subject) => !known.has(subject))
    .map((subject) => ({
      code: 'danger-access-wider',
      message: publicText`${subject} gets the permissions of ${role}`,
    }));
}

const subjectsOf = (binding: KubeObject): string[] =>
  listOf(get(binding, 'subjects')).map((subject) =>
    [textOf(get(subject, 'kind')), textOf(get(subject, 'namespace')), textOf(get(subject, 'name'))]
      .filter(Boolean)
      .join(' '),
  );

/** One permission: a verb on a resource of a group, or on a URL; for some names, or for all. */
interface Permission {
  parts: readonly string[];
  names: readonly string[];
}

function widerRules(before: KubeObject, after: KubeObject): Danger[] {
  const allowed = listOf(before.rules).flatMap(permissionsOf);
  const wider = listOf(after.rules)
    .flatMap(permissionsOf)
    .filter((one) => !allowed.some((other) => covers(other, one)));
  return wider.length === 0
    ? []
    : [{ code: 'danger-access-wider', message: publicText`it allows more than before: ${shown(wider)}` }];
}

const MOST_SHOWN = 3;

function shown(permissions: readonly Permission[]): string {
  const texts = permissions.slice(0, MOST_SHOWN).map(({ parts: [where = '', what = '', verb = ''] }) => {
    const resource = where === '' ? what : `${what}.${where}`;
    return `${verb} ${resource}`;
  });
  const more = permissions.length - texts.length;
  return `${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function permissionsOf(rule: Value): Permission[] {
  const verbs = textsOf(get(rule, 'verbs'));
  const names = textsOf(get(rule, 'resourceNames'));
  const urls = textsOf(get(rule, 'nonResourceURLs')).flatMap((url) => verbs.map((verb) => ['', url, verb]));
  const resources = textsOf(get(rule, 'apiGroups')).flatMap((group) =>
    textsOf(get(rule, 'resources')).flatMap((resource) => verbs.map((verb) => [group, resource, verb])),
  );
  return [...urls, ...resources].map((parts) => ({ parts, names }));
}

const covers = (one: Permission, other: Permission): boolean =>
  one.parts.every((part, index) => part === '*' || part === other.parts[index]) &&
  (one.names.length === 0 || (other.names.length > 0 && other.names.every((name) => one.names.includes(name))));
