import { describe, expect, it } from 'vitest';
import { application, instance, planOf, summaryOf, type Texts, WEB } from './repository.ts';

const base = { 'platform/web.yaml': WEB, 'apps/a/web.yaml': instance('a') };
const changed = (texts: Texts): Texts => ({
  ...texts,
  'platform/web.yaml': WEB.replace('default=Hello', 'default=Hi'),
});
/** Returns the effects of a change of the RGD on the applications of a repository. */
const found = (texts: Texts, urls?: string[]): string[] => summaryOf(texts, changed(texts), undefined, urls);

const plugin = (path: string): string =>
  `{ path: "${path}", plugin: { parameters: [{ name: definitions, array: [../../platform] }] } }`;

const set = (generators: string, spec = ''): string => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: all }
spec:
  ${spec}
  generators: ${generators}
  template:
    metadata: { name: "web-{{path.basename}}" }
    spec:
      project: default
      destination: { server: https://kubernetes.default.svc }
      source: ${plugin('{{path}}').replace('{', '{ repoURL: https://git.example.com/r.git,')}
`;

describe('discovery of applications', () => {
  it('finds an Application with the plugin, and not the folder that it deploys', () => {
    expect(found({ ...base, 'a.yaml': application('one', plugin('apps/a')) })).toEqual(['one: ~ConfigMap/a']);
  });

  it('renders the objects that a controller expands from plain manifests of an Application or a Flux Kustomization', () => {
    expect(found({ ...base, 'a.yaml': application('one', '{ path: apps/a }') })).toEqual(['one: ~ConfigMap/a']);
    const flux =
      'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: one }\nspec: { interval: 10m, prune: false, path: ./apps/a, sourceRef: { kind: GitRepository, name: x } }\n';
    expect(found({ ...base, 'clusters/a.yaml': flux })).toEqual(['one: ~ConfigMap/a']);
    expect(found({ ...base, 'clusters/a.yaml': flux.replace('path:', 'namePrefix: p, path:') })).toEqual([
      'one: only kustomize builds it; --allow-exec runs kustomize',
    ]);
  });

  it('names an overlay at the root of the repository', () => {
    const texts = {
      ...base,
      'a.yaml': application('one', '{ path: apps/a }'),
      'kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: p-\n',
    };
    expect(found(texts)).toEqual([
      'one: ~ConfigMap/a',
      '.: its applications are not read: only kustomize builds it, for namePrefix of its kustomization; --allow-exec runs kustomize',
    ]);
  });

  // The command line reads a golden test that is named, and skips those in the folder (docs/testing.md).
  it('renders the folder of a golden test that a plugin deploys, and not one inside of it', () => {
    const golden = (folder: string): Texts => ({
      [`${folder}/test.yaml`]: 'input: [web.yaml]\n',
      [`${folder}/expected.yaml`]: '',
    });
    const texts = { ...base, 'apps/a/tests/web.yaml': instance('t'), 'a.yaml': application('one', plugin('apps/a')) };
    expect(found({ ...texts, ...golden('apps/a') })).toEqual(['one: ~ConfigMap/a ~ConfigMap/t']);
    expect(found({ ...texts, ...golden('apps/a/tests') })).toEqual(['one: ~ConfigMap/a']);
  });

  it('reports changes of instances and RGDs themselves if they are deployed', () => {
    const before = {
      ...base,
      'a.yaml': application('one', '{ path: apps/a }'),
      'p.yaml': application('two', '{ path: platform }'),
    };
    const after = { ...changed(before), 'apps/a/web.yaml': instance('a', '{ title: Mine }') };
    expect(summaryOf(before, after)).toEqual(['one: ~ConfigMap/a ~Web/a', 'two: ~ResourceGraphDefinition/web']);
  });

  it.each([
    [
      'directories',
      '[{ git: { repoURL: x, revision: HEAD, directories: [{ path: apps/* }, { path: apps/b, exclude: true }] } }]',
    ],
    ['lists', '[{ list: { elements: [{ path: apps/a, "path.basename": a }] } }]'],
    ['files', '[{ git: { repoURL: x, revision: HEAD, files: [{ path: "apps/*/config.json" }] } }]'],
    [
      'matrices',
      '[{ matrix: { generators: [{ list: { elements: [{ team: a }] } }, { git: { repoURL: x, revision: HEAD, directories: [{ path: "apps/{{team}}" }] } }] } }]',
    ],
    [
      'merges',
      '[{ merge: { mergeKeys: [id], generators: [{ list: { elements: [{ id: x, path: nowhere, "path.basename": none }] } }, { list: { elements: [{ id: x, path: apps/a, "path.basename": a }] } }] } }]',
    ],
  ])('expands the Applications of an ApplicationSet from %s', (_, generators) => {
    const texts = {
      ...base,
      'apps/b/notes.yaml': 'a: 1\n',
      'apps/a/config.json': '{"team": "a"}',
      'set.yaml': set(generators),
    };
    expect(found(texts)).toEqual(['web-a: ~ConfigMap/a']);
  });

  it('expands only the Applications that the selector of a generator matches', () => {
    const elements =
      '[{ tier: gold, path: apps/a, "path.basename": a }, { tier: tin, path: apps/b, "path.basename": b }]';
    const generators = (selector: string): string => `[{ list: { elements: ${elements} }, selector: ${selector} }]`;
    const texts = { ...base, 'apps/b/web.yaml': instance('b') };
    const all = (selector: string): string[] => found({ ...texts, 'set.yaml': set(generators(selector)) });
    expect(all('{ matchLabels: { tier: gold } }')).toContain('web-a: ~ConfigMap/a');
    expect(all('{ matchLabels: { tier: gold } }')).not.toContain('web-b: ~ConfigMap/b');
    expect(all('{ matchExpressions: [{ key: tier, operator: NotIn, values: [gold] }] }')).toContain(
      'web-b: ~ConfigMap/b',
    );
    expect(all('{ matchLabel: {} }').join()).toContain('the selector of a generator: ');
  });

  it('merges the template of a generator over that of the ApplicationSet, field by field', () => {
    const element =
      '{ elements: [{ path: apps/a }], template: { metadata: { name: own }, spec: { project: "", destination: {} } } }';
    expect(found({ ...base, 'set.yaml': set(`[{ list: ${element} }]`) })).toEqual(['own: ~ConfigMap/a']);
  });

  it.each([
    [
      'a list that the first generator fills',
      '[{ matrix: { generators: [{ list: { elements: [{ team: a }] } }, { list: { elements: [{ path: "apps/{{team}}", "path.basename": "{{team}}" }] } }] } }]',
    ],
    ['elementsYaml', `[{ list: { elementsYaml: "[{ path: apps/a, path.basename: a }]" } }]`],
    [
      'a merge in a matrix',
      '[{ matrix: { generators: [{ merge: { mergeKeys: [id], generators: [{ list: { elements: [{ id: x, team: b }] } }, { list: { elements: [{ id: x, team: a }] } }] } }, { git: { repoURL: x, revision: HEAD, directories: [{ path: "apps/{{team}}" }] } }] } }]',
    ],
    [
      'a merge by values',
      '[{ merge: { mergeKeys: [values.id], generators: [{ git: { repoURL: x, revision: HEAD, values: { id: "{{path.basename}}" }, directories: [{ path: apps/a }] } }, { list: { elements: [{ values: { id: a }, other: b }] } }] } }]',
    ],
  ])('follows %s', (_, generators) => {
    expect(found({ ...base, 'set.yaml': set(generators) })).toEqual(['web-a: ~ConfigMap/a']);
  });

  it('prefers the first generator of a matrix with goTemplate', () => {
    const element = (team: string, more: string): string =>
      `{ list: { elements: [{ at: { team: ${team}, ${more}: x } }] } }`;
    const generators = `[{ matrix: { generators: [${element('a', 'one')}, ${element('b', 'other')}] } }]`;
    const text = set(generators, 'goTemplate: true')
      .replaceAll('{{path}}', 'apps/{{ .at.team }}')
      .replace('{{path.basename}}', '{{ .at.one }}{{ .at.other }}');
    expect(found({ ...base, 'set.yaml': text })).toEqual(['web-xx: ~ConfigMap/a']);
  });

  it.each([
    ['[{ matrix: { generators: [{ list: {} }] } }]', 'its matrix generator does not have two generators'],
    [
      '[{ matrix: { generators: [{ list: { elements: [{ a: x }] } }, { list: { elements: [{ a: z }] } }] } }]',
      'both generators of its matrix give a',
    ],
    ['[{ merge: { mergeKeys: [a], generators: [{ list: {} }] } }]', 'its merge generator has less than two generators'],
    [
      '[{ merge: { generators: [{ list: {} }, { list: {} }] } }]',
      'the API server rejects this ApplicationSet: spec.generators[0].merge.mergeKeys: Required value',
    ],
    [
      '[{ merge: { mergeKeys: [a], generators: [{ list: { elements: [{ a: x }, { a: x }] } }, { list: {} }] } }]',
      'two parameter sets of its merge generator have the mergeKeys ["x"]',
    ],
    ['[{ matrix: { generators: [{}, { list: { elements: [{ a: x }] } }] } }]', 'a generator is empty'],
  ])('lists what Argo CD rejects: %s', (generators, reason) => {
    const texts = { ...base, 'set.yaml': set(generators) };
    expect(summaryOf(texts, texts)).toEqual([`all: ${reason}`]);
  });

  it('ignores a generator without a type', () => {
    // The folder that no Application deploys is left.
    expect(found({ ...base, 'set.yaml': set('[{}]') })).toEqual(['apps/a: ~ConfigMap/a']);
    const list = '{ list: { elements: [{ "path": apps/a, "path.basename": a }] } }';
    expect(found({ ...base, 'set.yaml': set(`[{ selector: { matchLabels: { a: b } } }, ${list}]`) })).toEqual([
      'web-a: ~ConfigMap/a',
    ]);
  });

  it.each([
    ['{{cfg.path}}', '{{cfg.path.basename}}-{{values.team}}', '{{cfg.path[0]}}', ''],
    [
      '{{.cfg.path.path}}',
      '{{.cfg.path.basename}}-{{.values.team}}',
      '{{index .cfg.path.segments 0}}',
      'goTemplate: true',
    ],
  ])(
    'puts the path of a git generator below pathParamPrefix, and substitutes it in values: %s',
    (path, name, team, spec) => {
      const generators = `[{ git: { repoURL: x, revision: HEAD, pathParamPrefix: cfg, values: { team: "${team}" }, directories: [{ path: apps/* }] } }]`;
      const text = set(generators, spec).replaceAll('{{path}}', path).replace('{{path.basename}}', name);
      expect(found({ ...base, 'set.yaml': text })).toEqual(['web-a-apps: ~ConfigMap/a']);
    },
  );

  it('renders Go templates in an ApplicationSet with goTemplate', () => {
    const text = set('[{ git: { repoURL: x, revision: HEAD, directories: [{ path: apps/* }] } }]', 'goTemplate: true')
      .replaceAll('{{path}}', '{{ .path.path }}')
      .replace('{{path.basename}}', '{{ .path.basename | len }}');
    expect(found({ ...base, 'set.yaml': text })).toEqual(['web-1: ~ConfigMap/a']);
  });

  it('lists what it cannot render, with the reason', () => {
    const texts = {
      ...base,
      '1.yaml': application('chart', '{ repoURL: https://charts.example.com, chart: redis, targetRevision: 1.0.0 }'),
      '2.yaml': application('other', '{ repoURL: https://example.com/other.git, path: x }'),
      '3.yaml': application('foreign', '{ repoURL: git@example.com:mine.git, path: apps/a, plugin: { name: vault } }'),
      '4.yaml': set('[{ clusters: {} }]'),
    };
    expect(summaryOf(texts, texts, undefined, ['git@example.com:mine.git', ''])).toEqual([
      'chart: the chart redis is in another repository',
      'foreign: it is built by the plugin vault',
      'other: its source is another repository: https://example.com/other.git',
      'all: its clusters generator needs a cluster or another service',
    ]);
  });

  it('recognises its own repository by any URL of a remote', () => {
    const texts = {
      ...base,
      'a.yaml': application('one', plugin('apps/a').replace('{', '{ repoURL: "https://git.example.com/team/x", ')),
    };
    expect(found(texts, ['git@git.example.com:team/x.git'])).toEqual(['one: ~ConfigMap/a']);
  });

  it('includes kustomizations that run the function and only list files', () => {
    const kustomization = {
      'overlay/kustomization.yaml': 'resources: [../apps/a, web.yaml]\ntransformers: [render.yaml]\n',
      'overlay/web.yaml': instance('o'),
      'apps/a/kustomization.yaml': 'resources: [web.yaml]\n',
      'overlay/render.yaml':
        'apiVersion: fn.kpt.dev/v1alpha1\nkind: RenderRGD\nmetadata:\n  name: render\n  annotations:\n    config.kubernetes.io/function: "exec: { path: render-rgd }"\nspec: { definitions: [../platform] }\n',
    };
    expect(found({ ...base, ...kustomization })).toEqual(['overlay: ~ConfigMap/a ~ConfigMap/o']);
  });

  it('requires kustomize for other kustomizations, and accepts its output', () => {
    const texts = {
      ...base,
      'apps/a/kustomization.yaml': 'namePrefix: x-\nresources: [web.yaml]\n',
      'a.yaml': application('one', '{ path: apps/a }'),
    };
    expect(found(texts)).toEqual([
      'one: only kustomize builds it, for namePrefix of its kustomization; --allow-exec runs kustomize',
    ]);
    const built = (name: string) => () => ({ text: instance(name) });
    expect(summaryOf(texts, changed(texts), { before: built('x-a'), after: built('x-b') })).toEqual([
      'one: +ConfigMap/x-b +Web/x-b -ConfigMap/x-a -Web/x-a',
    ]);
  });

  it('includes kpt packages that run the function', () => {
    const kptfile =
      'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: { name: a }\npipeline: { mutators: [{ exec: render-rgd, configMap: { definitions: ../../platform } }] }\n';
    expect(found({ ...base, 'apps/a/Kptfile': kptfile })).toEqual(['apps/a: ~ConfigMap/a']);
  });

  it.each(['condition: "resources.size() > 1"', 'selectors: [{ kind: Web }]', 'exclude: [{ kind: Web }]'])(
    'lists kpt packages in which the function has a limit that kpt evaluates: %s',
    (limit) => {
      const kptfile = `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: { name: a }\npipeline: { mutators: [{ exec: render-rgd, ${limit}, configMap: { definitions: ../../platform } }] }\n`;
      const field = limit.slice(0, limit.indexOf(':'));
      expect(found({ ...base, 'apps/a/Kptfile': kptfile })).toEqual([
        `apps/a: its pipeline runs render-rgd with ${field}, which kpt evaluates`,
      ]);
    },
  );

  it('includes the topmost folders with instances that nothing deploys, and the nearest definition of a kind', () => {
    const texts = {
      ...base,
      'apps/a/more/web.yaml': instance('c'),
      'teams/platform.yaml': WEB,
      'teams/x/web.yaml': instance('t'),
    };
    expect(found(texts)).toEqual(['apps/a: ~ConfigMap/a ~ConfigMap/c']);
    expect(planOf(texts, texts).found).toBe(2);
  });

  it('renders only applications with changed files', () => {
    const texts = { ...base, 'apps/b/web.yaml': instance('b', '{ wrong: 1 }') };
    expect(summaryOf(texts, { ...texts, 'apps/a/web.yaml': instance('a', '{ title: New }') })).toEqual([
      'apps/a: ~ConfigMap/a',
    ]);
  });
});

describe('an Application that reads rendered manifests', () => {
  it('includes what the source hydrator renders', () => {
    const hydrated =
      '{ drySource: { repoURL: x, path: apps/a, targetRevision: HEAD }, syncSource: { targetBranch: env/web, path: a } }';
    const text = application('one', '{}').replace(/source: .*/, `sourceHydrator: ${hydrated}`);
    expect(found({ ...base, 'a.yaml': text })).toEqual(['one: ~ConfigMap/a']);
  });

  it('leaves its folder to the application that renders it, if it reads another branch', () => {
    const source = '{ path: rendered/apps/a, targetRevision: rendered }';
    expect(found({ ...base, 'a.yaml': application('one', source) })).toEqual([
      'apps/a: ~ConfigMap/a',
      'one: its source is the revision rendered, and this one lacks its path',
    ]);
  });
});

describe('a render-rgd.yaml', () => {
  const list = (entries: string): Texts => ({ ...base, 'render-rgd.yaml': `applications:\n${entries}` });
  const file = (name: string): Texts => ({
    [`values/${name}.txt/web.yaml`]: instance(name).replace(', namespace: web', ''),
  });

  it('lists applications with the options of a functionConfig', () => {
    const entry = (name: string): string =>
      `  - { name: ${name}, path: values/v.txt, definitions: [platform], namespace: ${name} }\n`;
    const texts = { ...list(entry('dev') + entry('prod')), ...file('v') };
    expect(found(texts)).toEqual(['apps/a: ~ConfigMap/a', 'dev: ~ConfigMap/v', 'prod: ~ConfigMap/v']);
  });

  it('renders an application again if its entry changes', () => {
    const before = { ...list('  - { path: apps/a, definitions: [platform] }\n') };
    const after = { ...list('  - { path: apps/a, definitions: [platform], order: argocd }\n') };
    expect(summaryOf(before, after)).toEqual(['apps/a: ~ConfigMap/a']);
  });

  it('lists invalid entries with the reason', () => {
    const texts = list('  - {}\n  - { path: ../x }\n  - { path: apps/a, strikt: true }\n  - { path: apps/a }\n');
    expect(summaryOf(texts, texts).sort()).toEqual([
      '../x: ../x is outside the repository',
      'applications[0]: its entry in render-rgd.yaml has no path',
      'applications[3]: another entry of render-rgd.yaml has the name apps/a',
      expect.stringMatching(/^apps\/a: its entry in render-rgd.yaml is wrong: .*strikt/),
    ]);
  });
});
