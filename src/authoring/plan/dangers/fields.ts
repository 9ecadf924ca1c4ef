import { composeText, trusted } from '../../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { get, getAt, listOf, textsOf, type Value } from '../../../core/model/value.ts';
import { isSmallerQuantity } from '../../../kubernetes/update/index.ts';
import type { Danger } from './danger.ts';

/** Reports workloads that are scaled to zero. */
export function scaleDangers(before: KubeObject, after: KubeObject): Danger[] {
  const [was, is] = [before, after].map((object) => getAt(object, ['spec', 'replicas']));
  const isZero = is !== undefined && is !== null && Number(is) === 0;
  const ran = was === undefined || was === null || Number(was) > 0;
  return isZero && ran && getAt(after, ['spec', 'template']) !== undefined
    ? [
        {
          code: 'danger-no-replicas',
          message: composeText`spec.replicas changes from ${trusted.redacted(was ?? 1n)} to 0`,
        },
      ]
    : [];
}

/** Reports hosts that an Ingress or a route no longer serves; without `after` it is deleted. */
export function hostDangers(before: KubeObject, after: KubeObject | undefined): Danger[] {
  const hosts = new Set(after === undefined ? [] : hostsOf(after));
  return hostsOf(before)
    .filter((host) => !hosts.has(host))
    .map((host) => ({
      code: 'danger-host-removed',
      message: composeText`the host ${trusted.redacted(host)} is no longer served`,
    }));
}

const ROUTES = ['HTTPRoute', 'GRPCRoute', 'TLSRoute'];

function hostsOf(object: KubeObject): string[] {
  if (object.kind === 'Ingress')
    return listOf(getAt(object, ['spec', 'rules'])).flatMap((rule) => texts([get(rule, 'host') ?? null]));
  return ROUTES.includes(object.kind) ? textsOf(getAt(object, ['spec', 'hostnames'])) : [];
}

/** Reports a Service without a load balancer, whose address is released. */
export function addressDangers(before: KubeObject, after: KubeObject | undefined): Danger[] {
  const isBalanced = (object: KubeObject): boolean =>
    object.kind === 'Service' && getAt(object, ['spec', 'type']) === 'LoadBalancer';
  return isBalanced(before) && (after === undefined || !isBalanced(after))
    ? [{ code: 'danger-address-removed', message: composeText`the load balancer and its address are released` }]
    : [];
}

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

/** Reports the deletion of an object that limits what others may do. */
export function protectionDangers(before: KubeObject): Danger[] {
  const lost = PROTECTIONS[groupKind(groupVersionKind(before))];
  return lost === undefined
    ? []
    : [{ code: 'danger-protection-removed', message: composeText`is deleted: ${trusted.definition(lost)}` }];
}

/** Reports claims that request less storage than before, which API servers reject. */
export function sizeDangers(before: KubeObject, after: KubeObject): Danger[] {
  if (after.kind !== 'PersistentVolumeClaim') return [];
  const [was, is] = [before, after].map((object) => getAt(object, ['spec', 'resources', 'requests', 'storage']));
  return isSmallerQuantity(is, was)
    ? [
        {
          code: 'danger-volume-smaller',
          message: composeText`the requested storage falls from ${trusted.redacted(was ?? null)} to ${trusted.redacted(is ?? null)}`,
        },
      ]
    : [];
}

const texts = (values: readonly Value[]): string[] => values.filter((value) => typeof value === 'string');
