import type { Draw } from '../differential/draw.ts';

/** The texts of a repository by their path. */
export type Files = Map<string, string>;

/** A file that is a link begins with this. */
export const LINK = '\0';
const linkTo = (target: string): string => `${LINK}${target}`;

export const URL = 'https://git.example.com/team/fleet.git';

export const object = (kind: string, name: string, value: number, namespace = ''): string => {
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

const application = (name: string, from: string, namespace = 'team', more = ''): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd${more} }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: ${namespace} }\n  source: ${from}\n`;

/** With it, the objects of an Application are deleted with it. */
const FINALIZER = ', finalizers: [resources-finalizer.argocd.argoproj.io]';

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

const CHART_TEMPLATE =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }} }\ndata: { v: "{{ .Values.value }}" }\n';
function chartWith(files: Files, folder: string, name: string, values: string): void {
  files.set(`${folder}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`);
  files.set(`${folder}/values.yaml`, values);
  files.set(`${folder}/templates/a.yaml`, CHART_TEMPLATE);
}

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
export function objects(files: Files, folder: string, draw: Draw, namespace = ''): string[] {
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
    chartWith(files, `apps/${id}`, id, `value: ${draw.int(1, 9)}\n`);
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
  function patchedSet(files, id, draw) {
    for (const name of ['a', 'b_B.x', 'c']) objects(files, `sets/${id}/${name}`, draw);
    const directories = `directories: [{ path: "sets/${id}/*" }, { path: "sets/${id}/?", exclude: ${draw.chance(30)} }]`;
    const generator = `[{ git: { repoURL: ${URL}, revision: HEAD, pathParamPrefix: app, ${directories}, values: { env: "{{.app.path.basename}}-x" } } }]`;
    const patch = `'{{ if eq .app.path.basename "a" }}{ "spec": { "destination": { "namespace": "patched" } } }{{ end }}'`;
    const spec = `goTemplate: true\n  templatePatch: ${patch}`;
    const name = `${id}-{{.app.path.basenameNormalized}}-{{.values.env | normalize | trunc 3}}`;
    files.set(`argocd/${id}.yaml`, set(id, generator, { template: template(name, '{{.app.path.path}}'), spec }));
  },
  function fileMatrix(files, id, draw) {
    objects(files, `raw/${id}/w`, draw);
    for (const name of ['u', 'v']) {
      objects(files, `raw/${id}/${name}`, draw);
      files.set(`envs/${id}/${name}/config.yaml`, `name: ${name}\nparts: [{ part: ${name} }, { part: w }]\n`);
    }
    const first = `{ git: { repoURL: ${URL}, revision: HEAD, files: [{ path: "envs/${id}/**/config.yaml" }] } }`;
    const generator = `[{ matrix: { generators: [${first}, { list: { elementsYaml: "{{ .parts | toJson }}" } }] } }]`;
    const spec = 'goTemplate: true\n  goTemplateOptions: [missingkey=error]';
    const made = template(`${id}-{{.path.basename}}-{{.part}}`, `raw/${id}/{{.part}}`);
    files.set(`argocd/${id}.yaml`, set(id, generator, { template: made, spec }));
  },
  function mergedSet(files, id, draw) {
    for (const name of ['a', 'b']) objects(files, `sets/${id}/${name}`, draw);
    const base = `{ git: { repoURL: ${URL}, revision: HEAD, directories: [{ path: "sets/${id}/*" }], values: { zone: none } } }`;
    const over = '{ list: { elements: [{ "path.basename": b, "values.zone": east }] } }';
    const generator = `[{ merge: { mergeKeys: [path.basename], generators: [${base}, ${over}] } }]`;
    files.set(
      `argocd/${id}.yaml`,
      set(id, generator, { template: template(`${id}-{{path.basename}}-{{values.zone}}`, '{{path}}') }),
    );
  },
  function selectedSet(files, id, draw) {
    for (const name of ['a', 'b']) objects(files, `sets/${id}/${name}`, draw);
    const selector = draw.pick([
      'matchLabels: { env: dev }',
      'matchExpressions: [{ key: env, operator: NotIn, values: [dev] }]',
    ]);
    const generator = `[{ list: { elements: [{ name: a, env: dev }, { name: b, env: prod }] }, selector: { ${selector} } }]`;
    files.set(`argocd/${id}.yaml`, set(id, generator, { template: template(`${id}-{{name}}`, `sets/${id}/{{name}}`) }));
  },
  function nestedApplications(files, id, draw) {
    for (const name of ['child', 'leaf']) objects(files, `apps/${id}/${name}`, draw);
    files.set(`roots/${id}/child.yaml`, application(`child-${id}`, source(`apps/${id}/child`)));
    files.set(`roots/${id}/group.yaml`, application(`group-${id}`, source(`groups/${id}`), 'argocd', FINALIZER));
    files.set(`groups/${id}/leaf.yaml`, application(`leaf-${id}`, source(`apps/${id}/leaf`)));
    const part = 'commonAnnotations: { part: nested }\n';
    if (draw.chance(40)) files.set(`groups/${id}/kustomization.yaml`, lists(['leaf.yaml'], part));
    const isBuilt = draw.chance(40);
    if (isBuilt) files.set(`roots/${id}/kustomization.yaml`, lists(['child.yaml', 'group.yaml'], part));
    const from = source(`roots/${id}`, isBuilt ? '' : ', directory: { recurse: true }');
    files.set(`argocd/root-${id}.yaml`, application(`root-${id}`, from, 'argocd', FINALIZER));
  },
  function chartOfApplications(files, id, draw) {
    for (const name of ['one', 'two']) objects(files, `apps/${id}/${name}`, draw);
    files.set(`roots/${id}/Chart.yaml`, `apiVersion: v2\nname: ${id}\nversion: 0.1.0\n`);
    files.set(`roots/${id}/values.yaml`, 'names: [one, two]\n');
    const child = application(`{{ . }}-${id}`, source(`apps/${id}/{{ . }}`));
    files.set(`roots/${id}/templates/a.yaml`, `{{- range .Values.names }}\n---\n${child}{{- end }}\n`);
    const helm = draw.pick(['', ', helm: { valuesObject: { names: [two] } }']);
    files.set(`argocd/root-${id}.yaml`, application(`root-${id}`, source(`roots/${id}`, helm), 'argocd', FINALIZER));
  },
  function multipleSources(files, id, draw) {
    objects(files, `apps/${id}`, draw);
    chartWith(files, `charts/${id}`, id, 'value: 1\n');
    files.set(`conf/${id}/values.yaml`, `value: ${draw.int(1, 9)}\n`);
    const valueFiles = draw.pick([`$values/conf/${id}/values.yaml`, `/conf/${id}/values.yaml`]);
    const sources = [
      source(`charts/${id}`, `, helm: { valueFiles: [${valueFiles}] }`),
      `{ repoURL: ${URL}, targetRevision: HEAD, ref: values }`,
      source(`apps/${id}`),
    ];
    const text = application(id, `[${(draw.chance(50) ? sources : sources.slice(0, 2)).join(', ')}]`);
    files.set(`argocd/${id}.yaml`, text.replace('source: [', 'sources: ['));
  },
  function links(files, id, draw) {
    const [name = ''] = objects(files, `shared/${id}`, draw);
    objects(files, `apps/${id}/own`, draw);
    files.set(`apps/${id}/linked.yaml`, linkTo(`../../shared/${id}/${name}`));
    files.set(`apps/${id}/folder`, linkTo(`../../shared/${id}`));
    const list = draw.pick(['', lists(['own/extra.yaml']), lists(['folder'])]);
    files.set(`apps/${id}/own/extra.yaml`, object('ConfigMap', `extra-${id}`, 1));
    if (list !== '') files.set(`apps/${id}/kustomization.yaml`, list);
    files.set(`shared/${id}/kustomization.yaml`, lists([name]));
    const more = list === '' ? ', directory: { recurse: true }' : '';
    // source-controller leaves links out, so that kustomize misses one that is listed.
    if (draw.chance(30) && !list.includes('folder'))
      files.set(`clusters/prod/${id}.yaml`, kustomization(id, `apps/${id}`));
    else files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`, more)));
  },
  function texts(files, id, draw) {
    const map = (name: string, data: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n${data}`;
    files.set(
      `apps/${id}/list.yaml`,
      `apiVersion: v1\nkind: List\nitems:\n- { ${'apiVersion: v1, kind: ConfigMap'}, metadata: { name: l1 }, data: { a: b } }\n- { apiVersion: v1, kind: ConfigMap, metadata: { name: l2 }, data: { a: b } }\n`,
    );
    files.set(
      `apps/${id}/one.json`,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"j"},"data":{"a":"${draw.int(1, 9)}"}}`,
    );
    const data = draw.pick(['data: { a: "yes" }\n', 'data:\n  a: |-\n    x\n    y\n', 'data: { "k.l": "0644" }\n']);
    files.set(
      `apps/${id}/many.yml`,
      `# first\n---\n${map('m1', 'data: { a: "1" }\n')}---\n# nothing\n---\n${map('m2', data)}`,
    );
    files.set(
      `apps/${id}/anchors.yaml`,
      map('anchors', 'data: &d { a: "MQ==", b: "Mg==" }\nbinaryData: { <<: *d, c: "eA==" }\n'),
    );
    files.set(`apps/${id}/space.yaml`, `apiVersion: v1\nkind: Namespace\nmetadata: { name: space-${id} }\n`);
    files.set(
      `apps/${id}/role.yaml`,
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: role-${id} }\nrules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]\n`,
    );
    files.set(`apps/${id}/README.md`, '# Not a manifest\n');
    // kustomize reads `yes` as a text, and a date as one with its time.
    files.set(
      `apps/${id}/numbers.yaml`,
      `apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: t-${id} }\nspec: { octal: 0644, hex: 0x1F, float: 1.50, big: 12345678901234567890, exp: 1e3, yes: yes, off: "off", n: 5, nil: ~, empty: "" }\n`,
    );
    const date = draw.chance(50)
      ? `metadata: { name: d-${id} }\nspec: { date: 2024-01-01, time: 2024-01-01 10:00:00 }\n`
      : '';
    if (date !== '') files.set(`apps/${id}/dates.yaml`, `apiVersion: example.com/v1\nkind: Thing\n${date}`);
    const listed = ['many.yml', 'list.yaml', 'numbers.yaml', ...(date === '' ? [] : ['dates.yaml'])];
    if (draw.chance(50)) files.set(`apps/${id}/kustomization.yaml`, lists(listed));
    if (draw.chance(50)) files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`)));
    else files.set(`clusters/prod/${id}.yaml`, kustomization(id, `apps/${id}`));
  },
  function subchart(files, id, draw) {
    chartWith(files, `apps/${id}`, id, 'value: 1\nsub: { value: 5 }\nglobal: { g: 1 }\n');
    chartWith(files, `apps/${id}/charts/sub`, 'sub', 'value: 2\n');
    files.set(
      `apps/${id}/charts/sub/templates/a.yaml`,
      CHART_TEMPLATE.replace('Release.Name }}', 'Release.Name }}-sub'),
    );
    files.set(`apps/${id}/templates/_help.tpl`, '{{ define "more" }}{ more: "{{ .Values.global.g }}" }{{ end }}\n');
    files.set(
      `apps/${id}/templates/b.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b-${id}, labels: {{ include "more" . }} }\ndata: { f: {{ .Files.Get "data.txt" | quote }}, r: {{ .Release.Name }} }\n`,
    );
    files.set(`apps/${id}/templates/NOTES.txt`, 'Thank you for {{ .Release.Name }}\n');
    files.set(`apps/${id}/data.txt`, `text ${draw.int(1, 9)}\n`);
    files.set(
      `apps/${id}/crds/crd.yaml`,
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: things.${id}.example.com }\nspec: { group: ${id}.example.com, names: { kind: Thing, plural: things }, scope: Namespaced, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }\n`,
    );
    const helm = draw.pick([
      '',
      ', helm: { skipCrds: true }',
      ', helm: { parameters: [{ name: sub.value, value: "7" }] }',
    ]);
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`, helm)));
  },
  function generatedMap(files, id, draw) {
    const names = objects(files, `apps/${id}`, draw);
    files.set(`apps/${id}/data.txt`, `text ${draw.int(1, 9)}\n`);
    files.set(
      `apps/${id}/patch.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: extra-${id} }\ndata: { patched: "1" }\n`,
    );
    files.set(`apps/${id}/extra.yaml`, object('ConfigMap', `extra-${id}`, 1));
    const generator = `configMapGenerator: [{ name: gen-${id}, files: [k=data.txt], literals: [a=b] }]\n`;
    const options = draw.pick(['', 'generatorOptions: { disableNameSuffixHash: true }\n', 'commonLabels: { a: b }\n']);
    const text = lists([...names, 'extra.yaml'], `${generator}${options}patches: [{ path: patch.yaml }]\n`);
    files.set(`apps/${id}/kustomization.yaml`, text);
    if (draw.chance(50)) files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`)));
    else files.set(`clusters/prod/${id}.yaml`, kustomization(id, `apps/${id}`, 'targetNamespace: flux, '));
  },
  function fluxVariables(files, id, draw) {
    const more = draw.pick(['', ', substitute: { two: own }']);
    const optional = draw.pick(['', `, { kind: ConfigMap, name: none-${id}, optional: true }`]);
    for (const cluster of ['prod', 'staging']) {
      files.set(`flux/${id}/vars.yaml`, VARIABLES.replace('name: vars', `name: out-${id}`));
      files.set(
        `clusters/${cluster}/vars-${id}.yaml`,
        `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: vars-${id}, namespace: flux-system }\ndata: { one: "${cluster}", two: "${draw.int(1, 9)}" }\n`,
      );
      const build = `postBuild: { substituteFrom: [{ kind: ConfigMap, name: vars-${id} }${optional}]${more} }, `;
      const waits = draw.pick(['', `dependsOn: [{ name: other }], wait: true, `]);
      files.set(`clusters/${cluster}/${id}.yaml`, kustomization(id, `flux/${id}`, `${waits}${build}`));
    }
  },
  function fluxSettings(files, id, draw) {
    const names = objects(files, `flux/${id}`, draw, 'flux');
    if (draw.chance(50)) files.set(`flux/${id}/kustomization.yaml`, lists(names));
    const options = draw.pick([
      'suspend: true',
      'commonMetadata: { labels: { team: blue }, annotations: { a: b } }',
      'deletionPolicy: Orphan',
      'images: [{ name: i, newName: j }], patches: [{ target: { kind: Deployment }, patch: \'[{ "op": "add", "path": "/metadata/labels", "value": { "x": "y" } }]\' }]',
    ]);
    const text = kustomization(id, `flux/${id}`, `${options}, `);
    files.set(`clusters/prod/${id}.yaml`, draw.chance(50) ? text : text.replace('prune: true', 'prune: false'));
  },
  function releases(files, id, draw) {
    chartWith(files, `charts/${id}`, id, 'value: 1\n');
    for (const cluster of ['prod', 'staging']) {
      const options = draw.pick([
        `values: { value: ${cluster} }`,
        `values: { value: 1 }, suspend: true`,
        `commonMetadata: { labels: { team: blue } }`,
      ]);
      const chart = `chart: { spec: { chart: charts/${id}/, sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system } } }`;
      files.set(
        `flux/${id}/${cluster}/release.yaml`,
        `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: rel-${id}, namespace: flux }\nspec: { interval: 1h, ${chart}, ${options} }\n`,
      );
      files.set(`clusters/${cluster}/${id}.yaml`, kustomization(id, `flux/${id}/${cluster}`));
    }
  },
  function pinned(files, id, draw) {
    objects(files, `apps/${id}`, draw);
    files.set(`argocd/${id}.yaml`, application(id, source(`apps/${id}`, '', 'v1.0.0')));
  },
];

/** Returns the items whose name a pattern matches. @throws if there is none */
export function named<T>(items: readonly T[], nameOf: (item: T) => string, pattern: string): T[] {
  let isNamed: RegExp;
  try {
    isNamed = new RegExp(pattern);
  } catch {
    throw new Error(`'${pattern}' is not a regular expression`);
  }
  const found = items.filter((item) => isNamed.test(nameOf(item)));
  if (found.length === 0) throw new Error(`'${pattern}' names none of ${items.map(nameOf).join(', ')}`);
  return found;
}

type Shape = (typeof SHAPES)[number];

/** Returns the applications whose name matches. */
export const shapesNamed = (pattern: string): readonly Shape[] => named(SHAPES, ({ name }) => name, pattern);

/** Returns a repository of applications of some shapes, in turn. */
export function repositoryOf(draw: Draw, applications: number, shapes: readonly Shape[]): Files {
  const files: Files = new Map([['README.md', '# Fleet\n']]);
  for (let at = 0; at < applications; at += 1) (shapes[at % shapes.length] as Shape)(files, `a${at}`, draw);
  return files;
}
