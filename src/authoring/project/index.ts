/** A small new project. */
import { Collector } from '../../core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../core/model/render.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { objectsToPrint } from '../../kubernetes/select/index.ts';
import { renderPackage } from '../../render/pipeline.ts';
import { toJsonText, toYaml } from '../../yaml/emit/index.ts';
import { readStreams } from '../../yaml/parse/index.ts';
import { rgdJsonSchema } from '../jsonschema/index.ts';
import { schemaOfPackage } from '../offers/index.ts';

/** The path of the command in the workflow. */
export const PROGRAM = 'tools/render-rgd.js';

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
      - name: Install render-rgd
        run: |
          install -D ${PROGRAM} "$HOME/.local/bin/render-rgd"
          echo "$HOME/.local/bin" >>"$GITHUB_PATH"
      - run: render-rgd validate .
      - run: render-rgd test .
      - run: render-rgd diff apps/base --definitions platform --against HEAD^1 -o markdown >>"$GITHUB_STEP_SUMMARY"
`;

const README = `# Website

A ResourceGraphDefinition, an instance of it, and what it takes to review and deploy them.

| path                     | what it is                                                             |
| ------------------------ | ---------------------------------------------------------------------- |
| \`platform/\`              | the ResourceGraphDefinition                                            |
| \`apps/base/\`             | the instance                                                           |
| \`apps/overlay/\`          | a kustomization that renders it                                        |
| \`tests/\`                 | golden tests; only \`render-rgd test\` reads them                        |
| \`${PROGRAM}\`    | the command, for the workflow: a copy of \`dist/render-rgd.js\`          |
| \`.vscode/\`               | JSON Schemas of the files, for editors with a YAML language server     |

From this folder:

\`\`\`sh
render-rgd validate .          # finds errors
render-rgd render .            # prints the objects
render-rgd test .              # runs the tests; --update accepts a change
kustomize build --enable-alpha-plugins --enable-exec apps/overlay
\`\`\`

After a change of the schema in \`platform/website.yaml\`, update the one that editors use:

\`\`\`sh
render-rgd schema Website platform >.vscode/schemas/website.json
\`\`\`
`;

const SETTINGS = `{
  "yaml.schemas": {
    "./.vscode/schemas/rgd.json": "platform/*.yaml",
    "./.vscode/schemas/website.json": "apps/base/blog.yaml"
  }
}
`;

const IGNORED = '# What render --output-dir rendered writes.\nrendered/\n';

const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';

/**
 * Returns the files of a new project by their paths: an RGD, an instance, a test of it, a kustomization, a workflow, a
 * README and editor settings.
 */
export function projectFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['platform/website.yaml', RGD],
    ['apps/base/blog.yaml', INSTANCE],
    ['apps/base/kustomization.yaml', `${KUSTOMIZATION}resources: [blog.yaml]\n`],
    ['apps/overlay/kustomization.yaml', `${KUSTOMIZATION}resources: [../base]\ntransformers: [render.yaml]\n`],
    ['apps/overlay/render.yaml', TRANSFORMER],
    ['tests/blog/test.yaml', TEST],
    ['tests/blog/expected.yaml', expected()],
    ['.github/workflows/render.yaml', WORKFLOW],
    ['.vscode/settings.json', SETTINGS],
    ['.vscode/schemas/rgd.json', jsonText(rgdJsonSchema)],
    ['.vscode/schemas/website.json', jsonText(schemaOfPackage(read(RGD), 'Website', defaultRenderOptions).offer ?? {})],
    ['.gitignore', IGNORED],
    ['README.md', README],
  ]);
}

const jsonText = (value: ValueMap): string => `${toJsonText(value, 2)}\n`;

const read = (text: string) => ({ objects: readStreams([{ file: 'website.yaml', text }], new Collector()) });

function expected(): string {
  const rendered = renderPackage(read(`${RGD}---\n${INSTANCE}`), defaultRenderOptions);
  return toYaml(objectsToPrint(rendered, { all: false }).objects);
}
