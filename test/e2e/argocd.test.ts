import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAt, type Value } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { note, noteRgd } from '../cli/resourcelist/packages.ts';
import { isLong } from '../properties/runs.ts';
import { type Application, bad, built, chainRgd, good, manifestOf, repositoryOf } from './applications.ts';
import { type Answer, type ArgoCd, BUILD_TIMEOUT, startArgoCd } from './argo-cd.ts';
import { bundle, describeWithAll } from './sandbox.ts';

const root = dirname(dirname(bundle));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const parse = (text: string): Value => readStream(text).documents[0]?.value ?? null;
/** The value of the shipped component. */
const parallelism = String(
  getAt(parse(read('examples/argocd/sidecar/parallelism.yaml')), ['data', 'reposerver.parallelism.limit']),
);
const titles = ({ manifests = [] }: Answer): string[] =>
  manifests.map((text) => {
    const { kind, metadata } = JSON.parse(text);
    return `${kind}/${metadata.name}`;
  });

/** Starts Argo CD for some Applications and requests all of them at once. */
function answering(
  plugin: string,
  groups: readonly Readonly<Record<string, Application>>[],
  variables: Readonly<Record<string, string>> = {},
): { argocd: () => ArgoCd; answerOf: (name: string) => Promise<Answer> } {
  let argocd: ArgoCd;
  const answers = new Map<string, Promise<Answer>>();
  beforeAll(async () => {
    argocd = await startArgoCd({ plugin: read(plugin), files: repositoryOf(...groups), parallelism, variables });
    for (const [name, application] of groups.flatMap((group) => Object.entries(group)))
      answers.set(name, argocd.ask({ do: 'generate', application: manifestOf(name, application, argocd.source) }));
    await Promise.all(answers.values());
  }, BUILD_TIMEOUT);
  afterAll(() => argocd?.stop());
  return {
    argocd: () => argocd,
    answerOf: (name) => answers.get(name) ?? Promise.reject(new Error(`nobody asked for ${name}`)),
  };
}

function check(application: Application, answer: Answer): void {
  const { titles: expected, manifests, error } = application;
  if (error !== undefined) {
    expect(answer.manifests).toBeUndefined();
    expect(answer.error).toMatch(error);
    return;
  }
  expect(answer.error).toBeUndefined();
  expect(answer.sourceType).toBe('Plugin');
  if (expected !== undefined) expect(titles(answer)).toEqual(expected);
  else expect(answer.manifests?.length).toBeGreaterThan(0);
  if (manifests !== undefined) expect((answer.manifests ?? []).map(parse)).toEqual(manifests);
}

describeWithAll(['go', 'git', 'kustomize', 'helm'], 'Argo CD', () => {
  const { argocd, answerOf } = answering('plugin.yaml', [good, bad, built]);

  it.each(Object.entries({ ...good, ...bad, ...built }))('%s', async (name, application) => {
    check(application, await answerOf(name));
  });

  const ofOurs = Object.entries({ ...bad, ...built }).filter(
    ([name, { error }]) => error !== undefined && !['no-such-plugin', 'no-folder'].includes(name),
  );

  it.each(ofOurs)(
    '%s: the message is short, has all errors on its first line and names no temporary folder',
    async (name) => {
      const { error = '' } = await answerOf(name);
      expect(Buffer.byteLength(error)).toBeLessThan(66_000);
      expect(error.split('\n')[0]).toMatch(/exit status 1: (?:\S+: )?error\[[\w-]+\].*: \S.*\S.*$/);
      expect(error).not.toMatch(/_cmp_server|render-rgd-argocd-|[0-9a-f]{8}-[0-9a-f]{4}-/);
      expect(error).not.toMatch(/^ *\^/m);
    },
  );

  it('gives a namespaced instance the namespace of the Application, or of the parameter', async () => {
    const namespaceOf = async (name: string): Promise<unknown> =>
      JSON.parse((await answerOf(name)).manifests?.[0] ?? '{}').metadata.namespace;
    expect(await namespaceOf('namespace-of-application')).toBe('here');
    expect(await namespaceOf('namespace-parameter')).toBe('there');
  });

  it('gives helm the values and the versions of the cluster', async () => {
    const deployment = JSON.parse((await answerOf('chart')).manifests?.[0] ?? '{}');
    expect(deployment.spec.replicas).toBe(3);
    expect(deployment.spec.template.spec.containers[0].image).toBe('nginx:v1.33.1');
  });

  it('reports the found objects to the UI, before the parameters of plugin.yaml', async () => {
    const application = manifestOf('shop', good.shop as Application, argocd().source);
    const { sourceType, parameters = [] } = await argocd().ask({ do: 'parameters', application });
    expect(sourceType).toBe('Plugin');
    expect(parameters.slice(0, 2)).toMatchObject([
      { name: 'foundDefinitions', array: ['webapp: WebApp.platform.example.com'] },
      { name: 'foundInstances', array: ['WebApp/shop'] },
    ]);
    const announced = getAt(parse(read('plugin.yaml')), ['spec', 'parameters', 'static']) as { name: string }[];
    expect(parameters.slice(2).map(({ name }) => name)).toEqual(announced.map(({ name }) => name));
  });

  describe('syncs', () => {
    const sync = async (name: string): Promise<string[]> => {
      const { manifests } = await answerOf(name);
      const { waves = [], error } = await argocd().ask({ do: 'sync', manifests });
      expect(error).toBeUndefined();
      return waves.map(({ phase, number, objects }) => `${phase} ${number} ${objects.join(' ')}`);
    };

    it.each([
      ['order-by-depth', ['Sync 0 ConfigMap/link-0', 'Sync 1 ConfigMap/link-0-1', 'Sync 2 ConfigMap/link-0-1-2']],
      ['order-behind-own', ['Sync 0 ConfigMap/link-0', 'Sync 5 ConfigMap/link-0-1', 'Sync 6 ConfigMap/link-0-1-2']],
      [
        'order-before-own',
        [
          'Sync -4 ConfigMap/link-0',
          'Sync -3 ConfigMap/link-0-1',
          'Sync -2 ConfigMap/link-0-1-2',
          'Sync 0 ConfigMap/link-0-1-2-3',
        ],
      ],
      [
        'order-of-hooks',
        [
          'PreSync 0 ConfigMap/link-0',
          'PreSync 1 ConfigMap/link-0-1',
          'Sync 0 ConfigMap/link-0-1-2',
          'PostSync 0 ConfigMap/link-0-1-2-3',
        ],
      ],
      ['order-with-weight', ['Sync 3 ConfigMap/link-0', 'Sync 4 ConfigMap/link-0-1']],
    ])('%s', async (name, expected) => {
      expect(await sync(name)).toEqual(expected);
    });

    it('applies the shop in the order of its graph', async () => {
      const [first, ...rest] = await sync('shop');
      expect(first).toBe('Sync 0 ConfigMap/shop-settings Deployment/shop');
      expect(rest).toEqual(['Sync 1 Service/shop', 'Sync 2 Ingress/shop']);
    });
  });

  const REQUESTS = isLong ? 200 : 12;
  it(`answers ${REQUESTS} requests at once, with the limit of the component`, async () => {
    const requests = Array.from({ length: REQUESTS }, (_, index) => {
      const application = manifestOf(`load-${index}`, { ...(good.shop as Application) }, argocd().source);
      return argocd().ask({ do: 'generate', application });
    });
    const answers = await Promise.all(requests);
    expect(answers.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.manifests))).size).toBe(1);
  }, 600_000);
});

const unrelated = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n';
const named = { plugin: { name: 'render-rgd' } };
const noteSet = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: teams}
spec:
  inputs: [{team: red}]
  resources:
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: << inputs.team >>}}
`;

describeWithAll(['go', 'git'], 'Argo CD without discovery', () => {
  const applications: Readonly<Record<string, Application>> = {
    'unnamed-kro': { files: { 'rgd.yaml': noteRgd, 'a.yaml': note('a') }, source: {} },
    'empty-plugin': { files: { 'rgd.yaml': noteRgd, 'a.yaml': note('a') }, source: { plugin: {} } },
    'named-plain': { files: { 'a.yaml': unrelated }, source: named },
  };
  const { argocd, answerOf } = answering('plugin.yaml', [applications]);

  it('does not handle an Application that does not name the plugin', async () => {
    const answer = await answerOf('unnamed-kro');
    expect(answer.sourceType).toBe('Directory');
    expect(titles(answer)).toEqual(['Note/a', 'ResourceGraphDefinition/note']);
  });

  it('gives an empty plugin nothing', async () => {
    expect((await answerOf('empty-plugin')).error).toContain('could not find plugin supporting the given repository');
  });

  it('renders every Application that names the plugin', async () => {
    expect(titles(await answerOf('named-plain'))).toEqual(['ConfigMap/plain']);
  });

  it('fails while the sidecar is down, except for cached results', async () => {
    await argocd().stopSidecar();
    const ask = (name: string, hardRefresh = false): Promise<Answer> => {
      const application = manifestOf(name, applications['named-plain'] as Application, argocd().source);
      return argocd().ask({ do: 'generate', application: { ...application, metadata: { name } }, hardRefresh });
    };
    expect((await ask('named-plain')).manifests).toHaveLength(1);
    const { error, manifests } = await ask('named-plain', true);
    expect({ error, manifests }).toEqual({ error: expect.stringContaining('render-rgd'), manifests: undefined });
  });
});

describeWithAll(['go', 'git', 'kustomize'], 'Argo CD with discovery', () => {
  const kro = { 'rgd.yaml': noteRgd, 'a.yaml': note('a') };
  const kustomized = { ...kro, 'kustomization.yaml': 'resources: [rgd.yaml, a.yaml]\nnamePrefix: my-\n' };
  const given = (...parameters: object[]): Readonly<Record<string, unknown>> => ({ plugin: { parameters } });
  const applications: Readonly<Record<string, Application>> = {
    'unnamed-kro': { files: kro, source: {} },
    'unnamed-plain': { files: { 'a.yaml': unrelated }, source: {} },
    'explicit-directory': { files: kro, source: { directory: { recurse: true } } },
    'empty-directory': { files: kro, source: { directory: {} } },
    'empty-plugin': { files: kro, source: { plugin: {} } },
    'named-kro': { files: kro, source: named },
    'named-plain': { files: { 'a.yaml': unrelated }, source: named },
    'unnamed-set': { files: { 'a.yaml': noteSet }, source: {} },
    'named-set': { files: { 'a.yaml': noteSet }, source: named },
    'unnamed-kustomization': { files: kustomized, source: {} },
    'named-kustomization': { files: kustomized, source: named },
    'built-kustomization': { files: kustomized, source: given({ name: 'build', string: 'auto' }) },
    'own-group': {
      path: 'examples/argocd/shop',
      source: { plugin: { name: 'render-rgd', parameters: [{ name: 'definitions', array: ['../platform'] }] } },
    },
    'wrong-parameter': { files: { 'a.yaml': unrelated }, source: given({ name: 'definition', array: ['../p'] }) },
    'wrong-path': { files: { 'a.yaml': unrelated }, source: given({ name: 'definitions', array: ['../platfrom'] }) },
    ordered: { files: { 'a.yaml': chainRgd('', '') }, source: {} },
  };
  const { argocd, answerOf } = answering('plugin-discovery.yaml', [applications]);

  it.each([
    ['unnamed-kro', 'Plugin', ['ConfigMap/a']],
    ['unnamed-plain', 'Directory', ['ConfigMap/plain']],
    ['explicit-directory', 'Directory', ['Note/a', 'ResourceGraphDefinition/note']],
    // Argo CD ignores a source type without a setting.
    ['empty-directory', 'Plugin', ['ConfigMap/a']],
    ['empty-plugin', 'Plugin', ['ConfigMap/a']],
    ['named-kro', 'Plugin', ['ConfigMap/a']],
    ['unnamed-set', 'Plugin', ['ConfigMap/red']],
    ['named-set', 'Plugin', ['ConfigMap/red']],
    ['unnamed-kustomization', 'Kustomize', ['Note/my-a', 'ResourceGraphDefinition/my-note']],
    ['built-kustomization', 'Plugin', ['ConfigMap/my-a']],
    ['own-group', 'Plugin', ['ConfigMap/shop-settings', 'Deployment/shop', 'Service/shop', 'Ingress/shop']],
  ])('%s', async (name, sourceType, expected) => {
    const answer = await answerOf(name);
    expect({ sourceType: answer.sourceType, titles: titles(answer) }).toEqual({ sourceType, titles: expected });
  });

  it('generate reports the error of a parameter', async () => {
    expect((await answerOf('wrong-parameter')).error).toContain("hint: did you mean 'definitions'?");
    expect((await answerOf('wrong-path')).error).toContain('error[unreadable-file]');
  });

  it('rejects a named Application that has nothing to render', async () => {
    for (const name of ['named-plain', 'named-kustomization']) {
      expect((await answerOf(name)).error).toContain('could not find cmp-server plugin with name "render-rgd"');
    }
  });

  it('falls back to plain files while the sidecar is down', async () => {
    await argocd().stopSidecar();
    const application = manifestOf('ordered', applications.ordered as Application, argocd().source);
    const answer = await argocd().ask({ do: 'generate', application, hardRefresh: true });
    expect({ sourceType: answer.sourceType, titles: titles(answer) }).toEqual({
      sourceType: 'Directory',
      titles: ['ResourceGraphDefinition/chain', 'Chain/chain'],
    });
  });
});

describeWithAll(['go', 'git'], 'Argo CD with reposerver.plugin.use.manifest.generate.paths', () => {
  const app = (paths: string): Application => ({
    ...(good['other-group'] as Application),
    annotations: { 'argocd.argoproj.io/manifest-generate-paths': paths },
  });
  const applications = {
    both: app('.;/examples/argocd/platform'),
    itself: app('.'),
  };
  const variables = { ARGOCD_REPO_SERVER_PLUGIN_USE_MANIFEST_GENERATE_PATHS: 'true' };
  const { answerOf } = answering('plugin.yaml', [applications], variables);

  it('sends the files that the annotation names', async () => {
    expect(titles(await answerOf('both'))).toEqual(['Deployment/a', 'Service/a']);
  });

  it('sends no other files, which is an error', async () => {
    expect((await answerOf('itself')).error).toContain('error[path-outside] parameters definitions:');
  });
});
