/** Returns one RGD and `count` instances of it, seven objects each: a typical small web application. */
export function workload(count) {
  return [RGD, ...Array.from({ length: count }, (_, index) => instance(index))].join('---\n');
}

/** Returns the same instances of an RGD that renders nothing. */
export function emptyWorkload(count) {
  return workload(count).replace(/ {2}resources:\n(?: {4}.*\n)+/, '  resources: []\n');
}

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: webapp
spec:
  schema:
    apiVersion: v1alpha1
    kind: WebApp
    spec:
      name: string | required=true
      image: string | default="nginx:1.27"
      replicas: integer | default=2 minimum=1 maximum=50
      port: integer | default=8080
      env: "map[string]string"
      regions: "[]string"
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.spec.name}-config"}
        data: \${schema.spec.env}
    - id: account
      template:
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: "\${schema.spec.name}"}
    - id: deployment
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.spec.name}
          labels: {app: "\${schema.spec.name}"}
        spec:
          replicas: \${schema.spec.replicas}
          selector:
            matchLabels: {app: "\${schema.spec.name}"}
          template:
            metadata:
              labels: {app: "\${schema.spec.name}"}
            spec:
              serviceAccountName: \${account.metadata.name}
              containers:
                - name: app
                  image: \${schema.spec.image}
                  ports:
                    - containerPort: \${schema.spec.port}
                  env: "\${schema.spec.env.map(key, {'name': key, 'value': schema.spec.env[key]})}"
                  envFrom:
                    - configMapRef: {name: "\${config.metadata.name}"}
                  resources:
                    requests: {cpu: 100m, memory: 128Mi}
                    limits: {memory: 256Mi}
                  livenessProbe:
                    httpGet: {path: /healthz, port: "\${schema.spec.port}"}
                  readinessProbe:
                    httpGet: {path: /ready, port: "\${schema.spec.port}"}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "\${deployment.metadata.name}"}
        spec:
          selector: \${deployment.spec.selector.matchLabels}
          ports:
            - {name: http, port: 80, targetPort: "\${schema.spec.port}"}
    - id: regional
      forEach:
        - region: \${schema.spec.regions}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.spec.name}-\${region}"}
        data:
          region: \${region}
          endpoint: http://\${service.metadata.name}.\${region}.svc
`;

/** Returns what differs between instances. */
export function valuesOf(index) {
  const name = `app-${String(index).padStart(5, '0')}`;
  return {
    name,
    namespace: `team-${index % 20}`,
    image: `registry.example/app:${index % 7}.${index % 11}`,
    replicas: 1 + (index % 5),
    port: 8000 + (index % 100),
    env: { LOG_LEVEL: 'info', REGION: 'eu', TIER: String(index % 3) },
    regions: ['eu-west-1', 'us-east-1', 'ap-south-1'],
  };
}

function instance(index) {
  const { name, namespace, image, replicas, port, env, regions } = valuesOf(index);
  const variables = Object.entries(env).map(([key, value]) => `    ${key}: "${value}"\n`);
  return `apiVersion: kro.run/v1alpha1
kind: WebApp
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  name: ${name}
  image: ${image}
  replicas: ${replicas}
  port: ${port}
  env:
${variables.join('')}  regions: [${regions.join(', ')}]
`;
}
