import { describe, expect, it } from 'vitest';
import { ignoredIn } from '../../../src/gitops/plan/files.ts';
import { filesOf, type planOf, summaryOf, type Texts } from './repository.ts';

const PATHS = [
  'a.yaml',
  'cloudbuild.yaml',
  'apps/a.yaml',
  'apps/b.yaml',
  'apps/k.png',
  'apps/x/a.yaml',
  'x/apps/b.yaml',
];
const DEFAULT = ['cloudbuild.yaml', 'apps/k.png'];

describe('the files that source-controller leaves out', () => {
  // The answers of fluxcd/pkg/sourceignore 0.22.0.
  it.each<[string, Texts, string[]]>([
    ['', {}, DEFAULT],
    ['/*\n!/apps', {}, ['a.yaml', 'cloudbuild.yaml', 'x/apps/b.yaml']],
    ['# b.yaml\n\n!*.png', {}, ['cloudbuild.yaml']],
    ['apps/', {}, ['cloudbuild.yaml', 'apps/a.yaml', 'apps/b.yaml', 'apps/k.png', 'apps/x/a.yaml', 'x/apps/b.yaml']],
    ['**/x/**', {}, [...DEFAULT, 'apps/x/a.yaml', 'x/apps/b.yaml']],
    ['[!a].yaml', {}, ['a.yaml', ...DEFAULT, 'apps/a.yaml', 'apps/x/a.yaml']],
    ['[^a].yaml', {}, [...DEFAULT, 'apps/b.yaml', 'x/apps/b.yaml']],
    ['', { 'apps/.sourceignore': '/a.yaml' }, [...DEFAULT, 'apps/a.yaml']],
    ['!a.yaml', { '.sourceignore': 'a.yaml', 'apps/.sourceignore': 'b.yaml' }, [...DEFAULT, 'apps/b.yaml']],
  ])('%j with %j', (ignore, texts, expected) => {
    const files = filesOf({ ...Object.fromEntries(PATHS.map((path) => [path, ''])), ...texts });
    const isIgnored = ignoredIn(files, ignore);
    expect(PATHS.filter(isIgnored).sort()).toEqual([...expected].sort());
  });
});

describe('the plan of a Kustomization of Flux', () => {
  const map = (name: string, v = '1'): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { v: '${v}' }\n`;
  const flux = (ignore: string): string =>
    `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: flux, namespace: f }\nspec: { interval: 1m, url: 'https://example.com/r.git', ignore: ${JSON.stringify(ignore)} }\n---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a, namespace: f }\nspec: { interval: 10m, path: ./apps, prune: true, sourceRef: { kind: GitRepository, name: flux } }\n`;
  const base: Texts = { 'flux.yaml': flux(''), 'apps/a.yaml': map('a'), 'apps/old/b.yaml': map('b') };
  const plan = (before: Texts, after: Texts, run?: Parameters<typeof planOf>[2]): string[] =>
    summaryOf({ ...base, ...before }, { ...base, ...after }, run, ['https://example.com/r.git']);

  it('has what .sourceignore and spec.ignore leave', () => {
    const ignored = { '.sourceignore': 'old/' };
    expect(plan({}, ignored)).toEqual(['a: -ConfigMap/b']);
    expect(plan(ignored, {})).toEqual(['a: +ConfigMap/b']);
    expect(plan(ignored, { ...ignored, 'apps/old/b.yaml': map('b', '2') })).toEqual([]);
    expect(plan({}, { 'flux.yaml': flux('/apps/old') })).toEqual(['a: -ConfigMap/b']);
  });

  it('is not what kustomize reads beside it', () => {
    const kustomization = 'resources: [a.yaml]\nnamePrefix: x-\n';
    const files = { '.sourceignore': 'old/', 'apps/kustomization.yaml': kustomization };
    const run = () => ({ text: map('x-a') });
    expect(plan(files, { ...files, 'apps/a.yaml': map('a', '2') }, { before: run, after: run })).toEqual([
      'a: its source leaves out apps/old/b.yaml, which kustomize would read here',
    ]);
  });
});
