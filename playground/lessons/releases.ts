import { POLICY } from '../ui/starters.ts';
import { file, instance, type Lesson, rgd } from './lesson.ts';

const web = (image: string): string =>
  rgd(
    'Web',
    `spec:\n  image: string | default="${image}"`,
    `- id: deployment
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: \${schema.metadata.name}
    spec:
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
              image: \${schema.spec.image}`,
  );

const policy: Lesson = {
  id: 'policy',
  title: 'Admission policies',
  about: [
    'A ValidatingAdmissionPolicy of the package is evaluated for each rendered object, as an API server does. A denial is an error at the line of the template that the object comes from.',
  ],
  task: 'The policy denies the image of the Deployment. Make its default nginx:1.29.',
  files: [
    file('web.rgd.yaml', web('nginx:latest')),
    file(
      'shop.yaml',
      'apiVersion: kro.run/v1alpha1\nkind: Web\nmetadata:\n  name: shop\n  namespace: default\nspec: {}\n',
    ),
    file('policy.yaml', POLICY),
  ],
  expected: [{ object: 'Deployment/shop', line: 'image: nginx:1.29' }],
  count: 1,
  solution: web('nginx:1.29'),
};

const settings = (service: string): string => `apiVersion: kro.run/v1alpha1
kind: Graph
metadata:
  name: shop
  namespace: default
spec:
  nodes:
    - id: names
      def:
        app: shop
    - id: settings
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${names.app}
        data:
          greeting: hello
${service}`;

const graph: Lesson = {
  id: 'graph',
  title: 'A Graph of kro 0.10',
  about: [
    'A Graph of kro 0.10 (alpha) renders its nodes itself: it needs no RGD, no kind and no instance. A node has a template, or a def with a value that other nodes read.',
    'The menu of the release, in the header, turns it on: it is rendered with --experimental graph.',
  ],
  task: 'Add a node named copy: a ConfigMap named shop-copy, whose data.greeting is that of settings.',
  files: [file('shop.yaml', settings(''))],
  options: { kro: '0.10', experimental: ['graph'] },
  expected: [{ object: 'ConfigMap/shop-copy', line: 'greeting: hello' }],
  count: 2,
  solution: settings(`    - id: copy
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${names.app}-copy
        data:
          greeting: \${settings.data.greeting}
`),
};

const engine = (id: string): string =>
  rgd(
    'Engine',
    'spec:\n  size: string',
    `- id: ${id}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: \${schema.metadata.name}
    data:
      size: \${schema.spec.size}`,
  );

const next: Lesson = {
  id: 'next',
  title: 'kro 0.10: before the upgrade',
  about: [
    'kro 0.10 refuses a few names and texts that kro 0.9 takes. This lesson renders as kro 0.10, which the chip in the header says.',
    'The view Changes says what the upgrade changes: choose "What does kro 0.10 change?".',
  ],
  task: 'The id of the node is reserved in kro 0.10. Rename it to engine: put the cursor on it, and press F2.',
  files: [file('engine.rgd.yaml', engine('graphengine')), file('small.yaml', instance('Engine', 'small', 'size: s'))],
  options: { kro: '0.10' },
  expected: [{ object: 'ConfigMap/small', line: 'kro.run/node-id: engine' }],
  count: 1,
  solution: engine('engine'),
};

/** Policies, and what kro 0.10 brings. */
export const releases: readonly Lesson[] = [policy, graph, next];
