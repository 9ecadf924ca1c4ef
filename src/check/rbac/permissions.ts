/** The permissions of roles, and which of them include others. */
import { MAX_PERMISSIONS } from '../../core/model/limits.ts';
import { get, listOf, textsOf, type Value } from '../../core/model/value.ts';

/** The permission for one verb on one resource. `apiGroups`, `resources` and `resourceNames` are as in a role. */
export interface Permission {
  group: string;
  /** `*` is every resource; a slash precedes a subresource. */
  resource: string;
  verb: string;
  /** Of one object; absent for all of them. */
  name?: string;
}

/** Returns the permissions of rules; undefined if there are more than `MAX_PERMISSIONS`. */
export const permissionsOf = (rules: Value | undefined): Permission[] | undefined => expanded(rules, MAX_PERMISSIONS);

/** Returns the permissions of rules that were made from a list of permissions: they are as many. */
export const allPermissionsOf = (rules: Value | undefined): Permission[] =>
  expanded(rules, Number.POSITIVE_INFINITY) ?? [];

function expanded(rules: Value | undefined, most: number): Permission[] | undefined {
  const found: Permission[] = [];
  for (const rule of listOf(rules)) {
    const names = textsOf(get(rule, 'resourceNames'));
    const verbs = textsOf(get(rule, 'verbs'));
    const urls = textsOf(get(rule, 'nonResourceURLs'));
    const groups = textsOf(get(rule, 'apiGroups'));
    const resources = textsOf(get(rule, 'resources'));
    const objects = groups.length * resources.length + urls.length;
    if (found.length + objects * verbs.length * Math.max(1, names.length) > most) return undefined;
    const add = (group: string, resource: string): void => {
      for (const verb of verbs) {
        if (names.length === 0) found.push({ group, resource, verb });
        for (const name of names) found.push({ group, resource, verb, name });
      }
    };
    for (const group of groups) for (const resource of resources) add(group, resource);
    for (const url of urls) add('', url);
  }
  return found;
}

/** Answers which permissions are included in those of a set, as the authorizer decides (k8s.io/kubernetes/pkg/apis/rbac). */
export class PermissionSet {
  readonly #keys: ReadonlySet<string>;

  constructor(permissions: Iterable<Permission>) {
    const keys = new Set<string>();
    for (const permission of permissions) keys.add(keyOf(permission));
    this.#keys = keys;
  }

  /** Reports whether one of the set includes this one; the permission itself does. */
  includes(permission: Permission): boolean {
    return this.#keys.has(keyOf(permission)) || this.includesMore(permission);
  }

  /** Reports whether another one of the set includes this one. */
  includesMore(permission: Permission): boolean {
    const own = keyOf(permission);
    for (const wider of widerOnes(permission)) {
      const key = keyOf(wider);
      if (key !== own && this.#keys.has(key)) return true;
    }
    return false;
  }
}

/** Returns the permissions that include this one, itself among them. */
function* widerOnes({ group, resource, verb, name }: Permission): Generator<Permission> {
  const slash = resource.indexOf('/');
  const resources = [resource, '*'];
  if (slash >= 0) resources.push(`*${resource.slice(slash)}`);
  for (const inGroup of [group, '*']) {
    for (const on of resources) {
      for (const may of [verb, '*']) {
        const wider = { group: inGroup, resource: on, verb: may };
        yield wider;
        if (name !== undefined) yield { ...wider, name };
      }
    }
  }
}

/** Returns the same text for equal permissions only. */
export const keyOf = ({ group, resource, verb, name }: Permission): string =>
  `${group}\n${resource}\n${verb}${name === undefined ? '' : `\n${name}`}`;
