import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import immutableFields from '../../../data/immutable-fields.json';
import { fromPlain } from '../../../src/api/plain.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { refusedUpdates } from '../../../src/kubernetes/update/index.ts';

const object = (head: string, body: string) =>
  fromPlain(
    parse(`{apiVersion: ${head.split(' ')[0]}, kind: ${head.split(' ')[1]}, metadata: {name: x}, ${body}}`),
  ) as KubeObject;
const refused = (head: string, before: string, after: string) =>
  refusedUpdates(object(head, before), object(head, after));

const POD = 'spec: {containers: [{name: a, image: x}]';
const JOB = 'template: {spec: {restartPolicy: Never, containers: [{name: a, image: x}]}}';

describe('an API server rejects an update', () => {
  it.each([
    [
      'apps/v1 Deployment',
      'spec: {template: {spec: {containers: [{name: a, image: x, lifecycle: {preStop: {sleep: {seconds: 5}}}}]}}}',
      'spec: {template: {spec: {containers: [{name: a, image: x, lifecycle: {preStop: {sleep: {}}}}]}}}',
      ['spec.template.spec.containers.0.lifecycle.preStop'],
    ],
    ['v1 Service', 'spec: {clusterIP: 10.0.0.1}', 'spec: {clusterIP: 10.0.0.2}', ['spec.clusterIP']],
    ['v1 Service', 'spec: {clusterIP: 10.0.0.1}', 'spec: {clusterIP: None}', ['spec.clusterIP']],
    ['v1 Service', 'spec: {}', 'spec: {clusterIP: None}', ['spec.clusterIP']],
    ['v1 Service', 'spec: {clusterIPs: [10.0.0.1]}', 'spec: {clusterIPs: [10.0.0.2]}', ['spec.clusterIPs']],
    ['v1 Service', 'spec: {ipFamilies: [IPv4]}', 'spec: {ipFamilies: [IPv6]}', ['spec.ipFamilies']],
    [
      'v1 Service',
      'spec: {type: LoadBalancer, loadBalancerClass: a/b}',
      'spec: {type: LoadBalancer, loadBalancerClass: a/c}',
      ['spec.loadBalancerClass'],
    ],
    [
      'v1 Service',
      'spec: {type: LoadBalancer, loadBalancerClass: a/b}',
      'spec: {type: LoadBalancer}',
      ['spec.loadBalancerClass'],
    ],
    ['v1 Secret', 'type: Opaque', 'type: kubernetes.io/tls', ['type']],
    ['v1 Secret', 'immutable: true, data: {a: YQ==}', 'immutable: true, data: {a: Yg==}', ['data']],
    ['v1 ConfigMap', 'immutable: true, data: {a: b}', 'immutable: true, data: {a: c}', ['data']],
    ['v1 ConfigMap', 'immutable: true, data: {a: b}', 'data: {a: b}', ['immutable']],
    [
      'v1 PersistentVolumeClaim',
      'spec: {resources: {requests: {storage: 2Gi}}}',
      'spec: {resources: {requests: {storage: 1Gi}}}',
      ['spec.resources.requests.storage'],
    ],
    [
      'v1 PersistentVolumeClaim',
      'spec: {storageClassName: a}',
      'spec: {storageClassName: b}',
      ['spec.storageClassName'],
    ],
    [
      'v1 PersistentVolumeClaim',
      'spec: {dataSource: {kind: A, name: a}}',
      'spec: {dataSource: {kind: A, name: b}}',
      ['spec.dataSource'],
    ],
    [
      'v1 PersistentVolumeClaim',
      'spec: {accessModes: [ReadWriteOnce]}',
      'spec: {accessModes: [ReadWriteMany]}',
      ['spec.accessModes'],
    ],
    ['v1 PersistentVolume', 'spec: {hostPath: {path: /a}}', 'spec: {hostPath: {path: /b}}', ['spec.hostPath']],
    ['v1 ResourceQuota', 'spec: {scopes: [BestEffort]}', 'spec: {scopes: [NotBestEffort]}', ['spec.scopes']],
    ['v1 Pod', `${POD}}`, 'spec: {containers: [{name: a, image: x, env: [{name: A, value: b}]}]}', ['spec.containers']],
    ['v1 Pod', `${POD}, serviceAccountName: a}`, `${POD}, serviceAccountName: b}`, ['spec.serviceAccountName']],
    [
      'v1 Pod',
      `${POD}, activeDeadlineSeconds: 5}`,
      `${POD}, activeDeadlineSeconds: 6}`,
      ['spec.activeDeadlineSeconds'],
    ],
    ['v1 Pod', `${POD}, tolerations: [{key: a}]}`, `${POD}}`, ['spec.tolerations']],
    [
      'apps/v1 Deployment',
      'spec: {selector: {matchLabels: {a: b}}}',
      'spec: {selector: {matchLabels: {a: c}}}',
      ['spec.selector'],
    ],
    ['apps/v1 StatefulSet', 'spec: {serviceName: a}', 'spec: {serviceName: b}', ['spec.serviceName']],
    ['apps/v1 StatefulSet', 'spec: {podManagementPolicy: Parallel}', 'spec: {}', ['spec.podManagementPolicy']],
    [
      'apps/v1 StatefulSet',
      'spec: {volumeClaimTemplates: [{metadata: {name: a}}]}',
      'spec: {volumeClaimTemplates: [{metadata: {name: b}}]}',
      ['spec.volumeClaimTemplates'],
    ],
    ['batch/v1 Job', `spec: {completions: 1, ${JOB}}`, `spec: {completions: 2, ${JOB}}`, ['spec.completions']],
    [
      'batch/v1 Job',
      `spec: {${JOB}}`,
      `spec: {${JOB.replace('image: x', 'image: y')}}`,
      ['spec.template.spec.containers'],
    ],
    ['batch/v1 Job', `spec: {completionMode: Indexed, ${JOB}}`, `spec: {${JOB}}`, ['spec.completionMode']],
    ['networking.k8s.io/v1 IngressClass', 'spec: {controller: a/b}', 'spec: {controller: a/c}', ['spec.controller']],
    ['scheduling.k8s.io/v1 PriorityClass', 'value: 1', 'value: 2', ['value']],
    ['node.k8s.io/v1 RuntimeClass', 'handler: a', 'handler: b', ['handler']],
    [
      'storage.k8s.io/v1 CSIDriver',
      'spec: {attachRequired: true}',
      'spec: {attachRequired: false}',
      ['spec.attachRequired'],
    ],
    ['storage.k8s.io/v1 StorageClass', 'provisioner: a, parameters: {a: b}', 'provisioner: a', ['parameters']],
    [
      'rbac.authorization.k8s.io/v1 RoleBinding',
      'roleRef: {kind: Role, name: a}',
      'roleRef: {kind: Role, name: b}',
      ['roleRef'],
    ],
    [
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      'spec: {scope: Cluster}',
      'spec: {scope: Namespaced}',
      ['spec.scope'],
    ],
    ['discovery.k8s.io/v1 EndpointSlice', 'addressType: IPv4', 'addressType: IPv6', ['addressType']],
  ])('%s: %s to %s', (head, before, after, fields) => expect(refused(head, before, after)).toEqual(fields));
});

describe('an API server accepts an update', () => {
  it.each([
    ['v1 Service', 'spec: {clusterIP: None}', 'spec: {}'],
    ['v1 Service', 'spec: {clusterIP: 10.0.0.1}', 'spec: {type: ExternalName, externalName: a.example.com}'],
    ['v1 Service', 'spec: {type: LoadBalancer, loadBalancerClass: a/b}', 'spec: {type: ClusterIP}'],
    ['v1 Secret', 'type: Opaque', 'data: {a: YQ==}'],
    ['v1 ConfigMap', 'data: {a: b}', 'immutable: true, data: {a: c}'],
    ['v1 ConfigMap', 'immutable: false, data: {a: b}', 'data: {a: c}'],
    [
      'v1 PersistentVolumeClaim',
      'spec: {resources: {requests: {storage: 1Gi}}}',
      'spec: {resources: {requests: {storage: 2048Mi}}}',
    ],
    [
      'v1 PersistentVolumeClaim',
      'spec: {resources: {requests: {storage: 1Gi}}}',
      'spec: {resources: {requests: {storage: 1024Mi}}, volumeMode: Filesystem}',
    ],
    [
      'v1 PersistentVolume',
      'spec: {persistentVolumeReclaimPolicy: Retain}',
      'spec: {persistentVolumeReclaimPolicy: Delete}',
    ],
    ['v1 Pod', `${POD}}`, 'spec: {containers: [{name: a, image: y}]}'],
    ['v1 Pod', `${POD}}`, `${POD}, restartPolicy: Always, tolerations: [{key: a}]}`],
    [
      'v1 Pod',
      'spec: {containers: [{name: a, resources: {limits: {cpu: "1"}}}]}',
      'spec: {containers: [{name: a, resources: {limits: {cpu: 1000m}}}]}',
    ],
    ['apps/v1 Deployment', 'spec: {selector: {}, replicas: 1}', 'spec: {selector: {}, replicas: 2}'],
    [
      'apps/v1 StatefulSet',
      'spec: {podManagementPolicy: OrderedReady, replicas: 1}',
      'spec: {replicas: 2, ordinals: {start: 1}}',
    ],
    // An API server sets the type of a claim template, and drops fields of alpha features.
    [
      'apps/v1 StatefulSet',
      'spec: {volumeClaimTemplates: [{metadata: {name: a}}]}',
      'spec: {volumeClaimTemplates: [{kind: a/b/c, metadata: {name: a}}]}',
    ],
    [
      'batch/v1 Job',
      `spec: {${JOB}}`,
      `spec: {${JOB.replace('restartPolicy: Never', 'restartPolicy: Never, schedulingGroup: {podGroupName: a}')}}`,
    ],
    [
      'apps/v1 StatefulSet',
      'spec: {volumeClaimTemplates: [{metadata: {name: a}, spec: {resources: {requests: {storage: 1Gi}}}}]}',
      'spec: {volumeClaimTemplates: [{metadata: {name: a}, spec: {resources: {requests: {storage: 1Gi}, limits: {}}}}]}',
    ],
    [
      'batch/v1 Job',
      `spec: {completionMode: Indexed, completions: 1, parallelism: 1, ${JOB}}`,
      `spec: {completionMode: Indexed, completions: 2, parallelism: 2, ${JOB}}`,
    ],
    [
      'batch/v1 Job',
      `spec: {suspend: true, ${JOB}}`,
      `spec: {suspend: true, ${JOB.replace('restartPolicy: Never', 'restartPolicy: Never, nodeSelector: {a: b}')}}`,
    ],
    ['batch/v1 CronJob', 'spec: {schedule: "* * * * *"}', 'spec: {schedule: "1 * * * *"}'],
    [
      'scheduling.k8s.io/v1 PriorityClass',
      'value: 1',
      'value: 1, preemptionPolicy: PreemptLowerPriority, description: a',
    ],
    [
      'storage.k8s.io/v1 StorageClass',
      'provisioner: a',
      'provisioner: a, reclaimPolicy: Delete, allowVolumeExpansion: true',
    ],
    ['example.com/v1 Service', 'spec: {clusterIP: a}', 'spec: {clusterIP: b}'],
  ])('%s: %s to %s', (head, before, after) => expect(refused(head, before, after)).toEqual([]));
});

it('an empty text is a value of a field that is a pointer in Go, and none of another one', () => {
  // pkg/apis/storage/v1/defaults.go: SetDefaults_StorageClass; pkg/apis/core/v1/defaults.go: SetDefaults_PodSpec.
  expect(refused('storage.k8s.io/v1 StorageClass', 'provisioner: a', 'provisioner: a, reclaimPolicy: ""')).toEqual([
    'reclaimPolicy',
  ]);
  const job = (policy: string): string => `spec: {template: {spec: {restartPolicy: Never, dnsPolicy: ${policy}}}}`;
  expect(refused('batch/v1 Job', job('ClusterFirst'), job('""'))).toEqual([]);
});

it('every line of the table names its source in the API server', () => {
  for (const { kinds, source } of immutableFields) {
    expect(kinds.length).toBeGreaterThan(0);
    expect(source).toMatch(/^[\w./-]+: (validate|Validate)\w+(, \w+)*$/);
  }
});

describe('a field that an API server fills in', () => {
  const RULES = 'subjects: []';
  it.each([
    ['v1 Secret', 'type: Opaque', 'type: ""'],
    [
      'v1 Pod',
      'spec: {containers: [{name: a, image: x, resources: {limits: {cpu: 1}, requests: {cpu: 1000m}}}]}',
      'spec: {containers: [{name: a, image: x, resources: {limits: {cpu: 1}}}]}',
    ],
    ['v1 PersistentVolumeClaim', 'spec: {dataSource: {kind: A, name: a}}', 'spec: {}'],
    ...(
      [
        ['x', 'Always'],
        ['x:latest', 'Always'],
        ['r:5000/x', 'Always'],
        ['x:1', 'IfNotPresent'],
        ['x@sha256:0', 'IfNotPresent'],
        ['r:5000/x:1', 'IfNotPresent'],
      ] as const
    ).map(([image, policy]): [string, string, string] => {
      const job = (more: string): string =>
        `spec: {template: {spec: {containers: [{name: a, image: "${image}"${more}}]}}}`;
      return ['batch/v1 Job', job(''), job(`, imagePullPolicy: ${policy}`)];
    }),
    // The API server drops it: only claims and snapshots are sources without a `dataSourceRef`.
    ['v1 PersistentVolumeClaim', 'spec: {}', 'spec: {dataSource: {kind: A, name: a}}'],
    [
      'v1 PersistentVolumeClaim',
      'spec: {selector: {matchLabels: {a: b}}}',
      'spec: {selector: {matchLabels: {a: b}, matchExpressions: []}, volumeMode: null}',
    ],
    [
      'v1 PersistentVolume',
      'spec: {nfs: {server: a, path: /a}}',
      'spec: {nfs: {server: a, path: /a, readOnly: false}}',
    ],
    ['v1 Pod', `${POD}}`, `${POD}, hostNetwork: false}`],
    ['v1 Pod', `${POD}, volumes: [{name: v}]}`, `${POD}, volumes: [{name: v, emptyDir: {}}]}`],
    ['v1 Pod', `${POD}, serviceAccount: a}`, `${POD}, serviceAccountName: a}`],
    ['v1 Secret', 'immutable: true, data: {a: YQ==}', 'immutable: true, stringData: {a: a}'],
    [
      'v1 PersistentVolumeClaim',
      'spec: {resources: {limits: {storage: 1Gi}}}',
      'spec: {resources: {limits: {storage: 1073741824}}}',
    ],
    ['batch/v1 Job', `spec: {${JOB}}`, `spec: {${JOB}, completions: 1, parallelism: 1}`],
    [
      'v1 PersistentVolumeClaim',
      'spec: {resources: {requests: {storage: 1Gi, memory: "1"}}}',
      'spec: {resources: {requests: {storage: 2Gi, memory: 1000m}}}',
    ],
    [
      'rbac.authorization.k8s.io/v1 RoleBinding',
      `${RULES}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: a}`,
      `${RULES}, roleRef: {kind: Role, name: a}`,
    ],
    ['storage.k8s.io/v1 CSIDriver', 'spec: {volumeLifecycleModes: [Persistent]}', 'spec: {volumeLifecycleModes: []}'],
  ])('is not a change: %s, %s, %s', (head, before, after) => expect(refused(head, before, after)).toEqual([]));

  it.each([
    [
      'v1 PersistentVolumeClaim',
      'spec: {}',
      'spec: {dataSource: {kind: PersistentVolumeClaim, name: a}}',
      ['spec.dataSource'],
    ],
    [
      'v1 PersistentVolumeClaim',
      'spec: {resources: {requests: {storage: 1Gi}}}',
      'spec: {resources: {requests: {storage: 2Gi, memory: "1"}}}',
      ['spec.resources.requests.memory'],
    ],
    ['v1 Pod', `${POD}}`, `${POD}, hostUsers: false}`, ['spec.hostUsers']],
    ['v1 Pod', `${POD}}`, 'spec: {containers: [{name: a, image: x, lifecycle: {}}]}', ['spec.containers']],
    [
      'batch/v1 Job',
      'spec: {template: {spec: {containers: [{name: a, image: x, resources: {limits: {cpu: 1}}}]}}}',
      'spec: {template: {spec: {containers: [{name: a, image: x, resources: {limits: {cpu: 1}, requests: {cpu: 1}}}]}}}',
      ['spec.template.spec.containers'],
    ],
    [
      'rbac.authorization.k8s.io/v1 RoleBinding',
      'roleRef: {kind: Role, name: a}',
      'roleRef: {kind: Role, name: b}',
      ['roleRef'],
    ],
  ])('does not hide a change: %s, %s, %s', (head, before, after, fields) =>
    expect(refused(head, before, after)).toEqual(fields),
  );
});
