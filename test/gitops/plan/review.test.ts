import { describe, expect, it } from 'vitest';
import { planMarkdown, planText } from '../../../src/gitops/plan/index.ts';
import { answerOf, application, instance, planOf, type Texts, WEB } from './repository.ts';
import { app, claim, server } from './reviewed.ts';

describe('a removed object', () => {
  it('is printed with its identity and what is lost, and not with all of its lines', () => {
    const before = { 'a.yaml': app('a'), 'apps/a/web.yaml': server('nginx:1.27'), 'apps/a/db.yaml': claim };
    const plan = planOf(before, { 'a.yaml': app('a'), 'apps/a/db.yaml': claim });
    for (const text of [planText(plan), planMarkdown(plan)]) {
      expect(text).toContain('Deployment web/web, with 2 replicas, nginx');
      expect(text).not.toContain('matchLabels');
    }
  });
});

describe('images', () => {
  it('are listed with their number of containers, removed ones first, and marked if they can be any version', () => {
    const files = (image: string, other: Texts): Texts => ({
      'a.yaml': app('a'),
      'b.yaml': app('b'),
      'apps/a/web.yaml': server(image),
      'apps/b/web.yaml': server(image).replace('name: web }\nspec', 'name: b }\nspec'),
      ...other,
    });
    const old = { 'apps/a/old.yaml': server('redis:7').replace('name: web }\nspec', 'name: old }\nspec') };
    const young = { 'apps/a/new.yaml': server('mysql').replace('name: web }\nspec', 'name: new }\nspec') };
    const [before, after] = [files('nginx:1.27', old), files('nginx:latest', young)];
    expect(answerOf(before, after)).toMatchObject({
      images: [
        { from: 'redis:7', containers: 1 },
        { from: 'nginx:1.27', to: 'nginx:latest', floating: true, containers: 2 },
        { to: 'mysql', floating: true, containers: 1 },
      ],
    });
    expect(planMarkdown(planOf(before, after))).toContain(
      [
        '| image before | image after | containers |',
        '| --- | --- | ---: |',
        '| <code>redis&#58;7</code> |  | 1 |',
        '| <code>nginx&#58;1.27</code> | <code>nginx&#58;latest</code> :warning: any version | 2 |',
        '|  | <code>mysql</code> :warning: any version | 1 |',
      ].join('\n'),
    );
  });
});

describe('links', () => {
  const links = {
    file: 'https://git.example.com/fleet/blob/abc/{path}#L{line}',
    change: 'https://git.example.com/fleet/pull/7/files#diff-{sha256}R{line}',
  };
  const files = (title: string): Texts => ({
    'platform/a b (1)_web.yaml': WEB.replace('default=Hello', `default=${title}`),
    'argocd/a.yaml': application(
      'a',
      '{ path: apps/a, plugin: { name: render-rgd, parameters: [{ name: definitions, array: [../../platform] }] } }',
    ),
    'apps/a/web.yaml': instance('a'),
  });
  const plan = planOf(files('Hello'), files('Hi'));

  it('lead to the line in the pull request, and to the file that declares an application', () => {
    const text = planMarkdown(plan, links);
    // The SHA-256 of the path, by sha256sum.
    const digest = '764a404859caf6bfb4dd270dff318bff6b3c5407360693e78e7f64eeac43cbbb';
    expect(text).toMatch(
      /\[The line that causes it\]\(https:\/\/git\.example\.com\/fleet\/pull\/7\/files#diff-[0-9a-f]{64}R17\)/,
    );
    expect(text).toContain(digest);
    expect(text).toContain('[<code>Application a</code>](https://git.example.com/fleet/blob/abc/argocd/a.yaml#L1)');
  });

  it('lead to the file without a pull request, with an escaped path', () => {
    expect(planMarkdown(plan, { ...links, change: '' })).toContain(
      '(https://git.example.com/fleet/blob/abc/platform/a%20b%20%281%29%5fweb.yaml#L17)',
    );
    expect(planMarkdown(plan)).not.toContain('](');
  });
});
