import { composeText, type Text, trusted } from '../../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { get, getAt, listAt, listOf, textAt, textOf, textsOf } from '../../../core/model/value.ts';
import { isSmallerQuantity } from '../../../kubernetes/update/index.ts';
import { includes, type Permission, permissionsOf } from '../../rbac/index.ts';
import type { Danger } from './danger.ts';
import { imageDangers } from './images.ts';

/**
 * Returns the dangers in the fields of an object: without `before` it is added, without `after` it is deleted. Their
 * messages lack the title of the object.
 */
export function* fieldDangers(before: KubeObject | undefined, after: KubeObject | undefined): Iterable<Danger> {
  if (before !== undefined && after === undefined) yield* lostFor(before, undefined);
  if (after !== undefined) yield* accessDangers(before, after);
  if (before === undefined || after === undefined) return;
  yield* imageDangers(before, after);
  const valuesAt = (...path: string[]) => [getAt(before, path) ?? null, getAt(after, path) ?? null] as const;
  const [was, is] = valuesAt('spec', 'replicas');
  const isZero = is !== null && Number(is) === 0 && (was === null || Number(was) > 0);
  if (isZero && getAt(after, ['spec', 'template']) !== undefined) {
    const message = composeText`spec.replicas changes from ${trusted.redacted(was ?? 1n)} to 0`;
    yield { code: 'danger-no-replicas', message };
  }
  yield* lostFor(before, after);
  // API servers reject a claim of less storage.
  const [size, newSize] = valuesAt('spec', 'resources', 'requests', 'storage');
  if (after.kind === 'PersistentVolumeClaim' && isSmallerQuantity(newSize, size)) {
    const message = composeText`the requested storage falls from ${trusted.redacted(size)} to ${trusted.redacted(newSize)}`;
    yield { code: 'danger-volume-smaller', message };
  }
}

/** Returns the hosts that an Ingress or a route no longer serves, and the address of a load balancer that goes. */
function* lostFor(before: KubeObject, after: KubeObject | undefined): Iterable<Danger> {
  const hosts = new Set(after && hostsOf(after));
  for (const host of hostsOf(before)) {
    if (hosts.has(host)) continue;
    yield { code: 'danger-host-removed', message: composeText`the host ${trusted.redacted(host)} is no longer served` };
  }
  if (isBalanced(before) && (after === undefined || !isBalanced(after)))
    yield { code: 'danger-address-removed', message: composeText`the load balancer and its address are released` };
}

const ROUTES = ['HTTPRoute', 'GRPCRoute', 'TLSRoute'];

function hostsOf(object: KubeObject): string[] {
  if (object.kind === 'Ingress')
    return listOf(getAt(object, ['spec', 'rules'])).flatMap((rule) => textsOf([get(rule, 'host') ?? null]));
  return ROUTES.includes(object.kind) ? textsOf(getAt(object, ['spec', 'hostnames'])) : [];
}

const isBalanced = (object: KubeObject): boolean =>
  object.kind === 'Service' && getAt(object, ['spec', 'type']) === 'LoadBalancer';

/** Kinds without which more is allowed than before, by `Kind.group`. */
const PROTECTIONS: Readonly<Record<string, string>> = {
  'NetworkPolicy.networking.k8s.io': 'traffic that it blocks is allowed',
  'CiliumNetworkPolicy.cilium.io': 'traffic that it blocks is allowed',
  'CiliumClusterwideNetworkPolicy.cilium.io': 'traffic that it blocks is allowed',
  'NetworkPolicy.crd.projectcalico.org': 'traffic that it blocks is allowed',
  'GlobalNetworkPolicy.crd.projectcalico.org': 'traffic that it blocks is allowed',
  'AuthorizationPolicy.security.istio.io': 'requests that it denies are allowed',
  'PeerAuthentication.security.istio.io': 'connections without mutual TLS may be allowed',
  'PodDisruptionBudget.policy': 'a drain may evict all pods at once',
  'ResourceQuota.': 'the namespace has no quota',
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': 'objects that it rejects are accepted',
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': 'objects that it rejects are accepted',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': 'objects that it rejects are accepted',
};

/** Returns what others may do without a deleted object. */
export const protectionOf = (object: KubeObject): string | undefined =>
  PROTECTIONS[groupKind(groupVersionKind(object))];

const GROUP = 'rbac.authorization.k8s.io';

/** Reports roles that allow more than before, bindings with new subjects, and new bindings to cluster-admin. */
function accessDangers(before: KubeObject | undefined, after: KubeObject): Danger[] {
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
