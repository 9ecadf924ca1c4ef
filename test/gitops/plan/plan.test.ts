import { describe, expect, it } from 'vitest';
import { planMarkdown, planText } from '../../../src/gitops/plan/index.ts';
import { defaultSettings } from '../../../src/render/options/index.ts';
import { answerOf, application, instance, planOf, summaryOf, type Texts, WEB } from './repository.ts';

const plugin =
  '{ path: apps/a, plugin: { name: render-rgd, parameters: [{ name: definitions, array: [../../platform] }] } }';
const repository = {
  'argocd/a.yaml': application('a', plugin),
  'apps/a/web.yaml': instance('a'),
  'apps/b/web.yaml': instance('b', '{ title: Mine }'),
  'platform/web.yaml': WEB,
};
const changed = { ...repository, 'platform/web.yaml': WEB.replace('default=Hello', 'default=Hi') };

describe('the plan', () => {
  it('lists the changed objects of each application, and no unchanged application', () => {
    expect(answerOf(repository, changed)).toEqual({
      version: 1,
      found: 2,
      compared: 2,
      applications: [
        {
          name: 'a',
          kind: 'Application',
          path: 'apps/a',
          declaredIn: 'argocd/a.yaml',
          controller: 'Argo CD',
          added: [],
          changed: [
            {
              ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'a' },
              fields: [{ path: 'data.title', before: 'Hello', after: 'Hi' }],
            },
          ],
          removed: [],
        },
      ],
      dangers: [],
      images: [],
      files: { changed: 1, compared: 1, uncompared: 0, unread: [], irrelevant: 0 },
      unknown: [],
    });
  });

  it('shows equal changes once, with the RGD and the line that cause them', () => {
    const more = { ...repository, 'apps/b/web.yaml': instance('b') };
    const text = planText(planOf(more, { ...more, 'platform/web.yaml': WEB.replace('default=Hello', 'default=Hi') }));
    expect(text).toMatch(/^2 applications, 2 objects change, 0 dangers \(2 of 2 compared\)\n/);
    expect(text).toContain('RGD web (platform/web.yaml:17) changes 2 objects of kind ConfigMap in 2 applications\n');
    expect(text.match(/-title: Hello/g)).toHaveLength(1);
  });

  it('has a table of the columns that are not empty in a comment, folded if it is long', () => {
    const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `apps/x${index}/web.yaml`);
    const comment = (count: number): string =>
      planMarkdown(
        planOf(repository, {
          ...repository,
          ...Object.fromEntries(many(count).map((path) => [path, instance(path.slice(5, 7))])),
        }),
      );
    expect(comment(2)).toContain(
      '\n\n| application | added |\n| --- | ---: |\n| <code>folder apps/x0</code> is new | 1 |\n',
    );
    expect(comment(11)).toContain('<details><summary>11 applications</summary>\n\n| application | added |\n');
  });

  it('shows equal dangers once, and counts all of them', () => {
    const server = WEB.replace('kind: ConfigMap', 'kind: Deployment').replace(
      'apiVersion: v1\n',
      'apiVersion: apps/v1\n',
    );
    const spec =
      '        spec: { replicas: 1, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: "x:1" }] } } }\n';
    const deployed = server.replace(/ {8}data:\n.*\n/, spec);
    const before = { ...repository, 'apps/b/web.yaml': instance('b'), 'platform/web.yaml': deployed };
    const after = { ...before, 'platform/web.yaml': deployed.replace('replicas: 1', 'replicas: 0') };
    const plan = planOf(before, after);
    const said = 'changes from 1 to 0 (and 1 more object, in 2 applications)';
    for (const text of [planText(plan), planMarkdown(plan)]) {
      expect(text).toContain(', 2 dangers');
      expect(text.match(/danger-no-replicas/g)).toHaveLength(1);
      expect(text).toContain(said);
    }
    expect(answerOf(before, after).dangers).toHaveLength(2);
  });

  it('reports added and removed applications with all of their objects', () => {
    const { 'apps/b/web.yaml': _, ...without } = repository;
    expect(summaryOf(without, repository)).toEqual(['apps/b: +ConfigMap/b']);
    expect(summaryOf(repository, without)).toEqual(['apps/b: -ConfigMap/b']);
  });

  it('reports an application that no longer renders, and the changes of the others', () => {
    const broken = { ...changed, 'apps/b/web.yaml': instance('b', '{ titel: Mine }') };
    const plan = planOf(repository, broken);
    expect(summaryOf(repository, broken)).toEqual([
      expect.stringMatching(/^apps\/b: apps\/b\/web.yaml: Web\/b: .*titel/),
      'a: ~ConfigMap/a',
    ]);
    expect(plan.reports.map(({ code }) => code)).toEqual(['instance-unknown-field']);
    expect(planText(plan)).toMatch(
      /^1 application, 1 object changes, 0 dangers, 1 with errors \(1 of 2 compared\); 2 changed files: 1 in compared applications, 1 in applications that are not compared \(folder apps\/b\)\n/,
    );
  });

  it('reports an object whose identity changes as removed and added, and names the pair', () => {
    const renamed = {
      ...repository,
      'platform/web.yaml': WEB.replace('schema.metadata.name}', 'schema.metadata.name}-page'),
    };
    expect(answerOf(repository, renamed).applications[0]).toMatchObject({
      added: [{ name: 'a-page' }],
      removed: [{ name: 'a' }],
      moved: [{ from: { name: 'a' }, to: { name: 'a-page' } }],
    });
  });

  it('reports an RGD whose schema breaks instances as a danger', () => {
    const required = { ...repository, 'platform/web.yaml': WEB.replace('default=Hello', 'required=true') };
    expect(answerOf(repository, required).dangers).toMatchObject([
      { code: 'breaking-change', application: 'web', object: null, message: expect.stringContaining('Web/a') },
    ]);
  });

  describe('an enum that is added to a field', () => {
    const narrowed = {
      ...repository,
      'platform/web.yaml': WEB.replace('default=Hello', 'default=Hello enum="Hello,Bye"'),
    };
    const codesOf = (more: Parameters<typeof planOf>[4]): string[] =>
      planOf(repository, narrowed, undefined, [], more).dangers.map(({ code }) => code);

    it('is a danger with kro 0.9, which writes it only with another change', () => {
      expect(codesOf({})).toEqual(['unchecked-change']);
    });

    it('breaks with kro 0.10, and with all checks', () => {
      expect(codesOf({ settings: { ...defaultSettings, kro: '0.10' } })).toEqual(['breaking-change']);
      expect(codesOf({ conservative: true })).toEqual(['breaking-change']);
    });
  });

  it('lists an object of a ResourceSet without apiVersion', () => {
    const set = (name: string): string =>
      `apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: { name: s, namespace: web }\nspec: { resources: [{ kind: ConfigMap, metadata: { name: ${name} } }] }\n`;
    expect(answerOf({ 'a.yaml': set('a') }, { 'a.yaml': set('b') }).applications).toMatchObject([
      { added: [{ apiVersion: '', kind: 'ConfigMap', name: 'b' }], removed: [{ apiVersion: '', name: 'a' }] },
    ]);
  });

  it('hides values of Secrets in every output', () => {
    const secret = WEB.replace('kind: ConfigMap', 'kind: Secret').replace('data:', 'stringData:');
    const [before, after] = ['first-value', 'second-value'].map((title) => ({
      ...repository,
      'platform/web.yaml': secret,
      'apps/b/web.yaml': instance('b', `{ title: ${title} }`),
    })) as [typeof repository, typeof repository];
    const plan = planOf(before, after);
    expect(plan.applications).toHaveLength(1);
    for (const text of [planText(plan), planMarkdown(plan), JSON.stringify(answerOf(before, after))]) {
      expect(text).not.toMatch(/first-value|second-value/);
    }
  });

  it('shows another release of kro in every application, unless its package has that release already', () => {
    // kro 0.10 reads the second list too, and kro 0.9 none after an empty one.
    const rgd = `${WEB}    - id: more
      forEach: [{ a: "\${[1].filter(one, one > 1)}" }, { b: "\${[schema.metadata.labels.lit]}" }]
      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "more-\${string(a)}-\${b}" } }
`;
    const plugin = (parameters: string): string =>
      `{ path: apps/PATH, plugin: { name: render-rgd, parameters: [{ name: definitions, array: [../../platform] }${parameters}] } }`;
    const app = (name: string, parameters = ''): string => application(name, plugin(parameters).replace('PATH', name));
    const files = {
      'platform/web.yaml': rgd,
      'argocd/a.yaml': app('a'),
      'argocd/b.yaml': app('b', ", { name: kro, string: '0.10' }"),
      'argocd/c.yaml': application('c', '{ path: apps/c }'),
      'apps/a/web.yaml': instance('a'),
      'apps/b/web.yaml': instance('b').replace('name: b,', 'name: b, labels: { lit: x },'),
      'apps/c/web.yaml': instance('c'),
      'apps/d/web.yaml': instance('d'),
      'render-rgd.yaml': 'applications:\n- { path: apps/e, definitions: [platform] }\n',
      'apps/e/web.yaml': instance('e'),
    };
    const settings = { ...defaultSettings, allowEmpty: true };
    expect(summaryOf(files, files, undefined, [], { settings })).toEqual([]);
    const found = summaryOf(files, files, undefined, [], { settings: { ...settings, kro: '0.10' } });
    expect(found.map((line) => line.replace(/'\[schema\.metadata\.labels\.lit\]'.*/, ''))).toEqual(
      ['a', 'c', 'apps/d', 'apps/e'].map((name) => `${name}: platform/web.yaml: Web/${name.at(-1)}: `),
    );
  });

  it('shows objects that kro orphans, and changed fields that it may have released', () => {
    const kept = WEB.replace(
      '      template:',
      '      deletionPolicy: Orphaned\n      externalFields: [data.title]\n      template:',
    );
    const other = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: other, namespace: web }\n';
    const files = { ...repository, 'platform/web.yaml': kept, 'apps/a/other.yaml': other };
    const settings = {
      ...defaultSettings,
      kro: '0.10',
      experimental: ['deletionPolicy', 'externalFields'],
      allowEmpty: true,
    } as const;
    const planned = (after: Texts): string => planText(planOf(files, after, undefined, [], { settings }));
    expect(planned({ ...files, 'platform/web.yaml': kept.replace('default=Hello', 'default=Hi') })).toContain(
      'changes ConfigMap web/a in Application a (released: externalFields: data.title)',
    );
    expect(planned({ ...files, 'apps/a/web.yaml': '' })).toContain('(orphaned: deletionPolicy: Orphaned)');
    const omitted = kept.replace('      template:', '      includeWhen: ["${1 > 2}"]\n      template:');
    expect(planned({ ...files, 'platform/web.yaml': omitted })).toContain('(orphaned: deletionPolicy: Orphaned)');
  });

  it('names the file of applications of one name, also if their namespaces differ, and else their namespace', () => {
    const app = (namespace: string, path: string): string =>
      application('prod', `{ path: ${path} }`).replace('{ name: prod }', `{ name: prod, namespace: ${namespace} }`);
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m, namespace: w }\n';
    const [x, y] = [{ 'apps/x/m.yaml': map }, { 'apps/y/m.yaml': map }];
    const removed = (files: Texts): string =>
      planText(
        planOf({ ...files, ...x, ...y }, { ...files, 'apps/x/n.yaml': map.replace('name: m', 'name: n'), ...y }),
      );
    expect(removed({ 'a.yaml': app('a', 'apps/x'), 'b.yaml': app('b', 'apps/y') })).toContain(
      'Application prod (a.yaml)',
    );
    expect(removed({ 'a.yaml': `${app('a', 'apps/x')}---\n${app('b', 'apps/y')}` })).toContain(
      'Application prod (a, a.yaml)',
    );
    expect(removed({ 'a.yaml': app('a', 'apps/x') })).not.toContain('prod (');
  });

  it('keeps Markdown below 60,000 characters with all counts', () => {
    const many = (title: string) => ({
      'platform/web.yaml': WEB,
      ...Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [
          `apps/x${index}/web.yaml`,
          instance(`x${index}`, `{ title: "${title} ${index} ${'long '.repeat(100)}" }`),
        ]),
      ),
    });
    const text = planMarkdown(planOf(many('old'), many('new')));
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(
      /^<!-- render-rgd plan -->\n\*\*200 applications, 200 objects change, 0 dangers \(200 of 200 compared\)\*\*\n/,
    );
    expect(text).toMatch(/Changes of \d+ objects are not shown here/);
  });
});
