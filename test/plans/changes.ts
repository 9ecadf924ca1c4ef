import type { Draw } from '../differential/draw.ts';
import { type Files, object, objects } from './repository.ts';

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

/** Some are other texts for the same number. */
const NUMBERS = [
  ['0644', '420'],
  ['0x1F', '31'],
  ['1.50', '1.5'],
  ['1e3', '1001'],
  ['yes: yes', 'yes: true'],
  ['yes: yes', 'yes: On'],
  ['n: 5', 'no: 5'],
  ['~', '""'],
] as const;

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
  editing('a finalizer', /^(argocd|roots)\//, (text) =>
    text.replace('kind: Application\nmetadata: { name: group', 'kind: Application\nmetadata: { name: crew'),
  ),
  editing('a child of a root', /^(roots|groups)\/.*\/(child|leaf)\.yaml$/, (text) =>
    text.replace(/path: apps\/a\d+\/\w+/, 'path: apps/a0'),
  ),
  removing('a child of a root', /^(roots|groups)\/.*\/(child|leaf|group)\.yaml$/),
  editing('names in a chart', /^roots\/.*values\.yaml$/, (text) => text.replace('[one, two]', '[one]')),
  editing('a reference to values', /^argocd\//, (text) => text.replace('$values/conf', '$value/conf')),
  editing('a file of values', /^conf\//, (text) => text.replace(/\d/, '55')),
  removing('a file of values', /^conf\//),
  editing('a file that a link leads to', /^shared\/.*\/(con|per|dep)\d\.yaml$/, (text) =>
    text.replace(/metadata: \{ /, 'metadata: { labels: { a: b }, '),
  ),
  removing('a link', /\/(linked\.yaml|folder)$/),
  editing('the target of a link', /\/linked\.yaml$/, () => '\0own/extra.yaml'),
  editing('a list of a link', /^apps\/.*kustomization\.yaml$/, (text, draw) =>
    text.replace('own/extra.yaml', draw.pick(['linked.yaml', 'folder'])),
  ),
  [
    'a link out of the repository',
    (files, draw) => {
      files.set('outward', `\0${draw.pick(['/etc', '../x', 'apps/../../x', 'apps/../y'])}`);
      return true;
    },
  ],
  removing('the target of a link', /^shared\//),
  editing('a number', /numbers\.yaml$/, (text, draw) => {
    const [from, to] = draw.pick(NUMBERS);
    return text.replace(from, to);
  }),
  editing('a date', /dates\.yaml$/, (text) => text.replace('2024-01-01,', '2024-01-02,')),
  editing('a text', /(many\.yml|list\.yaml|one\.json|anchors\.yaml)$/, (text) =>
    text.replace(/a: (b|"1")|"a":"\d"/, (at) => at.replace(/b$|\d/, 'x')),
  ),
  editing('a data file', /data\.txt$/, (text) => `${text}more\n`),
  editing('values of a subchart', /values\.yaml$/, (text) => text.replace('sub: { value: 5 }', 'sub: { value: 6 }')),
  editing('a helper of a chart', /_help\.tpl$/, (text) => text.replace('more:', 'most:')),
  editing('a CRD of a chart', /crds\/crd\.yaml$/, (text) => text.replace('scope: Namespaced', 'scope: Cluster')),
  removing('a CRD of a chart', /crds\/crd\.yaml$/),
  editing('a patch file', /\/patch\.yaml$/, (text) => text.replace('patched: "1"', 'patched: "2"')),
  editing('a patch file without a target', /\/patch\.yaml$/, (text) => text.replace('name: extra', 'name: none')),
  editing('variables of a cluster', /\/vars-a\d+\.yaml$/, (text) => text.replace(/two: "\d"/, 'two: "changed"')),
  editing('the name of a variable', /\/vars-a\d+\.yaml$/, (text) => text.replace('one:', 'o-ne:')),
  editing('a reference to variables', /^clusters\//, (text) => text.replace('name: vars-', 'name: var-')),
  removing('variables of a cluster', /\/vars-a\d+\.yaml$/),
  editing('the namespace of a set', /^argocd\//, (text) =>
    text.replace('"namespace": "patched"', '"namespace": "again"'),
  ),
  editing('an exclusion', /^argocd\//, (text) =>
    text.replace(/exclude: (true|false)/, (at) => (at.endsWith('true') ? 'exclude: false' : 'exclude: true')),
  ),
  editing('a selector', /^argocd\//, (text) => text.replace('env: dev }, {', 'env: prod }, {')),
  editing('a part of a matrix', /config\.yaml$/, (text) => text.replace('part: u', 'part: w')),
  editing('an element of a merge', /^argocd\//, (text) => text.replace('"path.basename": b', '"path.basename": a')),
  editing('common metadata', /^(clusters|flux)\//, (text) => text.replace('team: blue', 'team: red')),
  editing('a suspension', /^(clusters|flux)\//, (text) => text.replace('suspend: true', 'suspend: false')),
  editing('a deletion policy', /^clusters\//, (text) =>
    text.replace('deletionPolicy: Orphan', 'deletionPolicy: Delete'),
  ),
  editing('pruning', /^clusters\//, (text) => text.replace('prune: true', 'prune: false')),
  [
    'the name of a folder',
    (files, draw) => {
      const [, folder = ''] =
        /^(apps\/a\d+)\//.exec(draw.pick([...files.keys()].filter((one) => /^apps\/a\d+\//.test(one)))) ?? [];
      for (const [file, text] of [...files]) {
        if (!file.startsWith(`${folder}/`)) continue;
        files.delete(file);
        files.set(file.replace(folder, `${folder}-moved`), text);
      }
      if (draw.chance(70))
        for (const [file, text] of files)
          if (/^(argocd|clusters)\//.test(file))
            files.set(file, text.replaceAll(new RegExp(`${folder}(?=[,/ ])`, 'g'), `${folder}-moved`));
      return true;
    },
  ],
  [
    'an Application that moves to another file',
    (files, draw) => {
      const all = [...files.keys()].filter((one) => /^argocd\/a\d+\.yaml$/.test(one));
      if (all.length === 0) return false;
      const file = draw.pick(all);
      files.set(file.replace('.yaml', '-moved.yaml'), files.get(file) ?? '');
      return files.delete(file);
    },
  ],
  editing('a pin', /^argocd\//, (text) => text.replace('v1.0.0', 'HEAD')),
  editing('text that is no YAML', OBJECT, (text) => text.replace('metadata:', 'metadata: [')),
  editing('a comment', OBJECT, (text) => `# a comment\n${text}`),
  editing('a file that nothing reads', /^README/, (text) => `${text}more\n`),
];
