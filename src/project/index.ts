/** A small project to start from. */
import { Collector } from '../diagnostics/index.ts';
import { toYaml } from '../emit/index.ts';
import { defaultRenderOptions } from '../model/render.ts';
import { readStreams } from '../parse/index.ts';
import { renderPackage } from '../pipeline.ts';
import { objectsToPrint } from '../select/index.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: website
spec:
  schema:
    group: platform.example.com
    apiVersion: v1alpha1
    kind: Website
    spec:
      image: string | default="nginx:1.27" description="What the site runs."
      replicas: integer | default=1 minimum=1 maximum=10 description="How many copies run."
      expose: boolean | default=false description="Whether a Service leads to it."
  resources:
    - id: server
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
    - id: front
      includeWhen:
        - \${schema.spec.expose}
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: \${server.metadata.name}
        spec:
          selector:
            app: \${schema.metadata.name}
          ports:
            - port: 80
`;

const INSTANCE = `apiVersion: platform.example.com/v1alpha1
kind: Website
metadata:
  name: blog
  namespace: web
spec:
  replicas: 2
  expose: true
`;

const TRANSFORMER = `# kustomize build --enable-alpha-plugins --enable-exec apps/overlay
apiVersion: fn.kpt.dev/v1alpha1
kind: RenderRGD
metadata:
  name: render
  annotations:
    config.kubernetes.io/function: |
      exec:
        path: render-rgd
spec:
  definitions: [../../platform]
`;

const TEST = `# render-rgd test tests/ --update writes expected.yaml.
input: [../../apps/base/blog.yaml]
definitions: [../../platform]
`;

const WORKFLOW = `name: render
on:
  pull_request:
permissions:
  contents: read
jobs:
  render:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 2
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm install --global ./tools/render-rgd.tgz
      - run: render-rgd validate platform apps/base
      - run: render-rgd test tests
      - run: render-rgd diff apps/base --definitions platform --against HEAD^1 -o markdown >>"$GITHUB_STEP_SUMMARY"
`;

/** The files of a new project by their paths: an RGD, an instance, a test of it, a kustomization and a workflow. */
export function projectFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['platform/website.yaml', RGD],
    ['apps/base/blog.yaml', INSTANCE],
    ['apps/base/kustomization.yaml', 'resources: [blog.yaml]\n'],
    ['apps/overlay/kustomization.yaml', 'resources: [../base]\ntransformers: [render.yaml]\n'],
    ['apps/overlay/render.yaml', TRANSFORMER],
    ['tests/blog/test.yaml', TEST],
    ['tests/blog/expected.yaml', expected()],
    ['.github/workflows/render.yaml', WORKFLOW],
  ]);
}

function expected(): string {
  const objects = readStreams([{ file: 'blog.yaml', text: `${RGD}---\n${INSTANCE}` }], new Collector());
  return toYaml(objectsToPrint(renderPackage({ objects }, defaultRenderOptions), false).objects);
}
