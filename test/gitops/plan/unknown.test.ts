import { describe, expect, it } from 'vitest';
import { isError } from '../../../src/core/diagnostics/index.ts';
import { planMarkdown, planText, unknownsOf } from '../../../src/gitops/plan/index.ts';
import { answerOf, application, instance, planOf, type Texts, WEB } from './repository.ts';

const URL = 'https://git.example.com/r.git';
const map = (name: string, value = '1'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: x }\ndata: { v: "${value}" }\n`;
const app = (name: string, source: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: x }\n  source: ${source}\n`;
const chart = (version: string): string =>
  `{ repoURL: https://charts.example.com, chart: redis, targetRevision: ${version} }`;
const flux = (more = ''): string =>
  `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: flux-system, namespace: flux-system }\nspec: { interval: 1m, url: ${URL}${more} }\n---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: flux-system, namespace: flux-system }\nspec: { interval: 10m, prune: true, path: ./clusters/a, sourceRef: { kind: GitRepository, name: flux-system } }\n`;
const release = (spec: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web, namespace: x }\nspec: { interval: 1h, ${spec} }\n`;
const oci = (tag: string): string =>
  `apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: web, namespace: x }\nspec: { interval: 1m, url: "oci://example.com/web", ref: { tag: ${tag} } }\n`;

const reasons = (before: Texts, after: Texts): string[] =>
  unknownsOf(planOf(before, after, undefined, [URL])).map(({ title, reason }) => `${title}: ${reason}`);

describe('what a plan does not compare', () => {
  it('is the chart of another repository whose version changes, with the change as it is written', () => {
    expect(reasons({ 'a.yaml': app('redis', chart('1.0.0')) }, { 'a.yaml': app('redis', chart('2.0.0')) })).toEqual([
      'Application redis: the chart redis is in another repository (compared as it is written, without its source: chart redis 1.0.0 -> redis 2.0.0)',
    ]);
  });

  it.each([
    ['the version of its chart elsewhere', { 'clusters/a/oci.yaml': oci('2.0.0') }, /chart web 1.0.0 -> web 2.0.0/],
    [
      'a ConfigMap with its values',
      { 'clusters/a/map.yaml': map('given').replace('data: { v: "1" }', 'data: { values.yaml: "a: 2" }') },
      /values: 1 field/,
    ],
    [
      'its values',
      { 'clusters/a/web.yaml': release('chartRef: { kind: OCIRepository, name: web }, values: { b: 1 }') },
      /values: 2 fields/,
    ],
  ])('is a HelmRelease, if the change is in %s', (_, change, expected) => {
    const before = {
      'clusters/a/sync.yaml': flux(', ref: { branch: main }'),
      'clusters/a/oci.yaml': oci('1.0.0'),
      'clusters/a/map.yaml': map('given').replace('data: { v: "1" }', 'data: { values.yaml: "a: 1" }'),
      'clusters/a/web.yaml': release(
        'chartRef: { kind: OCIRepository, name: web }, valuesFrom: [{ kind: ConfigMap, name: given }]',
      ),
    };
    expect(reasons(before, { ...before, ...change })).toEqual([expect.stringMatching(expected)]);
    expect(reasons(before, { ...before, 'clusters/a/own.yaml': map('own') })).toEqual([]);
  });

  it('is a manifest that no application reads, and the first line says so', () => {
    const before = {
      'a.yaml': app('a', `{ repoURL: ${URL}, path: a }`),
      'a/m.yaml': map('m'),
      'other/m.yaml': map('o'),
    };
    const after = { ...before, 'a/m.yaml': map('m', '2'), 'other/m.yaml': map('o', '2'), '.github/ci.yaml': 'a: b\n' };
    const plan = planOf(before, after, undefined, [URL]);
    expect(planText(plan).split('\n')[0]).toBe(
      '1 application, 1 object changes, 0 dangers (1 of 1 compared); 3 changed files: 1 in compared applications, 1 that no application reads (other/m.yaml)',
    );
    expect(plan.files).toMatchObject({ all: 3, compared: 1, unread: ['other/m.yaml'], irrelevant: 1 });
    expect(unknownsOf(plan).map(({ name }) => name)).toEqual(['other/m.yaml']);
    expect(unknownsOf(plan, ['other/m.yaml'])).toHaveLength(1);
  });

  it('is what fails as it is written, if nothing here renders what applies and may mend it', () => {
    const before = {
      'root.yaml': app('root', `{ repoURL: ${URL}, path: overlay }`),
      'overlay/kustomization.yaml': 'resources: [../base]\n',
      'base/kustomization.yaml': 'resources: [child.yaml]\n',
      'base/child.yaml': app('child', `{ repoURL: ${URL}, path: web }`),
      'web/m.yaml': map('m'),
    };
    const after = {
      ...before,
      'overlay/kustomization.yaml':
        'resources: [../base]\npatches: [{ target: { kind: Application }, patch: \'[{"op": "replace", "path": "/spec/source/path", "value": "web"}]\' }]\n',
      'base/child.yaml': app('child', `{ repoURL: ${URL}, path: todo }`),
    };
    const plan = planOf(before, after, undefined, [URL]);
    expect(plan.reports).toEqual([]);
    expect(plan.applications.map(({ application, isForeign }) => [application.name, isForeign])).toEqual([
      ['child', true],
      ['root', true],
    ]);
    expect(reasons(before, after)).toContain(
      'Application child: Application root applies it, and is not rendered; as it is written, it fails: its path todo does not exist',
    );
  });

  it('is a folder of which all instances get a kind that no RGD defines', () => {
    const before = { 'rgds/web.yaml': WEB, 'apps/a.yaml': instance('a', '{title: b}') };
    const after = { ...before, 'apps/a.yaml': before['apps/a.yaml'].replace(/kind: \w+/, 'kind: Wbe') };
    for (const plan of [planOf(before, after), planOf(after, before)]) {
      expect(plan.applications).toMatchObject([{ application: { name: 'apps' }, changes: [] }]);
      expect(plan.applications[0]?.error).toMatch(
        /^(the older version is not rendered: )?apps\/a\.yaml: Wbe\/a: no RGD/,
      );
    }
    expect(
      planOf(before, after)
        .reports.filter(isError)
        .map(({ code }) => code),
    ).toEqual(['undefined-kind']);
  });

  it('is named first in every format', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'zz'];
    const texts = (version: string): Texts =>
      Object.fromEntries(names.map((name) => [`${name}.yaml`, app(name, chart(name === 'zz' ? version : '1.0.0'))]));
    const plan = planOf(texts('1.0.0'), texts('2.0.0'), undefined, [URL]);
    expect(planText(plan).split('\n')[2]).toMatch(/^not compared: Application zz: /);
    expect(planMarkdown(plan)).toMatch(/\*\*\n\n- :grey_question: <code>not compared&#58; Application zz&#58; /);
    const { unknown } = answerOf(texts('1.0.0'), texts('2.0.0'), undefined, [URL]) as unknown as {
      unknown: { title: string }[];
    };
    expect(unknown.map(({ title }) => title)).toContain('Application zz');
  });
});

describe('a revision', () => {
  const files = (revision: string, value = '1'): Texts => ({
    'a.yaml': app('a', `{ repoURL: ${URL}, path: t, targetRevision: ${revision} }`),
    't/m.yaml': map('m', value),
  });
  const plan = (before: Texts, after: Texts, target: string): ReturnType<typeof planOf> =>
    planOf(before, after, undefined, [URL], { revisions: { target, defaultBranch: 'main' } });

  it('of another branch does not change with this one', () => {
    const { groups, applications } = plan(files('release'), files('release', '2'), 'main');
    expect(groups).toEqual([]);
    expect(applications).toMatchObject([{ isUnaffected: true }]);
    expect(plan(files('release'), files('release', '2'), 'release').groups).toHaveLength(1);
    expect(plan(files('refs/heads/main'), files('refs/heads/main', '2'), 'main').groups).toHaveLength(1);
  });

  it('that changes to another branch is not compared', () => {
    const unknown = unknownsOf(plan(files('HEAD'), files('release'), 'main'));
    expect(unknown.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^it deploys the branch release, and the change is for main/),
    ]);
  });

  it('HEAD is the default branch', () => {
    expect(plan(files('HEAD'), files('HEAD', '2'), 'release').groups).toEqual([]);
    expect(plan(files('HEAD'), files('HEAD', '2'), 'main').groups).toHaveLength(1);
  });

  it.each([
    ['', 'master'],
    [', ref: { branch: prod }', 'prod'],
    [', ref: { name: refs/heads/prod, branch: main }', 'prod'],
  ])('of a GitRepository with %j is the branch %s', (ref, branch) => {
    const texts = (value: string): Texts => ({
      'clusters/a/sync.yaml': flux(ref),
      'clusters/a/m.yaml': map('m', value),
    });
    expect(plan(texts('1'), texts('2'), branch).groups).toHaveLength(1);
    expect(plan(texts('1'), texts('2'), 'main').groups).toEqual([]);
  });
});

describe('an encrypted Secret', () => {
  const secret =
    'apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: x }\nstringData: { a: "ENC[AES256_GCM,data:x,type:str]" }\nsops: { mac: x, version: 3.9.0 }\n';
  const db = (more: string): string =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: db, namespace: flux-system }\nspec: { interval: 10m, prune: true, path: ./t, ${more}sourceRef: { kind: GitRepository, name: x } }\n`;

  it('fails a Kustomization without decryption', () => {
    const decrypting = { 'c/db.yaml': db('decryption: { provider: sops }, '), 't/s.yaml': secret };
    const plan = planOf(decrypting, { ...decrypting, 'c/db.yaml': db('') });
    expect(plan.reports.map(({ code }) => code)).toEqual(['application-fails']);
    expect(planText(plan)).toContain('the Secret s is encrypted with SOPS, and spec.decryption is not set');
    expect(planOf({ ...decrypting, 't/s.yaml': map('m') }, decrypting).reports).toEqual([]);
  });
});

describe('a plugin of kustomize', () => {
  it.each(['', '\n  annotations: { config.kubernetes.io/function: "exec: { path: ksops }" }'])(
    'that is not run here is a reason, and no rejection',
    (annotations) => {
      const before = {
        'a.yaml': app('a', `{ repoURL: ${URL}, path: t }`),
        't/kustomization.yaml': 'resources: [m.yaml]\ngenerators: [gen.yaml]\n',
        't/gen.yaml': `apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata:\n  name: s${annotations}\nfiles: [s.enc.yaml]\n`,
        't/m.yaml': map('m'),
      };
      const run = (): { fault: string } => ({ fault: 'kustomize fails: /root/.config' });
      const plan = planOf(before, { ...before, 't/m.yaml': map('m', '2') }, { before: run, after: run });
      expect(plan.reports).toEqual([]);
      expect(plan.applications).toMatchObject([
        { isForeign: true, error: 'kustomize needs the plugin ksops for it, which is not run here' },
      ]);
    },
  );
});

describe('access that a change gives', () => {
  const rbac = (kind: string, rest: string): string =>
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: { name: a${rest}\n`;
  const binding = (role: string, subject: string): string =>
    rbac('ClusterRoleBinding', ` }\nroleRef: { kind: ClusterRole, name: ${role} }\nsubjects: [${subject}]`);
  const pod = (spec: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { ${spec}containers: [{ name: c, image: "a:1" }] }\n`;
  const codes = (text: string): string[] => {
    const before = { 'a.yaml': app('a', `{ repoURL: ${URL}, path: t }`), 't/m.yaml': map('m') };
    return answerOf(before, { ...before, 't/new.yaml': text }).dangers.map(({ code }) => code);
  };

  it.each([
    [rbac('ClusterRole', ' }\nrules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]')],
    [rbac('ClusterRole', ' }\nrules: [{ apiGroups: [""], resources: [users], verbs: [impersonate] }]')],
    [
      rbac(
        'ClusterRole',
        ', labels: { rbac.authorization.k8s.io/aggregate-to-view: "true" } }\nrules: [{ apiGroups: [""], resources: [secrets], verbs: [get] }]',
      ),
    ],
    [binding('view', '{ kind: Group, name: "system:authenticated" }')],
    [binding('admin', '{ kind: User, name: "system:anonymous" }')],
    [binding('edit', '{ kind: ServiceAccount, name: default, namespace: x }')],
  ])('is a danger: %s', (text) => expect(codes(text)).toEqual(['danger-access-wider']));

  it.each([
    [rbac('ClusterRole', ' }\nrules: [{ apiGroups: [example.com], resources: ["*"], verbs: ["*"] }]')],
    [rbac('ClusterRole', ' }\nrules: [{ apiGroups: [""], resources: [secrets], verbs: [get] }]')],
    [binding('view', '{ kind: ServiceAccount, name: own, namespace: x }')],
    [pod('')],
    [pod('securityContext: { runAsNonRoot: true }, ')],
  ])('is none: %s', (text) => expect(codes(text)).toEqual([]));

  it.each([
    'hostPID: true, ',
    'hostNetwork: true, ',
    'volumes: [{ name: v, hostPath: { path: / } }], ',
    'initContainers: [{ name: i, image: "a:1", securityContext: { privileged: true } }], ',
    'initContainers: [{ name: i, image: "a:1", securityContext: { capabilities: { add: [SYS_ADMIN] } } }], ',
  ])('to a node is a danger: %s', (spec) => expect(codes(pod(spec))).toEqual(['danger-privileged']));
});

describe('a dependency of Flux', () => {
  const one = (name: string, awaited: string): string =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\nspec: { interval: 10m, prune: true, path: ./${name}, dependsOn: [${awaited}], sourceRef: { kind: GitRepository, name: x } }\n`;
  const files = {
    'c/a.yaml': one('a', ''),
    'c/b.yaml': one('b', '{ name: a }'),
    'a/m.yaml': map('a'),
    'b/m.yaml': map('b'),
  };
  const dangers = (after: Texts): string[] =>
    answerOf(files, after).dangers.map(({ code, application }) => `${application} ${code}`);

  it('that nothing declares, or a cycle, is a danger', () => {
    expect(dangers({ ...files, 'c/b.yaml': one('b', '{ name: nope }') })).toEqual(['b danger-never-ready']);
    expect(dangers({ ...files, 'c/a.yaml': one('a', '{ name: b }') })).toEqual([
      'a danger-never-ready',
      'b danger-never-ready',
    ]);
    expect(dangers({ ...files, 'b/m.yaml': map('b', '2') })).toEqual([]);
  });
});

describe('an application with several sources', () => {
  const sources = (version: string, ...more: string[]): string =>
    application('a', '{ path: none }').replace(
      /source: .*/,
      `sources: [{ repoURL: https://charts.example.com, chart: redis, targetRevision: ${version} }, { repoURL: https://git.example.com/r.git, path: apps }${more.map((one) => `, ${one}`).join('')}]`,
    );
  const map = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: { v: "${value}" }\n`;
  const urls = ['https://git.example.com/r.git'];
  const planned = (before: Texts, after: Texts) => answerOf(before, after, undefined, urls).applications;

  it('is compared without the source that is elsewhere, which is named', () => {
    const [one] = planned(
      { 'a.yaml': sources('1.0.0'), 'apps/c.yaml': map('1') },
      { 'a.yaml': sources('1.0.0'), 'apps/c.yaml': map('2') },
    );
    expect(one).toMatchObject({
      error: 'the chart redis is in another repository',
      isRejected: false,
      changed: [{ kind: 'ConfigMap', name: 'c' }],
    });
  });

  it('says how the source changes that is elsewhere, beside the objects of the other one', () => {
    const plan = planOf(
      { 'a.yaml': sources('1.0.0'), 'apps/c.yaml': map('1') },
      { 'a.yaml': sources('2.0.0'), 'apps/c.yaml': map('2') },
      undefined,
      urls,
    );
    expect(plan.applications).toMatchObject([
      { written: 'chart redis 1.0.0 -> redis 2.0.0', changes: [{ change: 'changed' }] },
    ]);
    expect(plan.compared).toBe(0);
  });

  it('is never told as unchanged, if the source elsewhere does not change', () => {
    const other = {
      'b.yaml': application('b', '{ repoURL: https://git.example.com/r.git, path: more }'),
      'more/c.yaml': map('1').replace('name: c', 'name: d'),
    };
    const plan = planOf(
      { ...other, 'a.yaml': sources('1.0.0'), 'apps/c.yaml': map('1') },
      { ...other, 'a.yaml': sources('1.0.0'), 'apps/c.yaml': map('2') },
      undefined,
      urls,
    );
    expect(unknownsOf(plan)).toEqual([]);
    expect(planMarkdown(plan)).not.toContain('<!-- nothing changes -->');
    expect(planText(plan)).toContain('changed ConfigMap');
  });

  it('has no changes of the source that is new and elsewhere', () => {
    const before = application('a', '{ repoURL: https://git.example.com/r.git, path: apps }');
    expect(
      planned({ 'a.yaml': before, 'apps/c.yaml': map('1') }, { 'a.yaml': sources('1.0.0'), 'apps/c.yaml': map('1') }),
    ).toMatchObject([{ added: [], changed: [], removed: [], error: 'the chart redis is in another repository' }]);
  });
});
