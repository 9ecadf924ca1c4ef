/** Random packages whose objects have to do with each other in many ways, and random edits of them. */

import type { Draw } from '../../seed.ts';

const pick = <T>(draw: Draw, items: readonly T[]): T => items[draw(items.length)] as T;

const GROUPS = ['kro.run', 'kro.run', 'kro.run', 'acme.example.com'];
const KINDS = [
  'Alpha',
  'Beta',
  'Gamma',
  'Delta',
  'Epsilon',
  'Alpine',
  'Zeta',
  'Eta',
  'Theta',
  'Iota',
  'Kappa',
  'Lambda',
];
const NAMES = ['one', 'two', 'three'];
const NAMESPACES = ['a', 'b'];

/** The nodes that an RGD may have, each with the fields of a template or reference. */
const NODES: readonly ((draw: Draw, id: string) => string)[] = [
  (draw, id) => configMap(id, pick(draw, ['${schema.spec.name}', '${schema.metadata.name}-config', 'shared'])),
  (draw, id) => configMap(id, `\${schema.spec.${pick(draw, ['name', 'nme', 'size'])}}`),
  (draw, id) => `    - id: ${id}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "\${schema.spec.name}-${draw(2)}"}
        spec:
          replicas: \${schema.spec.${pick(draw, ['size', 'size', 'name'])}}
          selector: {matchLabels: {app: x}}
          template: {metadata: {labels: {app: x}}, spec: {containers: [{name: app, image: "x:1"}]}}
`,
  (draw, id) => `    - id: ${id}
      template:
        apiVersion: ${pick(draw, GROUPS)}/v1alpha1
        kind: ${pick(draw, KINDS)}
        metadata: {name: "\${schema.spec.name}-nested"}
        spec: {name: "\${schema.spec.name}-${draw(3)}"}
`,
  (draw, id) => `    - id: ${id}
      externalRef:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: ${pick(draw, ['settings', 'shared', 'one', '"${schema.spec.name}"'])}${pick(draw, ['', ', namespace: a'])}}
    - id: ${id}copy
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.spec.name}-copy-${draw(2)}"}
        data: {value: "\${${id}.data.value}"}
`,
  (draw, id) => `    - id: ${id}
      externalRef:
        apiVersion: ${pick(draw, ['v1', 'widgets.example.com/v1'])}
        kind: ${pick(draw, ['ConfigMap', 'Secret'])}
        metadata: {selector: {matchLabels: {app: x}}}
`,
  (draw, id) => `    - id: ${id}
      externalRef:
        apiVersion: ${pick(draw, GROUPS)}/v1alpha1
        kind: ${pick(draw, KINDS)}
        metadata: {name: ${pick(draw, NAMES)}}
`,
  (draw, id) => `    - id: ${id}
      template:
        apiVersion: ${pick(draw, ['widgets.example.com/v1', 'widgets.example.com/v1', 'widget.example.com/v1'])}
        kind: ${pick(draw, ['Widget', 'Wodget'])}
        metadata: {name: "\${schema.spec.name}"}
        spec: {color: ${pick(draw, ['red', '"${schema.spec.name}"', '3'])}}
`,
  (draw, id) => `    - id: ${id}
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "\${schema.spec.name}-${draw(2)}"}
        spec: {ports: [{port: 80}], type: LoadBalancer}
    - id: ${id}after
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.spec.name}-after${draw(2)}"}
        data: {host: "\${${id}.status.loadBalancer.ingress[0].hostname}"}
`,
  (draw, id) => `    - id: ${id}
      forEach: [{item: "\${schema.spec.items}"}]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${pick(draw, ['${schema.spec.name}-${item}', '${item}'])}"}
`,
  (_, id) => `    - id: ${id}
      template:
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: "\${schema.spec.name}"}
`,
];

const configMap = (id: string, name: string): string => `    - id: ${id}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${name}"}
        data: {value: x}
`;

function rgd(draw: Draw): string {
  const kind = pick(draw, KINDS);
  const nodes = Array.from({ length: 1 + draw(3) }, (_, index) => pick(draw, NODES)(draw, `node${index}`)).join('');
  return `apiVersion: kro.run/v1alpha1
kind: ${draw(12) === 0 ? 'ResourceGraphDefinitions' : 'ResourceGraphDefinition'}
metadata: {name: ${pick(draw, [kind.toLowerCase(), 'shared'])}}
spec:
  schema:
    apiVersion: v1alpha1
    kind: ${kind}
    group: ${pick(draw, GROUPS)}
${draw(8) === 0 ? '    plural: alphas\n' : ''}    spec:
      name: string | ${pick(draw, ['required=true', 'default=one', 'requird=true'])}
      size: integer | default=1 maximum=${pick(draw, ['3', 'x'])}
      items: "[]string"
  resources:
${nodes}`;
}

const instance = (
  draw: Draw,
): string => `apiVersion: ${pick(draw, GROUPS)}/${pick(draw, ['v1alpha1', 'v1alpha1', 'v1alpha1', 'v1'])}
kind: ${pick(draw, [...KINDS, 'Alpah'])}
metadata: {name: ${pick(draw, NAMES)}${pick(draw, ['', `, namespace: ${pick(draw, NAMESPACES)}`])}}
spec: {${pick(draw, ['', `name: ${pick(draw, NAMES)}`, 'name: 3', 'size: 9, name: one', `name: one, items: [x, ${pick(draw, NAMES)}]`])}}
`;

const PLAIN: readonly ((draw: Draw) => string)[] = [
  (draw) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${pick(draw, ['settings', 'shared', ...NAMES])}${pick(draw, ['', ', namespace: a'])}, labels: {app: x}}
data: {value: ${pick(draw, ['x', '3'])}}
`,
  () => 'apiVersion: v1\nkind: Service\nmetadata: {name: one}\nspec: {ports: [{port: x}]}\n',
  (draw) =>
    `apiVersion: widgets.example.com/v1\nkind: ${pick(draw, ['Widget', 'Wodget'])}\nmetadata: {name: one}\nspec: {color: ${draw(3)}}\n`,
  (draw) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.widgets.example.com}
spec:
  group: widgets.example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, properties: {color: {type: ${pick(draw, ['string', 'integer'])}}}}}
`,
  (draw) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: traced
  labels: {kro.run/instance-kind: ${pick(draw, [...KINDS, 'Omega'])}, kro.run/instance-group: kro.run}
`,
  (draw) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${pick(draw, NAMES)}
  namespace: a
  labels: {app.kubernetes.io/managed-by: render-rgd, kro.run/instance-id: x}
`,
  (draw) => `apiVersion: ${pick(draw, ['kustomize.toolkit.fluxcd.io/v1', 'argoproj.io/v1alpha1'])}
kind: ${pick(draw, ['Kustomization', 'Application'])}
metadata: {name: apps}
spec: {path: ./a, postBuild: {substitute: {x: y}}}
`,
  () => 'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: written}\nspec: {}\n',
  () => 'apiVersion: kro.run/v1alpha1\nkind: Omega\nmetadata: {name: one}\n',
  () => 'notAnObject: true\n',
  () => 'apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: shared}}, 3]\n',
];

/** Objects that may concern all others: a package with one is validated as a whole. */
const FOR_ALL: readonly string[] = [
  'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: quota, namespace: a}\nspec: {hard: {configmaps: "1"}}\n',
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: policy}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  validations: [{expression: "has(object.data)"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: binding}
spec: {policyName: policy, validationActions: [Deny]}
`,
  `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: a}
spec:
  inputs: [{name: one}]
  resources: [{apiVersion: v1, kind: ConfigMap, metadata: {name: << inputs.name >>, namespace: a}}]
`,
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: a, annotations: {render-rgd.dev/observed: "true"}}\ndata: {value: live}\n',
];

function document(draw: Draw): string {
  const kind = draw(20);
  if (kind < 6) return rgd(draw);
  if (kind < 13) return instance(draw);
  return pick(draw, PLAIN)(draw);
}

/** The texts of a package by their files. Each is a list of documents. */
export type Texts = Map<string, string[]>;

const FILES = [
  'a/one.yaml',
  'a/two.yaml',
  'a/three.yaml',
  'b/one.yaml',
  'b/two.yaml',
  'b/deep/one.yaml',
  'c.yaml',
  'd.yaml',
];

export function randomTexts(draw: Draw): Texts {
  const texts: Texts = new Map();
  for (const file of FILES)
    texts.set(
      file,
      Array.from({ length: draw(5) }, () => document(draw)),
    );
  if (draw(4) === 0)
    texts.set('a/kustomization.yaml', [
      `resources: [one.yaml]\npatches: [{path: ${pick(draw, ['two.yaml', 'three.yaml'])}}]\n`,
    ]);
  return texts;
}

/** Returns what an edit does. It changes the texts. */
export function edit(texts: Texts, draw: Draw): string {
  const [file, documents] = pick(draw, [...texts]);
  const at = draw(documents.length + 1);
  const old = documents[at];
  const kind = draw(14);
  if (kind < 3 || old === undefined) {
    documents.splice(at, 0, document(draw));
    return `adds to ${file}`;
  }
  if (kind < 5) {
    documents.splice(at, 1);
    return `removes from ${file}`;
  }
  if (kind < 6) {
    documents.splice(at, 1);
    pick(draw, [...texts.values()]).push(old);
    return `moves from ${file}`;
  }
  if (kind < 7 && draw(6) === 0) {
    documents.splice(at, 0, pick(draw, FOR_ALL));
    return `adds an object for all to ${file}`;
  }
  if (kind < 8) {
    documents[at] = `${old}: : broken\n`;
    return `breaks ${file}`;
  }
  if (kind < 11) {
    const other = pick(draw, [...KINDS, ...NAMES, 'shared']);
    documents[at] = old.replaceAll(pick(draw, [...KINDS, ...NAMES]), other);
    return `renames in ${file}`;
  }
  const cut = draw(old.length);
  documents[at] = old.slice(0, cut) + pick(draw, ['x', '', ' ', '\n', '"']) + old.slice(cut + 1);
  return `changes a letter of ${file}`;
}
