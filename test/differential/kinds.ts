import type { Draw } from './draw.ts';
import { expressionOf, type Scope } from './expressions.ts';
import { always, fieldOf, metadataType, sometimes } from './fields.ts';
import type { Json, JsonMap, Type } from './types.ts';

/** What a template of a kind has beside its metadata, and the type that readers see. */
export interface KindTemplate {
  apiVersion: string;
  kind: string;
  rest: JsonMap;
  type: Type;
  /** The kind has no namespace. */
  isOfCluster?: boolean;
}

type Make = (draw: Draw, scope: Scope) => KindTemplate;

const quantities = ['1Gi', '500m', '2', '100k', '0.5', '1e3', '128974848'];
const quantity = (draw: Draw, scope: Scope): Json =>
  draw.chance(70) ? draw.pick<Json>([...quantities, 2, 1.5]) : fieldOf(draw, scope, 'string', 1);
/** A field that takes an integer or a text. */
const either = (draw: Draw, scope: Scope, texts: readonly string[]): Json =>
  draw.chance(60) ? draw.pick<Json>([...texts, 1, 80]) : fieldOf(draw, scope, draw.pick<Type>(['int', 'string']), 1);
const text = (draw: Draw, scope: Scope): Json => fieldOf(draw, scope, 'string', 1);
const labels = (draw: Draw, scope: Scope): Json =>
  draw.chance(50) ? { app: 'x' } : `\${${expressionOf(draw, scope, { map: 'string' }, 1)}}`;
const podOf = (draw: Draw, scope: Scope): JsonMap => ({
  containers: [
    {
      name: 'main',
      image: text(draw, scope),
      ...(draw.chance(40) && { ports: [{ containerPort: fieldOf(draw, scope, 'int', 1), name: 'http' }] }),
      ...(draw.chance(40) && {
        env: [
          { name: 'A', value: text(draw, scope) },
          { name: 'B', value: 'b' },
        ],
      }),
      ...(draw.chance(40) && { resources: { requests: { cpu: quantity(draw, scope), memory: '1Gi' } } }),
      ...(draw.chance(30) && {
        livenessProbe: { httpGet: { path: '/', port: either(draw, scope, ['http']) } },
      }),
    },
  ],
});
const pods = (draw: Draw, scope: Scope): JsonMap => ({ metadata: { labels: { app: 'x' } }, spec: podOf(draw, scope) });

const objectType = (spec: Record<string, Type> = {}, status: Record<string, Type> = {}): Type => {
  const optional = (fields: Record<string, Type>) =>
    sometimes({ fields: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, sometimes(type)])) });
  return {
    fields: {
      metadata: always(metadataType),
      ...(Object.keys(spec).length > 0 && { spec: optional(spec) }),
      ...(Object.keys(status).length > 0 && { status: optional(status) }),
    },
  };
};

/** Kinds of Kubernetes itself, with quantities, integers or texts, lists of maps, and without a namespace. */
const kinds: readonly Make[] = [
  (draw, scope) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    rest: {
      spec: {
        serviceName: text(draw, scope),
        selector: { matchLabels: { app: 'x' } },
        template: pods(draw, scope),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: quantity(draw, scope) } } },
          },
        ],
      },
    },
    type: objectType({ replicas: 'int', serviceName: 'string' }, { readyReplicas: 'int' }),
  }),
  (draw, scope) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    rest: {
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: pods(draw, scope),
        updateStrategy: { rollingUpdate: { maxUnavailable: either(draw, scope, ['10%']) } },
      },
    },
    type: objectType({}, { numberReady: 'int' }),
  }),
  (draw, scope) => ({
    apiVersion: 'batch/v1',
    kind: draw.pick(['Job']),
    rest: {
      spec: {
        backoffLimit: fieldOf(draw, scope, 'int', 1),
        template: { spec: { ...podOf(draw, scope), restartPolicy: 'Never' } },
      },
    },
    type: objectType({ backoffLimit: 'int' }, { succeeded: 'int' }),
  }),
  (draw, scope) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    rest: {
      spec: {
        schedule: draw.pick(['0 * * * *', '*/5 * * * *']),
        suspend: fieldOf(draw, scope, 'bool', 1),
        jobTemplate: { spec: { template: { spec: { ...podOf(draw, scope), restartPolicy: 'OnFailure' } } } },
      },
    },
    type: objectType({ schedule: 'string', suspend: 'bool' }),
  }),
  (draw, scope) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    rest: { spec: podOf(draw, scope) },
    type: objectType({ nodeName: 'string' }, { phase: 'string', podIP: 'string' }),
  }),
  (draw, scope) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    rest: {
      spec: {
        rules: [
          {
            host: text(draw, scope),
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: text(draw, scope), port: { number: fieldOf(draw, scope, 'int', 1) } } },
                },
              ],
            },
          },
        ],
      },
    },
    type: objectType({ ingressClassName: 'string' }),
  }),
  (draw, scope) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    rest: {
      spec: {
        podSelector: { matchLabels: labels(draw, scope) },
        ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: either(draw, scope, ['http']) }] }],
      },
    },
    type: objectType({ policyTypes: { list: 'string' } }),
  }),
  (draw, scope) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    rest: {
      spec: { minAvailable: either(draw, scope, ['50%']), selector: { matchLabels: labels(draw, scope) } },
    },
    type: objectType({}, { currentHealthy: 'int' }),
  }),
  (draw, scope) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    rest: {
      spec: {
        minReplicas: 1,
        maxReplicas: fieldOf(draw, scope, 'int', 1),
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: text(draw, scope) },
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: quantity(draw, scope) } },
          },
        ],
      },
    },
    type: objectType({ minReplicas: 'int', maxReplicas: 'int' }),
  }),
  (draw, scope) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    rest: {
      spec: {
        accessModes: draw.pick<Json>([['ReadWriteOnce'], `\${${expressionOf(draw, scope, { list: 'string' }, 1)}}`]),
        resources: { requests: { storage: quantity(draw, scope) } },
      },
    },
    type: objectType({ accessModes: { list: 'string' }, volumeName: 'string' }, { phase: 'string' }),
  }),
  (draw, scope) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    rest: { spec: { hard: { cpu: quantity(draw, scope), pods: quantity(draw, scope) } } },
    type: objectType({ scopes: { list: 'string' } }),
  }),
  (draw, scope) => ({
    apiVersion: 'v1',
    kind: 'LimitRange',
    rest: { spec: { limits: [{ type: 'Container', max: { memory: quantity(draw, scope) } }] } },
    type: objectType(),
  }),
  (draw) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    rest: { automountServiceAccountToken: draw.chance(50) },
    type: objectType(),
  }),
  (draw, scope) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    rest: {
      rules: [
        {
          apiGroups: [''],
          resources: draw.pick<Json>([['pods'], `\${${expressionOf(draw, scope, { list: 'string' }, 1)}}`]),
          verbs: ['get'],
        },
      ],
    },
    type: objectType(),
  }),
  (draw, scope) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    rest: {
      rules: [{ apiGroups: [text(draw, scope)], resources: ['pods'], verbs: ['get', 'list'] }],
    },
    type: objectType(),
    isOfCluster: true,
  }),
  (draw, scope) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    rest: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: text(draw, scope) },
      subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: text(draw, scope) }],
    },
    type: objectType(),
    isOfCluster: true,
  }),
  (draw, scope) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    rest: { provisioner: 'example.com/disk', parameters: labels(draw, scope) },
    type: { fields: { metadata: always(metadataType), provisioner: sometimes('string') } },
    isOfCluster: true,
  }),
  (draw, scope) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    rest: { value: fieldOf(draw, scope, 'int', 1), globalDefault: false },
    type: { fields: { metadata: always(metadataType), value: sometimes('int') } },
    isOfCluster: true,
  }),
  (draw) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    rest: {
      spec: {
        group: 'example.net',
        scope: draw.pick(['Namespaced', 'Cluster']),
        names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    },
    type: objectType(),
    isOfCluster: true,
  }),
];

/** Returns the template of a kind of Kubernetes itself. */
export const kindOf = (draw: Draw, scope: Scope): KindTemplate => draw.pick(kinds)(draw, scope);

export const kindCount = kinds.length;
