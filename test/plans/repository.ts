import type { Draw } from '../differential/draw.ts';

/** The texts of a repository by their path. */
export type Files = Map<string, string>;

export const URL = 'https://git.example.com/team/fleet.git';

const object = (kind: string, name: string, value: number, namespace = ''): string => {
  const metadata = `{ name: ${name}${namespace === '' ? '' : `, namespace: ${namespace}`} }`;
  const body: Record<string, string> = {
    ConfigMap: `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\ndata: { v: "${value}" }\n`,
    PersistentVolumeClaim: `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: ${metadata}\nspec: { resources: { requests: { storage: ${value}Gi } } }\n`,
    Deployment: `apiVersion: apps/v1\nkind: Deployment\nmetadata: ${metadata}\nspec:\n  replicas: ${value}\n  selector: { matchLabels: { a: b } }\n  template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: "i:${value}" }] } }\n`,
  };
  return body[kind] as string;
};
const KINDS = ['ConfigMap', 'PersistentVolumeClaim', 'Deployment'] as const;

const source = (path: string, more = '', revision = 'HEAD'): string =>
  `{ repoURL: ${URL}, targetRevision: ${revision}, path: ${path}${more} }`;

const application = (name: string, from: string, namespace = 'team'): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: ${namespace} }\n  source: ${from}\n`;

const set = (name: string, generators: string, { template, spec = '' }: { template: string; spec?: string }): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: ${name}, namespace: argocd }\nspec:\n  ${spec}\n  generators: ${generators}\n  template: ${template}\n`;

const template = (name: string, path: string): string =>
  `{ metadata: { name: "${name}" }, spec: { project: default, destination: { server: https://kubernetes.default.svc, namespace: sets }, source: ${source(`"${path}"`)} } }`;

const kustomization = (name: string, path: string, more = ''): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\nspec: { interval: 10m, prune: true, path: ./${path}, ${more}sourceRef: { kind: GitRepository, name: flux-system } }\n`;

const COMPONENT =
  'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nlabels: [{ pairs: { part: yes-it-is } }]\n';
const PATCH = `'[{ "op": "add", "path": "/data/patched", "value": "1" }]'`;
const VARIABLES =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: vars, namespace: flux }\ndata: { a: "${one}", b: "x-${two}", c: "${three:=z}", d: "$${one}", e: "${two^^}" }\n';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: web }
spec:
  schema: { apiVersion: v1alpha1, kind: Web, spec: { replicas: integer | default=2, size: integer } }
  resources:
    - id: config
      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${schema.metadata.name}" }, data: { r: "\${string(schema.spec.replicas)}" } }
    - id: data
      includeWhen: ["\${schema.spec.size > 4}"]
      template: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: "\${schema.metadata.name}-data" }, spec: { resources: { requests: { storage: "\${string(schema.spec.size)}Gi" } } } }
`;
const instance = (name: string, size: number): string =>
  `apiVersion: kro.run/v1alpha1\nkind: Web\nmetadata: { name: ${name} }\nspec: { size: ${size} }\n`;

/** Writes objects to a folder, and returns the names of its files. */
function objects(files: Files, folder: string, draw: Draw, namespace = ''): string[] {
  const count = draw.int(1, 3);
  return Array.from({ length: count }, (_, index) => {
    const kind = draw.pick(KINDS);
    const name = `${kind.toLowerCase().slice(0, 3)}${index}.yaml`;
    files.set(`${folder}/${name}`, object(kind, `${folder.replaceAll('/', '-')}-${index}`, draw.int(1, 9), namespace));
    return name;
  });
}

const lists = (names: readonly string[], more = ''): string => `${more}resources: [${names.join(', ')}]\n`;

/** Each writes an application of another kind. `id` distinguishes them. Argo CD's own objects are in `argocd`. */
const SHAPES: readonly ((files: Files, id: string, draw: Draw) => void)[] = [
  function directory(files, id, draw) {
    objects(files, `apps/${id}`, draw, draw.chance(50) ? 'own' : '');
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`)));
  },
  function recursiveDirectory(files, id, draw) {
    objects(files, `apps/${id}`, draw);
    objects(files, `apps/${id}/more/deep`, draw);
    files.set(`apps/${id}/notes.yaml`, 'just: notes\n');
    const include = draw.pick(['*.yaml', 'more/*', '{more,none}/**', '?on0.yaml']);
    const more = `, directory: { recurse: true, include: "${include}", exclude: "${draw.pick(['', 'more/deep/dep*'])}" }`;
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`, more)));
  },
  function listing(files, id, draw) {
    const base = objects(files, `bases/${id}`, draw);
    files.set(`bases/${id}/kustomization.yaml`, lists(base));
    const own = objects(files, `apps/${id}`, draw);
    const head = draw.chance(50) ? 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n' : '';
    files.set(`apps/${id}/kustomization.yaml`, lists([...own, `../../bases/${id}`], head));
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`)));
  },
  function overlay(files, id, draw) {
    files.set(`bases/${id}/kustomization.yml`, lists(objects(files, `bases/${id}`, draw)));
    const more = draw.pick(['namePrefix: p-\n', 'namespace: over\n', 'nameSuffix: "-s"\n']);
    files.set(`apps/${id}/kustomization.yaml`, lists([`../../bases/${id}`], more));
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`)));
  },
  function chart(files, id, draw) {
    files.set(`apps/${id}/Chart.yaml`, `apiVersion: v2\nname: ${id}\nversion: 0.1.0\n`);
    files.set(`apps/${id}/values.yaml`, `value: ${draw.int(1, 9)}\n`);
    files.set(
      `apps/${id}/templates/a.yaml`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }} }\ndata: { v: "{{ .Values.value }}" }\n',
    );
    const release = draw.chance(50) ? `, helm: { releaseName: r-${id} }` : '';
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`, release)));
  },
  function directorySet(files, id, draw) {
    for (const name of ['a', 'b', 'c']) objects(files, `sets/${id}/${name}`, draw);
    const generator = `[{ git: { repoURL: ${URL}, revision: HEAD, directories: [{ path: "sets/${id}/*" }, { path: sets/${id}/c, exclude: true }] } }]`;
    files.set(`argocd/${id}.yaml`, set(id, generator, { template: template(`${id}-{{path.basename}}`, '{{path}}') }));
  },
  function fileSet(files, id, draw) {
    for (const name of ['x', 'deep/z']) {
      files.set(`envs/${id}/${name}/config.json`, JSON.stringify({ name: name.slice(-1), n: draw.int(1, 9) }));
      objects(files, `raw/${id}/${name.slice(-1)}`, draw);
    }
    const generator = `[{ git: { repoURL: ${URL}, revision: HEAD, files: [{ path: "envs/${id}/*/config.json" }] } }]`;
    const spec = 'goTemplate: true\n  goTemplateOptions: [missingkey=error]';
    files.set(
      `argocd/${id}.yaml`,
      set(id, generator, { template: template(`${id}-{{.name}}`, `raw/${id}/{{.name}}`), spec }),
    );
  },
  function flux(files, id, draw) {
    for (const cluster of draw.chance(50) ? ['prod'] : ['prod', 'staging']) {
      const names = objects(files, `flux/${id}/${cluster}`, draw, 'flux');
      if (draw.chance(50)) files.set(`flux/${id}/${cluster}/kustomization.yaml`, lists(names));
      files.set(`clusters/${cluster}/${id}.yaml`, kustomization(id, `flux/${id}/${cluster}`));
    }
  },
  function fluxFolders(files, id, draw) {
    objects(files, `flux/${id}`, draw, 'flux');
    const names = objects(files, `flux/${id}/sub`, draw, 'flux');
    files.set(
      `flux/${id}/sub/kustomization.yaml`,
      lists(names.slice(0, 1), draw.chance(50) ? 'namePrefix: zz-\n' : ''),
    );
    files.set(`clusters/prod/${id}.yaml`, kustomization(id, `flux/${id}`));
  },
  function overridden(files, id, draw) {
    objects(files, `apps/${id}`, draw);
    objects(files, `apps/${id}/sub`, draw);
    files.set(`apps/${id}/.argocd-source-${id}.yaml`, `directory: { recurse: ${draw.chance(50)} }\n`);
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`)));
  },
  function applicationsOfOverlay(files, id, draw) {
    objects(files, `apps/${id}`, draw);
    files.set(`overlays/${id}/base/a.yaml`, application(id, source('todo')));
    files.set(`overlays/${id}/base/kustomization.yaml`, lists(['a.yaml']));
    const patch = `patches: [{ target: { kind: Application }, patch: '[{"op": "replace", "path": "/spec/source/path", "value": "apps/${id}"}]' }]\n`;
    files.set(`overlays/${id}/prod/kustomization.yaml`, lists(['../base'], `namePrefix: prod-\n${patch}`));
    files.set(`argocd/root-${id}.yaml`, application(`root-${id}`, source(`overlays/${id}/prod`)));
  },
  function kustomizeOptions(files, id, draw) {
    files.set(`apps/${id}/kustomization.yaml`, lists(objects(files, `apps/${id}`, draw), 'namePrefix: old-\n'));
    files.set(`parts/${id}/kustomization.yaml`, COMPONENT);
    const options = draw.pick([
      'namePrefix: p-, images: ["i=j:7"]',
      'nameSuffix: "-s", commonLabels: { team: blue }, commonAnnotations: { owner: me }',
      `components: [../../parts/${id}]`,
      `namespace: over, patches: [{ target: { kind: ConfigMap }, patch: ${PATCH} }]`,
    ]);
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`, `, kustomize: { ${options} }`)));
  },
  function chartWithValues(files, id, draw) {
    files.set(`apps/${id}/Chart.yaml`, `apiVersion: v2\nname: ${id}\nversion: 0.1.0\n`);
    files.set(`apps/${id}/values.yaml`, `value: ${draw.int(1, 9)}\nlist: []\n`);
    files.set(`apps/${id}/more.yaml`, `value: ${draw.int(10, 99)}\n`);
    files.set(
      `apps/${id}/templates/a.yaml`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }} }\ndata: { v: "{{ .Values.value }}", l: {{ .Values.list | toJson | quote }} }\n',
    );
    const options = draw.pick([
      'valueFiles: [more.yaml]',
      'valueFiles: [more.yaml, missing.yaml], ignoreMissingValueFiles: true, values: "value: text"',
      'values: "value: text", valuesObject: { value: 5 }',
      'parameters: [{ name: value, value: "a,b" }, { name: list, value: "{x,y}" }]',
      'parameters: [{ name: value, value: "007", forceString: true }], releaseName: other',
    ]);
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`, `, helm: { ${options} }`)));
  },
  function listSet(files, id, draw) {
    for (const name of ['l', 'm']) objects(files, `sets/${id}/${name}`, draw);
    const elements = '{ list: { elements: [{ name: l }, { name: m }] } }';
    const generator = draw.pick([
      `[${elements}]`,
      `[{ matrix: { generators: [${elements}, { list: { elements: [{ zone: east }] } }] } }]`,
      `[{ merge: { mergeKeys: [name], generators: [${elements}, { list: { elements: [{ name: m, zone: west }] } }] } }]`,
    ]);
    files.set(`argocd/${id}.yaml`, set(id, generator, { template: template(`${id}-{{name}}`, `sets/${id}/{{name}}`) }));
  },
  function fluxEdits(files, id, draw) {
    const names = objects(files, `flux/${id}`, draw, 'flux');
    files.set(`flux/${id}/vars.yaml`, VARIABLES);
    files.set(`parts/${id}/kustomization.yaml`, COMPONENT);
    if (draw.chance(50)) files.set(`flux/${id}/kustomization.yaml`, lists([...names, 'vars.yaml'], 'namePrefix: k-\n'));
    const options = draw.pick([
      'targetNamespace: over',
      'namePrefix: f-, images: [{ name: i, newTag: "9" }]',
      `components: [../../parts/${id}]`,
      `patches: [{ target: { kind: ConfigMap }, patch: ${PATCH} }]`,
      'postBuild: { substitute: { one: "1", two: text } }',
      'nameSuffix: "-s", postBuild: { substitute: { two: "true" } }',
    ]);
    files.set(`clusters/prod/${id}.yaml`, kustomization(id, `flux/${id}`, `${options}, `));
  },
  function plugin(files, id, draw) {
    files.set(`platform/${id}/rgd.yaml`, RGD);
    for (const name of ['one', 'two']) files.set(`apps/${id}/${name}.yaml`, instance(`${id}-${name}`, draw.int(1, 9)));
    if (draw.chance(50)) objects(files, `apps/${id}`, draw);
    const more = draw.pick(['', ', { name: namespace, string: over }', ', { name: strict, string: "true" }']);
    const parameters = `[{ name: definitions, array: [../../platform/${id}] }${more}]`;
    files.set(
      `argocd/${id}.yaml`,
      application(id, source(`apps/${id}`, `, plugin: { name: render-rgd, parameters: ${parameters} }`)),
    );
  },
  function fluxNested(files, id, draw) {
    objects(files, `nested/${id}`, draw, 'flux');
    files.set(`flux/${id}/deep/sub.yaml`, kustomization(`sub-${id}`, `nested/${id}`));
    const add = `patches: [{ target: { kind: Kustomization }, patch: '[{ "op": "add", "path": "/spec/namePrefix", "value": "n-" }]' }], `;
    if (draw.chance(50)) files.set(`flux/${id}/deep/kustomization.yaml`, lists(['sub.yaml']));
    files.set(`clusters/prod/${id}.yaml`, kustomization(id, `flux/${id}`, draw.chance(50) ? add : ''));
  },
  function release(files, id, draw) {
    files.set(`charts/${id}/Chart.yaml`, `apiVersion: v2\nname: ${id}\nversion: 0.1.0\n`);
    files.set(`charts/${id}/values.yaml`, 'value: 1\ndeep: { a: 1, b: 2 }\n');
    files.set(`charts/${id}/over.yaml`, 'deep: { b: 3, c: null }\n');
    files.set(
      `charts/${id}/templates/a.yaml`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }} }\ndata: { v: "{{ .Values.value }}", l: {{ .Values.deep | toJson | quote }} }\n',
    );
    const options = draw.pick([
      'values: { value: text, deep: { a: null } }',
      'targetNamespace: over, values: { deep: { b: [1, 2] } }',
      `releaseName: other-${id}, valuesFrom: [{ kind: ConfigMap, name: given-${id} }], values: { value: 7 }`,
      `valuesFrom: [{ kind: ConfigMap, name: given-${id}, valuesKey: none, optional: true }]`,
      'values: { value: 2.50 }',
    ]);
    const valuesFiles = draw.chance(50) ? `, valuesFiles: [charts/${id}/values.yaml, charts/${id}/over.yaml]` : '';
    const chart = `chart: { spec: { chart: ./charts/${id}${valuesFiles}, sourceRef: { kind: GitRepository, name: flux-system } } }`;
    files.set(
      `flux/${id}/release.yaml`,
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: rel-${id}, namespace: flux }\nspec: { interval: 1h, ${chart}, ${options} }\n`,
    );
    files.set(
      `flux/${id}/given.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: given-${id}, namespace: flux }\ndata: { values.yaml: "deep: { a: 5 }" }\n`,
    );
    const edits = draw.chance(50) ? 'targetNamespace: flux, ' : '';
    files.set(`clusters/prod/${id}.yaml`, kustomization(id, `flux/${id}`, edits));
  },
  function pinned(files, id, draw) {
    objects(files, `apps/${id}`, draw);
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`, '', 'v1.0.0')));
  },
];

/** Returns a repository of applications of every kind, or of those whose name matches. */
export function repositoryOf(draw: Draw, applications: number, only: RegExp): Files {
  const files: Files = new Map([['README.md', '# Fleet\n']]);
  const shapes = SHAPES.filter(({ name }) => only.test(name));
  for (let at = 0; at < applications; at += 1)
    (shapes[at % shapes.length] as (typeof shapes)[number])(files, `a${at}`, draw);
  return files;
}

/** A change of files that match, in place; it returns whether there was something to change. */
type Change = readonly [name: string, apply: (files: Files, draw: Draw) => boolean];

const editing = (name: string, path: RegExp, edit: (text: string, draw: Draw) => string): Change => [
  name,
  (files, draw) => {
    const found = [...files].filter(([file, text]) => path.test(file) && edit(text, draw) !== text);
    if (found.length === 0) return false;
    const [file, text] = draw.pick(found);
    files.set(file, edit(text, draw));
    return true;
  },
];
const removing = (name: string, path: RegExp): Change => [
  name,
  (files, draw) => {
    const found = [...files.keys()].filter((file) => path.test(file));
    return found.length > 0 && files.delete(draw.pick(found));
  },
];
const OBJECT = /\/(con|per|dep)\d\.yaml$/;

export const CHANGES: readonly Change[] = [
  editing('a value', /\/con\d\.yaml$/, (text) => text.replace(/v: "(\d+)"/, 'v: "changed"')),
  editing('a size', /\/per\d\.yaml$/, (text) => text.replace(/\d+Gi/, '99Gi')),
  editing('an image', /\/dep\d\.yaml$/, (text) => text.replace(/i:\d+/, 'i:latest')),
  editing('the name of an object', OBJECT, (text) =>
    text.replace(/name: (?=(apps|flux|bases|sets|raw|nested))/, 'name: new-'),
  ),
  editing('the namespace of an object', OBJECT, (text) => text.replace(/namespace: \w+/, 'namespace: moved')),
  editing('an annotation', OBJECT, (text) => text.replace(/metadata: \{ /, 'metadata: { annotations: { a: b }, ')),
  removing('an object', OBJECT),
  ['a new object', (files, draw) => objects(files, `apps/a0/new${draw.int(1, 9)}`, draw).length > 0],
  [
    'a new file beside others',
    (files, draw) => {
      const file = draw.pick([...files.keys()].filter((one) => OBJECT.test(one)));
      files.set(file.replace(/[^/]*$/, 'added.yaml'), object('ConfigMap', `added-${draw.int(1, 9)}`, 1, 'x'));
      return true;
    },
  ],
  removing('an Application', /^argocd\/.*\.yaml$/),
  removing('a Kustomization', /^clusters\/.*\.yaml$/),
  removing('a kustomization', /kustomization\.ya?ml$/),
  editing('the path of an Application', /^argocd\/a\d+\.yaml$/, (text) =>
    text.replace(/path: apps\/a\d+/, 'path: apps/a0'),
  ),
  editing('a path that does not exist', /^argocd\/a\d+\.yaml$/, (text) =>
    text.replace(/path: apps\/a\d+/, 'path: nowhere'),
  ),
  editing('the namespace of a destination', /^argocd\/a\d+\.yaml$/, (text) =>
    text.replace('namespace: team }', 'namespace: other }'),
  ),
  editing('the name of an Application', /^argocd\/a\d+\.yaml$/, (text) =>
    text.replace(/metadata: \{ name: /, 'metadata: { name: renamed-'),
  ),
  editing('a path of Flux', /^clusters\//, (text) => text.replace(/path: \.\/\S+?,/, 'path: ./apps/a0,')),
  editing('values of a chart', /values\.yaml$/, (text) => text.replace(/\d+/, '77')),
  editing('a template of a chart', /templates\/a\.yaml$/, (text) => text.replace('data: {', 'data: { more: x,')),
  editing('a broken template', /templates\/a\.yaml$/, (text) =>
    text.replace('{{ .Release.Name }}', '{{ .Release.Name'),
  ),
  editing('a resource that is missing', /kustomization\.ya?ml$/, (text) =>
    text.replace('resources: [', 'resources: [missing.yaml, '),
  ),
  editing('a prefix', /kustomization\.ya?ml$/, (text) => `${text}namePrefix: new-\n`),
  editing('a resource less', /kustomization\.ya?ml$/, (text) => text.replace(/resources: \[[^,\]]+, /, 'resources: [')),
  editing('the template of a set', /^argocd\//, (text) => text.replace('namespace: sets', 'namespace: moved')),
  editing('a set that fails', /^argocd\//, (text) => text.replace('{{.name}}" }, spec', '{{.nothing}}" }, spec')),
  editing('a set that makes one name twice', /^argocd\//, (text) =>
    text.replace(/name: "a\d+-\{\{\.?[a-z.]+\}\}"/, 'name: same'),
  ),
  editing('an exclusion of a set', /^argocd\//, (text) => text.replace(', exclude: true', '')),
  removing('a file of a set', /config\.json$/),
  editing('a parameter of a set', /config\.json$/, (text) => text.replace(/"name":"\w"/, '"name":"x"')),
  editing('an override', /\.argocd-source/, (text) =>
    text.includes('true') ? text.replace('true', 'false') : text.replace('false', 'true'),
  ),
  removing('an override', /\.argocd-source/),
  editing('an include', /^argocd\//, (text) => text.replace(/include: "[^"]*"/, 'include: "*.yaml"')),
  editing('a directory that is not read below', /^argocd\//, (text) => text.replace('recurse: true', 'recurse: false')),
  editing('a patch of an overlay', /^overlays\/.*prod/, (text) => text.replace(/"apps\/a\d+"/, '"apps/a0"')),
  editing('a prefix of a source', /^(argocd|clusters)\//, (text) => text.replace(/namePrefix: \w-/, 'namePrefix: q-')),
  editing('an image of a source', /^(argocd|clusters)\//, (text) =>
    text.replace(/i=j:7|newTag: "9"/, (at) => at.replace(/[79]/, '8')),
  ),
  editing('a patch of a source', /^(argocd|clusters)\//, (text) => text.replace('/data/patched', '/data/again')),
  editing('a patch that fails', /^(argocd|clusters)\//, (text) => text.replace('"op": "add"', '"op": "remove"')),
  editing('a variable', /^clusters\//, (text) => text.replace(/two: \S+/, 'two: changed')),
  editing('a variable that breaks', /vars\.yaml$/, (text) => text.replace('x-${two}', 'x-${two')),
  editing('a use of a variable', /vars\.yaml$/, (text) => text.replace('x-${two}', '${two}')),
  editing('a component', /^parts\//, (text) => text.replace('yes-it-is', 'changed')),
  removing('a component', /^parts\//),
  editing('a target namespace', /^clusters\//, (text) =>
    text.replace('targetNamespace: over', 'targetNamespace: under'),
  ),
  editing('a common label', /^argocd\//, (text) => text.replace('team: blue', 'team: red')),
  editing('a values file', /more\.yaml$/, (text) => text.replace(/\d+/, '100')),
  editing('the values files of an Application', /^argocd\//, (text) => text.replace('[more.yaml', '[values.yaml')),
  removing('a values file', /more\.yaml$/),
  editing('values of an Application', /^argocd\//, (text) => text.replace(/value: text|value: 5/, 'value: other')),
  editing('a parameter', /^argocd\//, (text) => text.replace(/a,b|007/, 'c,d')),
  editing('an element of a list', /^argocd\//, (text) => text.replace('{ name: m }', '{ name: "n" }')),
  editing('a zone', /^argocd\//, (text) => text.replace(/zone: \w+/, 'zone: north')),
  editing('a generator without keys', /^argocd\//, (text) => text.replace('mergeKeys: [name]', 'mergeKeys: []')),
  editing('a default of an RGD', /^platform\//, (text) => text.replace('default=2', 'default=3')),
  editing('a condition of an RGD', /^platform\//, (text) => text.replace('size > 4', 'size > 6')),
  editing('an expression that fails', /^platform\//, (text) =>
    text.replace('schema.spec.replicas)', 'schema.spec.none)'),
  ),
  removing('an RGD', /^platform\//),
  editing('an instance', /\/(one|two)\.yaml$/, (text) => text.replace(/size: \d+/, 'size: 5')),
  editing('an instance with a wrong field', /\/(one|two)\.yaml$/, (text) => text.replace('size:', 'sizes:')),
  editing('the kind of an instance', /\/(one|two)\.yaml$/, (text) => text.replace('kind: Web', 'kind: Wob')),
  removing('an instance', /\/(one|two)\.yaml$/),
  editing('a parameter of the plugin', /^argocd\//, (text) => text.replace('string: over', 'string: under')),
  editing('the definitions of the plugin', /^argocd\//, (text) => text.replace('[../../platform', '[../platform')),
  editing('a nested path of Flux', /\/sub\.yaml$/, (text) => text.replace('path: ./nested/', 'path: ./none/')),
  removing('a nested Kustomization', /\/sub\.yaml$/),
  editing('a patch of Kustomizations', /^clusters\//, (text) => text.replace('"n-"', '"m-"')),
  editing('values of a HelmRelease', /release\.yaml$/, (text) => text.replace(/value: [^ ,}]+/, 'value: fresh')),
  editing('a chart that does not exist', /release\.yaml$/, (text) => text.replace('./charts/', './chart/')),
  editing('a target of a HelmRelease', /release\.yaml$/, (text) =>
    text.replace('targetNamespace: over', 'targetNamespace: x'),
  ),
  editing('a name of a release', /release\.yaml$/, (text) => text.replace('releaseName: other', 'releaseName: again')),
  editing('values in a ConfigMap', /given\.yaml$/, (text) => text.replace('a: 5', 'a: 6')),
  editing('a key of a ConfigMap', /given\.yaml$/, (text) => text.replace('values.yaml:', 'other.yaml:')),
  removing('a ConfigMap with values', /given\.yaml$/),
  editing('a file of valuesFiles', /over\.yaml$/, (text) => text.replace('b: 3', 'b: 4')),
  removing('a file of valuesFiles', /over\.yaml$/),
  removing('a HelmRelease', /release\.yaml$/),
  editing('a pin', /^argocd\//, (text) => text.replace('v1.0.0', 'HEAD')),
  editing('text that is no YAML', OBJECT, (text) => text.replace('metadata:', 'metadata: [')),
  editing('a comment', OBJECT, (text) => `# a comment\n${text}`),
  editing('a file that nothing reads', /^README/, (text) => `${text}more\n`),
];
