import type { PackageFile, PackageOptions } from '../engine/protocol.ts';

/** A package to begin with. */
export interface Starter {
  readonly title: string;
  readonly files: readonly PackageFile[];
  readonly options?: PackageOptions;
}

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: web-app
spec:
  schema:
    apiVersion: v1alpha1
    kind: WebApp
    spec:
      image: string | required=true
      replicas: integer | default=2 minimum=1
  resources:
    - id: deployment
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.metadata.name}
        spec:
          replicas: \${schema.spec.replicas}
          selector:
            matchLabels:
              app: \${schema.metadata.name}
          template:
            metadata:
              labels:
                app: \${schema.metadata.name}
            spec:
              containers:
                - name: web
                  image: \${schema.spec.image}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: \${deployment.metadata.name}
        spec:
          selector:
            app: \${schema.metadata.name}
          ports:
            - port: 80
`;
const INSTANCE = `apiVersion: kro.run/v1alpha1
kind: WebApp
metadata:
  name: shop
  namespace: default
spec:
  image: nginx:1.29
`;
const SET = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata:
  name: teams
  namespace: default
spec:
  inputs:
    - team: web
    - team: data
  resources:
    - apiVersion: v1
      kind: Namespace
      metadata:
        name: << inputs.team >>
`;
const GRAPH = `apiVersion: kro.run/v1alpha1
kind: Graph
metadata:
  name: web
  namespace: default
spec:
  nodes:
    - id: names
      def:
        app: web
    - id: settings
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${names.app}
        data:
          greeting: hello
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: \${settings.metadata.name}
        spec:
          ports:
            - port: 80
`;
/** A policy that is bound to all Deployments. */
export const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: no-latest
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [deployments]
  validations:
    - expression: object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest'))
      message: an image needs a version, not latest
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: no-latest
spec:
  policyName: no-latest
  validationActions: [Deny]
`;

const file = (name: string, text: string): PackageFile => ({ name, text, role: 'objects' });

export const STARTERS: readonly Starter[] = [
  { title: 'RGD with an instance', files: [file('web-app.rgd.yaml', RGD), file('shop.yaml', INSTANCE)] },
  { title: 'ResourceSet', files: [file('teams.yaml', SET)] },
  { title: 'Graph of kro 0.10', files: [file('web.yaml', GRAPH)], options: { kro: '0.10', experimental: ['graph'] } },
  {
    title: 'Policy with what it checks',
    files: [file('web-app.rgd.yaml', RGD), file('shop.yaml', INSTANCE), file('policy.yaml', POLICY)],
  },
  { title: 'Empty file', files: [file('new.yaml', '')] },
];
