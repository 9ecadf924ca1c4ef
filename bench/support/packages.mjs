/** Returns an RGD of so many nodes; each reads the instance and, if `crossed`, two nodes before it. */
export function rgdOf(nodes, { crossed }) {
  const resources = Array.from({ length: nodes }, (_, index) =>
    [configMap, deployment, service][index % 3](index, crossed),
  );
  return `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: bench
spec:
  schema:
    apiVersion: v1alpha1
    kind: Bench
    spec:
      name: string | required=true
      image: string | default="nginx:1.27"
      replicas: integer | default=2 minimum=1
      env: 'map[string]string'
      ports: '[]integer'
    status:
      ready: \${node1.status.readyReplicas}
  resources:
${resources.join('')}`;
}

const before = (index, by) => (index < by ? 'schema' : `node${index - by}`);
const other = (index, crossed) => `\${${crossed ? before(index, 1) : 'schema'}.metadata.name + '-x'}`;

const configMap = (index, crossed) => `    - id: node${index}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.spec.name}-config-${index}
        data:
          first: ${other(index, crossed)}
          ports: \${schema.spec.ports.map(p, string(p)).join(',')}
          env: \${json.marshal(schema.spec.env)}
          size: "\${schema.spec.replicas > 3 ? 'large' : 'small'}"
`;

const deployment = (index, crossed) => `    - id: node${index}
      includeWhen:
        - \${schema.spec.replicas > 0}
      readyWhen:
        - \${node${index}.status.readyReplicas > 0}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.spec.name}-${index}
          labels:
            app: \${schema.spec.name}
            after: ${other(index, crossed)}
        spec:
          replicas: \${schema.spec.replicas}
          selector:
            matchLabels:
              app: \${schema.spec.name}
          template:
            metadata:
              labels:
                app: \${schema.spec.name}
            spec:
              containers:
                - name: main
                  image: \${schema.spec.image}
                  ports:
                    - containerPort: \${schema.spec.ports[0]}
                  env:
                    - name: CONFIG
                      value: \${${crossed ? before(index, 1) : 'schema'}.metadata.name}
                  resources:
                    requests:
                      cpu: 100m
                      memory: "\${schema.spec.replicas > 2 ? '256Mi' : '128Mi'}"
`;

const service = (index, crossed) => `    - id: node${index}
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: \${schema.spec.name}-svc-${index}
          annotations:
            for: ${other(index, crossed)}
        spec:
          selector:
            app: \${${crossed ? `${before(index, 1)}.spec.selector.matchLabels.app` : 'schema.spec.name'}}
          ports:
            - port: \${schema.spec.ports[0]}
              targetPort: \${${crossed ? `${before(index, 1)}.spec.template.spec.containers[0].ports[0].containerPort` : 'schema.spec.ports[0]'}}
`;

/** An RGD of 60 nodes that read each other, and instances of it. */
export function widePackage(count) {
  const instance = (index) => `apiVersion: kro.run/v1alpha1
kind: Bench
metadata: {name: bench-${index}, namespace: default}
spec:
  name: bench-${index}
  env: {LOG_LEVEL: info}
  ports: [8080, 9090]
`;
  return documents(rgdOf(60, { crossed: true }), instance, count);
}

/** Four RGDs, each of which renders an instance of the next, and a collection over two lists in each. */
export function deepPackage(count) {
  const instance = (index) => `apiVersion: kro.run/v1alpha1
kind: Level1
metadata: {name: deep-${index}, namespace: default}
spec:
  regions: [eu-west-1, us-east-1, ap-south-1]
  tiers: [web, worker]
`;
  return documents([1, 2, 3, 4].map(levelOf).join('---\n'), instance, count);
}

/** Instances of an RGD of seven nodes, each of which reads the one before. */
export function chainPackage(count) {
  const nodes = Array.from(
    { length: 7 },
    (_, index) => `    - id: link${index}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.metadata.name}-${index}
        data:
          before: \${${index === 0 ? 'schema.spec.text' : `link${index - 1}.data.before + link${index - 1}.metadata.name`}}
          length: \${string(size(${index === 0 ? 'schema.spec.text' : `link${index - 1}.data.before`}))}
`,
  );
  return documents(simpleRgd('Chain', 'text: string', nodes.join('')), simpleInstance('Chain', 'text: abc'), count);
}

/** Instances of an RGD with one collection of seven objects. */
export function collectionPackage(count) {
  const node = `    - id: places
      forEach:
        - zone: \${schema.spec.zones}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.metadata.name}-\${zone}
        data:
          zone: \${zone}
          address: \${zone}.\${schema.metadata.name}.example
          others: \${schema.spec.zones.filter(other, other != zone).join(",")}
`;
  const zones = 'zones: [a, b, c, d, e, f, g]';
  return documents(simpleRgd('Zones', 'zones: "[]string"', node), simpleInstance('Zones', zones), count);
}

const simpleRgd = (kind, spec, resources) => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: ${kind.toLowerCase()}
spec:
  schema:
    apiVersion: v1alpha1
    kind: ${kind}
    spec:
      ${spec}
  resources:
${resources}`;

const simpleInstance = (kind, spec) => (index) =>
  `apiVersion: kro.run/v1alpha1
kind: ${kind}
metadata: {name: ${kind.toLowerCase()}-${index}, namespace: default}
spec:
  ${spec}
`;

const documents = (rgds, instance, count) =>
  [rgds, ...Array.from({ length: count }, (_, index) => instance(index))].join('---\n');

const levelOf = (level) => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: level${level}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Level${level}
    spec:
      regions: "[]string"
      tiers: "[]string"
  resources:
    - id: settings
      forEach:
        - region: \${schema.spec.regions}
        - tier: \${schema.spec.tiers}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.metadata.name}-\${region}-\${tier}
        data:
          region: \${region}
          tier: \${tier}
          address: \${tier}.\${region}.example
${level === 4 ? '' : nextLevel(level + 1)}`;

const nextLevel = (level) => `    - id: next
      template:
        apiVersion: kro.run/v1alpha1
        kind: Level${level}
        metadata:
          name: \${schema.metadata.name}-${level}
        spec:
          regions: \${schema.spec.regions}
          tiers: \${schema.spec.tiers}
`;
