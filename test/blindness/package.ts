import type { Random } from '../fuzz/random.ts';

/** The files of a package by their paths; bytes for those that are not UTF-8, and the target of a link. */
export type Files = ReadonlyMap<string, FileContent>;
export type FileContent = string | Uint8Array | { link: string };

/** A package of a random shape, without anything that nobody can look at. */
export interface CleanPackage {
  files: Map<string, FileContent>;
  /** The folder of each file: a name that no other package has. */
  folder: string;
}

const WORDS = ['api', 'blog', 'cart', 'docs', 'feed', 'grid', 'hub', 'jobs', 'mail', 'news', 'shop', 'wiki'];

const wordOf = (random: Random): string => `${random.pick(WORDS)}${random.below(1000)}`;

/** Returns an RGD with a Deployment, a Service, and sometimes a claim for data. */
const rgdOf = (kind: string, hasClaim: boolean): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: ${kind.toLowerCase()}
spec:
  schema:
    apiVersion: v1alpha1
    kind: ${kind}
    group: platform.example.com
    spec:
      image: string | default="nginx:1.27"
      replicas: integer | default=1
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
${hasClaim ? CLAIM : ''}`;

const CLAIM = `    - id: data
      template:
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata:
          name: \${schema.metadata.name}-data
        spec:
          accessModes: [ReadWriteOnce]
          resources:
            requests:
              storage: 1Gi
`;

const instanceOf = (kind: string, name: string, random: Random): string => `apiVersion: platform.example.com/v1alpha1
kind: ${kind}
metadata:
  name: ${name}
  namespace: web
spec:
  replicas: ${1 + random.below(5)}
`;

/** A claim of so many gibibytes: if it is deleted, its data is lost. */
export const claim = (name: string, size: number): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: ${name}
  namespace: web
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: ${size}Gi
`;

/** Objects that people write, each valid. */
const PLAIN: readonly ((name: string, random: Random) => string)[] = [
  (name) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: web
data:
  key: value
`,
  (name) => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: web
spec:
  selector:
    app: ${name}
  ports:
    - port: 80
`,
  (name, random) => claim(name, 1 + random.below(9)),
  (name) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: ${name}
  namespace: flux-system
spec:
  interval: 10m
  prune: true
  path: ./apps
  sourceRef:
    kind: GitRepository
    name: flux-system
`,
  (name) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
  namespace: argocd
spec:
  project: default
  source:
    repoURL: https://example.com/repo
    path: apps
    targetRevision: main
  destination:
    server: https://kubernetes.default.svc
    namespace: web
`,
];

/** Files beside manifests, which do not matter. */
const BESIDE: readonly (readonly [path: string, content: string])[] = [
  ['README.md', '# A package\n\n```yaml\napiVersion: v1\nkind: ConfigMap\n```\n'],
  ['.gitignore', 'dist/\n'],
  ['Makefile', 'check:\n\trender-rgd validate .\n'],
  ['scripts/apply.sh', '#!/bin/sh\nkubectl apply -f .\n'],
  ['.editorconfig', 'root = true\n'],
  ['LICENSE', 'Apache License\n'],
  ['notes.txt', 'nothing\n'],
  ['.github/workflows/check.yaml', 'on: push\njobs:\n  check:\n    runs-on: ubuntu-latest\n'],
];

/** Draws a package that everything can look at. */
export function drawPackage(random: Random): CleanPackage {
  const files = new Map<string, FileContent>();
  const folder = random.pick(['apps', 'base', 'clusters/prod', 'deploy']);
  const kinds = ['Web', 'Shop', 'Worker'].slice(0, 1 + random.below(3));
  for (const kind of kinds) files.set(`${folder}/rgds/${kind.toLowerCase()}.yaml`, rgdOf(kind, random.chance(0.6)));
  for (let index = 1 + random.below(4); index > 0; index -= 1) {
    const name = `${wordOf(random)}-${index}`;
    files.set(`${folder}/${name}.${random.pick(['yaml', 'yml'])}`, instanceOf(random.pick(kinds), name, random));
  }
  for (let index = random.below(4); index > 0; index -= 1) {
    const name = wordOf(random);
    files.set(`${folder}/plain-${name}.yaml`, random.pick(PLAIN)(name, random));
  }
  for (const [path, content] of BESIDE) if (random.chance(0.3)) files.set(`${folder}/${path}`, content);
  return { files, folder };
}
