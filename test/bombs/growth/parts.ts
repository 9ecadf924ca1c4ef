/** Parts of the texts of test/bombs/growth/dimensions.ts. */

/** Returns the texts for 0 to `count - 1`. */
export const repeated = (count: number, each: (index: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, index) => each(index)).join(between);

export const rgd = (kind: string, spec: string, nodes: string, status = '{}', types = '{}'): string =>
  `---\napiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: ${kind.toLowerCase()}}\nspec:\n  schema:\n    apiVersion: v1alpha1\n    kind: ${kind}\n    types: ${types}\n    spec: ${spec}\n    status: ${status}\n  resources:\n${nodes}`;

export const instance = (kind: string, name: string, spec = '{}', namespace = 'web'): string =>
  `---\napiVersion: kro.run/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: ${spec}\n`;

/** Returns a node that renders a ConfigMap. */
export const config = (id: string, name: string, data = '{a: b}'): string =>
  `  - {id: ${id}, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: ${data}}}\n`;

/** Returns a ConfigMap. */
export const item = (name: string, data = '{a: b}'): string =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: web}\ndata: ${data}\n`;

export const resourceSet = (name: string, inputs: string, value: string, object = 'c'): string =>
  `---\napiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: ${name}, namespace: web}\nspec:\n  inputs: [${inputs}]\n  resourcesTemplate: |\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: ${object === 'c' ? `c-${name}` : object}}\n    data: {v: '${value}'}\n`;

/** Returns a policy for new objects of a resource of the core group, and its binding. */
export const policy = (name: string, expression: string, resource = 'configmaps'): string =>
  `---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: ${name}}\nspec:\n  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [${resource}]}]}\n  validations: [{expression: '${expression}'}]\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b-${name}}\nspec: {policyName: ${name}, validationActions: [Deny]}\n`;

export const role = (name: string, rules: string): string =>
  `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: ${name}}\nrules: ${rules}\n`;

/** An RGD whose instances read an object that another instance, or a person, may have written: `spec.a` names it. */
export const READS_ANOTHER = rgd(
  'App',
  '{a: "string | default=x"}',
  `  - {id: e, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, name: "c-\${schema.spec.a}"}}}\n${config('c', '"c-${schema.metadata.name}"', '{a: "${e.data.a}"}')}`,
);
