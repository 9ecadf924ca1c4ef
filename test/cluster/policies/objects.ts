import type { KubeObject } from '../../../src/core/model/object.ts';
import { readPackageText } from '../documents.ts';

/** What the cluster has before the policies. */
export const namespaces: KubeObject[] = readPackageText(`
{apiVersion: v1, kind: Namespace, metadata: {name: red, labels: {team: a, env: production}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: blue, labels: {team: b}, annotations: {note: x}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: plain}}
`);

export const crds: KubeObject[] = readPackageText(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.policies.example.com}
spec:
  group: policies.example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, listKind: WidgetList, singular: widget}
  versions:
    - &version
      name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: &schema
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer, default: 3}
                color: {type: string}
                tags: {type: array, items: {type: string}}
    - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: *schema}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.policies.example.com}
spec:
  group: policies.example.com
  scope: Cluster
  names: {kind: Limit, plural: limits, listKind: LimitList, singular: limit}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            max: {type: integer, default: 4}
            names: {type: array, items: {type: string}}
`);

export const params: KubeObject[] = readPackageText(`
{apiVersion: v1, kind: ConfigMap, metadata: {name: params, namespace: plain, labels: {tier: gold}}, data: {max: '4', name: web}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: params2, namespace: plain, labels: {tier: gold}}, data: {max: '2'}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: params, namespace: red, labels: {tier: silver}}, data: {max: '9', name: shop}}
---
{apiVersion: policies.example.com/v1, kind: Limit, metadata: {name: small, labels: {tier: gold}}, names: [web, shop]}
---
{apiVersion: policies.example.com/v1, kind: Limit, metadata: {name: large}, max: 10}
`);

const POD = (image: string, more = ''): string =>
  `{containers: [{name: web, image: '${image}', resources: {limits: {memory: 1024Mi, cpu: 1000m}}, ports: [{containerPort: 80}]}, {name: side, image: 'busybox'}]${more}}`;

const workload = (kind: string, name: string, spec: string, pod: string, labels = '{app: web}'): string =>
  `{apiVersion: apps/v1, kind: ${kind}, metadata: {name: ${name}, labels: ${labels}}, spec: {${spec}selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: ${pod}}}}`;

/** Pairs of versions of an object. */
export const pairs: readonly (readonly [KubeObject, KubeObject])[] = [
  [
    'red',
    workload('Deployment', 'web', 'replicas: 3, ', POD('nginx:1.25')),
    workload('Deployment', 'web', 'replicas: 7, ', POD('nginx:latest')),
  ],
  [
    'blue',
    workload(
      'Deployment',
      'shop',
      '',
      POD(
        'ghcr.io/x/shop@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
        ', hostNetwork: true',
      ),
      '{team: b, tier: gold}',
    ),
    workload('Deployment', 'shop', 'minReadySeconds: 5, ', POD('nginx', ', securityContext: {runAsNonRoot: true}')),
  ],
  [
    'plain',
    workload(
      'StatefulSet',
      'db',
      'serviceName: db, ',
      POD('postgres:16', ', volumes: [{name: a, emptyDir: {}}, {name: b, configMap: {name: x}}]'),
    ),
    workload('StatefulSet', 'db', 'serviceName: db, replicas: 2, ', POD('postgres:17')),
  ],
  [
    'red',
    workload('DaemonSet', 'agent', '', POD('agent', ', hostPID: true, volumes: [{name: h, hostPath: {path: /}}]')),
    workload('DaemonSet', 'agent', '', POD('agent:2')),
  ],
  [
    'red',
    '{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80}], selector: {app: web}}}',
    '{apiVersion: v1, kind: Service, metadata: {name: web, labels: {app: web}}, spec: {ports: [{port: 8080, targetPort: http}], selector: {app: web}}}',
  ],
  [
    'blue',
    '{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, labels: {tier: gold}}, data: {a: "1", mode: fast}}',
    '{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, annotations: {note: changed}}, data: {a: "2"}}',
  ],
  [
    'red',
    '{apiVersion: v1, kind: Secret, metadata: {name: key}, stringData: {password: hunter2}}',
    '{apiVersion: v1, kind: Secret, metadata: {name: key}, data: {password: aHVudGVyMw==, other: eA==}}',
  ],
  [
    'blue',
    '{apiVersion: policies.example.com/v1, kind: Widget, metadata: {name: one, labels: {app: web}}, spec: {color: red, tags: [a, b]}}',
    '{apiVersion: policies.example.com/v1, kind: Widget, metadata: {name: one}, spec: {size: 9, tags: []}}',
  ],
  [
    'plain',
    '{apiVersion: policies.example.com/v1beta1, kind: Widget, metadata: {name: two}, spec: {size: 1}}',
    '{apiVersion: policies.example.com/v1beta1, kind: Widget, metadata: {name: two}, spec: {size: 2, color: blue}}',
  ],
  [
    '',
    '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: policies-reader}, rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}',
    '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: policies-reader}, rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]}',
  ],
  [
    '',
    '{apiVersion: v1, kind: Namespace, metadata: {name: green, labels: {team: a}}}',
    '{apiVersion: v1, kind: Namespace, metadata: {name: green, labels: {team: c}}}',
  ],
  [
    'red',
    `{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly}, spec: {schedule: '0 3 * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}}}}}`,
    `{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly}, spec: {schedule: '0 4 * * *', suspend: true, jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}}}}}`,
  ],
  [
    'blue',
    '{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web}, spec: {rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}}',
    '{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web}, spec: {tls: [{hosts: [a.example.com]}], rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}}',
  ],
  [
    'plain',
    '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}}',
    '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, labels: {app: web}}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}}',
  ],
].map(([namespace = '', ...texts]) => {
  const [before, after] = texts.map((text) => {
    const [object] = readPackageText(text);
    const metadata = { ...(object?.metadata as object), ...(namespace !== '' && { namespace }) };
    return { ...object, metadata } as KubeObject;
  });
  return [before as KubeObject, after as KubeObject] as const;
});

/** Objects that are created: with a generated name, and those that policies never see. */
export const others: readonly KubeObject[] = readPackageText(`
{apiVersion: v1, kind: ConfigMap, metadata: {generateName: made-, namespace: red, labels: {app: web}}, data: {a: "1"}}
---
{apiVersion: policies.example.com/v1, kind: Widget, metadata: {generateName: made-, namespace: blue}, spec: {size: 1, tags: [a]}}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: unused}, spec: {policyName: unused, validationActions: [Deny]}}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: unused}}
---
{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, spec: {resourceAttributes: {verb: get, resource: pods}}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: gadgets.policies.example.com, labels: {app: web}}, spec: {group: policies.example.com, scope: Namespaced, names: {kind: Gadget, plural: gadgets, listKind: GadgetList, singular: gadget}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}
`);
