import { describe, expect, it } from 'vitest';
import { planText } from '../../../src/gitops/plan/index.ts';
import { workOf } from '../../bombs/work.ts';
import { answerOf, planOf, summaryOf, type Texts } from './repository.ts';

const URL = 'https://git.example.com/r.git';
const map = (name: string, value = '1'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: x }\ndata: { v: "${value}" }\n`;
const claim = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name}, namespace: x }\nspec: { resources: { requests: { storage: 1Gi } } }\n`;
interface Fields {
  metadata?: string;
  sync?: string;
  source?: string;
}
const FINALIZER = 'finalizers: [resources-finalizer.argocd.argoproj.io]';
const PRUNES = '{ automated: { prune: true } }';
const app = (name: string, path: string, { metadata = FINALIZER, sync = PRUNES, source = '' }: Fields = {}): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd, ${metadata} }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: x }\n  source: { repoURL: ${URL}, path: ${path}${source} }\n  syncPolicy: ${sync}\n`;
const flux = (name: string, path: string, more = '', metadata = ''): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system${metadata} }\nspec: { interval: 10m, ${more.includes('prune:') ? '' : 'prune: true, '}path: ${path}, ${more}sourceRef: { kind: GitRepository, name: flux-system } }\n`;
const set = (name: string, elements: string, template: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: ${name}, namespace: argocd }\nspec:\n  generators: [{ list: { elements: ${elements} } }]\n  template: { metadata: { name: "${template}" }, spec: { project: default, destination: { server: https://kubernetes.default.svc, namespace: x }, source: { repoURL: ${URL}, path: "t/{{item}}" }, syncPolicy: ${PRUNES} } }\n`;

const without = (texts: Texts, ...paths: string[]): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([path]) => !paths.includes(path)));
const dangersOf = (before: Texts, after: Texts): string[] =>
  answerOf(before, after).dangers.map(({ code, application, object }) => `${application} ${code} ${object?.name}`);

describe('a child whose parent keeps it', () => {
  const files = { 't/b/p.yaml': claim('data'), 't/z/p.yaml': claim('other'), 'argocd/z.yaml': app('z', 't/z') };
  const root = (sync: string, metadata?: string): Texts => ({
    'root.yaml': app('root', 'argocd', { sync, ...(metadata !== undefined && { metadata }) }),
  });

  it.each([
    ['Prune=false of the child', PRUNES, `${FINALIZER}, annotations: { argocd.argoproj.io/sync-options: Prune=false }`],
    ['an automated parent without prune', '{ automated: {} }', FINALIZER],
    ['Prune=false of the parent', '{ automated: { prune: true }, syncOptions: [Prune=false] }', FINALIZER],
  ])('is not deleted by Argo CD: %s', (_, sync, metadata) => {
    const before = { ...files, ...root(sync), 'argocd/b.yaml': app('b', 't/b', { metadata }) };
    expect(dangersOf(before, without(before, 'argocd/b.yaml'))).toEqual([]);
  });

  it('is deleted by Argo CD without such a setting', () => {
    const before = { ...files, ...root(PRUNES), 'argocd/b.yaml': app('b', 't/b') };
    expect(dangersOf(before, without(before, 'argocd/b.yaml'))).toEqual(['b danger-data-loss data']);
  });

  it.each([
    ['prune: disabled of the child', '', ', annotations: { kustomize.toolkit.fluxcd.io/prune: disabled }', []],
    ['a parent without prune', 'prune: false, ', '', []],
    ['nothing', '', '', ['db danger-data-loss data']],
  ])('has its fate in Flux, by %s', (_, parent, metadata, expected) => {
    const before = {
      'clusters/a/sync.yaml': flux('flux-system', './clusters/a', parent),
      'clusters/a/db.yaml': flux('db', './t', '', metadata),
      't/p.yaml': claim('data'),
    };
    expect(dangersOf(before, without(before, 'clusters/a/db.yaml'))).toEqual(expected);
  });

  it('follows its source with its old spec', () => {
    const metadata = 'annotations: { argocd.argoproj.io/sync-options: Prune=false }';
    const before = {
      ...files,
      ...root(PRUNES),
      'argocd/b.yaml': app('b', 't/b', { metadata }),
      't/b/m.yaml': map('m'),
    };
    const after = { ...without(before, 'argocd/b.yaml'), 't/b/m.yaml': map('m', '2') };
    expect(summaryOf(before, after)).toContain('b: ~ConfigMap/m');
  });
});

describe('the Applications of an ApplicationSet', () => {
  it('are deleted with a set that its parent no longer deploys', () => {
    const before: Texts = {
      'root.yaml': app('root', 'argocd', { source: ', directory: { recurse: true }' }),
      'argocd/keep/a.yaml': app('a', 't/a'),
      'argocd/sets/set.yaml': set('s', '[{ item: c }]', 'set-{{item}}'),
      't/a/p.yaml': claim('a'),
      't/c/p.yaml': claim('c'),
    };
    const root = app('root', 'argocd/keep', { source: ', directory: { recurse: true }' });
    expect(dangersOf(before, { ...before, 'root.yaml': root })).toEqual(['set-c danger-data-loss c']);
  });

  it('stay with their old specs while the set fails, and follow their source', () => {
    const before = { 's.yaml': set('s', '[{ item: c }]', 'set-{{item}}'), 't/c/m.yaml': map('m') };
    const after = { 's.yaml': set('s', '[{ item: c }]', 'set_{{item}}'), 't/c/m.yaml': map('m', '2') };
    expect(summaryOf(before, after)).toEqual([
      expect.stringMatching(/^s: it makes the Application set_c, and the API server rejects this Application/),
      'set-c: ~ConfigMap/m',
    ]);
  });
});

describe('an application whose versions are both rejected', () => {
  const rejected = app('one', './t').replace('  project: default\n', '');
  const before = { 'app.yaml': rejected, 't/m.yaml': map('m'), 'other/m.yaml': map('n') };

  it('is an error if a file changes that it would deploy', () => {
    expect(summaryOf(before, { ...before, 't/m.yaml': map('m', '2') })).toEqual([
      expect.stringMatching(/^one: .*spec\.project: Required value/),
    ]);
    expect(planOf(before, { ...before, 't/m.yaml': map('m', '2') }).reports.map(({ code }) => code)).toEqual([
      'application-fails',
    ]);
  });

  it('is not rendered otherwise', () => {
    expect(planOf(before, { ...before, 'other/m.yaml': map('n', '2') }).reports).toEqual([]);
  });
});

describe('an application whose newer version is rejected', () => {
  const before = { 'app.yaml': app('one', 't'), 't/m.yaml': map('m'), 't/p.yaml': claim('p') };
  const text = before['app.yaml'];
  const changed = (from: string | RegExp, to: string): Texts => ({
    ...before,
    'app.yaml': text.replace(from, to),
    't/m.yaml': map('m', '2'),
  });

  it.each([
    ['name: one,', 'name: One_app,'],
    ['  project: default\n', ''],
    ['/v1alpha1', '/v1'],
    ['path: t', 'path: t, directory: { recurse: "true" }'],
    ['kind: Application', 'kind: Applicaton'],
  ])('by the API server keeps its old spec, and follows its source: %s', (from, to) => {
    const plan = planOf(before, changed(from, to));
    expect(plan.reports.map(({ code }) => code)).toEqual(['application-fails']);
    expect(plan.dangers).toEqual([]);
    expect(plan.groups).toMatchObject([{ change: 'changed', kind: 'ConfigMap' }]);
  });

  it.each([
    ['server: https://kubernetes.default.svc', 'server: https://a, name: b'],
    ['server: https://kubernetes.default.svc, ', ''],
    ['path: t', 'path: ""'],
    [', path: t', ''],
    [/ {2}source: .*\n/, ''],
    [/ {2}source: .*\n/, '  source: { repoURL: https://charts.example.com, chart: x }\n'],
  ])('by Argo CD changes nothing: %s', (from, to) => {
    const plan = planOf(before, changed(from, to));
    expect(plan.reports.map(({ code }) => code)).toEqual(['application-fails']);
    expect(plan.groups).toEqual([]);
  });

  it('accepts an empty project, which is the default', () => {
    expect(planOf(before, changed('project: default', 'project: ""')).reports).toEqual([]);
  });

  it('makes the sync of its parent fail', () => {
    const texts = {
      'root.yaml': app('root', 'apps'),
      'apps/one.yaml': text,
      'apps/m.yaml': map('of-root'),
      't/m.yaml': map('m'),
    };
    const invalid = {
      ...texts,
      'apps/one.yaml': text.replace('name: one,', 'name: One_app,'),
      'apps/m.yaml': map('of-root', '2'),
    };
    const plan = planOf(texts, invalid);
    expect(plan.groups).toEqual([]);
    expect(planText(plan)).toContain('Application root: its sync fails: Application One_app: ');
  });
});

describe('a file that cannot be read', () => {
  it.each(['data: [\n', '<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n'])(
    'removes nothing that it declared: %j',
    (broken) => {
      const before = { 'app.yaml': app('one', 't'), 't/p.yaml': claim('p') };
      const plan = planOf(before, { ...before, 'app.yaml': `${before['app.yaml']}${broken}` });
      expect(plan.groups).toEqual([]);
      expect(plan.reports).toMatchObject([{ source: { file: 'app.yaml' } }]);
    },
  );

  it('fails the Kustomization that applies itself, and nothing below it changes', () => {
    const before = {
      'clusters/a/flux-system/sync.yaml': flux('flux-system', './clusters/a'),
      'clusters/a/apps.yaml': flux('apps', './apps'),
      'apps/p.yaml': claim('p'),
      'apps/m.yaml': map('m'),
    };
    const after = { ...before, 'clusters/a/broken.yaml': 'data: [\n' };
    expect(summaryOf(before, after)).toEqual([expect.stringMatching(/^flux-system: clusters\/a\/broken.yaml: /)]);
    expect(summaryOf(before, without(after, 'apps/p.yaml'))).toEqual([
      expect.stringMatching(/^flux-system: /),
      'apps: -PersistentVolumeClaim/p',
    ]);
  });
});

describe('a parent that is not built here', () => {
  const roots: Record<string, Texts> = {
    'an Application with a kustomization': {
      'root.yaml': app('root', 'apps'),
      'apps/kustomization.yaml': 'resources: [child.yaml]\nnamePrefix: eu-\n',
      'apps/child.yaml': app('child', 'child'),
    },
    'an Application with kustomize options': {
      'root.yaml': app('root', 'apps', { source: ', kustomize: { namePrefix: eu- }' }),
      'apps/kustomization.yaml': 'resources: [child.yaml]\n',
      'apps/child.yaml': app('child', 'child'),
    },
    'a Kustomization with patches': {
      'clusters/a/root.yaml': flux('root', './apps', 'patches: [{ patch: "[]", target: { kind: Kustomization } }], '),
      'apps/kustomization.yaml': 'resources: [child.yaml]\n',
      'apps/child.yaml': flux('child', './child'),
    },
  };

  it.each(Object.entries(roots))('is named, and its children are compared as they are written: %s', (_, texts) => {
    const before = { ...texts, 'child/p.yaml': claim('p'), 'child/m.yaml': map('m') };
    const plan = planOf(before, without(before, 'child/p.yaml'));
    expect(plan.dangers).toMatchObject([{ code: 'danger-data-loss', application: { name: 'child' } }]);
    expect(planText(plan)).toMatch(/not rendered: \w+ root: only kustomize builds it/);
    expect(plan.applications.find(({ application }) => application.name === 'child')?.asWritten).toBeDefined();
  });
});

describe('an application that kro renders', () => {
  const rgd = `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: tenant }\nspec:\n  schema: { apiVersion: v1alpha1, kind: Tenant, spec: { path: string } }\n  resources:\n    - id: app\n      template:\n        apiVersion: argoproj.io/v1alpha1\n        kind: Application\n        metadata: { name: "\${schema.metadata.name}", namespace: argocd }\n        spec:\n          project: default\n          source: { repoURL: ${URL}, path: "\${schema.spec.path}" }\n          destination: { server: https://kubernetes.default.svc, namespace: x }\n`;
  const tenant =
    'apiVersion: kro.run/v1alpha1\nkind: Tenant\nmetadata: { name: red, namespace: argocd }\nspec: { path: red }\n';
  const files = {
    'tenants/rgd.yaml': rgd,
    'tenants/red.yaml': tenant,
    'red/p.yaml': claim('p'),
    'red/m.yaml': map('m'),
  };
  const homes: Record<string, Texts> = {
    'a folder that nothing deploys': {},
    'an Application with plain manifests': { 'root.yaml': app('root', 'tenants') },
    'a Kustomization of Flux': { 'clusters/a/root.yaml': flux('root', './tenants') },
    'an entry of render-rgd.yaml': { 'render-rgd.yaml': 'applications: [{ name: tenants, path: tenants }]\n' },
    'a kustomization with render-rgd': {
      'tenants/kustomization.yaml': 'resources: [rgd.yaml, red.yaml]\ntransformers: [render.yaml]\n',
      'tenants/render.yaml':
        'apiVersion: fn.kpt.dev/v1alpha1\nkind: RenderRGD\nmetadata:\n  name: render\n  annotations:\n    config.kubernetes.io/function: "exec: { path: render-rgd }"\n',
    },
  };

  it.each(Object.entries(homes))('is followed in %s', (_, home) => {
    const before = { ...files, ...home };
    expect(dangersOf(before, without(before, 'red/p.yaml'))).toEqual(['red danger-data-loss p']);
  });
});

describe('a FluxInstance', () => {
  const instance = (path: string, more = ''): string =>
    `apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: { name: flux, namespace: flux-system }\nspec: { distribution: { version: 2.x, registry: ghcr.io/fluxcd }, sync: { kind: GitRepository, url: ${URL}, ref: refs/heads/main, path: ${path}${more} } }\n`;
  const rest = { 'clusters/a/db.yaml': flux('db', './t'), 't/p.yaml': claim('data') };

  it('takes over what flux bootstrap wrote', () => {
    const before = { ...rest, 'clusters/a/sync.yaml': flux('flux-system', './clusters/a') };
    expect(dangersOf(before, { ...rest, 'clusters/a/flux.yaml': instance('clusters/a') })).toEqual([]);
  });

  it('deploys the path of its sync', () => {
    const before = { ...rest, 'clusters/a/flux.yaml': instance('clusters/a') };
    expect(dangersOf(before, without(before, 'clusters/a/db.yaml'))).toEqual(['db danger-data-loss data']);
  });
});

describe('an object that another application takes over', () => {
  const files = { 't/a/p.yaml': claim('data'), 't/b/m.yaml': map('m') };
  const dangerTexts = (before: Texts, after: Texts): string[] =>
    answerOf(before, after).dangers.map(({ message }) => message);

  it('may be lost if the deletion of the old application cascades', () => {
    const texts = (sync: string): Texts => ({ ...files, 'a.yaml': app('web2', 't/a', { sync }) });
    const before = { ...files, 'a.yaml': app('web', 't/a') };
    expect(dangerTexts(before, texts(PRUNES))).toEqual([expect.stringMatching(/data may be deleted with its data/)]);
    expect(dangerTexts(before, texts('{}'))).toEqual([expect.stringMatching(/data is deleted with its data/)]);
    const orphaning = { ...files, 'a.yaml': app('web', 't/a', { metadata: '' }) };
    expect(dangerTexts(orphaning, texts(PRUNES))).toEqual([]);
  });

  it('may be lost if the old application prunes by itself, whatever the new one prunes', () => {
    const texts = (sync: string): Texts => ({
      ...files,
      'a.yaml': app('a', 't/a', { sync }),
      'b.yaml': app('b', 't/b', { sync: '{ automated: {} }' }),
      't/a/m.yaml': map('rest'),
    });
    const moved = (sync: string): string[] => {
      const before = texts(sync);
      return dangerTexts(before, { ...without(before, 't/a/p.yaml'), 't/b/p.yaml': claim('data') });
    };
    expect(moved(PRUNES)).toEqual([expect.stringMatching(/may be deleted/)]);
    expect(moved('{}')).toEqual([]);
    expect(moved('{ automated: {} }')).toEqual([]);
  });
});

describe('an Application that would lose all of its objects', () => {
  it('keeps them unless allowEmpty is true', () => {
    const files = (sync: string): Texts => ({
      'a.yaml': app('a', 't', { sync }),
      't/p.yaml': claim('p'),
      't/README': '',
    });
    const emptied = (sync: string): string[] => dangersOf(files(sync), without(files(sync), 't/p.yaml'));
    expect(emptied(PRUNES)).toEqual([]);
    expect(emptied('{ automated: { prune: true, allowEmpty: true } }')).toEqual(['a danger-data-loss p']);
  });
});

describe('applications that apply one another', () => {
  const numbered = (count: number, each: (index: number) => Texts): Texts =>
    Object.assign({}, ...Array.from({ length: count }, (_, index) => each(index)));

  it('may be a cycle of any length', () => {
    const cycle = (value: string): Texts =>
      numbered(1500, (i) => ({
        [`f${i}/app.yaml`]: app(`a${i}`, `f${(i + 1) % 1500}`),
        [`f${i}/map.yaml`]: map(`m${i}`, i === 7 ? value : '1'),
      }));
    expect(summaryOf(cycle('1'), cycle('2'))).toEqual(['a6: ~ConfigMap/m7']);
  });

  it('are found once each if all of them apply one file', () => {
    const all = (value: string): Texts => ({
      'apps/all.yaml': Array.from({ length: 60 }, (_, i) => app(`a${i}`, 'apps')).join('---\n'),
      'apps/map.yaml': map('m', value),
    });
    const { found, compared } = answerOf(all('1'), all('2'));
    expect({ found, compared }).toEqual({ found: 60, compared: 60 });
  });

  it('are compared once each if all of them are removed and others added', () => {
    const all = (name: string): Texts => ({
      'apps/all.yaml': Array.from({ length: 40 }, (_, i) => app(`${name}${i}`, 'apps')).join('---\n'),
    });
    const work = workOf(() => expect(answerOf(all('a'), all('b')).compared).toBe(80));
    const objects = workOf(() => answerOf({}, all('b')));
    // Both versions, and what the other one lacks: not once for each of the applications that apply a declaration.
    expect(work / objects).toBeLessThan(10);
  });
});
