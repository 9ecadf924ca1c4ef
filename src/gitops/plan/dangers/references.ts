import { groupKindOf, type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import { get, getAt, isMap, listAt, mapOf, ownValue, textAt, textOf, type Value } from '../../../core/model/value.ts';
import { podSpecOf } from './privileges.ts';

/** An object that another one refers to, by its kind, namespace and name. */
export interface Target {
  kind: string;
  namespace: string;
  name: string;
}

export interface Reference {
  target: Target;
  /** The field that refers to it. */
  field: string;
  /** The key of a ConfigMap or Secret, or the port of a Service. */
  part?: string;
}

export const targetKey = ({ kind, namespace, name }: Target): string => JSON.stringify([kind, namespace, name]);

export const targetOf = (object: KubeObject): Target => ({
  kind: groupKindOf(object),
  namespace: namespaceOf(object),
  name: nameOf(object),
});

/** Returns what others may refer to in an object: keys of data, numbers and names of ports. */
export function partsOf(object: KubeObject): string[] {
  switch (groupKindOf(object)) {
    case 'ConfigMap.':
    case 'Secret.':
      return ['data', 'binaryData', 'stringData'].flatMap((field) => Object.keys(mapOf(get(object, field))));
    case 'Service.':
      return listAt(object.spec, 'ports').flatMap((port) =>
        [get(port, 'port'), get(port, 'name')].flatMap((one) => textOfPart(one)),
      );
    default:
      return [];
  }
}

/** Returns a port as it is written: a number, or a name. */
const textOfPart = (value: Value | undefined): string[] =>
  typeof value === 'bigint' || (typeof value === 'string' && value !== '') ? [String(value)] : [];

/** Collects the references of an object to objects that it needs. */
class References {
  readonly all: Reference[] = [];
  readonly #namespace: string;

  constructor(object: KubeObject) {
    this.#namespace = namespaceOf(object);
  }

  add(kind: string, name: string, field: string, more: { part?: Value | undefined; namespace?: string } = {}): void {
    // A variable that is not filled in may be any name.
    if (name === '' || name.includes('$')) return;
    const [part] = textOfPart(more.part);
    const target: Target = { kind, namespace: more.namespace || this.#namespace, name };
    this.all.push({ target, field, ...(part !== undefined && { part }) });
  }

  /** A reference with `optional: true` needs nothing. */
  addRequired(kind: string, from: Value | undefined, nameField: string, field: string, part?: Value): void {
    if (get(from, 'optional') === true) return;
    this.add(kind, textAt(from, nameField), field, { part });
  }
}

const CONTAINERS: readonly string[] = ['containers', 'initContainers'];

function addPod(spec: Value, found: References): void {
  found.add('ServiceAccount.', textAt(spec, 'serviceAccountName'), 'serviceAccountName');
  for (const container of CONTAINERS.flatMap((list) => listAt(spec, list))) addContainer(container, found);
  for (const volume of listAt(spec, 'volumes')) {
    addFiles('ConfigMap.', get(volume, 'configMap'), 'name', found);
    addFiles('Secret.', get(volume, 'secret'), 'secretName', found);
    found.add('PersistentVolumeClaim.', textOf(getAt(volume, ['persistentVolumeClaim', 'claimName'])), 'volumes');
    for (const source of listAt(get(volume, 'projected'), 'sources')) {
      addFiles('ConfigMap.', get(source, 'configMap'), 'name', found);
      addFiles('Secret.', get(source, 'secret'), 'name', found);
    }
  }
}

function addFiles(kind: string, source: Value | undefined, nameField: string, found: References): void {
  found.addRequired(kind, source, nameField, 'volumes');
  for (const item of listAt(source, 'items')) found.addRequired(kind, source, nameField, 'volumes', get(item, 'key'));
}

function addContainer(container: Value, found: References): void {
  for (const from of listAt(container, 'envFrom')) {
    found.addRequired('ConfigMap.', get(from, 'configMapRef'), 'name', 'envFrom');
    found.addRequired('Secret.', get(from, 'secretRef'), 'name', 'envFrom');
  }
  for (const variable of listAt(container, 'env')) {
    const from = get(variable, 'valueFrom');
    const field = `env ${textAt(variable, 'name')}`;
    const map = get(from, 'configMapKeyRef');
    const secret = get(from, 'secretKeyRef');
    found.addRequired('ConfigMap.', map, 'name', field, get(map, 'key'));
    found.addRequired('Secret.', secret, 'name', field, get(secret, 'key'));
  }
}

function addIngress(spec: Value, found: References): void {
  const add = (backend: Value | undefined): void => {
    const service = get(backend, 'service');
    const port = get(service, 'port');
    const part = get(port, 'number') ?? get(port, 'name');
    found.add('Service.', textAt(service, 'name'), 'backend', { part });
  };
  add(get(spec, 'defaultBackend'));
  for (const rule of listAt(spec, 'rules'))
    for (const path of listAt(get(rule, 'http'), 'paths')) add(get(path, 'backend'));
}

function addRoute(spec: Value, found: References): void {
  for (const backend of listAt(spec, 'rules').flatMap((rule) => listAt(rule, 'backendRefs'))) {
    const isService = ['', 'Service'].includes(textAt(backend, 'kind')) && textAt(backend, 'group') === '';
    if (!isService) continue;
    const more = { part: get(backend, 'port'), namespace: textAt(backend, 'namespace') };
    found.add('Service.', textAt(backend, 'name'), 'backendRefs', more);
  }
}

/** The kinds of roles and scaled workloads have the group of their reference. */
const inGroup = (reference: Value | undefined): string => {
  const group = textAt(reference, 'apiGroup') || (textAt(reference, 'apiVersion').split('/').at(-2) ?? '');
  return `${textAt(reference, 'kind')}.${group}`;
};

function addWebhooks(object: KubeObject, found: References): void {
  for (const webhook of listAt(object, 'webhooks')) {
    const service = getAt(webhook, ['clientConfig', 'service']);
    const port = get(service, 'port') ?? 443n;
    found.add('Service.', textAt(service, 'name'), `webhook ${textAt(webhook, 'name')}`, {
      part: port,
      namespace: textAt(service, 'namespace'),
    });
  }
}

function addFlux(spec: Value, found: References): void {
  for (const from of [...listAt(spec, 'valuesFrom'), ...listAt(get(spec, 'postBuild'), 'substituteFrom')]) {
    if (get(from, 'optional') === true) continue;
    found.add(`${textAt(from, 'kind')}.`, textAt(from, 'name'), 'valuesFrom', { part: get(from, 'valuesKey') });
  }
}

function addScaled(spec: Value, found: References): void {
  const target = get(spec, 'scaleTargetRef');
  const kind = textAt(target, 'kind') === '' ? 'Deployment.apps' : inGroup(target);
  found.add(kind, textAt(target, 'name'), 'scaleTargetRef');
}

function addRole(object: KubeObject, found: References): void {
  const role = get(object, 'roleRef');
  found.add(inGroup(role), textAt(role, 'name'), 'roleRef');
}

function addIssuer(spec: Value, found: References): void {
  const issuer = get(spec, 'issuerRef');
  found.add(`${textAt(issuer, 'kind') || 'Issuer'}.cert-manager.io`, textAt(issuer, 'name'), 'issuerRef');
}

type AddReferences = (object: KubeObject, found: References) => void;

const ofSpec =
  (add: (spec: Value, found: References) => void): AddReferences =>
  (object, found) =>
    add(object.spec ?? null, found);

/** What objects refer to, by `Kind.group`. */
const ADDERS: Readonly<Record<string, AddReferences>> = {
  'Ingress.networking.k8s.io': ofSpec(addIngress),
  'HTTPRoute.gateway.networking.k8s.io': ofSpec(addRoute),
  'GRPCRoute.gateway.networking.k8s.io': ofSpec(addRoute),
  'TLSRoute.gateway.networking.k8s.io': ofSpec(addRoute),
  'TCPRoute.gateway.networking.k8s.io': ofSpec(addRoute),
  'HorizontalPodAutoscaler.autoscaling': ofSpec(addScaled),
  'ScaledObject.keda.sh': ofSpec(addScaled),
  'RoleBinding.rbac.authorization.k8s.io': addRole,
  'ClusterRoleBinding.rbac.authorization.k8s.io': addRole,
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': addWebhooks,
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': addWebhooks,
  'Certificate.cert-manager.io': ofSpec(addIssuer),
  'HelmRelease.helm.toolkit.fluxcd.io': ofSpec(addFlux),
  'Kustomization.kustomize.toolkit.fluxcd.io': ofSpec(addFlux),
};

/** Returns what an object needs: without it, its pods do not start, or nothing answers its requests. */
export function referencesOf(object: KubeObject): readonly Reference[] {
  const found = new References(object);
  const pods = podSpecOf(object);
  if (pods !== undefined) addPod(pods, found);
  ownValue(ADDERS, groupKindOf(object))?.(object, found);
  return distinct(found.all.map((one) => (isClusterScoped(one.target.kind) ? withoutNamespace(one) : one)));
}

const CLUSTER_SCOPED: readonly string[] = ['ClusterRole.rbac.authorization.k8s.io', 'ClusterIssuer.cert-manager.io'];

const isClusterScoped = (kind: string): boolean => CLUSTER_SCOPED.includes(kind);

const withoutNamespace = (reference: Reference): Reference => ({
  ...reference,
  target: { ...reference.target, namespace: '' },
});

function distinct(references: readonly Reference[]): Reference[] {
  const found = new Map(references.map((one) => [`${targetKey(one.target)}${one.part ?? ''}`, one]));
  return [...found.values()];
}

/** What the controllers of a cluster or the API server create in every namespace. */
const BUILTIN: readonly string[] = [
  'ServiceAccount. default',
  'ConfigMap. kube-root-ca.crt',
  'ConfigMap. openshift-service-ca.crt',
  'ConfigMap. istio-ca-root-cert',
  'Service. kubernetes',
];

export const isBuiltin = ({ kind, name }: Target): boolean => BUILTIN.includes(`${kind} ${name}`);

/** Returns the names of claims that a StatefulSet creates, without the number of the pod. */
export function claimPrefixesOf(object: KubeObject): string[] {
  if (groupKindOf(object) !== 'StatefulSet.apps') return [];
  return listAt(object.spec, 'volumeClaimTemplates').flatMap((claim) =>
    isMap(claim) ? [`${nameOf(claim)}-${nameOf(object)}-`] : [],
  );
}
