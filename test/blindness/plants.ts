import type { Random } from '../fuzz/random.ts';
import { type CleanPackage, claim, type FileContent } from './package.ts';

/** Two versions of a package: in the newer one, data is lost in a part that the tool cannot or may not see. */
export interface Planted {
  older: Map<string, FileContent>;
  newer: Map<string, FileContent>;
  /** Texts of which each output must have one: the name of the file, or of the object. */
  named: readonly string[];
  /** Further arguments of the commands. */
  args?: readonly string[];
  /** Those of plan. */
  planArgs?: readonly string[];
  /** Lines of a test.yaml. */
  testOptions?: string;
}

/** What people and programs ask. */
export type SurfaceName =
  | 'validate'
  | 'diff'
  | 'compat'
  | 'plan'
  | 'test'
  | 'function'
  | 'plugin'
  | 'MCP'
  | 'library'
  | 'page'
  | 'language server';

export interface Plant {
  /** The row of docs/fidelity.md. */
  name: string;
  /** The commands that could be green although they do not see it. */
  surfaces: readonly SurfaceName[];
  plant: (pack: CleanPackage, random: Random) => Planted;
}

const claimOf = (name: string): string => claim(name, 5);

const nameIn = (random: Random): string => `lost-${random.pick(['orders', 'users', 'events'])}-${random.below(10_000)}`;

/** Plants a file that both versions have, or only the older one: its content is lost, or changes. */
function fileWith(
  pathOf: (name: string, random: Random) => string,
  contentOf: (text: string, random: Random) => FileContent = (text) => text,
): Plant['plant'] {
  return ({ files, folder }, random) => {
    const name = nameIn(random);
    const path = pathOf(name, random);
    const older = new Map(files).set(`${folder}/${path}`, contentOf(claimOf(name), random));
    const newer = new Map(files).set(`${folder}/${path}`, contentOf(claimOf(name).replace('5Gi', '1Gi'), random));
    return { older, newer, named: [path.split('/').at(-1) ?? path, `PersistentVolumeClaim web/${name}`] };
  };
}

/** Plants an object that the older version has with more data. */
function objectWith(textOf: (name: string, size: string) => string): Plant['plant'] {
  return ({ files, folder }, random) => {
    const name = nameIn(random);
    const path = `${folder}/${name}.yaml`;
    return {
      older: new Map(files).set(path, textOf(name, '5Gi')),
      newer: new Map(files).set(path, textOf(name, '1Gi')),
      named: [name],
    };
  };
}

/** An Application of Argo CD. */
const applicationOf = (name: string, source: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: web}
  source: ${source}
`;

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** What reads files. */
const FILES = ['validate', 'diff', 'compat', 'plan', 'test', 'plugin', 'MCP'] as const;
/** What is given texts. */
const TEXTS = ['library', 'page', 'language server'] as const;
/** What looks at all objects, also those that nothing renders. */
const OBJECTS = ['validate', 'diff', 'plan', 'function', 'plugin', 'MCP', ...TEXTS] as const;
/** What looks at the schema of every object. */
const CHECKS = ['validate', 'MCP', ...TEXTS] as const;
/** What renders or validates instances. */
const INSTANCES = ['validate', 'diff', 'plan', 'test', 'function', 'plugin', 'MCP', ...TEXTS] as const;

export const PLANTS: readonly Plant[] = [
  {
    name: 'a file in a hidden folder',
    surfaces: FILES,
    plant: fileWith(
      (name, random) =>
        `${random.pick(['.stash', '.argo', '.k8s/prod'])}/${name}.${random.pick(['yaml', 'yml', 'json'])}`,
    ),
  },
  { name: 'a hidden file', surfaces: FILES, plant: fileWith((name) => `.${name}.yaml`) },
  {
    name: 'a file with another extension, or none',
    surfaces: FILES,
    plant: fileWith(
      (name, random) =>
        `${name}${random.pick(['', '.YAML', '.yaml.bak', '.yaml.disabled', '.txt', '.yaml~', '.conf'])}`,
    ),
  },
  {
    name: 'a template of another tool',
    surfaces: FILES,
    plant: fileWith(
      (name, random) => `${name}.${random.pick(['yaml.tmpl', 'yaml.j2', 'tpl', 'yaml.gotmpl', 'jsonnet', 'cue'])}`,
    ),
  },
  {
    name: 'a template of Helm in a .yaml file',
    surfaces: [...FILES, ...TEXTS],
    plant: fileWith(
      (name) => `${name}.yaml`,
      (text) => `{{- if .Values.enabled }}\n${text}{{- end }}\n`,
    ),
  },
  {
    name: 'UTF-16',
    surfaces: FILES,
    plant: fileWith(
      (name) => `${name}.yaml`,
      (text, random) => {
        const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
        return random.chance(0.5) ? little : Buffer.from(little).swap16();
      },
    ),
  },
  {
    name: 'Latin-1',
    surfaces: FILES,
    plant: fileWith(
      (name) => `${name}.yaml`,
      (text) => bytes('# caf', [0xe9], '\n', text),
    ),
  },
  {
    name: 'a NUL in a document',
    surfaces: FILES,
    plant: fileWith(
      (name) => `${name}.yaml`,
      (text) => bytes(text, '# ', [0], '\n'),
    ),
  },
  {
    name: 'a link that leads nowhere, or to itself',
    surfaces: FILES,
    plant: ({ files, folder }, random) => {
      const lost = nameIn(random);
      const name = `${lost}.yaml`;
      const older = new Map(files).set(`${folder}/${name}`, claimOf(lost));
      const newer = new Map(files).set(`${folder}/${name}`, { link: random.chance(0.5) ? name : 'nowhere.yaml' });
      return { older, newer, named: [name, `PersistentVolumeClaim web/${lost}`] };
    },
  },
  {
    name: 'a pointer of Git LFS',
    surfaces: [...FILES, ...TEXTS],
    plant: fileWith(
      (name) => `${name}.yaml`,
      (text) => `version https://git-lfs.github.com/spec/v1\noid sha256:${text.replace(/\D/g, '')}\nsize 12\n`,
    ),
  },
  {
    name: 'a document that SOPS encrypted as a whole',
    surfaces: [...FILES, ...TEXTS],
    plant: fileWith(
      (name) => `${name}.json`,
      (text) =>
        JSON.stringify({
          data: `ENC[AES256_GCM,data:${text.replace(/\D/g, '')}]`,
          sops: { mac: 'ENC[x]', version: '3' },
        }),
    ),
  },
  {
    name: 'a file of several documents, one of which is not valid',
    surfaces: [...FILES, ...TEXTS],
    plant: ({ files, folder }, random) => {
      const name = `${nameIn(random)}.yaml`;
      const text = `${claimOf('first')}---\n${claimOf('second')}`;
      const broken = random.pick(['{a: [', 'a: b: c', '\tx: 1', '"a']);
      return {
        older: new Map(files).set(`${folder}/${name}`, text),
        newer: new Map(files).set(`${folder}/${name}`, `${claimOf('first')}---\n${broken}\n`),
        named: [name],
      };
    },
  },
  {
    name: 'an object that lost its kind or apiVersion',
    surfaces: [...FILES, ...TEXTS],
    plant: ({ files, folder }, random) => {
      const name = `${nameIn(random)}.yaml`;
      const line = random.pick(['kind: PersistentVolumeClaim\n', 'apiVersion: v1\n']);
      return {
        older: new Map(files).set(`${folder}/${name}`, claimOf('x')),
        newer: new Map(files).set(`${folder}/${name}`, claimOf('x').replace(line, '')),
        named: [name],
      };
    },
  },
  {
    name: 'a kind that nothing describes',
    surfaces: OBJECTS,
    plant: objectWith(
      (name, size) =>
        `apiVersion: databases.example.org/v1\nkind: Database\nmetadata:\n  name: ${name}\n  namespace: web\nspec:\n  size: ${size}\n`,
    ),
  },
  {
    name: 'a kind that nothing describes, in nested lists',
    surfaces: OBJECTS,
    plant: objectWith(
      (name, size) =>
        `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "databases.example.org/v1", "kind": "Database", "metadata": {"name": "${name}"}, "spec": {"size": "${size}"}}]}]}\n`,
    ),
  },
  {
    name: 'a JSON list of objects',
    surfaces: [...FILES, ...TEXTS],
    plant: fileWith(
      (name) => `${name}.json`,
      (text) => JSON.stringify([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: text } }]),
    ),
  },
  {
    name: 'an instance whose RGD is missing',
    surfaces: INSTANCES,
    plant: objectWith(
      (name, size) =>
        `apiVersion: platform.example.com/v1alpha1\nkind: Warehouse\nmetadata:\n  name: ${name}\n  namespace: web\nspec:\n  size: ${size}\n`,
    ),
  },
  {
    name: 'an RGD with an error',
    surfaces: ['compat', ...INSTANCES],
    plant: ({ files, folder }) => {
      const path = `${folder}/rgds/web.yaml`;
      const text = String(files.get(path));
      const broken = text.replace('image: string', 'image: strin');
      return { older: new Map(files), newer: new Map(files).set(path, broken), named: ['web'] };
    },
  },
  {
    name: 'an instance with an error',
    surfaces: INSTANCES,
    plant: ({ files, folder }, random) => {
      const name = nameIn(random);
      const textOf = (replicas: string): string =>
        `apiVersion: platform.example.com/v1alpha1\nkind: Web\nmetadata:\n  name: ${name}\n  namespace: web\nspec:\n  replicas: ${replicas}\n`;
      return {
        older: new Map(files).set(`${folder}/${name}.yaml`, textOf('2')),
        newer: new Map(files).set(`${folder}/${name}.yaml`, textOf('"none"')),
        named: [name],
      };
    },
  },
  {
    name: 'a path that --exclude leaves out',
    surfaces: ['validate', 'diff', 'compat', 'plan', 'test'],
    plant: (pack, random) => {
      const planted = fileWith((name) => `${name}.yaml`)(pack, random);
      const [name = ''] = planted.named;
      const exclude = ['--exclude', `**/${name}`];
      return { ...planted, args: exclude, planArgs: exclude, testOptions: `exclude: ["**/${name}"]\n` };
    },
  },
  {
    name: 'an instance that is left to a controller',
    surfaces: ['validate', 'test', 'MCP', 'library'],
    plant: ({ files, folder }, random) => {
      const name = nameIn(random);
      const text = `apiVersion: platform.example.com/v1alpha1\nkind: Web\nmetadata:\n  name: ${name}\n  annotations: {render-rgd.dev/mode: passthrough}\nspec: {}\n`;
      const newer = new Map(files).set(`${folder}/${name}.yaml`, text);
      return { older: newer, newer, named: [name] };
    },
  },
  {
    name: 'a value that only a cluster has',
    surfaces: ['diff', 'compat', 'plan', 'test', 'function', 'plugin', 'MCP', ...TEXTS],
    plant: ({ files, folder }, random) => {
      const name = nameIn(random);
      const node = `    - id: address
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.metadata.name}-address
        data:
          seen: \${string(server.status.readyReplicas)}
`;
      const path = `${folder}/rgds/web.yaml`;
      const rgd = `${String(files.get(path))}${node}`;
      const instance = `apiVersion: platform.example.com/v1alpha1\nkind: Web\nmetadata:\n  name: ${name}\n  namespace: web\nspec:\n  replicas: 1\n`;
      const older = new Map(files).set(path, rgd).set(`${folder}/${name}.yaml`, instance);
      const newer = new Map(older).set(path, rgd.replace('server.status.readyReplicas', 'server.status.replicas'));
      return { older, newer, named: [name] };
    },
  },
  {
    name: 'an invalid object behind a mark, line ends or comments of other systems',
    surfaces: CHECKS,
    plant: ({ files, folder }, random) => {
      const name = nameIn(random);
      const text = claimOf(name).replace('[ReadWriteOnce]', '"ReadWriteOnce"');
      const written = random.pick([
        `\uFEFF${text}`,
        text.replaceAll('\n', '\r\n'),
        `--- # first\n${text}...\n`,
        `%YAML 1.1\n---\n${text}`,
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name },
          spec: { accessModes: 'x' },
        }),
        `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: PersistentVolumeClaimList\n  items:\n  - metadata: {name: ${name}}\n    spec: {accessModes: x}\n`,
      ]);
      const newer = new Map(files).set(`${folder}/${name}.yaml`, written);
      return { older: newer, newer, named: [name] };
    },
  },
  {
    name: 'a file that Git ignores',
    surfaces: CHECKS,
    plant: ({ files, folder }, random) => {
      const name = nameIn(random);
      const text = claimOf(name).replace('[ReadWriteOnce]', '"ReadWriteOnce"');
      const newer = new Map(files).set(`${folder}/.gitignore`, '*.yaml\n').set(`${folder}/${name}.yaml`, text);
      return { older: newer, newer, named: [name] };
    },
  },
  {
    name: 'a submodule that was not fetched',
    surfaces: ['validate', 'test', 'MCP'],
    plant: ({ files, folder }, random) => {
      const name = nameIn(random);
      const modules = `[submodule "${name}"]\n\tpath = ${folder}/${name}\n\turl = https://example.com/${name}\n`;
      const newer = new Map(files).set('.git/HEAD', 'ref: refs/heads/main\n').set('.gitmodules', modules);
      return { older: newer, newer, named: [name] };
    },
  },
  {
    name: 'an application whose source is in another repository',
    surfaces: ['plan'],
    plant: ({ files }, random) => {
      const name = nameIn(random);
      const textOf = (revision: string): string =>
        applicationOf(name, `{repoURL: https://git.example.com/other.git, path: db, targetRevision: ${revision}}`);
      return {
        older: new Map(files).set(`argocd/${name}.yaml`, textOf('v1')),
        newer: new Map(files).set(`argocd/${name}.yaml`, textOf('v2')),
        named: [name],
      };
    },
  },
  {
    name: 'values of a chart that is not in the repository',
    surfaces: ['plan'],
    plant: ({ files }, random) => {
      const name = nameIn(random);
      const chart = `{repoURL: https://charts.example.com, chart: db, targetRevision: 1.0.0, helm: {valueFiles: ["$values/values/${name}.yaml"]}}`;
      const values = '{repoURL: https://git.example.com/team/fleet.git, targetRevision: HEAD, ref: values}';
      const app = applicationOf(name, '').replace(/ {2}source: .*\n/, `  sources: [${chart}, ${values}]\n`);
      const older = new Map(files)
        .set(`argocd/${name}.yaml`, app)
        .set(`values/${name}.yaml`, 'persistence: {enabled: true}\n');
      const newer = new Map(older).set(`values/${name}.yaml`, 'persistence: {enabled: false}\n');
      return { older, newer, named: [name] };
    },
  },
  {
    name: 'an application below a parent that is not built',
    surfaces: ['plan'],
    plant: ({ files }, random) => {
      const name = nameIn(random);
      const parent = `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: ["https://example.com/${name}/more.yaml", child.yaml]\n`;
      const child = applicationOf(
        `${name}-child`,
        `{repoURL: https://git.example.com/team/fleet.git, path: ${name}/db, targetRevision: HEAD}`,
      );
      const older = new Map(files)
        .set(
          `argocd/${name}.yaml`,
          applicationOf(
            name,
            `{repoURL: https://git.example.com/team/fleet.git, path: ${name}/parent, targetRevision: HEAD}`,
          ),
        )
        .set(`${name}/parent/kustomization.yaml`, parent)
        .set(`${name}/parent/child.yaml`, child)
        .set(`${name}/db/claim.yaml`, claimOf('data'));
      const newer = new Map(older);
      newer.set(`${name}/db/claim.yaml`, claimOf('other'));
      return { older, newer, named: [name] };
    },
  },
  {
    name: 'a changed file that no application reads',
    surfaces: ['plan'],
    plant: ({ files }, random) => {
      const name = nameIn(random);
      const path = `elsewhere/${name}.yaml`;
      return {
        older: new Map(files).set(path, claimOf(name)),
        newer: new Map(files).set(path, claimOf(name).replace('5Gi', '1Gi')),
        named: [name],
      };
    },
  },
];
