import type { PlacePackage } from './place.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: webapp
spec:
  schema:
    apiVersion: v1alpha1
    kind: WebApp
    spec:
      name: string
      image: string | default="nginx:latest"
      port: integer | default=8080
      env: "map[string]string"
      domains: "[]string"
      database:
        enabled: boolean | default=false
        name: string | default="mydb"
        storageSize: string | default="10Gi"
      logLevel: string | enum="debug,info,warn" default="info"
      team: Team
    types:
      Team:
        owner: string
        email: string
    status:
      url: \${ingress.spec.rules[0].host}
      ready: \${app.status.availableReplicas}
    additionalPrinterColumns:
      - name: Url
        jsonPath: .status.url
        type: string
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.spec.name}-config
        data:
          level: \${schema.spec.logLevel}
    - id: app
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.spec.name}
        spec:
          replicas: 2
          selector:
            matchLabels:
              app: web
          template:
            metadata:
              labels:
                app: web
            spec:
              containers:
                - name: app
                  image: \${schema.spec.image}
                  ports:
                    - containerPort: \${schema.spec.port}
                  envFrom:
                    - configMapRef:
                        name: \${config.metadata.name}
                  livenessProbe:
                    httpGet:
                      path: /health
                      port: \${schema.spec.port}
                  resources:
                    limits:
                      cpu: 500m
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: \${schema.spec.name}
        spec:
          type: ClusterIP
          selector: \${app.spec.selector.matchLabels}
          ports:
            - port: 80
              targetPort: \${schema.spec.port}
    - id: ingress
      includeWhen:
        - \${schema.spec.domains.size() > 0}
      template:
        apiVersion: networking.k8s.io/v1
        kind: Ingress
        metadata:
          name: \${schema.spec.name}
        spec:
          rules:
            - host: \${schema.spec.domains[0]}
              http:
                paths:
                  - path: /
                    pathType: Prefix
                    backend:
                      service:
                        name: \${service.metadata.name}
                        port:
                          number: 80
    - id: database
      includeWhen:
        - \${schema.spec.database.enabled}
      template:
        apiVersion: apps/v1
        kind: StatefulSet
        metadata:
          name: \${schema.spec.name}-db
        spec:
          serviceName: db
          selector:
            matchLabels:
              app: db
          template:
            metadata:
              labels:
                app: db
            spec:
              containers:
                - name: postgres
                  image: postgres:15
    - id: perDomain
      forEach:
        - domain: \${schema.spec.domains}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.spec.name}-\${domain}
    - id: shared
      externalRef:
        apiVersion: v1
        kind: Secret
        metadata:
          name: shared
          namespace: platform
`;

const STACK = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: stack
spec:
  schema:
    apiVersion: v1alpha1
    kind: Stack
    spec:
      name: string
  resources:
    - id: web
      template:
        apiVersion: kro.run/v1alpha1
        kind: WebApp
        metadata:
          name: \${schema.spec.name}
        spec:
          name: \${schema.spec.name}
          logLevel: info
`;

const INSTANCE = `apiVersion: kro.run/v1alpha1
kind: WebApp
metadata:
  name: shop
  namespace: prod
spec:
  name: shop
  port: 8080
  database:
    enabled: true
  logLevel: info
`;

const SET = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata:
  name: tenants
  namespace: flux-system
  annotations:
    fluxcd.controlplane.io/reconcile: enabled
spec:
  dependsOn:
    - apiVersion: v1
      kind: Namespace
      name: flux-system
  inputsFrom:
    - kind: ResourceSetInputProvider
      name: prs
  inputs:
    - tenant: a
      domain: a.example.com
  resources:
    - apiVersion: kro.run/v1alpha1
      kind: WebApp
      metadata:
        name: << inputs.tenant >>
        namespace: apps
      spec:
        name: << inputs.tenant >>
        logLevel: info
`;

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: limits
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE]
        resources: [deployments]
  validations:
    - expression: object.spec.template.spec.containers.all(c, has(c.resources))
      reason: Invalid
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: limits
spec:
  policyName: limits
  validationActions: [Deny]
`;

const GRAPH = `apiVersion: kro.run/v1alpha1
kind: Graph
metadata:
  name: jobs
  namespace: web
spec:
  nodes:
    - id: account
      template:
        apiVersion: v1
        kind: ServiceAccount
        metadata:
          name: runner
    - id: job
      template:
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: run
        spec:
          template:
            spec:
              serviceAccountName: \${account.metadata.name}
              restartPolicy: Never
              containers:
                - name: main
                  image: busybox
`;

const KUSTOMIZATION = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: prod
resources:
  - webapp.yaml
  - apps/shop.yaml
patches:
  - path: patch.yaml
    target:
      kind: Deployment
generators:
  - generator.yaml
images:
  - name: nginx
    newTag: "1.27"
`;

const PATCH = `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  replicas: 3\n`;

const GENERATOR = `apiVersion: fn.kpt.dev/v1alpha1
kind: RenderRGD
metadata:
  name: render
  annotations:
    config.kubernetes.io/function: |
      exec: {path: render-rgd}
spec:
  definitions: [webapp.yaml]
  onPending: fail
`;

const TEST = `input: [input.yaml]\ndefinitions: [../../webapp.yaml]\nobserved: []\noptions:\n  namespace: prod\n`;

const CONFIGURATION = `rules:\n  - code: lint-unread-field\n    severity: off\n    reason: because\npolicies:\n  - policies\n`;

/** A package of a web application, with what authors type in it. */
export const WEB: PlacePackage = {
  files: {
    'webapp.yaml': RGD,
    'stack.yaml': STACK,
    'apps/shop.yaml': INSTANCE,
    'set.yaml': SET,
    'policies/limits.yaml': POLICY,
    'graph.yaml': GRAPH,
    'kustomization.yaml': KUSTOMIZATION,
    'patch.yaml': PATCH,
    'generator.yaml': GENERATOR,
    'tests/one/test.yaml': TEST,
    'tests/one/input.yaml': INSTANCE,
    'tests/one/expected.yaml': '',
    'render-rgd.yaml': CONFIGURATION,
  },
  places: [
    [
      'webapp.yaml',
      'port: integer | default=8080',
      'port: integer | default=8080 ‸',
      /^(minimum|maximum|description|required)/,
      'second marker of an integer',
    ],
    [
      'webapp.yaml',
      'enabled: boolean | default=false',
      'enabled: boolean | default=‸',
      /^(true|false)$/,
      'default of a boolean',
    ],
    ['webapp.yaml', 'default="info"', 'default="‸"', /^(debug|info|warn)$/, 'default of an enum'],
    ['webapp.yaml', '      team: Team', '      team: T‸', /^Team$/, 'custom type by prefix'],
    ['webapp.yaml', 'domains: "[]string"', 'domains: "[]‸"', /^(string|integer|object|Team)$/, 'item type of a list'],
    ['webapp.yaml', 'env: "map[string]string"', 'env: "map[string]‸"', /^(string|integer)$/, 'value type of a map'],
    ['webapp.yaml', 'name: string\n', 'name: ‸string\n', /^string$/, 'before a type'],
    [
      'webapp.yaml',
      'url: ${ingress.spec.rules[0].host}',
      'url: ${ingress.spec.rules[0].‸}',
      /^host$/,
      'field of a list item by index',
    ],
    ['webapp.yaml', 'url: ${ingress.spec.rules[0].host}', 'url: ${ingress.spec.‸}', /^rules$/, 'ingress spec'],
    [
      'webapp.yaml',
      'url: ${ingress.spec.rules[0].host}',
      'url: ${service.status.loadBalancer.‸}',
      /^ingress$/,
      'load balancer status',
    ],
    [
      'webapp.yaml',
      'url: ${ingress.spec.rules[0].host}',
      'url: ${service.spec.clus‸}',
      /^clusterIP$/,
      'clusterIP by prefix',
    ],
    [
      'webapp.yaml',
      '.status.url\n        type: string',
      '.status.url\n        type: ‸',
      /^(string|integer|date)$/,
      'type of a printer column',
    ],
    [
      'webapp.yaml',
      '        jsonPath: .status.url',
      '        ‸',
      /^(jsonPath|priority|description|format)$/,
      'fields of a printer column',
    ],
    ['webapp.yaml', 'level: ${schema.spec.logLevel}', 'level: ${schema.spec.log‸}', /^logLevel$/, 'field by prefix'],
    [
      'webapp.yaml',
      'level: ${schema.spec.logLevel}',
      'level: ${schema.spec.database.‸}',
      /^(name|storageSize)$/,
      'string of a nested struct first',
    ],
    [
      'webapp.yaml',
      'level: ${schema.spec.logLevel}',
      'level: ${string(schema.spec.‸)}',
      /^(port|name|image)$/,
      'argument of string()',
    ],
    [
      'webapp.yaml',
      'level: ${schema.spec.logLevel}',
      'level: ${schema.spec.team.‸}',
      /^(owner|email)$/,
      'fields of a custom type',
    ],
    [
      'webapp.yaml',
      'level: ${schema.spec.logLevel}',
      'level: ${schema.spec.logLevel == "‸"}',
      /^"?(debug|info|warn)"?$/,
      'enum of a comparison',
    ],
    [
      'webapp.yaml',
      'level: ${schema.spec.logLevel}',
      'level: ${has(schema.spec.‸)}',
      /^(database|env|image|team|domains|logLevel|name|port)$/,
      'argument of has()',
    ],
    [
      'webapp.yaml',
      'level: ${schema.spec.logLevel}',
      'level: ${string(app.status.?‸)}',
      /^(readyReplicas|availableReplicas|replicas|conditions|updatedReplicas)$/,
      'optional field of a status',
    ],
    [
      'webapp.yaml',
      'level: ${schema.spec.logLevel}',
      'level: ${schema.spec.env.‸}',
      /^(map|exists|filter|all|size|transformList|transformMap)$/,
      'macros of a map',
    ],
    ['webapp.yaml', 'level: ${schema.spec.logLevel}', 'level: ${schema.spec.domains.jo‸}', /^join$/, 'join of a list'],
    [
      'webapp.yaml',
      'level: ${schema.spec.logLevel}',
      'level: ${base64.‸}',
      /^(encode|decode)$/,
      'functions of a namespace',
    ],
    ['webapp.yaml', 'level: ${schema.spec.logLevel}', 'level: ${json.‸}', /^(marshal|unmarshal)$/, 'functions of json'],
    [
      'webapp.yaml',
      'level: ${schema.spec.logLevel}',
      'level: ${schema.spec.domains.map(d, d.‸)}',
      /^(replace|split|lowerAscii|size|startsWith|upperAscii|trim|contains)$/,
      'functions of an item',
    ],
    [
      'webapp.yaml',
      '- ${schema.spec.domains.size() > 0}',
      '- ${schema.spec.domains.‸}',
      /^(size|exists|all)$/,
      'list in a condition',
    ],
    [
      'webapp.yaml',
      '- ${schema.spec.database.enabled}',
      '- ${schema.spec.database.‸}',
      /^enabled$/,
      'boolean in a condition',
    ],
    ['webapp.yaml', '- domain: ${schema.spec.domains}', '- domain: ${‸}', /^schema$/, 'start of forEach'],
    [
      'webapp.yaml',
      'name: ${schema.spec.name}-${domain}',
      'name: ${schema.spec.name}-${dom‸}',
      /^domain$/,
      'iterator by prefix',
    ],
    [
      'webapp.yaml',
      '          selector: ${app.spec.selector.matchLabels}',
      '          selector: ${app.spec.selector.‸}',
      /^matchLabels$/,
      'selector of a Deployment',
    ],
    ['webapp.yaml', 'name: ${config.metadata.name}', 'name: ${con‸}', /^config$/, 'node by prefix'],
    [
      'webapp.yaml',
      '          type: ClusterIP',
      '          type: ‸',
      /^(ClusterIP|NodePort|LoadBalancer|ExternalName)$/,
      'type of a Service',
    ],
    ['webapp.yaml', 'pathType: Prefix', 'pathType: ‸', /^(Prefix|Exact|ImplementationSpecific)$/, 'pathType'],
    [
      'webapp.yaml',
      '              targetPort: ${schema.spec.port}',
      '              ‸',
      /^(targetPort|name|protocol|nodePort|appProtocol)$/,
      'fields of a service port',
    ],
    [
      'webapp.yaml',
      '                      path: /health\n',
      '                      ‸\n',
      /^(path|scheme|host|httpHeaders)$/,
      'fields of httpGet',
    ],
    [
      'webapp.yaml',
      '                  livenessProbe:',
      '                  read‸\n                  livenessProbe:',
      /^readinessProbe$/,
      'readinessProbe by prefix',
    ],
    [
      'webapp.yaml',
      '                      cpu: 500m',
      '                      ‸',
      /^(cpu|memory)$/,
      'names of resources',
    ],
    [
      'webapp.yaml',
      '                - name: postgres',
      '                - name: postgres\n                  ‸',
      /^(env|ports|volumeMounts|resources|command|args|envFrom)$/,
      'fields of a container',
    ],
    [
      'webapp.yaml',
      '          serviceName: db',
      '          serviceName: db\n          vol‸',
      /^volumeClaimTemplates$/,
      'volumeClaimTemplates by prefix',
    ],
    [
      'webapp.yaml',
      '        apiVersion: networking.k8s.io/v1',
      '        apiVersion: net‸',
      /^networking\.k8s\.io\/v1$/,
      'apiVersion of an Ingress',
    ],
    ['webapp.yaml', '        kind: StatefulSet', '        kind: State‸', /^StatefulSet$/, 'kind by prefix'],
    ['webapp.yaml', '        kind: Secret\n', '        kind: ‸\n', /^(Secret|ConfigMap)$/, 'kind of a reference'],
    [
      'webapp.yaml',
      '          namespace: platform',
      '          ‸',
      /^(namespace|selector)$/,
      'metadata of a reference',
    ],
    ['stack.yaml', '        kind: WebApp', '        kind: ‸', /^WebApp$/, 'kind of another RGD'],
    ['stack.yaml', '          logLevel: info', '          logLevel: ‸', /^(debug|info|warn)$/, 'enum of another RGD'],
    [
      'stack.yaml',
      '          logLevel: info',
      '          ‸',
      /^(image|port|database|logLevel|domains|env|team)$/,
      'fields of another RGD',
    ],
    ['apps/shop.yaml', '    enabled: true', '    enabled: ‸', /^(true|false)$/, 'boolean of an instance'],
    ['apps/shop.yaml', '    enabled: true', '    ‸', /^(enabled|name|storageSize)$/, 'fields of a nested struct'],
    ['apps/shop.yaml', 'kind: WebApp', 'kind: Web‸', /^WebApp$/, 'kind of an instance by prefix'],
    ['set.yaml', '        logLevel: info', '        logLevel: ‸', /^(debug|info|warn)$/, 'enum inside a ResourceSet'],
    [
      'set.yaml',
      '    - kind: ResourceSetInputProvider\n      name: prs',
      '    - kind: ResourceSetInputProvider\n      ‸',
      /^(name|selector|apiVersion)$/,
      'fields of inputsFrom',
    ],
    [
      'set.yaml',
      '        name: << inputs.tenant >>\n        namespace',
      '        name: << inputs.do‸ >>\n        namespace',
      /^domain$/,
      'input by prefix',
    ],
    [
      'policies/limits.yaml',
      'validationActions: [Deny]',
      'validationActions: [‸]',
      /^(Deny|Warn|Audit)$/,
      'actions of a binding',
    ],
    [
      'policies/limits.yaml',
      'has(c.resources)',
      'has(c.‸)',
      /^(resources|image|name|securityContext)$/,
      'macro variable in a policy',
    ],
    [
      'graph.yaml',
      'restartPolicy: Never',
      'restartPolicy: ‸',
      /^(Never|OnFailure|Always)$/,
      'restartPolicy in a Graph',
    ],
    ['kustomization.yaml', '  - path: patch.yaml', '  - path: ‸', /patch\.yaml$/, 'path of a patch'],
    [
      'kustomization.yaml',
      'images:\n',
      '‸\nimages:\n',
      /^(configMapGenerator|secretGenerator|components|labels|commonAnnotations|namePrefix|transformers|replacements|replicas)$/,
      'fields of a kustomization',
    ],
    [
      'generator.yaml',
      '  onPending: fail',
      '  onPending: ‸',
      /^(fail|skip|passthrough)$/,
      'onPending of a functionConfig',
    ],
    [
      'tests/one/test.yaml',
      'definitions: [../../webapp.yaml]',
      'definitions: [‸]',
      /webapp\.yaml$/,
      'definitions of a golden test',
    ],
    ['render-rgd.yaml', '    reason: because', '    ‸', /^(reason|paths)$/, 'fields of a rule'],
  ],
};
