import { application, type Texts } from './repository.ts';

/** A change of the manifests of an application, with the codes of its dangers, and what the sources say about it. */
export interface ManifestChange {
  title: string;
  before: string;
  after: string;
  dangers: readonly string[];
  /** The file of the component that decides, and what it does. */
  why: string;
}

const APP = application('a', '{ path: apps }');

export const filesWith = (manifests: string): Texts => ({ 'a.yaml': APP, 'apps/a.yaml': manifests });

export const manifest = (apiVersion: string, kind: string, rest: string, name = 'a'): string =>
  `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name} }\n${rest}\n`;

const networkPolicy = (spec: string): string => manifest('networking.k8s.io/v1', 'NetworkPolicy', `spec: ${spec}`);
const service = (spec: string, annotations = '{}'): string =>
  `---\napiVersion: v1\nkind: Service\nmetadata: { name: a, annotations: ${annotations} }\nspec: ${spec}\n`;
const ingress = (spec: string): string => manifest('networking.k8s.io/v1', 'Ingress', `spec: ${spec}`);
const gateway = (listeners: string): string =>
  manifest('gateway.networking.k8s.io/v1', 'Gateway', `spec: { gatewayClassName: x, listeners: ${listeners} }`);
const webhooks = (...items: string[]): string =>
  manifest(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    `webhooks: [${items
      .map(
        (item, index) =>
          `{ name: w${index}.example.com, admissionReviewVersions: [v1], sideEffects: None, clientConfig: { url: "https://a.example.com" }, ${item} }`,
      )
      .join(', ')}]`,
  );
const role = (rules: string, labels = '{}'): string =>
  `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: a, labels: ${labels} }\nrules: ${rules}\n`;
const deployment = (replicas: string): string =>
  manifest(
    'apps/v1',
    'Deployment',
    `spec:\n  replicas: ${replicas}\n  selector: { matchLabels: { a: b } }\n  template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: "a:1" }] } }`,
  );

const NOTHING = manifest('v1', 'ConfigMap', 'data: { a: b }', 'nothing');
const PODS = '[{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]';
const OWN = '[{ apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [things] }]';

const ISOLATION =
  'networking/v1 types.go: NetworkPolicyIngressRule.from, "if this field is empty or missing, this rule matches all sources"';
const TYPES = 'networking/v1 types.go: NetworkPolicySpec.policyTypes, a direction that is not listed is not limited';
const SELECTED = 'networking/v1 types.go: NetworkPolicySpec.podSelector, a policy limits the pods that it selects';
const REACHED = 'core/v1 types.go: ServiceType, "LoadBalancer" and "NodePort" are exposed outside of the cluster';
const RANGES = 'core/v1 types.go: ServiceSpec.loadBalancerSourceRanges, traffic is restricted to these addresses';
const CERTIFICATE = 'networking/v1 types.go: IngressSpec.tls, hosts that are not listed are served on port 80';
const PROTOCOL = 'gateway-api apis/v1/gateway_types.go: HTTPProtocolType, "accepts cleartext HTTP/1.1 sessions"';
const FAILURE =
  'admissionregistration/v1 types.go: FailurePolicyType, Fail means that an error calling the webhook rejects the request';
const AGGREGATED = 'pkg/controller/clusterroleaggregation: the rules of selected roles become rules of the role';
const WILDCARDS = 'pkg/apis/rbac/v1/evaluation_helpers.go: "*" matches every verb, group and resource';
const DEFAULTED = 'pkg/apis/apps/v1/defaults.go: SetDefaults_Deployment, replicas is 1 if it is not set';

export const MANIFEST_CHANGES: readonly ManifestChange[] = [
  {
    title: 'a NetworkPolicy gets a rule for all sources',
    before: networkPolicy('{ podSelector: {}, policyTypes: [Ingress] }'),
    after: networkPolicy('{ podSelector: {}, policyTypes: [Ingress], ingress: [{}] }'),
    dangers: ['danger-network-opened'],
    why: ISOLATION,
  },
  {
    title: 'a NetworkPolicy gets a rule without from, for a port',
    before: networkPolicy('{ podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] }'),
    after: networkPolicy('{ podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] }'),
    dangers: ['danger-network-opened'],
    why: ISOLATION,
  },
  {
    title: 'a NetworkPolicy allows all addresses',
    before: networkPolicy('{ podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: 10.0.0.0/8 } }] }] }'),
    after: networkPolicy('{ podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: 0.0.0.0/0 } }] }] }'),
    dangers: ['danger-network-opened'],
    why: ISOLATION,
  },
  {
    title: 'a NetworkPolicy allows the pods of all namespaces',
    before: networkPolicy('{ podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] }'),
    after: networkPolicy('{ podSelector: {}, ingress: [{ from: [{ namespaceSelector: {} }] }] }'),
    dangers: ['danger-network-opened'],
    why: ISOLATION,
  },
  {
    title: 'a NetworkPolicy no longer limits Egress',
    before: networkPolicy('{ podSelector: {}, policyTypes: [Ingress, Egress] }'),
    after: networkPolicy('{ podSelector: {}, policyTypes: [Ingress] }'),
    dangers: ['danger-network-opened'],
    why: TYPES,
  },
  {
    title: 'a NetworkPolicy selects fewer pods',
    before: networkPolicy('{ podSelector: {} }'),
    after: networkPolicy('{ podSelector: { matchLabels: { app: db } } }'),
    dangers: ['danger-network-opened'],
    why: SELECTED,
  },
  {
    title: 'a NetworkPolicy allows one more pod',
    before: networkPolicy('{ podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { a: b } } }] }] }'),
    after: networkPolicy(
      '{ podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { a: b } } }, { podSelector: { matchLabels: { a: c } } }] }] }',
    ),
    dangers: [],
    why: ISOLATION,
  },
  {
    title: 'a NetworkPolicy writes its default types',
    before: networkPolicy('{ podSelector: {}, egress: [{ to: [{ podSelector: {} }] }] }'),
    after: networkPolicy(
      '{ podSelector: {}, policyTypes: [Egress, Ingress], egress: [{ to: [{ podSelector: {} }] }] }',
    ),
    dangers: [],
    why: 'pkg/apis/networking/v1/defaults.go: without policyTypes, Egress is limited if there are rules for it',
  },
  {
    title: 'a NetworkPolicy is for another app',
    before: networkPolicy('{ podSelector: { matchLabels: { app: web } } }'),
    after: networkPolicy('{ podSelector: { matchLabels: { app: shop } } }'),
    dangers: [],
    why: SELECTED,
  },
  {
    title: 'a CiliumNetworkPolicy allows the world',
    before: manifest('cilium.io/v2', 'CiliumNetworkPolicy', 'spec: { endpointSelector: {}, ingress: [{}] }'),
    after: manifest(
      'cilium.io/v2',
      'CiliumNetworkPolicy',
      'spec: { endpointSelector: {}, ingress: [{ fromEntities: [world] }] }',
    ),
    dangers: ['danger-network-opened'],
    why: 'cilium pkg/policy/api/entity.go: EntityWorld "represents traffic external to endpoint\'s cluster"',
  },
  {
    title: 'a PeerAuthentication becomes permissive',
    before: manifest('security.istio.io/v1', 'PeerAuthentication', 'spec: { mtls: { mode: STRICT } }'),
    after: manifest('security.istio.io/v1', 'PeerAuthentication', 'spec: { mtls: { mode: PERMISSIVE } }'),
    dangers: ['danger-network-opened'],
    why: 'istio api security/v1beta1/peer_authentication.proto: PERMISSIVE accepts plaintext',
  },
  {
    title: 'a Service becomes a load balancer',
    before: service('{ ports: [{ port: 80 }] }'),
    after: service('{ type: LoadBalancer, ports: [{ port: 80 }] }'),
    dangers: ['danger-service-public'],
    why: REACHED,
  },
  {
    title: 'a Service becomes a node port',
    before: service('{ type: ClusterIP, ports: [{ port: 80 }] }'),
    after: service('{ type: NodePort, ports: [{ port: 80 }] }'),
    dangers: ['danger-service-public'],
    why: REACHED,
  },
  {
    title: 'a node port becomes a port of the cluster',
    before: service('{ type: NodePort, ports: [{ port: 80 }] }'),
    after: service('{ type: ClusterIP, ports: [{ port: 80 }] }'),
    dangers: [],
    why: REACHED,
  },
  {
    title: 'a Service gets an external address',
    before: service('{ ports: [{ port: 80 }] }'),
    after: service('{ ports: [{ port: 80 }], externalIPs: [192.0.2.1] }'),
    dangers: ['danger-service-public'],
    why: 'core/v1 types.go: ServiceSpec.externalIPs, nodes accept traffic for these addresses',
  },
  {
    title: 'a load balancer accepts all addresses',
    before: service('{ type: LoadBalancer, ports: [{ port: 80 }], loadBalancerSourceRanges: [10.0.0.0/8] }'),
    after: service('{ type: LoadBalancer, ports: [{ port: 80 }] }'),
    dangers: ['danger-service-public'],
    why: RANGES,
  },
  {
    title: 'a load balancer accepts one more network',
    before: service('{ type: LoadBalancer, ports: [{ port: 80 }], loadBalancerSourceRanges: [10.0.0.0/8] }'),
    after: service(
      '{ type: LoadBalancer, ports: [{ port: 80 }], loadBalancerSourceRanges: [10.0.0.0/8, 192.168.0.0/16] }',
    ),
    dangers: [],
    why: RANGES,
  },
  {
    title: 'a load balancer is no longer internal',
    before: service(
      '{ type: LoadBalancer, ports: [{ port: 80 }] }',
      '{ service.beta.kubernetes.io/aws-load-balancer-scheme: internal }',
    ),
    after: service(
      '{ type: LoadBalancer, ports: [{ port: 80 }] }',
      '{ service.beta.kubernetes.io/aws-load-balancer-scheme: internet-facing }',
    ),
    dangers: ['danger-service-public'],
    why: 'aws-load-balancer-controller pkg/service/model_build_load_balancer.go: buildLoadBalancerScheme',
  },
  {
    title: 'a host is no longer in tls',
    before: ingress('{ tls: [{ hosts: [a.example.com], secretName: t }], rules: [{ host: a.example.com }] }'),
    after: ingress('{ rules: [{ host: a.example.com }] }'),
    dangers: ['danger-tls-removed'],
    why: CERTIFICATE,
  },
  {
    title: 'a host is in a wildcard of tls',
    before: ingress('{ tls: [{ hosts: [a.example.com], secretName: t }], rules: [{ host: a.example.com }] }'),
    after: ingress('{ tls: [{ hosts: ["*.example.com"], secretName: t }], rules: [{ host: a.example.com }] }'),
    dangers: [],
    why: CERTIFICATE,
  },
  {
    title: 'tls has no hosts any more, which are all',
    before: ingress('{ tls: [{ hosts: [a.example.com], secretName: t }], rules: [{ host: a.example.com }] }'),
    after: ingress('{ tls: [{ secretName: t }], rules: [{ host: a.example.com }] }'),
    dangers: [],
    why: 'networking/v1 types.go: IngressTLS.hosts "defaults to the wildcard host setting for the loadbalancer controller"',
  },
  {
    title: 'a listener is no longer encrypted',
    before: gateway('[{ name: web, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: t }] } }]'),
    after: gateway('[{ name: web, port: 80, protocol: HTTP }]'),
    dangers: ['danger-tls-removed'],
    why: PROTOCOL,
  },
  {
    title: 'a listener without TLS is added, which redirects',
    before: gateway('[{ name: web, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: t }] } }]'),
    after: gateway(
      '[{ name: web, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: t }] } }, { name: plain, port: 80, protocol: HTTP }]',
    ),
    dangers: [],
    why: PROTOCOL,
  },
  {
    title: 'a webhook fails closed',
    before: webhooks(`failurePolicy: Ignore, rules: ${OWN}`),
    after: webhooks(`failurePolicy: Fail, rules: ${OWN}`),
    dangers: ['danger-admission-blocks'],
    why: FAILURE,
  },
  {
    title: 'a webhook has the default policy again',
    before: webhooks(`failurePolicy: Ignore, rules: ${OWN}`),
    after: webhooks(`rules: ${OWN}`),
    dangers: ['danger-admission-blocks'],
    why: 'pkg/apis/admissionregistration/v1/defaults.go: the failurePolicy is Fail',
  },
  {
    title: 'a new webhook is for all pods',
    before: NOTHING,
    after: webhooks(`failurePolicy: Fail, rules: ${PODS}`),
    dangers: ['danger-admission-blocks'],
    why: FAILURE,
  },
  {
    title: 'a webhook loses its namespaceSelector',
    before: webhooks(`rules: ${PODS}, namespaceSelector: { matchLabels: { a: b } }`),
    after: webhooks(`rules: ${PODS}`),
    dangers: ['danger-admission-blocks'],
    why: 'admissionregistration/v1 types.go: namespaceSelector "default to the empty LabelSelector, which matches everything"',
  },
  {
    title: 'a new webhook is for its own kind',
    before: NOTHING,
    after: webhooks(`failurePolicy: Fail, rules: ${OWN}`),
    dangers: [],
    why: FAILURE,
  },
  {
    title: 'a new webhook leaves out namespaces',
    before: NOTHING,
    after: webhooks(
      `rules: ${PODS}, namespaceSelector: { matchExpressions: [{ key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system] }] }`,
    ),
    dangers: [],
    why: FAILURE,
  },
  {
    title: 'a webhook for all pods is ignored if it fails',
    before: webhooks(`failurePolicy: Fail, rules: ${PODS}`),
    after: webhooks(`failurePolicy: Ignore, rules: ${PODS}`),
    dangers: [],
    why: FAILURE,
  },
  {
    title: 'a new role reads everything',
    before: NOTHING,
    after: role('[{ apiGroups: ["*"], resources: ["*"], verbs: [get, list] }]'),
    dangers: ['danger-access-wider'],
    why: WILDCARDS,
  },
  {
    title: 'a new role has every verb on Secrets',
    before: NOTHING,
    after: role('[{ apiGroups: [""], resources: [secrets], verbs: ["*"] }]'),
    dangers: ['danger-access-wider'],
    why: WILDCARDS,
  },
  {
    title: 'a new role has every verb on its own group',
    before: NOTHING,
    after: role('[{ apiGroups: [example.com], resources: ["*"], verbs: ["*"] }]'),
    dangers: [],
    why: WILDCARDS,
  },
  {
    title: 'a role adds its rules to edit',
    before: role('[{ apiGroups: [""], resources: [secrets], verbs: [get] }]'),
    after: role(
      '[{ apiGroups: [""], resources: [secrets], verbs: [get] }]',
      '{ rbac.authorization.k8s.io/aggregate-to-edit: "true" }',
    ),
    dangers: ['danger-access-wider'],
    why: AGGREGATED,
  },
  {
    title: 'a new role adds its own kind to view',
    before: NOTHING,
    after: role(
      '[{ apiGroups: [example.com], resources: [things], verbs: [get] }]',
      '{ rbac.authorization.k8s.io/aggregate-to-view: "true" }',
    ),
    dangers: [],
    why: AGGREGATED,
  },
  {
    title: 'replicas are null',
    before: deployment('3'),
    after: deployment('null'),
    dangers: ['danger-no-replicas'],
    why: DEFAULTED,
  },
  {
    title: 'the one replica is null',
    before: deployment('1'),
    after: deployment('null'),
    dangers: [],
    why: DEFAULTED,
  },
  {
    title: 'replicas grow',
    before: deployment('3'),
    after: deployment('5'),
    dangers: [],
    why: DEFAULTED,
  },
];
