import { composeText, trusted } from '../../../core/diagnostics/index.ts';
import { annotationOf, groupKindOf, type KubeObject } from '../../../core/model/object.ts';
import { get, getAt, listAt, textAt, textOf, textsOf, type Value } from '../../../core/model/value.ts';
import type { Danger } from '../application.ts';
import { coversHost } from './hosts.ts';

/** Everybody, as a CIDR. */
export const ALL_ADDRESSES: readonly string[] = ['0.0.0.0/0', '::/0'];

/** How far a type of a Service can be reached: in the cluster, from its network, from outside. */
const REACH: readonly string[] = ['ClusterIP', 'NodePort', 'LoadBalancer'];

/** Annotations that keep a load balancer in a private network, with the values that do so. */
const INTERNAL: Readonly<Record<string, string>> = {
  'service.beta.kubernetes.io/aws-load-balancer-internal': 'true',
  'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal',
  'service.beta.kubernetes.io/azure-load-balancer-internal': 'true',
  'service.beta.kubernetes.io/openstack-internal-load-balancer': 'true',
  'networking.gke.io/load-balancer-type': 'Internal',
  'cloud.google.com/load-balancer-type': 'Internal',
};

const isInternal = (service: KubeObject): boolean =>
  Object.entries(INTERNAL).some(([name, value]) => annotationOf(service, name)?.toLowerCase() === value.toLowerCase());

const reachOf = (service: KubeObject): number =>
  Math.max(0, REACH.indexOf(textOf(getAt(service, ['spec', 'type'])) || 'ClusterIP'));

/** Returns the addresses that a load balancer accepts; without a list it accepts all. */
function sourcesOf(service: KubeObject): readonly string[] {
  const sources = textsOf(getAt(service, ['spec', 'loadBalancerSourceRanges']));
  return sources.length === 0 ? ALL_ADDRESSES : sources;
}

const isOpen = (addresses: readonly string[]): boolean => addresses.some((one) => ALL_ADDRESSES.includes(one));

/** The dangers of a Service that more can reach than before. */
export function* publicDangers(before: KubeObject, after: KubeObject): Iterable<Danger> {
  if (groupKindOf(after) !== 'Service.') return;
  const code = 'danger-service-public';
  const was = REACH[reachOf(before)] ?? '';
  const is = REACH[reachOf(after)] ?? '';
  if (reachOf(after) > reachOf(before)) {
    const message = composeText`its type changes from ${trusted.definition(was)} to ${trusted.definition(is)}: it can be reached from outside of the cluster`;
    yield { code, message };
  }
  const known = textsOf(getAt(before, ['spec', 'externalIPs']));
  const added = textsOf(getAt(after, ['spec', 'externalIPs'])).filter((one) => !known.includes(one));
  if (added.length > 0) yield { code, message: composeText`it gets the address ${trusted.redacted(added.join(', '))}` };
  if (was !== 'LoadBalancer' || is !== 'LoadBalancer') return;
  if (isInternal(before) && !isInternal(after)) {
    yield { code, message: composeText`its load balancer is no longer internal` };
  }
  if (!isOpen(sourcesOf(before)) && isOpen(sourcesOf(after))) {
    yield { code, message: composeText`its load balancer accepts all addresses` };
  }
}

interface Encrypted {
  /** What is encrypted: hosts, ports, or the name of a part. */
  parts: ReadonlySet<string>;
  /** What is served at all. */
  served: ReadonlySet<string>;
}

/** Returns what an object serves, and what of it with TLS; `undefined` for other kinds. */
function encryptedBy(object: KubeObject): Encrypted | undefined {
  const spec = get(object, 'spec');
  switch (groupKindOf(object)) {
    case 'Ingress.networking.k8s.io':
      return encryptedByIngress(object);
    case 'Gateway.gateway.networking.k8s.io':
      return byProtocol(listAt(spec, 'listeners'), 'name', (listener) => textAt(listener, 'protocol'));
    case 'Gateway.networking.istio.io':
      return byProtocol(
        listAt(spec, 'servers').map((server) => get(server, 'port') ?? null),
        'number',
        (port) => textAt(port, 'protocol'),
      );
    case 'Route.route.openshift.io':
    case 'IngressRoute.traefik.io': {
      const served = new Set(['']);
      return { served, parts: get(spec, 'tls') === undefined ? new Set() : served };
    }
    default:
      return undefined;
  }
}

const SECURE: readonly string[] = ['HTTPS', 'TLS', 'GRPCS'];

function byProtocol(items: readonly Value[], key: string, protocolOf: (item: Value) => string): Encrypted {
  const nameIn = (item: Value): string => String(get(item, key) ?? '');
  const secure = items.filter((item) => SECURE.includes(protocolOf(item).toUpperCase()));
  return { served: new Set(items.map(nameIn)), parts: new Set(secure.map(nameIn)) };
}

/** An entry without hosts is for all hosts, of the certificate or of the controller. */
function encryptedByIngress(ingress: KubeObject): Encrypted {
  const spec = get(ingress, 'spec');
  const served = listAt(spec, 'rules').map((rule) => textAt(rule, 'host'));
  const entries = listAt(spec, 'tls');
  const named = entries.flatMap((entry) => textsOf(get(entry, 'hosts')));
  const isForAll = entries.some((entry) => listAt(entry, 'hosts').length === 0);
  const isCovered = (host: string): boolean => isForAll || named.some((one) => coversHost(one, host));
  return { served: new Set(served), parts: new Set(served.filter(isCovered)) };
}

/** Annotations of ingress controllers that send plain requests to HTTPS. */
const REDIRECTS: readonly string[] = [
  'nginx.ingress.kubernetes.io/ssl-redirect',
  'nginx.ingress.kubernetes.io/force-ssl-redirect',
  'haproxy.org/ssl-redirect',
];

/** The dangers of what is still served, but no longer with TLS. */
export function* plainDangers(before: KubeObject, after: KubeObject): Iterable<Danger> {
  const code = 'danger-tls-removed';
  const was = encryptedBy(before);
  const is = encryptedBy(after);
  if (was === undefined || is === undefined) return;
  const plain = [...was.parts].filter((part) => is.served.has(part) && !is.parts.has(part));
  if (plain.length > 0) {
    const what = plain.filter((part) => part !== '').join(', ');
    const title = what === '' ? composeText`it` : trusted.redacted(what);
    yield { code, message: composeText`${title} is no longer served with TLS` };
  }
  for (const name of REDIRECTS) {
    if (annotationOf(after, name) !== 'false' || annotationOf(before, name) === 'false') continue;
    yield { code, message: composeText`${trusted.definition(name)} is false: plain requests are no longer redirected` };
  }
}
