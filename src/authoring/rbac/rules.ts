import { groupBy } from '../../core/model/group-by.ts';
import { groupVersionKind } from '../../core/model/object.ts';
import { get, getAt, isMap, listOf, textsOf, type Value } from '../../core/model/value.ts';
import { toJsonText } from '../../yaml/emit/index.ts';

/** The permission for one verb on one resource. `apiGroups`, `resources` and `resourceNames` are as in a role. */
export interface Permission {
  group: string;
  /** `*` is every resource; a slash precedes a subresource. */
  resource: string;
  verb: string;
  /** Of one object; absent for all of them. */
  name?: string;
}

export const onEach = (group: string, resource: string, verbs: string): Permission[] =>
  verbs.split(' ').map((verb) => ({ group, resource, verb }));

const RBAC = 'rbac.authorization.k8s.io';

/**
 * Returns what whoever applies an object needs besides the verbs on its kind: an API server lets nobody grant what they
 * may not do themselves (k8s.io/kubernetes/pkg/registry/rbac). A name or rule with an expression is unknown.
 */
export function grantsOf(object: Value): Permission[] {
  if (!isMap(object)) return [];
  const { group, kind } = groupVersionKind(object);
  if (group !== RBAC) return [];
  const on = (resource: string, verb: string, name: Value | undefined): Permission[] => [
    { group, resource, verb, ...(typeof name === 'string' && isLiteral(name) && { name }) },
  ];
  if (kind.endsWith('Binding')) {
    const role = getAt(object, ['roleRef', 'kind']) === 'Role' ? 'roles' : 'clusterroles';
    return on(role, 'bind', getAt(object, ['roleRef', 'name']));
  }
  const rules = object.rules ?? [];
  return object.aggregationRule === undefined && isLiteral(rules)
    ? permissionsOf(rules)
    : on(`${kind.toLowerCase()}s`, 'escalate', getAt(object, ['metadata', 'name']));
}

const isLiteral = (value: Value): boolean => !toJsonText(value).includes('${');

export const permissionsOf = (rules: Value | undefined): Permission[] => listOf(rules).flatMap(permissionsOfRule);

function permissionsOfRule(rule: Value): Permission[] {
  const names = textsOf(get(rule, 'resourceNames'));
  const urls = textsOf(get(rule, 'nonResourceURLs')).map((url) => ({ group: '', resource: url }));
  const resources = textsOf(get(rule, 'apiGroups')).flatMap((group) =>
    textsOf(get(rule, 'resources')).map((resource) => ({ group, resource })),
  );
  return [...resources, ...urls].flatMap((on) =>
    textsOf(get(rule, 'verbs')).flatMap((verb): Permission[] =>
      names.length === 0 ? [{ ...on, verb }] : names.map((name) => ({ ...on, verb, name })),
    ),
  );
}

/** Reports whether a permission includes another one, as the authorizer decides (k8s.io/kubernetes/pkg/apis/rbac). */
export const includes = (has: Permission, needed: Permission): boolean =>
  matches(has.group, needed.group) &&
  matches(has.verb, needed.verb) &&
  (matches(has.resource, needed.resource) ||
    (has.resource.startsWith('*/') && needed.resource.endsWith(has.resource.slice(1)))) &&
  (has.name === undefined || has.name === needed.name);

const matches = (has: string, needed: string): boolean => has === '*' || has === needed;

/** Returns permissions as the fewest rules, sorted. */
export function rulesOf(permissions: readonly Permission[]): Value[] {
  const unique = [...new Map(permissions.map((one) => [JSON.stringify(Object.entries(one)), one])).values()];
  const least = unique.filter((one) => !unique.some((other) => other !== one && includes(other, one)));
  const byResource = groupBy(least, ({ group, resource, name }) => JSON.stringify([group, resource, name ?? '']));
  const sorted = [...byResource.values()]
    .map((each) => ({ first: each[0] as Permission, verbs: each.map(({ verb }) => verb).sort() }))
    .sort((a, b) => (keyOf(a.first) < keyOf(b.first) ? -1 : 1));
  const alike = groupBy(sorted, ({ first, verbs }) => JSON.stringify([first.group, first.name ?? '', verbs]));
  return [...alike.values()].map(([one, ...others]) => {
    const { first, verbs } = one as (typeof sorted)[number];
    const resources = [first.resource, ...others.map((other) => other.first.resource)];
    if (first.resource.startsWith('/')) return { nonResourceURLs: resources, verbs };
    const names = first.name === undefined ? {} : { resourceNames: [first.name] };
    return { apiGroups: [first.group], resources, ...names, verbs };
  });
}

const keyOf = ({ group, resource, name = '' }: Permission): string => `${group}\n${resource}\n${name}`;
