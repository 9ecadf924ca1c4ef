import { valuesOf } from './workload.mjs';

/**
 * Returns one ResourceSet with `count` inputs, seven objects each: the objects of the workload as Flux users write
 * them.
 */
export function resourceSet(count) {
  return TEMPLATE.replace('INPUTS', Array.from({ length: count }, (_, index) => input(index)).join(''));
}

const TEMPLATE = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata:
  name: apps
  namespace: platform
spec:
  inputs:
INPUTS  resources:
    - apiVersion: v1
      kind: ConfigMap
      metadata:
        name: << inputs.name >>-config
        namespace: << inputs.namespace >>
      data: << inputs.env | toJson >>
    - apiVersion: v1
      kind: ServiceAccount
      metadata:
        name: << inputs.name >>
        namespace: << inputs.namespace >>
    - apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: << inputs.name >>
        namespace: << inputs.namespace >>
        labels:
          app: << inputs.name >>
      spec:
        replicas: << inputs.replicas | int >>
        selector:
          matchLabels:
            app: << inputs.name >>
        template:
          metadata:
            labels:
              app: << inputs.name >>
          spec:
            serviceAccountName: << inputs.name >>
            containers:
              - name: app
                image: << inputs.image >>
                ports:
                  - containerPort: << inputs.port | int >>
                envFrom:
                  - configMapRef:
                      name: << inputs.name >>-config
                resources:
                  requests:
                    cpu: 100m
                    memory: 128Mi
                  limits:
                    memory: 256Mi
                livenessProbe:
                  httpGet:
                    path: /healthz
                    port: << inputs.port | int >>
                readinessProbe:
                  httpGet:
                    path: /ready
                    port: << inputs.port | int >>
    - apiVersion: v1
      kind: Service
      metadata:
        name: << inputs.name >>
        namespace: << inputs.namespace >>
      spec:
        selector:
          app: << inputs.name >>
        ports:
          - name: http
            port: 80
            targetPort: << inputs.port | int >>
  resourcesTemplate: |
    <<- range $region := inputs.regions >>
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: << inputs.name >>-<< $region >>
      namespace: << inputs.namespace >>
    data:
      region: << $region | quote >>
      endpoint: http://<< inputs.name >>.<< $region >>.svc
    <<- end >>
`;

function input(index) {
  const { name, namespace, image, replicas, port, env, regions } = valuesOf(index);
  const variables = Object.entries(env).map(([key, value]) => `        ${key}: "${value}"\n`);
  return `    - name: ${name}
      namespace: ${namespace}
      image: ${image}
      replicas: ${replicas}
      port: ${port}
      env:
${variables.join('')}      regions: [${regions.join(', ')}]
`;
}
