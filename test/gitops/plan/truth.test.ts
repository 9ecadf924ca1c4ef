import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { planMarkdown, planText, type RunTool, renderRepository } from '../../../src/gitops/plan/index.ts';
import { defaultSettings } from '../../../src/render/options/index.ts';
import { answerOf, application, filesOf, instance, planOf, summaryOf, type Texts, WEB } from './repository.ts';

const map = (name: string, value = '1', namespace = 'x'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: ${namespace} }\ndata: { v: "${value}" }\n`;
const claim = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec: { resources: { requests: { storage: 1Gi } } }\n`;
const flux = (name: string, path: string, more = ''): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\nspec: { interval: 10m, path: ${path}, prune: true, ${more} sourceRef: { kind: GitRepository, name: x } }\n`;
/** An Application with other fields than its source. */
const app = (name: string, path: string, { metadata = '', spec = '', server = 'https://a' } = {}): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd, ${metadata} }\nspec: { project: default, destination: { server: "${server}", namespace: web }, source: { repoURL: https://git.example.com/r.git, path: ${path} }, ${spec} }\n`;
const FINALIZER = 'finalizers: [resources-finalizer.argocd.argoproj.io]';

const codes = (before: Texts, after: Texts): string[] =>
  answerOf(before, after).dangers.map(({ code, application: name }) => `${name} ${code}`);

describe('applications with the same kind and name', () => {
  const clusters = {
    'clusters/staging/apps.yaml': flux('apps', './apps/staging'),
    'clusters/production/apps.yaml': flux('apps', './apps/production'),
    'apps/staging/map.yaml': map('staging'),
    'apps/production/map.yaml': map('production'),
  };

  it('are compared each, and named with their place', () => {
    const plan = planOf(clusters, { ...clusters, 'apps/production/map.yaml': map('production', '2') });
    expect(plan.found).toBe(2);
    expect(planText(plan)).toContain(
      'changed ConfigMap x/production in Kustomization apps (clusters/production/apps.yaml)',
    );
  });

  it('do not hide the deletion of data by a decoy, whatever its place', () => {
    const before = { 'prod.yaml': app('prod', 'prod'), 'prod/a.yaml': claim('db'), 'prod/b.yaml': map('b') };
    for (const decoy of ['a.yaml', 'zz.yaml']) {
      const after = { ...before, 'prod/a.yaml': map('c'), [decoy]: app('prod', 'copy'), 'copy/a.yaml': claim('db') };
      expect(codes(before, after)).toEqual(expect.arrayContaining(['prod danger-data-loss', 'prod danger-same-name']));
    }
    const { 'prod.yaml': real, ...rest } = before;
    const swapped = {
      ...rest,
      'other.yaml': real,
      'prod/a.yaml': map('c'),
      'prod.yaml': app('prod', 'copy'),
      'copy/a.yaml': claim('db'),
    };
    expect(codes(before, swapped)).toContain('prod danger-same-name');
  });

  it('follow an Application that moves to another file', () => {
    const before = { 'a/app.yaml': app('web', 'web'), 'web/a.yaml': map('a') };
    const after = { 'b/app.yaml': app('web', 'web'), 'web/a.yaml': map('a', '2') };
    expect(summaryOf(before, after)).toEqual(['web: ~ConfigMap/a']);
  });
});

describe('the destination of an application', () => {
  const two = {
    'a.yaml': app('a', 'a', { server: 'https://a' }),
    'b.yaml': app('b', 'b', { server: 'https://b' }),
    'a/m.yaml': map('a'),
    'b/m.yaml': map('b'),
  };

  it('is part of the identity of objects: another cluster takes nothing over', () => {
    expect(codes({ ...two, 'a/pvc.yaml': claim('db') }, { ...two, 'b/pvc.yaml': claim('db') })).toEqual([
      'a danger-data-loss',
    ]);
    const same = { ...two, 'b.yaml': app('b', 'b', { server: 'https://a' }) };
    expect(codes({ ...same, 'a/pvc.yaml': claim('db') }, { ...same, 'b/pvc.yaml': claim('db') })).toEqual([]);
  });

  it('is dangerous to change: another namespace deletes, and another cluster orphans', () => {
    const before = { 'a.yaml': app('a', 'a'), 'a/pvc.yaml': claim('db') };
    const namespace = { ...before, 'a.yaml': app('a', 'a').replace('namespace: web', 'namespace: other') };
    expect(answerOf(before, namespace).applications[0]).toMatchObject({
      added: [{ namespace: 'other', name: 'db' }],
      removed: [{ namespace: 'web', name: 'db' }],
    });
    expect(codes(before, namespace)).toEqual(['a danger-data-loss', 'a danger-destination']);
    const server = { ...before, 'a.yaml': app('a', 'a', { server: 'https://b' }) };
    expect(codes(before, server)).toEqual(['a danger-destination']);
    expect(planText(planOf(before, server))).toContain('(orphaned: its cluster changes)');
  });

  it.each([
    ['project', { spec: 'project: other' }],
    ['sync policy', { spec: 'syncPolicy: { automated: { prune: true } }' }],
    ['finalizers', { metadata: FINALIZER }],
  ])('is not the only setting that is reported: a change of the %s', (_, options) => {
    const before = { 'a.yaml': app('a', 'a'), 'a/m.yaml': map('a') };
    expect(codes(before, { ...before, 'a.yaml': app('a', 'a', options) })).toEqual(['a danger-application']);
    const plan = planOf(before, { ...before, 'a.yaml': app('a', 'a', options) });
    expect(planText(plan)).toMatch(/^1 application, 0 objects change, 1 danger /);
  });
});

describe('what happens to objects that are no longer rendered', () => {
  const annotated = (annotations: string): string =>
    claim('db').replace('name: db', `name: db, annotations: { ${annotations} }`);
  const outcomesOf = (before: Texts, after: Texts): unknown[] =>
    planOf(before, after).applications.flatMap(({ changes }) =>
      changes.flatMap(({ fate }) => (fate === undefined || fate.why === '' ? [] : [fate])),
    );
  const words = (before: Texts, after: Texts): string[] => [
    ...(planText(planOf(before, after)).match(/\((kept|orphaned|suspended|deleted)[^)]*\)/g) ?? []),
    ...codes(before, after),
  ];

  it.each([
    ['', {}, ['a danger-data-loss']],
    ['argocd.argoproj.io/sync-options: Prune=false', {}, ['(kept: Prune=false)']],
    ['argocd.argoproj.io/sync-options: "Prune=confirm"', {}, ['(deleted: Prune=confirm)', 'a danger-data-loss']],
    ['argocd.argoproj.io/sync-options: Delete=false', {}, ['a danger-data-loss']],
    ['helm.sh/resource-policy: keep', {}, ['a danger-data-loss']],
    ['', { spec: 'syncPolicy: { syncOptions: [Prune=false] }' }, ['(kept: Prune=false of the Application)']],
    [
      'argocd.argoproj.io/sync-options: "Prune=true"',
      { spec: 'syncPolicy: { syncOptions: [Prune=false] }' },
      ['a danger-data-loss'],
    ],
    [
      '',
      { metadata: 'annotations: { argocd.argoproj.io/skip-reconcile: "true" }' },
      ['(suspended: argocd.argoproj.io/skip-reconcile)', 'a danger-data-loss'],
    ],
  ])('by Argo CD, with %s and %j', (annotations, options, expected) => {
    const rest = { 'a.yaml': app('a', 'a', options), 'a/m.yaml': map('a') };
    expect(words({ ...rest, 'a/pvc.yaml': annotated(annotations) }, rest)).toEqual(expected);
  });

  it.each([
    ['', {}, ['(orphaned: the Application has no resources-finalizer)']],
    ['', { metadata: FINALIZER }, ['a danger-data-loss']],
    ['argocd.argoproj.io/sync-options: Delete=false', { metadata: FINALIZER }, ['(kept: Delete=false)']],
    ['helm.sh/resource-policy: keep', { metadata: FINALIZER }, ['(kept: helm.sh/resource-policy: keep)']],
    ['argocd.argoproj.io/sync-options: Prune=false', { metadata: FINALIZER }, ['a danger-data-loss']],
  ])('by Argo CD when the Application is deleted, with %s and %j', (annotations, options, expected) => {
    const files = { 'a/pvc.yaml': annotated(annotations) };
    expect(words({ ...files, 'a.yaml': app('a', 'a', options) }, files)).toEqual(expected);
  });

  it.each([
    ['', '', ['a danger-data-loss']],
    ['kustomize.toolkit.fluxcd.io/prune: disabled', '', ['(kept: kustomize.toolkit.fluxcd.io/prune: disabled)']],
    ['kustomize.toolkit.fluxcd.io/prune: Disabled', '', ['(kept: kustomize.toolkit.fluxcd.io/prune: Disabled)']],
    ['kustomize.toolkit.fluxcd.io/ssa: ignore', '', ['(kept: kustomize.toolkit.fluxcd.io/ssa: ignore)']],
    ['', 'suspend: true,', ['(suspended: spec.suspend)', 'a danger-data-loss']],
  ])('by Flux, with %s and %s', (annotations, more, expected) => {
    const rest = { 'c/a.yaml': flux('a', './a', more), 'a/m.yaml': map('a') };
    expect(words({ ...rest, 'a/pvc.yaml': annotated(annotations) }, rest)).toEqual(expected);
  });

  // The controllers do this in some orders, and not in others: npm run fates.
  it.each([
    ['suspends', '', 'suspend: true,', 'if its controller acts with the older settings, else suspended: spec.suspend'],
    [
      'prunes no more',
      '',
      'prune: false,',
      'if its controller acts with the older settings, else orphaned: spec.prune is not true',
    ],
    [
      'prunes again',
      'prune: false,',
      '',
      'if its controller acts with the newer settings, else orphaned: spec.prune is not true',
    ],
  ])('by Flux, when the same change %s', (_, older, newer, why) => {
    const unit = (more: string): string =>
      flux('a', './a').replace('prune: true,', more === 'prune: false,' ? more : `prune: true, ${more}`);
    const files = { 'a/m.yaml': map('a') };
    const before = { ...files, 'c/a.yaml': unit(older), 'a/pvc.yaml': claim('db') };
    const after = { ...files, 'c/a.yaml': unit(newer) };
    expect(words(before, after)).toEqual([`(deleted: ${why})`, 'a danger-data-loss', 'a danger-application']);
    const [outcome] = outcomesOf(before, after);
    expect(outcome).toMatchObject({ word: 'deleted', why, may: true });
  });

  it.each([
    ['Flux', flux('b', './b'), flux('b', './b', 'suspend: true,')],
    [
      'Argo CD',
      app('b', 'b', { spec: 'syncPolicy: { automated: {} }' }),
      app('b', 'b', { metadata: 'annotations: { argocd.argoproj.io/skip-reconcile: "true" }' }),
    ],
  ])('by %s, when the same change suspends what takes an object over', (controller, older, newer) => {
    const source =
      controller === 'Flux' ? flux('a', './a') : app('a', 'a', { spec: 'syncPolicy: { automated: { prune: true } }' });
    const files = { 'c/a.yaml': source, 'a/m.yaml': map('a'), 'b/m.yaml': map('b') };
    const moved = (from: string, to: string): string[] => {
      const before = { ...files, 'c/b.yaml': from, 'a/pvc.yaml': claim('db') };
      const { dangers } = answerOf(before, { ...files, 'c/b.yaml': to, 'b/pvc.yaml': claim('db') });
      return dangers.flatMap(({ code, message }) => (code === 'danger-data-loss' ? [message] : []));
    };
    expect(moved(older, newer)).toEqual([expect.stringContaining('db may be deleted')]);
    expect(moved(newer, newer)).toEqual([expect.stringContaining('db is deleted')]);
  });

  it('is data, if another application takes an object over', () => {
    const pruning = app('a', 'a', { spec: 'syncPolicy: { automated: { prune: true } }' });
    const taking = app('b', 'b', { spec: 'syncPolicy: { automated: {} }' });
    const files = { 'a.yaml': pruning, 'b.yaml': taking, 'a/m.yaml': map('a'), 'b/m.yaml': map('b') };
    const takeover = (b: string): unknown[] =>
      answerOf(
        { ...files, 'b.yaml': b, 'a/pvc.yaml': claim('db') },
        { ...files, 'b.yaml': b, 'b/pvc.yaml': claim('db') },
      ).dangers.map((danger) => danger.takeover);
    const by = { application: 'b', applicationKind: 'Application' };
    expect(takeover(taking)).toEqual([{ ...by, loss: 'may' }]);
    expect(takeover(app('b', 'b'))).toEqual([{ ...by, loss: 'happens' }]);
  });

  it('may be data, if a person confirms its deletion and may sync what takes it over before', () => {
    const files = { 'b.yaml': app('b', 'b'), 'b/m.yaml': map('b') };
    const takeover = (annotations: string): unknown[] =>
      answerOf(
        { ...files, 'a.yaml': app('a', 'a', { metadata: FINALIZER }), 'a/pvc.yaml': annotated(annotations) },
        { ...files, 'b/pvc.yaml': annotated(annotations) },
      ).dangers.map((danger) => danger.takeover);
    const by = { application: 'b', applicationKind: 'Application' };
    expect(takeover('')).toEqual([{ ...by, loss: 'happens' }]);
    expect(takeover('argocd.argoproj.io/sync-options: Delete=confirm')).toEqual([{ ...by, loss: 'may' }]);
  });

  /** The fates of the objects of an Application, whose claim has some sync options. */
  const fatesBeside = (own: string, options: string, after: Texts | undefined): (string | undefined)[] => {
    const spec = `syncPolicy: { automated: { prune: true }, syncOptions: [${options}] }`;
    const unit = { 'a.yaml': app('a', 'a', { metadata: FINALIZER, spec }) };
    const files = { 'a/pvc.yaml': annotated(`argocd.argoproj.io/sync-options: "${own}"`), 'a/m.yaml': map('m') };
    const plan = planOf({ ...unit, ...files }, after === undefined ? files : { ...unit, ...after });
    const changes = plan.applications.flatMap((one) => one.changes);
    return ['PersistentVolumeClaim', 'ConfigMap', 'Secret'].map((kind) => {
      const found = changes.find(({ before, after }) => (before ?? after)?.object.kind === kind);
      return found?.fate && `${found.fate.word} ${found.fate.why}`;
    });
  };

  // argo-cd: finalizeApplicationDeletion, isObjRequiresDeletionConfirmation.
  it.each([
    ['Delete=confirm', '', 'deleted Delete=confirm', 'deleted Delete=confirm of PersistentVolumeClaim web/db'],
    ['Prune=confirm', '', 'deleted Prune=confirm', 'deleted Prune=confirm of PersistentVolumeClaim web/db'],
    ['Delete=true,Prune=true', 'Delete=confirm', 'deleted Delete=confirm of the Application'],
    ['Delete=true', 'Prune=confirm', 'deleted Prune=confirm of the Application'],
    ['', 'Delete=confirm', 'deleted Delete=confirm of the Application'],
    ['Delete=false', '', 'kept Delete=false', 'deleted '],
    ['Delete=false,Prune=confirm', '', 'kept Delete=false', 'deleted '],
  ])(
    'by Argo CD when an Application is deleted: %s of an object and %s delay all',
    (own, options, claims, maps = claims) => {
      expect(fatesBeside(own, options, undefined).slice(0, 2)).toEqual([claims, maps]);
    },
  );

  // gitops-engine: runTasks stops at the first wave that needs a confirmation, before it applies anything of it.
  it.each([
    ['Prune=confirm', '', '', 'deleted Prune=confirm', 'suspended Prune=confirm of PersistentVolumeClaim web/db'],
    ['Prune=confirm', 'PruneLast=true', '', 'deleted Prune=confirm', undefined],
    ['Prune=confirm,PruneLast=true', '', '', 'deleted Prune=confirm', undefined],
    ['Prune=confirm', '', 'argocd.argoproj.io/sync-wave: "-1"', 'deleted Prune=confirm', undefined],
    ['Prune=true', 'Prune=confirm', '', 'deleted ', undefined],
    ['Delete=confirm', '', '', 'deleted ', undefined],
    ['Prune=false', '', '', 'kept Prune=false', undefined],
  ])('by Argo CD when %s of an object and %s stop a sync, of a change with %s', (own, options, wave, claims, maps) => {
    const changed = map('m', '2').replace('name: m,', `name: m, annotations: { ${wave} },`);
    expect(fatesBeside(own, options, { 'a/m.yaml': changed }).slice(0, 2)).toEqual([claims, maps]);
  });

  it('by Argo CD when a sync stops before it deletes another object', () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: s }\n';
    const held = 'Prune=confirm of PersistentVolumeClaim web/db';
    expect(fatesBeside('Prune=confirm', '', { 'a/s.yaml': secret })).toEqual([
      'deleted Prune=confirm',
      `deleted ${held}`,
      `suspended ${held}`,
    ]);
  });

  it('by Argo CD when a person must confirm the deletion of what declares it', () => {
    const child = app('child', 'c', {
      metadata: `${FINALIZER}, annotations: { argocd.argoproj.io/sync-options: Prune=confirm }`,
    });
    const root = app('root', 'r', { spec: 'syncPolicy: { automated: { prune: true } }' });
    const kept = annotated('argocd.argoproj.io/sync-options: Delete=false');
    const files = { 'root.yaml': root, 'r/m.yaml': map('m'), 'c/pvc.yaml': kept, 'c/m.yaml': map('m2') };
    expect(outcomesOf({ ...files, 'r/child.yaml': child }, files)).toEqual(
      expect.arrayContaining([
        { word: 'deleted', why: 'Prune=confirm' },
        { word: 'kept', why: 'Delete=false' },
      ]),
    );
    expect(words({ ...files, 'r/child.yaml': child }, files)).toContain('(deleted: Prune=confirm)');
  });

  it('by Argo CD when an Application is deleted that it skips', () => {
    const metadata = `annotations: { argocd.argoproj.io/skip-reconcile: "true" }, ${FINALIZER}`;
    const unit = app('a', 'a', { metadata, spec: 'syncPolicy: { automated: { prune: true } }' });
    const files = { 'a/pvc.yaml': claim('db') };
    const skipped = '(suspended: argocd.argoproj.io/skip-reconcile)';
    expect(words({ ...files, 'a.yaml': unit }, files)).toEqual([skipped, 'a danger-data-loss']);
    const own = { 'a/pvc.yaml': annotated('argocd.argoproj.io/sync-options: Delete=true') };
    expect(words({ ...own, 'a.yaml': unit }, own)).toEqual([skipped, 'a danger-data-loss']);
    expect(words({ ...files, 'a.yaml': unit }, { ...files, 'a.yaml': app('b', 'a') })).toEqual([skipped]);
  });

  it('by Argo CD, when the same change of an object that is not compared is all', () => {
    const own = 'argocd.argoproj.io/compare-options: IgnoreExtraneous';
    const unit = app('a', 'a', { spec: 'syncPolicy: { automated: { prune: true } }' });
    const before = { 'a.yaml': unit, 'a/m.yaml': map('a'), 'a/pvc.yaml': annotated(own) };
    const { 'a/pvc.yaml': _, ...after } = before;
    expect(words(before, after)).toEqual(['(kept: IgnoreExtraneous until something else is synced)']);
    expect(words(before, { ...after, 'a/m.yaml': map('a', '2') })).toEqual(['a danger-data-loss']);
  });

  it('by Argo CD, when the same change stops the automated prune', () => {
    const unit = (prune: boolean): string => app('a', 'a', { spec: `syncPolicy: { automated: { prune: ${prune} } }` });
    const files = { 'a/m.yaml': map('a') };
    const before = { ...files, 'a.yaml': unit(true), 'a/pvc.yaml': claim('db') };
    const why = 'if its controller acts with the older settings, else kept: automated.prune is not true';
    expect(outcomesOf(before, { ...files, 'a.yaml': unit(false) })).toMatchObject([
      { word: 'deleted', why, may: true },
    ]);
    // A sync that prunes finds what an earlier one left.
    expect(outcomesOf({ ...before, 'a.yaml': unit(false) }, { ...files, 'a.yaml': unit(true) })).toEqual([]);
  });

  it('by Flux without prune, and with deletionPolicy: Orphan', () => {
    const text = flux('a', './a').replace('prune: true', 'prune: false');
    const rest = { 'c/a.yaml': text, 'a/m.yaml': map('a') };
    expect(words({ ...rest, 'a/pvc.yaml': claim('db') }, rest)).toEqual(['(orphaned: spec.prune is not true)']);
    const files = { 'a/pvc.yaml': claim('db') };
    const orphaning = { ...files, 'c/a.yaml': flux('a', './a', 'deletionPolicy: Orphan,') };
    expect(words(orphaning, files)).toEqual(['(orphaned: deletionPolicy: Orphan)']);
    const suspended = { ...files, 'c/a.yaml': flux('a', './a', 'suspend: true, deletionPolicy: Delete,') };
    expect(words(suspended, files)).toEqual(['(orphaned: spec.suspend)']);
    const deleting = { ...files, 'c/a.yaml': flux('a', './a', 'deletionPolicy: Delete,') };
    expect(words(deleting, files)).toEqual(['a danger-data-loss']);
    expect(codes(deleting, orphaning)).toEqual([]);
    expect(codes(orphaning, deleting)).toEqual(['a danger-application']);
  });

  describe.each([
    ['plain files', []],
    ['a kustomization of the group', ['groups']],
    ['a kustomization of the root', ['roots']],
    ['two kustomizations', ['groups', 'roots']],
  ])('by Argo CD when the root of nested Applications is deleted, with %s', (_, folders) => {
    const lists: Texts = { groups: 'resources: [leaf.yaml]\n', roots: 'resources: [group.yaml]\n' };
    const codesWith = (metadata: string): string[] => {
      const group = app('group', 'groups', { metadata });
      const leaf = app('leaf', 'leaf', { metadata: FINALIZER });
      const files = {
        ...Object.fromEntries(
          folders.map((one) => [`${one}/kustomization.yaml`, `commonAnnotations: { a: b }\n${lists[one]}`]),
        ),
        ...{ 'roots/group.yaml': group, 'groups/leaf.yaml': leaf, 'leaf/pvc.yaml': claim('db') },
      };
      const root = { 'root.yaml': app('root', 'roots', { metadata: FINALIZER }) };
      const run: RunTool = (_tool, path) => ({ text: path === 'roots' ? group : leaf });
      const { dangers } = answerOf({ ...root, ...files }, files, { before: run, after: run });
      return dangers.map(({ code, application: name }) => `${name} ${code}`);
    };

    it('deletes what they deploy', () => expect(codesWith(FINALIZER)).toContain('leaf danger-data-loss'));

    it('leaves what an Application without the finalizer deploys', () =>
      expect(codesWith('')).not.toContain('leaf danger-data-loss'));
  });

  it('by an ApplicationSet, which deletes unless it preserves resources', () => {
    const set = (policy: string, elements: string): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: s }\nspec:\n  syncPolicy: ${policy}\n  generators: [{ list: { elements: ${elements} } }]\n  template: { metadata: { name: "{{team}}" }, spec: { project: default, destination: { server: https://kubernetes.default.svc, namespace: web }, source: { repoURL: https://git.example.com/r.git, path: "{{team}}" } } }\n`;
    const files = { 'a/pvc.yaml': claim('db') };
    const change = (policy: string): string[] =>
      words({ ...files, 's.yaml': set(policy, '[{ team: a }]') }, { ...files, 's.yaml': set(policy, '[]') });
    expect(change('{}')).toEqual(['a danger-data-loss']);
    expect(change('{ preserveResourcesOnDeletion: true }')).toEqual(['(orphaned: preserveResourcesOnDeletion)']);
    expect(change('{ applicationsSync: create-only }')).toEqual(['(kept: applicationsSync: create-only)']);
    // Its policy does not keep what Kubernetes deletes with their owner.
    const deleted = (policy: string): string[] => words({ ...files, 's.yaml': set(policy, '[{ team: a }]') }, files);
    expect(deleted('{ applicationsSync: create-only }')).toEqual(['a danger-data-loss']);
    expect(deleted('{ preserveResourcesOnDeletion: true }')).toEqual(['(orphaned: preserveResourcesOnDeletion)']);
  });

  it('is dangerous for a NetworkPolicy, a PodDisruptionBudget, an Ingress and a load balancer too', () => {
    const object = (apiVersion: string, kind: string, spec: string): string =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a, namespace: x }\nspec: ${spec}\n`;
    const all = [
      object('networking.k8s.io/v1', 'NetworkPolicy', '{ podSelector: {} }'),
      object('policy/v1', 'PodDisruptionBudget', '{ minAvailable: 1 }'),
      object('networking.k8s.io/v1', 'Ingress', '{ rules: [{ host: a.example.com }] }'),
      object('v1', 'Service', '{ type: LoadBalancer, ports: [{ port: 80 }] }'),
    ];
    const rest = { 'a.yaml': app('a', 'a'), 'a/m.yaml': map('a') };
    expect(codes({ ...rest, 'a/all.yaml': all.join('---\n') }, rest).sort()).toEqual([
      'a danger-address-removed',
      'a danger-host-removed',
      'a danger-protection-removed',
      'a danger-protection-removed',
    ]);
    const balanced = { ...rest, 'a/s.yaml': all[3] as string };
    expect(codes(balanced, { ...rest, 'a/s.yaml': (all[3] as string).replace('LoadBalancer', 'ClusterIP') })).toEqual([
      'a danger-address-removed',
    ]);
  });
});

describe('a source of Argo CD', () => {
  it.each(['v1.2.3', '1.x', '>=1.0', 'abcdef1', 'release'])(
    'with the fixed revision %s does not change',
    (revision) => {
      const before = { 'a.yaml': application('a', `{ path: a, targetRevision: "${revision}" }`), 'a/m.yaml': map('a') };
      const tagged = { tags: new Set(['release']) };
      expect(answerOf(before, { ...before, 'a/m.yaml': map('a', '2') }, undefined, [], tagged).applications).toEqual([
        expect.objectContaining({ name: 'a', changed: [], error: `it deploys the revision ${revision}` }),
      ]);
    },
  );

  it('has globs whose wildcards match slashes', () => {
    const recurse = (include: string): string =>
      application('a', `{ path: a, directory: { recurse: true, include: "${include}" } }`);
    const change = (include: string): string[] => {
      const files = (value: string): Texts => ({
        'a.yaml': recurse(include),
        'a/x.yaml': map('x', value),
        'a/b/y.yaml': map('deep', value),
      });
      return summaryOf(files('1'), files('2'));
    };
    expect(change('*.yaml')).toEqual(['a: ~ConfigMap/deep ~ConfigMap/x']);
    expect(change('{b/*,none}')).toEqual(['a: ~ConfigMap/deep']);
    expect(change('?.yaml')).toEqual(['a: ~ConfigMap/x']);
  });

  it('has files of a git generator that git ls-files lists', () => {
    const set = `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: s }\nspec:\n  generators: [{ git: { repoURL: x, revision: HEAD, files: [{ path: "envs/*/config.json" }] } }]\n  template: { metadata: { name: "{{name}}" }, spec: { project: default, destination: { server: https://kubernetes.default.svc, namespace: x }, source: { repoURL: https://git.example.com/r.git, path: "raw/{{name}}" } } }\n`;
    const files = (value: string): Texts => ({
      's.yaml': set,
      'envs/a/config.json': '{ "name": "a" }',
      'envs/b/deep/config.json': '{ "name": "deep" }',
      'raw/a/m.yaml': map('a', value),
      'raw/deep/m.yaml': map('deep', value),
    });
    expect(summaryOf(files('1'), files('2'))).toEqual(['a: ~ConfigMap/a', 'deep: ~ConfigMap/deep']);
  });

  it('is overridden by .argocd-source files', () => {
    const before = {
      'a.yaml': application('a', '{ path: a, directory: { recurse: true } }'),
      'a/m.yaml': map('a'),
      'a/b/m.yaml': map('b'),
    };
    const override = '{ directory: { recurse: false } }';
    expect(summaryOf(before, { ...before, 'a/.argocd-source-a.yaml': override })).toEqual(['a: -ConfigMap/b']);
    expect(summaryOf(before, { ...before, 'a/.argocd-source-b.yaml': override })).toEqual([]);
  });

  it.each([
    ['{ path: nowhere }', 'its path nowhere does not exist'],
    [
      '{ path: a, helm: { releaseName: x }, directory: { recurse: true } }',
      'it has several types of source: helm, directory',
    ],
    ['{ path: a, plugin: { name: render-rgd, parameters: [{ name: wrong, string: x }] } }', 'the parameter wrong'],
    [
      '{ path: a, plugin: { name: render-rgd, parameters: [{ name: onPending, string: skip }] } }',
      'are omitted now are pruned',
    ],
    ['{ path: k, plugin: { name: render-rgd } }', 'this folder is for kustomize, which would not run'],
  ])('fails with %s', (source, reason) => {
    const files = { 'a/m.yaml': map('a'), 'k/kustomization.yaml': 'resources: [m.yaml]\n', 'k/m.yaml': map('k') };
    const plan = planOf(files, { ...files, 'a.yaml': application('a', source) });
    expect(plan.reports.map(({ code }) => code)).toEqual(['application-fails']);
    expect(plan.applications[0]?.error).toContain(reason);
  });

  it('is not ours if its plugin has no name, and its parameters and files are not for render-rgd', () => {
    const files = {
      'a.yaml': application('a', '{ path: a, plugin: { env: [{ name: A, value: b }] } }'),
      'a/m.yaml': map('a'),
    };
    expect(summaryOf({}, files)).toEqual([expect.stringContaining('another plugin may build it')]);
    expect(summaryOf({}, { ...files, 'p/web.yaml': WEB, 'a/m.yaml': `${map('a')}---\n${WEB}` })[0]).not.toContain(
      'another plugin',
    );
  });

  it('reads definitions outside of the repository only where --allow-dir maps them', () => {
    const source = '{ path: a, plugin: { name: render-rgd, parameters: [{ name: definitions, array: [/srv/rgds] }] } }';
    const files = { 'a.yaml': application('a', source), 'a/web.yaml': instance('a'), 'platform/web.yaml': WEB };
    expect(summaryOf({}, files)).toEqual([expect.stringContaining('/srv/rgds is outside the repository')]);
    expect(summaryOf({}, files, undefined, [], { allowDir: ['/srv/rgds=platform'] })).toEqual(['a: +ConfigMap/a']);
  });

  it.each([
    ['an RGD that is gone', { 'platform/web.yaml': map('other') }, 'undefined-kind'],
    ['no object', { 'a/web.yaml': '# nothing\n' }, 'empty-output'],
  ])('fails with the message of the plugin after %s', (_, change, code) => {
    const source =
      '{ path: a, plugin: { name: render-rgd, parameters: [{ name: definitions, array: [../platform] }] } }';
    const before = { 'a.yaml': application('a', source), 'a/web.yaml': instance('a'), 'platform/web.yaml': WEB };
    const plan = planOf(before, { ...before, ...change });
    expect(plan.reports.map((report) => report.code)).toEqual([code]);
    expect(plan.applications).toMatchObject([{ changes: [], error: expect.any(String) }]);
  });
});

describe('an ApplicationSet that Argo CD rejects', () => {
  const set = (name: string): string =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: s }\nspec:\n  goTemplate: true\n  goTemplateOptions: [missingkey=error]\n  generators: [{ git: { repoURL: x, revision: HEAD, directories: [{ path: "t/*" }] } }]\n  template: { metadata: { name: "${name}" }, spec: { project: default, destination: { server: https://kubernetes.default.svc, namespace: x }, source: { repoURL: https://git.example.com/r.git, path: "{{.path.path}}" } } }\n`;
  const files = { 't/a/pvc.yaml': claim('a'), 't/b/pvc.yaml': claim('b') };

  it.each(['{{.path.nothere}}', 'same', ''])('changes none of its Applications, for the name %j', (name) => {
    const before = { ...files, 's.yaml': set('{{.path.basename}}') };
    const plan = planOf(before, { ...files, 's.yaml': set(name) });
    expect(plan.dangers).toEqual([]);
    expect(plan.reports.map(({ code }) => code)).toEqual(['application-fails']);
    expect(plan.applications).toMatchObject([{ application: { kind: 'ApplicationSet' }, changes: [] }]);
  });

  it('is listed once, without its Applications, if its older version fails', () => {
    const after = { ...files, 's.yaml': set('{{.path.basename}}') };
    expect(summaryOf({ ...files, 's.yaml': set('same') }, after)).toEqual([
      's: the older version is not rendered: it makes same twice',
    ]);
  });
});

describe('Applications in kustomizations', () => {
  const files = (value: string): Texts => ({ 'a/m.yaml': map('a', value) });

  it('are not hidden by a patch of kind Application', () => {
    const patch =
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec: { source: { targetRevision: main } }\n';
    const texts = {
      'argocd/a.yaml': application('a', '{ path: a }'),
      'argocd/prod/patch.yaml': patch,
      'argocd/prod/kustomization.yaml': 'resources: [../a.yaml]\npatches: [{ path: patch.yaml }]\n',
    };
    expect(summaryOf({ ...texts, ...files('1') }, { ...texts, ...files('2') })).toEqual([
      'a: ~ConfigMap/a',
      expect.stringMatching(/^argocd\/prod: its applications are not read: only kustomize builds it/),
    ]);
  });

  it('are those that an overlay builds, and not those in its files', () => {
    const texts = {
      'apps/base/a.yaml': application('a', '{ path: todo }'),
      'apps/base/kustomization.yaml': 'resources: [a.yaml]\n',
      'apps/prod/kustomization.yaml': 'resources: [../base]\nnamePrefix: prod-\n',
    };
    const run = () => ({ text: application('prod-a', '{ path: a }') });
    const tools = { before: run, after: run };
    expect(summaryOf({ ...texts, ...files('1') }, { ...texts, ...files('2') }, tools)).toEqual([
      'prod-a: ~ConfigMap/a',
    ]);
  });

  it('stay as they are while what renders them fails', () => {
    const texts = {
      'root.yaml': application('root', '{ path: apps/prod }'),
      'apps/base/a.yaml': application('a', '{ path: todo }'),
      'apps/base/kustomization.yaml': 'resources: [a.yaml]\n',
      'apps/prod/kustomization.yaml': 'resources: [../base]\nnamePrefix: prod-\n',
      ...files('1'),
    };
    const tools = {
      before: () => ({ text: application('prod-a', '{ path: a }') }),
      after: () => ({ fault: 'broken' }),
    };
    const after = { ...texts, 'apps/prod/kustomization.yaml': 'resources: [../base]\nnamePrefix: other-\n' };
    expect(summaryOf(texts, after, tools)).toEqual(['root: broken']);
  });

  it('stay as they are while the path of their Application does not exist', () => {
    const before = {
      'root.yaml': app('root', 'list'),
      'list/child.yaml': app('child', 'child'),
      'child/a.yaml': claim('a'),
    };
    const { 'list/child.yaml': _, ...rest } = before;
    expect(summaryOf(before, rest)).toEqual(['root: its path list does not exist']);
    expect(codes(before, rest)).toEqual([]);
  });

  it('are not those in a file of an overlay that is gone', () => {
    const overlay = {
      'root.yaml': app('root', 'overlay'),
      'base/a.yaml': app('a', 'todo'),
      'base/kustomization.yaml': 'resources: [a.yaml]\n',
      'overlay/kustomization.yaml': 'resources: [../base]\nnamePrefix: p-\n',
      'web/a.yaml': map('a'),
    };
    const { 'overlay/kustomization.yaml': _, ...rest } = overlay;
    const tool = (): { text: string } => ({ text: app('p-a', 'web') });
    expect(summaryOf(overlay, rest, { before: tool, after: tool })).toEqual(['root: its path overlay does not exist']);
  });

  it('are those that another Application renders', () => {
    const web = WEB.replace(
      'apiVersion: v1\n        kind: ConfigMap',
      'apiVersion: argoproj.io/v1alpha1\n        kind: Application',
    ).replace(
      /(?<=\n {8})data:.*/s,
      'spec:\n          project: default\n          destination: { server: https://kubernetes.default.svc, namespace: x }\n          source: { repoURL: https://git.example.com/r.git, path: "${schema.spec.title}" }\n',
    );
    const source =
      '{ path: apps, plugin: { name: render-rgd, parameters: [{ name: definitions, array: [../platform] }] } }';
    const texts = {
      'root.yaml': application('root', source),
      'apps/web.yaml': `# argoproj.io/\n${instance('made', '{ title: a }')}`,
      'platform/web.yaml': web,
    };
    expect(summaryOf({ ...texts, ...files('1') }, { ...texts, ...files('2') })).toEqual(['made: ~ConfigMap/a']);
  });

  it('follow a base without apiVersion and kind, and fail for one that does not exist', () => {
    const before = {
      'a.yaml': application('a', '{ path: over }'),
      'over/kustomization.yaml': 'resources: [../base]\n',
      'base/kustomization.yaml': 'resources: [m.yaml]\n',
      'base/m.yaml': map('m'),
    };
    expect(summaryOf(before, { ...before, 'base/m.yaml': map('m', '2') })).toEqual(['a: ~ConfigMap/m']);
    const { 'base/m.yaml': _, ...broken } = before;
    const plan = planOf(before, broken);
    expect(plan.reports.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'application-fails a.yaml: it reads base/m.yaml, which does not exist',
    ]);
  });

  it.each([
    ['resources: [m.yaml, m.yaml]\n', 'it lists ConfigMap m twice'],
    ['resources: [.]\n', 'base lists itself'],
  ])('fail as in kustomize with %j', (kustomization, reason) => {
    const files = { 'a.yaml': application('a', '{ path: base }'), 'base/m.yaml': map('m') };
    expect(summaryOf({}, { ...files, 'base/kustomization.yaml': kustomization })).toEqual([`a: ${reason}`]);
  });
});

describe('a folder that Flux deploys without a kustomization', () => {
  it('is built as if one listed its files and the kustomizations below', () => {
    const texts = (value: string): Texts => ({
      'c/a.yaml': flux('a', './a'),
      'a/m.yaml': map('m', value),
      'a/not.json': map('json', value),
      'a/sub/kustomization.yaml': 'resources: [used.yaml]\n',
      'a/sub/used.yaml': map('used', value),
      'a/sub/unused.yaml': map('unused', value),
    });
    expect(summaryOf(texts('1'), texts('2'))).toEqual(['a: ~ConfigMap/m ~ConfigMap/used']);
  });
});

describe('an object that the API server cannot read', () => {
  it('is an error where objects are written too', () => {
    const files = filesOf({
      'a.yaml': application('a', '{ path: a }'),
      'a/m.yaml': map('m').replace('name: m', '$&, labels: { n: 5 }'),
    });
    const [rendered] = renderRepository(files, { settings: defaultSettings, urls: [] }, undefined);
    expect(rendered?.error).toBe('a/m.yaml: ConfigMap/m: must be a string, got a number');
  });
});

describe('a file that a kustomization lists', () => {
  const thing = (spec: string): Texts => ({
    'a.yaml': application('a', '{ path: a }'),
    'c/f.yaml': flux('f', './f'),
    'a/kustomization.yaml': 'resources: [t.yaml]\n',
    ...Object.fromEntries(
      ['a', 'f'].map((folder) => [
        `${folder}/t.yaml`,
        `apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: ${folder}, namespace: x, labels: { n: yes } }\nspec: ${spec}\n`,
      ]),
    ),
  });

  it('has words that are texts, also in the folder of a Kustomization of Flux', () => {
    const { groups } = planOf(thing('{ a: yes, b: [no, "on", !!bool on], y: 1 }'), thing('{ a: "yes", b: [], n: 1 }'));
    expect(groups.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines))).toEqual([
      ...['-"no"', '-"on"', '-true', '+"n": 1', '-"y": 1'],
    ]);
    expect(groups.map(({ changes }) => changes.length)).toEqual([2]);
    expect(summaryOf(thing('{ a: yes }'), thing('{ a: "yes" } # no'))).toEqual([]);
  });

  it('needs kustomize if it has a date, which kustomize completes', () => {
    expect(summaryOf(thing('{ a: 1 }'), thing('{ a: 2024-01-01 }'))).toEqual(
      ['a', 'f'].map(
        (name) =>
          `${name}: only kustomize builds it, for the date 2024-01-01 in ${name}/t.yaml; --allow-exec runs kustomize`,
      ),
    );
    expect(summaryOf(thing('{ a: 1 }'), thing('{ a: "2024-01-01", b: 2024-01-99 }'))).toEqual([
      'a: ~Thing/a',
      'f: ~Thing/f',
    ]);
  });
});

describe('what a Kustomization of Flux declares', () => {
  const nested = (cluster: string): Texts => ({
    [`clusters/${cluster}/flux-system/sync.yaml`]: flux('flux-system', `./clusters/${cluster}`),
    [`clusters/${cluster}/tenants.yaml`]: flux('tenants', `./tenants/${cluster}`),
    [`tenants/${cluster}/kustomization.yaml`]: 'namePrefix: p-\nresources: [team.yaml]\n',
    [`tenants/${cluster}/team.yaml`]: flux('team', `./team/${cluster}`),
    [`team/${cluster}/a.yaml`]: map(cluster),
  });

  it('belongs to its cluster, also if a build renders it', () => {
    const run: RunTool = (_, path) => ({ text: flux('p-team', `./team/${path.slice('tenants/'.length)}`) });
    const before = { ...nested('prod'), ...nested('staging') };
    const after = { ...before, 'team/prod/a.yaml': map('prod', '2') };
    const plan = planOf(before, after, { before: run, after: run });
    expect(planText(plan)).toContain('in Kustomization p-team (Kustomization tenants of clusters/prod)');
    const folders = renderRepository(filesOf(after), { settings: defaultSettings, urls: [] }, run).map(
      ({ folder, error }) => `${folder} ${error}`,
    );
    expect(folders).toContain('Kustomization/clusters/prod/p-team undefined');
    expect(folders).toContain('Kustomization/clusters/staging/p-team undefined');
  });

  it('is deleted with it, although its file stays', () => {
    const before = {
      'clusters/prod/apps.yaml': flux('apps', './apps'),
      'apps/more.yaml': flux('more', './more'),
      'more/a.yaml': claim('a'),
    };
    const { 'clusters/prod/apps.yaml': _, ...after } = before;
    expect(summaryOf(before, after)).toEqual(['apps: -Kustomization/more', 'more: -PersistentVolumeClaim/a']);
    expect(summaryOf(after, before)).toEqual(['apps: +Kustomization/more', 'more: +PersistentVolumeClaim/a']);
    const orphaned = { ...before, 'clusters/prod/apps.yaml': flux('apps', './apps', 'deletionPolicy: Orphan,') };
    expect(codes(before, after)).toContain('more danger-data-loss');
    expect(codes(orphaned, after)).not.toContain('more danger-data-loss');
  });

  it('counts once if it builds a kustomization below its folder, which no file lists', () => {
    const files = {
      'clusters/prod/apps.yaml': flux('apps', './apps'),
      'apps/web/kustomization.yaml': 'namespace: web\nresources: [more.yaml]\n',
      'apps/web/more.yaml': flux('more', './more'),
      'more/a.yaml': map('a'),
    };
    const run: RunTool = () => ({ text: flux('more', './more').replace('flux-system', 'web') });
    const plan = planOf(files, { ...files, 'more/a.yaml': map('a', '2') }, { before: run, after: run });
    expect(plan).toMatchObject({ found: 2, compared: 2 });
  });

  it('counts in each cluster that has an equal one', () => {
    const cluster = (name: string): Texts => ({
      [`c/${name}/a.yaml`]: flux('a', `./flux/${name}`),
      [`flux/${name}/deep/b.yaml`]: flux('b', './b'),
    });
    const files = { ...cluster('one'), ...cluster('two'), 'b/m.yaml': map('m') };
    const changed = { ...files, 'b/m.yaml': map('m', '2') };
    expect(summaryOf(files, changed)).toEqual(['b: ~ConfigMap/m', 'b: ~ConfigMap/m']);
  });

  it('stays while the Kustomization above it fails, as that no longer lists it', () => {
    const before = {
      'c/a.yaml': flux('a', './a'),
      'a/deep/kustomization.yaml': 'resources: [sub.yaml]\n',
      'a/deep/sub.yaml': flux('sub', './b'),
      'b/pvc.yaml': claim('db'),
    };
    const { 'a/deep/sub.yaml': _, ...after } = before;
    expect(codes(before, after)).toEqual([]);
    expect(answerOf(before, after).applications).toEqual([expect.objectContaining({ name: 'a', isRejected: true })]);
  });

  it('has variables with valid names, and is not compared if only one version refers to an object that is not here', () => {
    const from = (name: string): string =>
      flux('a', './a', `postBuild: { substituteFrom: [{ kind: ConfigMap, name: ${name} }] },`);
    const variables = (key: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: vars, namespace: flux-system }\ndata: { ${key}: one }\n`;
    const before = { 'c/a.yaml': from('vars'), 'c/vars.yaml': variables('v'), 'a/m.yaml': map('m', '${v}') };
    const errors = (after: Texts): unknown[] =>
      answerOf(before, after).applications.map(({ error, isRejected }) => [error, isRejected]);
    expect(errors({ ...before, 'c/vars.yaml': variables('v-v') })).toEqual([
      ["'v-v' is not a valid name of a variable", true],
    ]);
    const unknown = [['its variables are in the ConfigMap var, which is not read', false]];
    expect(errors({ ...before, 'c/a.yaml': from('var') })).toEqual(unknown);
    // Those of another cluster are not used.
    const { 'c/vars.yaml': vars, ...rest } = before;
    const beside = { 'd/a.yaml': flux('a', './a'), 'd/vars.yaml': vars };
    expect(errors({ ...rest, ...beside })).toContainEqual([
      'its variables are in the ConfigMap vars, which is not read',
      false,
    ]);
    const optional = from('vars').replace('vars }', 'vars }, { kind: ConfigMap, name: more, optional: true }');
    expect(errors({ ...before, 'c/a.yaml': optional })).toEqual([]);
  });

  it('has the source of its cluster', () => {
    const source = (ref: string): string =>
      `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: x, namespace: flux-system }\nspec: { interval: 1m, url: u, ref: { ${ref} } }\n`;
    const before = {
      'clusters/prod/source.yaml': source('tag: v1.0.0'),
      'clusters/prod/apps.yaml': flux('apps', './apps'),
      'clusters/staging/source.yaml': source('branch: main'),
      'clusters/staging/apps.yaml': flux('apps', './apps'),
      'apps/a.yaml': map('a'),
    };
    const plan = planOf(before, { ...before, 'apps/a.yaml': map('a', '2') });
    expect(planText(plan)).toContain('changed ConfigMap x/a in Kustomization apps (clusters/staging/apps.yaml)');
    expect(planText(plan)).toContain('Kustomization apps (clusters/prod/apps.yaml): it deploys the revision v1.0.0');
  });

  it('may be in the artifact of an ArtifactGenerator, if that has the paths of the repository', () => {
    const artifact = (copy: string): string =>
      `apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata: { name: g }\nspec: { sources: [{ alias: r, kind: GitRepository, name: x }], artifacts: [{ name: apps, copy: [${copy}] }] }\n`;
    const of = (copy: string, value = '1'): Texts => ({
      'clusters/prod/g.yaml': artifact(copy),
      'clusters/prod/apps.yaml': flux('apps', './production').replace(
        'GitRepository, name: x',
        'ExternalArtifact, name: apps',
      ),
      'apps/production/a.yaml': map('a', value),
    });
    const production = '{ from: "@r/apps/production/**", to: "@artifact/production/" }';
    for (const copy of [
      production,
      `${production}, { from: "@r/apps/base/**", to: "@artifact/base/" }`,
      '{ from: "@r/apps/**", to: "@artifact/" }',
    ])
      expect(summaryOf(of(copy), of(copy, '2'))).toEqual(['apps: ~ConfigMap/a']);
    for (const copy of [
      '{ from: "@r/other/**", to: "@artifact/production/" }',
      '{ from: "@r/apps/*.yaml", to: "@artifact/" }',
    ])
      expect(summaryOf(of(copy), of(copy, '2'))).toEqual(['apps: its source is the ExternalArtifact apps']);
  });
});

describe('a HelmRelease of Flux', () => {
  const release = (chart: string, spec: string): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web, namespace: apps }\nspec: { interval: 10m, ${chart}, ${spec} }\n`;
  const ours = (more = ''): string =>
    `chart: { spec: { chart: ./charts/web${more}, sourceRef: { kind: GitRepository, name: x } } }`;
  const files: Texts = {
    'charts/web/Chart.yaml': 'name: web\nversion: 1.0.0\n',
    'charts/web/values.yaml': 'a: 1\n',
    'values/one.yaml': 'a: { b: 1, c: 2 }\n',
    'values/two.yaml': 'a: { c: 3 }\n',
    'apps/map.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: given, namespace: apps }\ndata: { values.yaml: "x: { v: 1 }" }\n',
  };
  const planned = (text: string, more: Texts = {}): { calls: unknown[]; summary: string[] } => {
    const calls: unknown[] = [];
    const run: RunTool = (_, path, args, { file, input = '' } = {}) => {
      calls.push({ path, args, ...(file && { file: parse(file.text) }), values: parse(input) });
      return { text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: made }\n' };
    };
    const after = { ...files, ...more, 'apps/release.yaml': text };
    return { calls, summary: summaryOf({ ...files, ...more }, after, { before: run, after: run }) };
  };

  it('renders a chart of the repository with merged values', () => {
    const values = 'valuesFrom: [{ kind: ConfigMap, name: given }], values: { x: { z: 2 } }';
    const { calls, summary } = planned(release(ours(', valuesFiles: [values/one.yaml, values/two.yaml]'), values));
    expect(summary).toEqual(['web: +ConfigMap/made']);
    expect(calls).toEqual([
      {
        path: 'charts/web',
        args: ['template', '--skip-tests', '--namespace=apps', '--values=-', '--', 'web'],
        file: { a: { b: 1, c: 3 } },
        values: { x: { v: 1, z: 2 } },
      },
    ]);
  });

  it('is named after its target namespace, and shortened as Flux does', () => {
    const nameOf = (spec: string): unknown => {
      const [call] = planned(release(ours(), spec)).calls as { args: string[] }[];
      return [call?.args.find((arg) => arg.startsWith('--namespace')), call?.args.at(-1)];
    };
    expect(nameOf('targetNamespace: other')).toEqual(['--namespace=other', 'other-web']);
    expect(nameOf('targetNamespace: other, releaseName: own')).toEqual(['--namespace=other', 'own']);
    const long = 'a'.repeat(60);
    const digest = createHash('sha256').update(`${long}-web`).digest('hex').slice(0, 12);
    expect(nameOf(`targetNamespace: ${long}`)).toEqual([`--namespace=${long}`, `${'a'.repeat(40)}-${digest}`]);
  });

  it.each([
    ['chartRef: { kind: OCIRepository, name: web }', '', 'its source is OCIRepository, not a GitRepository'],
    [
      'chart: { spec: { chart: web, sourceRef: { kind: Bucket, name: web } } }',
      '',
      'its source is Bucket, not a GitRepository',
    ],
    [ours(), 'postRenderers: [{ kustomize: {} }]', 'its spec.postRenderers is not read'],
    [ours(), 'valuesFrom: [{ kind: Secret, name: s }]', 'its values are in the Secret s, which is not read'],
    [
      ours(),
      'valuesFrom: [{ kind: ConfigMap, name: given, targetPath: a.b }]',
      'a targetPath in its spec.valuesFrom is not read',
    ],
    [ours('/none'), '', 'its chart ./charts/web/none does not exist'],
    [ours(', valuesFiles: [values/none.yaml]'), '', 'its values file values/none.yaml does not exist'],
    [
      ours(),
      'valuesFrom: [{ kind: ConfigMap, name: given, valuesKey: other }]',
      'the ConfigMap given lacks its values',
    ],
  ])('names why it is not rendered: %s %s', (chart, spec, reason) => {
    expect(planned(release(chart, spec)).summary).toEqual([`web: ${reason}`]);
  });

  describe('whose chart changes', () => {
    // source-controller builds a chart again for another name, version or spec of the HelmChart (localChartBuilder.Build),
    // and with `reconcileStrategy: Revision` for each commit.
    const runFor =
      (texts: Texts): RunTool =>
      (_, __, ___, { input = '' } = {}) => {
        const template = texts['charts/web/templates/a.yaml'] ?? '';
        const data = JSON.stringify({ template, values: JSON.stringify(parse(input)) });
        const metadata = '{ name: data, namespace: apps }';
        return { text: `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: ${metadata}\nspec: ${data}\n` };
      };
    const withChart = (template: string, more: Texts, chart = '', spec = ''): Texts => ({
      ...files,
      'charts/web/templates/a.yaml': template,
      'apps/release.yaml': release(ours(chart), spec),
      ...more,
    });
    const textOf = (before: Texts, after: Texts): string =>
      planText(planOf(before, after, { before: runFor(before), after: runFor(after) }));
    const KEPT = '(kept: the version of its chart does not change, and reconcileStrategy is ChartVersion)';

    it.each<[string, string, Texts, string]>([
      ['without its version', '', {}, ''],
      ['without its version, with the strategy ChartVersion', '', {}, ', reconcileStrategy: ChartVersion'],
      ['in a README beside it', '', { 'charts/web/README.md': 'b' }, ''],
    ])('%s deploys nothing of it', (_, spec, more, chart) => {
      const text = textOf(withChart('a', {}, chart, spec), withChart('b', more, chart, spec));
      expect(text).toContain(`changed PersistentVolumeClaim apps/data in HelmRelease web ${KEPT}`);
      expect(text).toContain('0 dangers');
    });

    it.each<[string, Texts, Texts]>([
      [
        'with its version',
        withChart('a', {}),
        withChart('b', { 'charts/web/Chart.yaml': 'name: web\nversion: 1.0.1\n' }),
      ],
      [
        'with its name',
        withChart('a', {}),
        withChart('b', { 'charts/web/Chart.yaml': 'name: other\nversion: 1.0.0\n' }),
      ],
      [
        'with the strategy Revision',
        withChart('a', {}, ', reconcileStrategy: Revision'),
        withChart('b', {}, ', reconcileStrategy: Revision'),
      ],
      ['with the spec of its HelmChart', withChart('a', {}), withChart('b', {}, ', interval: 5m')],
    ])('%s is deployed', (_, before, after) => {
      const text = textOf(before, after);
      expect(text).toContain('changed PersistentVolumeClaim apps/data in HelmRelease web');
      expect(text).not.toContain('(kept');
    });

    it('in a file of spec.chart.spec.valuesFiles deploys nothing of it', () => {
      const chart = ', valuesFiles: [values/one.yaml]';
      const text = textOf(withChart('a', {}, chart), withChart('b', { 'values/one.yaml': 'a: { b: 5 }\n' }, chart));
      expect(text).toContain(KEPT);
    });

    it('without its version is not compared if its values change too', () => {
      const text = textOf(withChart('a', {}), withChart('b', {}, '', 'values: { x: 1 }'));
      expect(text).toContain(
        'not compared: HelmRelease web: its chart changes without its version (reconcileStrategy: ChartVersion)',
      );
    });

    it('not at all has its newer values', () => {
      const text = textOf(withChart('a', {}), withChart('a', {}, '', 'values: { x: 1 }'));
      expect(text).toContain('changed PersistentVolumeClaim apps/data in HelmRelease web');
      expect(text).not.toContain('(kept');
    });
  });

  it('keeps what helm.sh/resource-policy keeps, and everything if it is deleted while it is suspended', () => {
    const made =
      (policy: string): RunTool =>
      () => ({
        text: `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data, annotations: { helm.sh/resource-policy: ${policy} } }\n`,
      });
    const texts = (spec: string): string => {
      const run = made(spec === 'keep' ? 'keep' : 'none');
      const before = { ...files, 'apps/release.yaml': release(ours(), spec === 'keep' ? '' : spec) };
      return planText(planOf(before, files, { before: run, after: run }));
    };
    expect(texts('')).toContain('danger-data-loss HelmRelease web');
    expect(texts('keep')).toContain('(kept: helm.sh/resource-policy: keep)');
    expect(texts('suspend: true')).toContain('(orphaned: spec.suspend)');
  });
});

describe('a chart that nothing deploys, and that renders Applications', () => {
  const files = {
    'root/Chart.yaml': 'name: root\nversion: 1.0.0\n',
    'root/templates/all.yaml':
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: {{ .Values.name }} }\n',
    'web/a.yaml': map('a'),
  };
  const after = { ...files, 'web/a.yaml': map('a', '2') };

  it('is built for its Applications, or named as not read', () => {
    const run: RunTool = () => ({ text: app('web', 'web') });
    expect(summaryOf(files, after, { before: run, after: run })).toEqual(['web: ~ConfigMap/a']);
    expect(summaryOf(files, after)).toEqual([
      'root: its applications are not read: only helm builds it; --allow-exec runs helm',
    ]);
  });
});

describe('a folder of templates that nothing deploys', () => {
  it.each(['${{ values.name }}', 'shop-<environment>', '{{ .name }}'])('is not rendered, with the name %s', (name) => {
    const text = (title: string): string => instance('a', `{ title: ${title} }`).replace('name: a', `name: "${name}"`);
    const files = (title: string): Texts => ({ 'skeleton/web.yaml': text(title), 'platform/web.yaml': WEB });
    expect(summaryOf(files('a'), files('b'))).toEqual(['skeleton: its files are templates of another tool']);
  });
});

describe('a folder that nothing deploys any more', () => {
  const source = '{ path: a, plugin: { name: render-rgd, parameters: [{ name: definitions, array: [../platform] }] } }';
  const files = { 'a/web.yaml': instance('a').replace(', namespace: web', ''), 'platform/web.yaml': WEB };

  it('is no application of its own, so that only the removal is reported', () => {
    const before = { ...files, 'a.yaml': application('a', source) };
    expect(summaryOf(before, files)).toEqual(['a: -ConfigMap/a']);
    expect(planOf(before, files).reports).toEqual([]);
  });

  it('is not rendered if its instances need a namespace', () => {
    const rgd = WEB.replace(
      'schema.metadata.name}" }',
      'schema.metadata.name}", namespace: "${schema.metadata.namespace}" }',
    );
    const plan = planOf({}, { ...files, 'platform/web.yaml': rgd });
    expect(plan.reports).toEqual([]);
    expect(plan.applications).toMatchObject([{ isForeign: true, error: expect.stringContaining('has no namespace') }]);
  });
});

describe('links', () => {
  const linked = (files: Texts, links: Record<string, string>) => ({
    ...filesOf(Object.fromEntries([...Object.entries(files), ...Object.keys(links).map((link) => [link, ''])])),
    text: (path: string) => files[path],
    links: new Map(Object.entries(links)),
  });
  const summary = (before: ReturnType<typeof linked>, after: ReturnType<typeof linked>, changed: string[]): string[] =>
    planOf(before, after, undefined, [], {}, changed).applications.map(
      ({ application: { name }, changes }) => `${name}: ${changes.map(({ after: one }) => one?.object.kind).join(' ')}`,
    );

  it('to a file are followed', () => {
    const files = (value: string): Texts => ({
      'a.yaml': application('a', '{ path: a }'),
      'a/own.yaml': map('o'),
      'shared/m.yaml': map('m', value),
    });
    const links = { 'a/m.yaml': 'shared/m.yaml' };
    expect(summary(linked(files('1'), links), linked(files('2'), links), ['shared/m.yaml'])).toEqual(['a: ConfigMap']);
  });

  it('and paths do not let kustomize read a file that is not below its folder, except in Flux', () => {
    const files = (value: string, name: string, deployed: string): Texts => ({
      'a.yaml': deployed,
      'a/kustomization.yaml': `resources: [${name}]\n`,
      'shared/m.yaml': map('m', value),
    });
    const errors = (name: string, deployed: string): unknown[] => {
      const [before, after] = ['1', '2'].map((value) =>
        linked(files(value, name, deployed), { 'a/l.yaml': 'shared/m.yaml' }),
      );
      return planOf(before as never, after as never, undefined, [], {}, ['shared/m.yaml']).applications.map(
        ({ error }) => error,
      );
    };
    for (const [name, path, inFlux] of [
      ['l.yaml', 'a/l.yaml', 'it reads a/l.yaml, a link, which source-controller leaves out'],
      ['../shared/m.yaml', 'shared/m.yaml', undefined],
    ] as const) {
      const error = `it reads ${path}, which kustomize does not allow: it is not below a`;
      expect(errors(name, application('a', '{ path: a }'))).toEqual([error]);
      expect(errors(name, flux('a', './a'))).toEqual([inFlux]);
    }
  });

  it('are not in what Flux lists for a folder, and in no chart that it renders', () => {
    const files = (value: string): Texts => ({
      'c/a.yaml': flux('a', './a'),
      'c/r.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: r, namespace: x }\nspec: { interval: 10m, chart: { spec: { chart: ./chart, sourceRef: { kind: GitRepository, name: x } } } }\n`,
      'chart/Chart.yaml': 'name: chart\n',
      'a/own.yaml': map('o', value),
      'shared/m.yaml': map('m', value),
    });
    const links = { 'a/m.yaml': 'shared/m.yaml', 'a/n': 'shared', 'chart/templates/m.yaml': 'shared/m.yaml' };
    const changed = ['a/own.yaml', 'shared/m.yaml', 'a/m.yaml', 'a/n'];
    const { applications } = planOf(linked(files('1'), links), linked(files('2'), links), undefined, [], {}, changed);
    expect(
      applications.map(({ changes, error }) => error ?? changes.map(({ after }) => after?.object.metadata)),
    ).toEqual([[{ namespace: 'x', name: 'o' }], 'its chart has links, which source-controller leaves out']);
  });

  it('out of the repository make Argo CD reject all of it, unless it allows them', () => {
    const files = { 'a.yaml': application('a', '{ path: a }'), 'a/m.yaml': map('m'), 'c/f.yaml': flux('f', './f') };
    const newer = { ...filesOf({ ...files, 'a/m.yaml': map('m', '2'), 'f/n.yaml': map('n') }), outwardLink: 'x/out' };
    const older = filesOf({ ...files, 'f/n.yaml': map('n', '2') });
    const error = 'x/out is a link out of the repository, for which Argo CD rejects all of it';
    expect(summaryOf(older, newer)).toEqual([`a: ${error}`, 'f: ~ConfigMap/n']);
    expect(summaryOf(older, newer, undefined, [], { allowOutwardLinks: true })).toEqual([
      'a: ~ConfigMap/m',
      'f: ~ConfigMap/n',
    ]);
  });

  it('to a folder that a kustomization lists are missed when they are gone', () => {
    const files = {
      'a.yaml': application('a', '{ path: a }'),
      'a/kustomization.yaml': 'resources: [folder]\n',
      'shared/kustomization.yaml': 'resources: [m.yaml]\n',
      'shared/m.yaml': map('m'),
    };
    const before = linked(files, { 'a/folder': 'shared' });
    const plan = planOf(before, linked(files, {}), undefined, [], {}, ['a/folder']);
    expect(plan.applications.map(({ error }) => error)).toEqual(['it reads a/folder, which does not exist']);
  });

  it('to a folder are followed by the plugin, and not by Argo CD', () => {
    const plugin = '{ path: dl, plugin: { name: render-rgd } }';
    for (const [source, expected] of [
      [plugin, ['a: ConfigMap']],
      ['{ path: dl }', []],
    ] as const) {
      const files = (value: string): Texts => ({
        'a.yaml': application('a', source),
        'shared/m.yaml': map('m', value),
      });
      const links = { dl: 'shared' };
      expect(summary(linked(files('1'), links), linked(files('2'), links), ['shared/m.yaml'])).toEqual(expected);
    }
  });
});

describe('the first line', () => {
  it('says how many applications were compared', () => {
    const texts = {
      'a.yaml': application('a', '{ chart: redis }'),
      'b.yaml': application('b', '{ path: b }'),
      'b/m.yaml': map('b'),
    };
    const plan = planOf(texts, { ...texts, 'b/m.yaml': map('b', '2') });
    expect(planText(plan)).toMatch(/^1 application, 1 object changes, 0 dangers, 1 not rendered \(1 of 2 compared\)\n/);
    expect(planMarkdown(plan)).toContain('(1 of 2 compared)');
    expect(answerOf(texts, texts)).toMatchObject({ found: 2, compared: 1 });
  });
});
