import type { PlacePackage } from './place.ts';

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: topics.kafka.example.com
spec:
  group: kafka.example.com
  scope: Namespaced
  names:
    kind: Topic
    plural: topics
  versions:
    - name: v1beta1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [partitions]
              properties:
                partitions:
                  type: integer
                  minimum: 1
                retention:
                  type: string
                cleanupPolicy:
                  type: string
                  enum: [delete, compact]
                compressed:
                  type: boolean
            status:
              type: object
              properties:
                topicName:
                  type: string
                brokers:
                  type: array
                  items:
                    type: string
`;

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: pipeline
spec:
  schema:
    apiVersion: v1alpha1
    group: data.example.com
    kind: Pipeline
    types:
      Source:
        topic: string | required=true
        partitions: integer | default=3
        cleanup: string | enum="delete,compact" default="delete"
      Resources:
        cpu: string | default="100m"
        memory: string | default="128Mi"
    spec:
      image: string | required=true
      schedule: string | default="0 * * * *"
      mode: string | enum="batch,stream" default="batch"
      minReplicas: integer | default=1 minimum=1
      maxReplicas: integer | default=5
      sources: "[]Source"
      resources: Resources
      suspend: boolean | default=false
      storage: string | default="10Gi"
      annotations: "map[string]string"
    status:
      brokers: \${topics[0].status.brokers}
      replicas: \${worker.status.replicas}
  resources:
    - id: account
      template:
        apiVersion: v1
        kind: ServiceAccount
        metadata:
          name: \${schema.metadata.name}
    - id: role
      template:
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata:
          name: \${schema.metadata.name}
        rules:
          - apiGroups: [""]
            resources: [configmaps]
            verbs: [get]
    - id: binding
      template:
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata:
          name: \${schema.metadata.name}
        roleRef:
          apiGroup: rbac.authorization.k8s.io
          kind: Role
          name: \${role.metadata.name}
        subjects:
          - kind: ServiceAccount
            name: \${account.metadata.name}
    - id: topics
      forEach:
        - source: \${schema.spec.sources}
      template:
        apiVersion: kafka.example.com/v1beta1
        kind: Topic
        metadata:
          name: \${schema.metadata.name}-\${source.topic}
        spec:
          partitions: \${source.partitions}
          cleanupPolicy: \${source.cleanup}
    - id: data
      template:
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata:
          name: \${schema.metadata.name}
        spec:
          accessModes: [ReadWriteOnce]
          resources:
            requests:
              storage: \${schema.spec.storage}
    - id: nightly
      includeWhen:
        - \${schema.spec.mode == "batch"}
      template:
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: \${schema.metadata.name}
        spec:
          schedule: \${schema.spec.schedule}
          suspend: \${schema.spec.suspend}
          concurrencyPolicy: Forbid
          jobTemplate:
            spec:
              template:
                spec:
                  restartPolicy: OnFailure
                  containers:
                    - name: main
                      image: \${schema.spec.image}
    - id: worker
      includeWhen:
        - \${schema.spec.mode == "stream"}
      readyWhen:
        - \${worker.status.availableReplicas > 0}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.metadata.name}
          annotations: \${schema.spec.annotations}
        spec:
          replicas: \${schema.spec.minReplicas}
          selector:
            matchLabels:
              app: \${schema.metadata.name}
          template:
            metadata:
              labels:
                app: \${schema.metadata.name}
            spec:
              serviceAccountName: \${account.metadata.name}
              volumes:
                - name: data
                  persistentVolumeClaim:
                    claimName: \${data.metadata.name}
              containers:
                - name: worker
                  image: \${schema.spec.image}
                  env:
                    - name: TOPICS
                      value: \${topics.map(t, t.metadata.name).join(",")}
                  volumeMounts:
                    - name: data
                      mountPath: /data
    - id: scaler
      template:
        apiVersion: autoscaling/v2
        kind: HorizontalPodAutoscaler
        metadata:
          name: \${schema.metadata.name}
        spec:
          scaleTargetRef:
            apiVersion: apps/v1
            kind: Deployment
            name: \${worker.metadata.name}
          minReplicas: \${schema.spec.minReplicas}
          maxReplicas: \${schema.spec.maxReplicas}
          metrics:
            - type: Resource
              resource:
                name: cpu
                target:
                  type: Utilization
                  averageUtilization: 80
    - id: network
      template:
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata:
          name: \${schema.metadata.name}
        spec:
          podSelector:
            matchLabels:
              app: \${schema.metadata.name}
          policyTypes: [Ingress]
    - id: settings
      externalRef:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: cluster
          namespace: platform
`;

const INSTANCE = `apiVersion: data.example.com/v1alpha1
kind: Pipeline
metadata:
  name: clicks
  namespace: analytics
spec:
  image: example.com/clicks:1.0
  mode: batch
  maxReplicas: 4
  sources:
    - topic: views
      partitions: 6
      cleanup: delete
  resources:
    cpu: 250m
  suspend: false
`;

const SET = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata:
  name: environments
  namespace: flux-system
spec:
  inputs:
    - env: staging
      cluster: eu-1
      size: small
  commonMetadata:
    labels:
      owner: data
  resources:
    - apiVersion: source.toolkit.fluxcd.io/v1
      kind: GitRepository
      metadata:
        name: << inputs.env >>
      spec:
        interval: 10m
        url: https://example.com/<< inputs.cluster >>
    - apiVersion: data.example.com/v1alpha1
      kind: Pipeline
      metadata:
        name: << inputs.env >>
        namespace: analytics
      spec:
        image: example.com/clicks:1.0
        mode: stream
    - apiVersion: v1
      kind: ConfigMap
      metadata:
        name: << inputs.env >>-settings
        namespace: analytics
      data:
        size: << inputs.size >>
`;

const GRAPH = `apiVersion: kro.run/v1alpha1
kind: Graph
metadata:
  name: backup
  namespace: analytics
spec:
  nodes:
    - id: claim
      template:
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata:
          name: backup
        spec:
          accessModes: [ReadWriteOnce]
          resources:
            requests:
              storage: 5Gi
    - id: pod
      template:
        apiVersion: v1
        kind: Pod
        metadata:
          name: backup
        spec:
          volumes:
            - name: data
              persistentVolumeClaim:
                claimName: \${claim.metadata.name}
          containers:
            - name: main
              image: busybox
              imagePullPolicy: Always
`;

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: requests
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [deployments]
  variables:
    - name: containers
      expression: object.spec.template.spec.containers
  validations:
    - expression: variables.containers.all(c, c.image.startsWith("example.com/"))
      messageExpression: '"not allowed in " + object.metadata.namespace'
      reason: Forbidden
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: requests
spec:
  policyName: requests
  validationActions: [Deny]
`;

const KUSTOMIZATION = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - pipeline.yaml
  - clicks.yaml
configMapGenerator:
  - name: settings
    literals:
      - a=b
components:
  - components/audit
`;

const COMPONENT = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: []\n';

const GENERATOR = `apiVersion: fn.kpt.dev/v1alpha1
kind: RenderRGD
metadata:
  name: render
spec:
  definitions: [pipeline.yaml, topics.yaml]
  order: argocd
`;

const TEST = `input: [input.yaml]
definitions: [../../pipeline.yaml, ../../topics.yaml]
onPending: skip
`;

const CONFIGURATION = `rules:
  - code: lint-unread-field
    severity: off
    reason: others read it
policies:
  - policies/requests.yaml
`;

/** A package of a data platform, with what authors type in it. */
export const DATA: PlacePackage = {
  files: {
    'topics.yaml': CRD,
    'pipeline.yaml': RGD,
    'clicks.yaml': INSTANCE,
    'set.yaml': SET,
    'graph.yaml': GRAPH,
    'policies/requests.yaml': POLICY,
    'kustomization.yaml': KUSTOMIZATION,
    'components/audit/kustomization.yaml': COMPONENT,
    'generator.yaml': GENERATOR,
    'tests/clicks/test.yaml': TEST,
    'tests/clicks/input.yaml': INSTANCE,
    'tests/clicks/expected.yaml': '',
    'render-rgd.yaml': CONFIGURATION,
  },
  places: [
    [
      'pipeline.yaml',
      'resources: Resources',
      'resources: Res‸',
      /^Resources$/,
      'a custom type that is named as a field',
    ],
    ['pipeline.yaml', 'suspend: boolean | default=false', 'suspend: bo‸', /^boolean$/, 'a boolean by its prefix'],
    ['pipeline.yaml', 'minimum=1\n', 'minimum=1 de‸\n', /^description/, 'a description after other markers'],
    [
      'pipeline.yaml',
      'mode: string | enum="batch,stream" default="batch"',
      'mode: string | enum="batch,stream" ‸',
      /^default/,
      'a default after an enum',
    ],
    [
      'pipeline.yaml',
      'topic: string | required=true',
      'topic: string | req‸',
      /^required/,
      'required by its prefix in a custom type',
    ],
    [
      'pipeline.yaml',
      'cleanup: string | enum',
      'retention: ‸\n        cleanup: string | enum',
      /^string$/,
      'the type of a new field of a custom type',
    ],
    [
      'pipeline.yaml',
      '    types:\n      Source:',
      '    sco‸\n    types:\n      Source:',
      /^scope$/,
      'scope by its prefix',
    ],
    [
      'pipeline.yaml',
      'replicas: ${worker.status.replicas}',
      'replicas: ${worker.sta‸}',
      /^status$/,
      'status of a node by its prefix',
    ],
    [
      'pipeline.yaml',
      'brokers: ${topics[0].status.brokers}',
      'brokers: ${topics[0].status.‸}',
      /^(brokers|topicName)$/,
      'status of an item of a collection',
    ],
    [
      'pipeline.yaml',
      'brokers: ${topics[0].status.brokers}',
      'brokers: ${topics.map(t, t.status.‸)}',
      /^(topicName|brokers)$/,
      'status of a variable of map()',
    ],
    [
      'pipeline.yaml',
      'brokers: ${topics[0].status.brokers}',
      'brokers: ${topics.‸}',
      /^(map|filter|exists|all|size)$/,
      'macros of a collection',
    ],
    [
      'pipeline.yaml',
      'brokers: ${topics[0].status.brokers}',
      'brokers: ${top‸}',
      /^topics$/,
      'a node by its prefix in status',
    ],
    ['pipeline.yaml', '    - id: data\n', '    - id: data\n      inc‸\n', /^includeWhen$/, 'includeWhen by its prefix'],
    [
      'pipeline.yaml',
      '- ${schema.spec.mode == "stream"}',
      '- ${schema.spec.mode != "‸"}',
      /^"?(batch|stream)"?$/,
      'an enum after !=',
    ],
    [
      'pipeline.yaml',
      '- ${schema.spec.mode == "stream"}',
      '- ${schema.spec.mode in ["‸"]}',
      /^"?(batch|stream)"?$/,
      'an enum in a list',
    ],
    ['pipeline.yaml', '- ${schema.spec.mode == "stream"}', '- ${!schema.spec.‸}', /^suspend$/, 'a boolean after !'],
    [
      'pipeline.yaml',
      '- ${schema.spec.mode == "stream"}',
      '- ${schema.spec.maxReplicas > schema.spec.‸}',
      /^(minReplicas|maxReplicas)$/,
      'the other side of >',
    ],
    [
      'pipeline.yaml',
      '- ${worker.status.availableReplicas > 0}',
      '- ${worker.status.‸ > 0}',
      /^(availableReplicas|readyReplicas|replicas|updatedReplicas)$/,
      'a number in readyWhen',
    ],
    [
      'pipeline.yaml',
      '- ${worker.status.availableReplicas > 0}',
      '- ${worker.status.conditions.exists(c, c.type == "Available" && c.‸ == "True")}',
      /^status$/,
      'status of a condition',
    ],
    [
      'pipeline.yaml',
      'partitions: ${source.partitions}',
      'partitions: ${source.‸}',
      /^partitions$/,
      'the integer of an iterator',
    ],
    [
      'pipeline.yaml',
      'partitions: ${source.partitions}',
      'partitions: ${sou‸}',
      /^source$/,
      'an iterator by its prefix',
    ],
    [
      'pipeline.yaml',
      'cleanupPolicy: ${source.cleanup}',
      'cleanupPolicy: ‸',
      /^(delete|compact)$/,
      'an enum of a CRD in a template',
    ],
    [
      'pipeline.yaml',
      '          cleanupPolicy: ${source.cleanup}',
      '          ‸',
      /^(retention|cleanupPolicy|compressed)$/,
      'fields of a CRD in a template',
    ],
    [
      'pipeline.yaml',
      '        apiVersion: kafka.example.com/v1beta1',
      '        apiVersion: kaf‸',
      /^kafka\.example\.com\/v1beta1$/,
      'apiVersion of a CRD by its prefix',
    ],
    ['pipeline.yaml', 'name: ${role.metadata.name}', 'name: ${role.metadata.‸}', /^name$/, 'the name of a role'],
    [
      'pipeline.yaml',
      '            verbs: [get]',
      '            ‸',
      /^(verbs|resourceNames|nonResourceURLs)$/,
      'fields of a rule of a role',
    ],
    [
      'pipeline.yaml',
      '          - kind: ServiceAccount\n            name: ${account.metadata.name}',
      '          - kind: ServiceAccount\n            name: ${acc‸}',
      /^account$/,
      'a node by its prefix in subjects',
    ],
    [
      'pipeline.yaml',
      'accessModes: [ReadWriteOnce]',
      'accessModes: [‸]',
      /^(ReadWriteOnce|ReadWriteMany|ReadOnlyMany|ReadWriteOncePod)$/,
      'access modes',
    ],
    [
      'pipeline.yaml',
      '          accessModes: [ReadWriteOnce]',
      '          accessModes: [ReadWriteOnce]\n          stor‸',
      /^storageClassName$/,
      'storageClassName by its prefix',
    ],
    [
      'pipeline.yaml',
      '        kind: PersistentVolumeClaim\n        metadata:\n          name: ${schema',
      '        kind: Pers‸\n        metadata:\n          name: ${schema',
      /^PersistentVolumeClaim$/,
      'PersistentVolumeClaim by its prefix',
    ],
    [
      'pipeline.yaml',
      'concurrencyPolicy: Forbid',
      'concurrencyPolicy: ‸',
      /^(Allow|Forbid|Replace)$/,
      'concurrencyPolicy',
    ],
    [
      'pipeline.yaml',
      '          concurrencyPolicy: Forbid',
      '          ‸',
      /^(concurrencyPolicy|successfulJobsHistoryLimit|failedJobsHistoryLimit|startingDeadlineSeconds|timeZone)$/,
      'fields of a CronJob',
    ],
    [
      'pipeline.yaml',
      'suspend: ${schema.spec.suspend}',
      'suspend: ${schema.spec.‸}',
      /^suspend$/,
      'a boolean in a template',
    ],
    [
      'pipeline.yaml',
      'annotations: ${schema.spec.annotations}',
      'annotations: ${schema.spec.‸}',
      /^annotations$/,
      'a map in a template',
    ],
    [
      'pipeline.yaml',
      'value: ${topics.map(t, t.metadata.name).join(",")}',
      'value: ${settings.‸}',
      /^data$/,
      'data of an external ConfigMap',
    ],
    [
      'pipeline.yaml',
      'value: ${topics.map(t, t.metadata.name).join(",")}',
      'value: ${topics.map(t, t.metadata.name).‸}',
      /^join$/,
      'join for a string',
    ],
    [
      'pipeline.yaml',
      '                      value: ${topics',
      '                      ‸: ${topics',
      /^(value|valueFrom)$/,
      'fields of an environment variable',
    ],
    [
      'pipeline.yaml',
      '                      mountPath: /data',
      '                      mountPath: /data\n                      ‸',
      /^(readOnly|subPath|mountPropagation)$/,
      'fields of a volume mount',
    ],
    [
      'pipeline.yaml',
      '            - type: Resource\n',
      '            - type: ‸\n',
      /^(Resource|Pods|Object|External|ContainerResource)$/,
      'the type of a metric',
    ],
    [
      'pipeline.yaml',
      'maxReplicas: ${schema.spec.maxReplicas}',
      'maxReplicas: ${schema.spec.max‸}',
      /^maxReplicas$/,
      'a field by its prefix',
    ],
    ['pipeline.yaml', 'policyTypes: [Ingress]', 'policyTypes: [‸]', /^(Ingress|Egress)$/, 'types of a network policy'],
    [
      'pipeline.yaml',
      '          policyTypes: [Ingress]',
      '          ‸',
      /^(ingress|egress|policyTypes)$/,
      'fields of a network policy',
    ],
    [
      'pipeline.yaml',
      '    - id: settings\n      externalRef:',
      '    - id: settings\n      ext‸',
      /^externalRef$/,
      'externalRef by its prefix',
    ],
    ['clicks.yaml', '  mode: batch', '  mode: ‸', /^(batch|stream)$/, 'an enum of an instance'],
    [
      'clicks.yaml',
      '      cleanup: delete',
      '      cleanup: ‸',
      /^(delete|compact)$/,
      'an enum in a list of an instance',
    ],
    ['clicks.yaml', '    cpu: 250m', '    cpu: 250m\n    ‸', /^memory$/, 'fields of a custom type in an instance'],
    ['clicks.yaml', '  maxReplicas: 4', '  min‸', /^minReplicas$/, 'a field of an instance by its prefix'],
    ['clicks.yaml', '  suspend: false', '  suspend: ‸', /^(true|false)$/, 'a boolean of an instance'],
    [
      'set.yaml',
      '        size: << inputs.size >>',
      '        size: << inputs.‸ >>',
      /^(size|env|cluster)$/,
      'inputs of a ResourceSet',
    ],
    [
      'set.yaml',
      '        size: << inputs.size >>',
      '        size: << inputs.size | up‸ >>',
      /^upper$/,
      'a function by its prefix',
    ],
    [
      'set.yaml',
      '        mode: stream',
      '        mode: ‸',
      /^(batch|stream)$/,
      'an enum of an instance in a ResourceSet',
    ],
    [
      'set.yaml',
      '  commonMetadata:\n    labels:\n      owner: data',
      '  commonMetadata:\n    ‸',
      /^(labels|annotations)$/,
      'fields of commonMetadata',
    ],
    ['set.yaml', '      kind: ConfigMap', '      kind: Conf‸', /^ConfigMap$/, 'a kind by its prefix in a ResourceSet'],
    [
      'graph.yaml',
      'claimName: ${claim.metadata.name}',
      'claimName: ${claim.‸}',
      /^metadata$/,
      'members of a node of a Graph',
    ],
    [
      'graph.yaml',
      '              imagePullPolicy: Always',
      '              ‸',
      /^(command|args|env|ports|resources|volumeMounts|imagePullPolicy)$/,
      'fields of a container in a Graph',
    ],
    [
      'policies/requests.yaml',
      'variables.containers.all(c, c.image',
      'variables.‸.all(c, c.image',
      /^containers$/,
      'variables of a policy',
    ],
    [
      'policies/requests.yaml',
      '      reason: Forbidden',
      '      reason: ‸',
      /^(Forbidden|Invalid|Unauthorized|RequestEntityTooLarge)$/,
      'the reason of a validation',
    ],
    ['kustomization.yaml', '  - components/audit', '  - ‸', /^components\/audit/, 'the folder of a component'],
    ['generator.yaml', '  order: argocd', '  order: ‸', /^(argocd|kpt|none)$/, 'the order of a functionConfig'],
    [
      'tests/clicks/test.yaml',
      'onPending: skip',
      '‸',
      /^(onPending|namespace|strict|order|kro)$/,
      'options of a golden test',
    ],
  ],
};
