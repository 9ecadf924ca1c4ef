import { describe, expect, it } from 'vitest';
import { isFlagForGit } from '../../../src/cli/plugin/tree/kustomization.ts';
import { workingCopy } from './working-copy.ts';

const copy = workingCopy();

/**
 * Returns the errors of `plugin generate` with a tool that prints nothing, so only errors of the checks before it runs.
 */
async function refusals(tool: 'kustomize' | 'helm', flags: readonly string[] = []): Promise<string[]> {
  copy.tool(tool, '#!/bin/sh\necho ran >&2\nexit 1\n');
  const { code, stdout, stderr } = await copy.generate([{ name: 'build', string: tool }], flags);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.split('\n').flatMap((line) => {
    const [, found] = /error\[([\w-]+)\]/.exec(line) ?? [];
    return found === undefined ? [] : [/ran$|failed with exit code 1/.test(line) ? 'ran' : found];
  });
}

const kustomization = (text: string): void => copy.write({ 'app/kustomization.yaml': text });
const URLS = [
  'https://example.com/x.yaml',
  'HTTP://169.254.169.254/latest',
  'http:example.com',
  'file:///srv/x?ref=--upload-pack=touch%20PWNED%20%23',
  'git::https://example.com/x',
  'git@example.com:x/y',
  'ssh://git@example.com/x',
  'github.com/x/y',
  'GitHub.com:x/y',
  'example.com/x?ref=main',
  'gh:x/y',
];

describe.each(URLS)('a kustomization that names %s', (url) => {
  const quoted = JSON.stringify(url);
  it.each(['resources', 'bases', 'components', 'generators', 'transformers', 'validators'])(
    'under %s is rejected',
    async (key) => {
      kustomization(`${key}: [${quoted}]`);
      expect(await refusals('kustomize')).toEqual(['build-remote']);
    },
  );
});

describe.each(['https://example.com/x', 'http://localhost:8084/metrics'])(
  'a kustomization that reads %s is rejected',
  (url) => {
    it.each([
      ['crds', `crds: [${url}]`],
      ['configurations', `configurations: [${url}]`],
      ['a patch', `patches: [{path: ${url}}]`],
      ['an old patch', `patchesStrategicMerge: [${url}]`],
      ['a JSON patch', `patchesJson6902: [{target: {kind: A, name: b, version: v1}, path: ${url}}]`],
      ['replacements', `replacements: [{path: ${url}}]`],
      ['openapi', `openapi: {path: ${url}}`],
      ['files', `configMapGenerator: [{name: a, files: ["${url}"]}]`],
      ['files by key', `configMapGenerator: [{name: a, files: ["key=${url}"]}]`],
      ['envs', `secretGenerator: [{name: a, envs: [${url}]}]`],
      ['env', `secretGenerator: [{name: a, env: ${url}}]`],
      ['keys in upper case', `RESOURCES: [${url}]`],
      ['keys that Go folds', `re\u017Fources: [${url}]`],
      ['a second document', `{}\n---\nresources: [${url}]`],
      ['an alias', `namePrefix: &a ${url}\nresources: [*a]`],
      ['a generator in place', `generators: ["{apiVersion: builtin, kind: ConfigMapGenerator, files: ['${url}']}"]`],
      [
        'a transformer in place',
        `transformers:\n- |-\n  apiVersion: builtin\n  kind: PatchTransformer\n  path: ${url}`,
      ],
      ['a base of a base', 'resources: [../base]'],
      ['a configuration in a file', 'transformers: [../patch.yaml]'],
      ['a base through a link', 'resources: [link]'],
    ])('as %s', async (_, text) => {
      copy.write({
        'base/kustomization.yml': 'components: [part]',
        'base/part/Kustomization': `resources: [${url}]`,
        'patch.yaml': `{apiVersion: builtin, kind: PatchTransformer, metadata: {name: a}, path: "${url}"}`,
      });
      copy.link('app/link', '../base');
      kustomization(text);
      expect(await refusals('kustomize')).toContain('build-remote');
      if (!url.includes('localhost')) expect(await refusals('kustomize', ['--allow-remote'])).toEqual(['ran']);
    });
  },
);

it('a branch that is a flag stays refused', async () => {
  kustomization('resources: ["https://example.com/x?ref=--upload-pack=id"]');
  expect(await refusals('kustomize', ['--allow-remote'])).toEqual(['build-remote']);
  expect(['?ref=-x', '?a=b&version=%2Dx', '?ref=%2dx', '?ref=+-x'].map(isFlagForGit)).toEqual([true, true, true, true]);
  expect(['?ref=v1-rc', 'a-b', '?ref=main&timeout=9s'].map(isFlagForGit)).toEqual([false, false, false]);
});

describe('a kustomization outside the repository is rejected', () => {
  it.each([
    ['resources: [../../outside]'],
    ['components: [../../outside]'],
    ['resources: [/etc/hostname]'],
    ['configMapGenerator: [{name: a, files: [../../outside/x]}]'],
    ['configMapGenerator: [{name: a, files: [key=../../outside/x]}]'],
    ['resources: [link]'],
    ['resources: [../base]'],
    ['transformers: [../config/one.yaml]'],
  ])('%s', async (text) => {
    copy.write({
      '../outside/kustomization.yaml': '{}',
      '../outside/x': 'secret',
      'base/kustomization.yaml': 'resources: [../../outside]',
      'config/one.yaml': '{apiVersion: builtin, kind: PatchTransformer, path: ../../outside/x}',
    });
    copy.link('app/link', '../../outside');
    kustomization(text);
    expect(await refusals('kustomize')).toEqual(['path-outside']);
  });

  it('behind a link in a base', async () => {
    copy.write({ '../outside/x': 'secret', 'base/kustomization.yaml': '{}' });
    copy.link('base/deep/x', '../../../outside/x');
    kustomization('resources: [../base]');
    expect(await refusals('kustomize')).toEqual(['path-outside']);
  });
});

it('an unreadable kustomization is not built', async () => {
  kustomization('resources: [');
  expect(await refusals('kustomize')).toEqual(['build-refused']);
});

describe('a kustomization whose inputs are only known while it is built', () => {
  const generator = 'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: x}\nfiles: [a.yaml]\n';
  it.each([
    ['generators: [../config]'],
    ['transformers: [../config]'],
    ['validators: [../config]'],
    ['resources: [../base]'],
    ['transformers: [../function.yaml]'],
    ['transformers: ["{apiVersion: a/v1, kind: B}"]'],
    ['generators: ["{apiVersion: builtin, kind: HelmChartInflationGenerator}"]'],
    ['generators: ["{apiVersion: builtin, kind: ConfigMapGenerator, newField: a}"]'],
    ['generators: ["{apiVersion: v1, kind: List, items: [{apiVersion: builtin, kind: ConfigMapGenerator}]}"]'],
    ['helmCharts: [{name: a}]'],
    ['helmChartInflationGenerator: [{chartName: a}]'],
    ['newField: [a]'],
    ['patches: [{newField: a}]'],
    ['resources: [{a: b}]'],
    ['[resources]'],
    ['metadata: {annotations: &a {env: b}}\nconfigMapGenerator: [{name: a, env: a.yaml, <<: *a}]'],
    ['namePrefix: !!binary YQ=='],
    ['namePrefix: a\nnamePrefix: b'],
    ['# a\u2028namePrefix: a'],
    ['# a\u0085namePrefix: a'],
  ])('%s is not built', async (text) => {
    copy.write({
      'config/kustomization.yaml': 'resources: [one.yaml]',
      'config/one.yaml': generator,
      'base/kustomization.yaml': 'resources: [lower]',
      'base/lower/kustomization.yaml': 'generators: [../../config]',
      'function.yaml': 'apiVersion: a/v1\nkind: B\nmetadata: {name: b}\n',
    });
    kustomization(text);
    expect(await refusals('kustomize')).toEqual(['build-refused']);
    expect(await refusals('kustomize', ['--allow-remote'])).toEqual(['build-refused']);
  });

  it('is built if its configurations are written out', async () => {
    copy.write({ 'app/one.yaml': generator, 'app/a.yaml': 'a: b' });
    kustomization(`generators:\n- one.yaml\n- |-\n  ${generator.replaceAll('\n', '\n  ')}`);
    expect(await refusals('kustomize')).toEqual(['ran']);
  });
});

describe('ordinary kustomizations are built', () => {
  it.each([
    ['resources: [../base, a.yaml, "with space.yaml", "what?.yaml"]\ncomponents: [../base]'],
    ['resources: [../loop]'],
    ['images: [{name: "registry.example:5000/x", newName: "a://b"}]\ncommonAnnotations: {url: "https://example.com"}'],
    ['labels: [{fields: [{path: /spec/x}], pairs: {a: b}}]'],
    ['configMapGenerator: [{name: a, literals: ["url=https://example.com?a=b"], files: [a.yaml, k=a.yaml]}]'],
    ['patches: [{patch: "- {op: add, path: /a, value: https://example.com}", target: {kind: A}}, {path: a.yaml}]'],
    ['patchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: A\n  data: {url: "https://example.com"}'],
    [
      'transformers:\n- |-\n  apiVersion: builtin\n  kind: AnnotationsTransformer\n  annotations: {a: "https://example.com"}\n  fieldSpecs: [{path: /metadata/annotations}]',
    ],
    ['resources: [https-folder]'],
  ])('%s', async (text) => {
    copy.write({
      'base/kustomization.yaml': '{}',
      'loop/kustomization.yaml': 'resources: [../loop, ../app]',
      'app/a.yaml': 'url: https://example.com',
      'app/what?.yaml': '{}',
      'app/https-folder/kustomization.yaml': '{}',
    });
    kustomization(text);
    expect(await refusals('kustomize')).toEqual(['ran']);
  });
});

describe('a chart', () => {
  it.each([
    ['templates/passwd.txt', '/etc/passwd'],
    ['files', '../common'],
    ['charts/sub', '../../lib'],
  ])('whose link %s leads out, over any number of links, is not built', async (link, target) => {
    copy.write({ 'app/Chart.yaml': '{}', '../outside/token': 'secret', 'lib/Chart.yaml': '{}' });
    copy.link('common/more', '../lib');
    copy.link('lib/token', '../../outside/token');
    copy.link(`app/${link}`, target);
    expect(await refusals('helm')).toEqual(['path-outside']);
  });

  it('whose dependency leads out is not built', async () => {
    const depends = (path: string): string => `{name: a, dependencies: [{name: b, repository: "file://${path}"}]}`;
    copy.write({
      'app/Chart.yaml': depends('../one'),
      'one/requirements.yaml': depends('../two'),
      'two/Chart.yaml': '{}',
    });
    expect(await refusals('helm')).toEqual(['ran']);
    copy.write({ 'two/Chart.yaml': depends('../../outside') });
    expect(await refusals('helm')).toEqual(['path-outside']);
    copy.write({ 'two/Chart.yaml': '{}', '../outside/x': '' });
    copy.link('two/templates', '../../outside');
    expect(await refusals('helm')).toEqual(['path-outside']);
  });

  it('with a cycle of links is not built, because helm never terminates', async () => {
    copy.write({ 'app/Chart.yaml': '{}', 'app/files/a': '' });
    copy.link('app/files/up', '..');
    expect(await refusals('helm')).toEqual(['build-failed']);
  });

  it('with exponentially many links is not built', async () => {
    copy.write({ 'app/Chart.yaml': '{}' });
    for (let level = 0; level < 20; level += 1) {
      for (const name of ['a', 'b']) copy.link(`levels/${level}/${name}`, `../${level + 1}`);
    }
    copy.write({ 'levels/20/file': '' });
    copy.link('app/files', '../levels/0');
    expect(await refusals('helm')).toEqual(['build-failed']);
  });

  it('with links inside the chart, or to missing files inside, is built', async () => {
    copy.write({ 'app/Chart.yaml': '{}', 'common/a': '' });
    copy.link('app/files', '../common');
    copy.link('app/again', '../common');
    copy.link('app/self', 'self');
    copy.link('app/gone', '../nothing');
    expect(await refusals('helm')).toEqual(['ran']);
  });
});
