import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { RunTool } from '../../../src/gitops/plan/index.ts';
import { answerOf, application, summaryOf, type Texts } from './repository.ts';

const map = (name: string, value = '1'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: x }\ndata: { v: "${value}" }\n`;
const flux = (more: string): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: one, namespace: flux-system }\nspec: { interval: 10m, prune: false, path: ./apps, ${more}, sourceRef: { kind: GitRepository, name: x } }\n`;

interface Call {
  tool: string;
  path: string;
  args: readonly string[];
  kustomization?: unknown;
  input?: string;
}

/** The calls of the tools for a new application, and the summary of the plan. */
function callsFor(files: Texts): { calls: Call[]; summary: string[] } {
  const calls: Call[] = [];
  const tool: RunTool = (name, path, args, { file, input } = {}) => {
    calls.push({
      ...{ tool: name, path, args },
      ...(file && { kustomization: parse(file.text) }),
      ...(input !== undefined && { input }),
    });
    return { text: map('built') };
  };
  const summary = summaryOf({ a: '' }, files, { before: tool, after: tool });
  return { calls, summary };
}

/** Returns the images of the kustomization that the first call builds. */
function imagesOf([call]: readonly Call[]): unknown {
  return (call?.kustomization as { images?: unknown } | undefined)?.images;
}

describe('what a controller changes before it builds', () => {
  const base = {
    'apps/a.yaml': map('a'),
    'apps/kustomization.yaml':
      'resources: [a.yaml]\nimages: [{ name: i, newName: old, newTag: "1" }]\npatches: [{ path: p.yaml }]\ncommonAnnotations: { a: b }\n',
  };
  const withKustomize = (options: string): ReturnType<typeof callsFor> =>
    callsFor({ ...base, 'app.yaml': application('one', `{ path: apps, kustomize: ${options} }`) });

  it('are fields of a kustomization that Argo CD edits', () => {
    const { calls, summary } = withKustomize(
      '{ namePrefix: p-, namespace: web, images: ["i:2", "x/j=k@sha256:12"], replicas: [{ name: d, count: 3 }], patches: [{ patch: text }], components: [../c], commonLabels: { l: m } }',
    );
    expect(summary).toEqual(['one: +ConfigMap/built']);
    expect(calls[0]?.kustomization).toEqual({
      resources: ['a.yaml'],
      commonAnnotations: { a: 'b' },
      commonLabels: { l: 'm' },
      namePrefix: 'p-',
      namespace: 'web',
      images: [
        { name: 'i', newTag: '2' },
        { name: 'x/j', newName: 'k', digest: 'sha256:12' },
      ],
      replicas: [{ name: 'd', count: 3 }],
      patches: [{ path: 'p.yaml' }, { patch: 'text' }],
      components: ['../c'],
    });
  });

  it('adds no component that the kustomization has', () => {
    const files = { ...base, 'c/kustomization.yaml': 'kind: Component\n', 'd/kustomization.yaml': 'kind: Component\n' };
    const kustomization = 'resources: [a.yaml]\ncomponents: [../c]\n';
    const { calls } = callsFor({
      ...files,
      'apps/kustomization.yaml': kustomization,
      'app.yaml': application('one', '{ path: apps, kustomize: { components: [../c, ../d] } }'),
    });
    expect(calls[0]?.kustomization).toMatchObject({ components: ['../c', '../d'] });
  });

  it('fail for an annotation that is there, unless it is forced', () => {
    expect(withKustomize('{ commonAnnotations: { a: c } }').summary).toEqual([
      'one: its kustomization has the annotation a already',
    ]);
    expect(withKustomize('{ commonAnnotations: { a: c }, forceCommonAnnotations: true }').summary).toEqual([
      'one: +ConfigMap/built',
    ]);
  });

  it('are fields of a kustomization that Flux edits, which merges images', () => {
    const { calls } = callsFor({
      ...base,
      'k.yaml': flux(
        'targetNamespace: web, images: [{ name: i, newTag: "2" }], patches: [{ patch: text }], components: [../c, ../d], ignoreMissingComponents: true',
      ),
      'c/kustomization.yaml': 'kind: Component\n',
    });
    expect(calls[0]).toMatchObject({
      path: 'apps',
      kustomization: {
        namespace: 'web',
        images: [{ name: 'i', newName: 'old', newTag: '2' }],
        patches: [{ path: 'p.yaml' }, { patch: 'text' }],
        components: ['../c'],
      },
    });
  });

  // kustomize-controller merges by name; a new tag or digest replaces both.
  it.each([
    ['{ name: i, newTag: "2" }', { name: 'i', newName: 'old', newTag: '2' }],
    ['{ name: i, newName: fresh }', { name: 'i', newName: 'fresh', newTag: '1' }],
    ['{ name: i, digest: "sha256:1" }', { name: 'i', newName: 'old', digest: 'sha256:1' }],
  ])('merge an image of Flux: %s', (image, merged) => {
    const { calls } = callsFor({ ...base, 'k.yaml': flux(`images: [${image}]`) });
    expect(imagesOf(calls)).toEqual([merged]);
  });

  it('merge an image of Flux that has a digest already', () => {
    const own = 'resources: [a.yaml]\nimages: [{ name: i, digest: "sha256:0" }]\n';
    const images = (image: string): unknown => {
      const files = { ...base, 'apps/kustomization.yaml': own, 'k.yaml': flux(`images: [${image}]`) };
      return imagesOf(callsFor(files).calls);
    };
    expect(images('{ name: i, newName: fresh }')).toEqual([{ name: 'i', newName: 'fresh', digest: 'sha256:0' }]);
    expect(images('{ name: i, newTag: "2" }')).toEqual([{ name: 'i', newTag: '2' }]);
    expect(images('{ name: j, newTag: "2" }')).toEqual([
      { name: 'i', digest: 'sha256:0' },
      { name: 'j', newTag: '2' },
    ]);
  });

  // kustomize edit set image keeps what `*` stands for.
  it.each([
    ['i=*:3', { name: 'i', newName: 'old', newTag: '3' }],
    ['i=fresh', { name: 'i', newName: 'fresh' }],
    ['i:3@sha256:1', { name: 'i', newTag: '3', digest: 'sha256:1' }],
    ['localhost:5000/i:3', { name: 'localhost:5000/i', newTag: '3' }],
  ])('replace an image of Argo CD: %s', (image, replaced) => {
    const images = imagesOf(withKustomize(`{ images: ["${image}"] }`).calls);
    expect(images).toContainEqual(replaced);
  });

  it('take the namespace of their own controller', () => {
    const argo = withKustomize('{ namePrefix: p-, targetNamespace: odd }').calls;
    expect(argo.map(({ kustomization }) => kustomization)).not.toContainEqual(
      expect.objectContaining({ namespace: 'odd' }),
    );
    const { calls } = callsFor({
      ...base,
      'k.yaml': flux('namePrefix: p-, nameSuffix: -s, targetNamespace: web, namespace: odd'),
    });
    expect(calls[0]?.kustomization).toMatchObject({ namePrefix: 'p-', nameSuffix: '-s', namespace: 'web' });
  });

  it('are fields of the kustomization that Flux generates for a folder without one', () => {
    const { calls } = callsFor({
      'apps/a.yaml': map('a'),
      'apps/b/kustomization.yaml': 'resources: []\n',
      'k.yaml': flux('namePrefix: p-'),
    });
    expect(calls[0]?.kustomization).toMatchObject({ resources: ['a.yaml', 'b'], namePrefix: 'p-' });
  });

  it('have the paths of files in that folder, also if it is the root of the repository', () => {
    const root = flux('namePrefix: p-').replace('./apps', './/');
    const { calls } = callsFor({ 'zebra.yaml': map('a'), 'b/kustomization.yaml': 'resources: []\n', 'k.yaml': root });
    expect(calls[0]?.kustomization).toMatchObject({ resources: ['k.yaml', 'zebra.yaml', 'b'] });
  });

  it('count as files that the application reads', () => {
    const files = { ...base, 'c/kustomization.yaml': 'kind: Component\n', 'k.yaml': flux('components: [../c]') };
    let value = 0;
    const tool: RunTool = () => ({ text: map('built', String(value++)) });
    const changed = { ...files, 'c/kustomization.yaml': 'kind: Component\nnamePrefix: x\n' };
    expect(summaryOf(files, changed, { before: tool, after: tool })).toEqual(['one: ~ConfigMap/built']);
  });

  it('need kustomize', () => {
    expect(summaryOf({ a: '' }, { ...base, 'k.yaml': flux('namePrefix: p-') })).toEqual([
      'one: only kustomize builds it; --allow-exec runs kustomize',
    ]);
  });
});

describe('what Flux changes after the build', () => {
  const files = (more: string, v: string): Texts => ({
    'apps/a.yaml': map('a', v),
    'clusters/x/k.yaml': flux(more),
    'clusters/x/vars.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: vars, namespace: flux-system }\ndata: { A: one, B: two }\n',
    'clusters/y/vars.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: vars, namespace: flux-system }\ndata: { A: other }\n',
  });
  const same = (more: string, written: string, value: string): string[] => {
    const [before, after] = [files(more, written), files(more, value)];
    return summaryOf(before, after);
  };

  it('are variables of the ConfigMap of its cluster, over which its own win', () => {
    const build = 'postBuild: { substitute: { B: own }, substituteFrom: [{ kind: ConfigMap, name: vars }] }';
    expect(same(build, '${A} ${B}${C}', 'one own')).toEqual([]);
    expect(same(build, '${A}', 'other')).toEqual(['one: ~ConfigMap/a']);
  });

  it('are not the variables of a Secret, or of a ConfigMap that is not in the repository', () => {
    const from = 'postBuild: { substitute: { A: one }, substituteFrom: [{ kind: Secret, name: vars }] }';
    expect(same(from, '${A} ${C:=x}', 'one $${C:=x}')).toEqual([]);
  });

  it('are common labels and annotations', () => {
    const common = (value: string): Texts => files(`commonMetadata: { labels: { a: "${value}" } }`, '1');
    const answer = answerOf(common('1'), common('2'));
    expect(answer.applications.map(({ name, changed }) => [name, changed.length])).toEqual([['one', 1]]);
  });
});

describe('an Application with a chart of the repository', () => {
  const chart = {
    'apps/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 0.1.0\n',
    'values/a.yaml': 'a: 1\n',
    'apps/b.yaml': 'b: 1\n',
  };
  const withHelm = (helm: string, more = ''): ReturnType<typeof callsFor> =>
    callsFor({
      ...chart,
      'app.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: one }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: web }\n  sources: [{ repoURL: https://git.example.com/r.git, path: apps, helm: ${helm} }, { ref: values, repoURL: https://git.example.com/r.git }${more}]\n`,
    });

  it('gets the values files, then the values, and the parameters', () => {
    const { calls } = withHelm(
      '{ valueFiles: [b.yaml, $values/values/a.yaml, /values/a.yaml, missing.yaml], ignoreMissingValueFiles: true, values: "c: 1", parameters: [{ name: d, value: "1,2" }, { name: e, value: "{1,2}" }, { name: f, value: "1", forceString: true }], skipCrds: true, skipTests: true }',
    );
    expect(calls).toEqual([
      {
        ...{ tool: 'helm', path: 'apps', input: 'c: 1' },
        args: [
          ...['template', '--skip-tests', '--namespace=web', '--set=d=1\\,2', '--set=e={1,2}', '--set-string=f=1'],
          ...[
            '--values=../apps/b.yaml',
            '--values=../values/a.yaml',
            '--values=../values/a.yaml',
            '--values=-',
            '--',
            'one',
          ],
        ],
      },
    ]);
  });

  // The options of `helm template` that Argo CD's util/helm writes.
  it.each([
    ['{}', ['--include-crds', '--namespace=web', '--', 'one']],
    ['{ releaseName: r }', ['--include-crds', '--namespace=web', '--', 'r']],
    ['{ skipCrds: true }', ['--namespace=web', '--', 'one']],
    ['{ skipCrds: false }', ['--include-crds', '--namespace=web', '--', 'one']],
    ['{ skipTests: true }', ['--include-crds', '--skip-tests', '--namespace=web', '--', 'one']],
    ['{ skipSchemaValidation: true }', ['--include-crds', '--skip-schema-validation', '--namespace=web', '--', 'one']],
    ['{ namespace: other }', ['--include-crds', '--namespace=other', '--', 'one']],
    ['{ kubeVersion: v1.30.0 }', ['--include-crds', '--namespace=web', '--kube-version=v1.30.0', '--', 'one']],
    [
      '{ apiVersions: [a.example/v1, b.example/v2/B] }',
      [
        ...['--include-crds', '--namespace=web', '--api-versions=a.example/v1', '--api-versions=b.example/v2/B'],
        ...['--', 'one'],
      ],
    ],
    [
      '{ parameters: [{ name: a, value: "x\\\\,y" }, { name: b, value: "[1,2]" }, { name: c }] }',
      ['--include-crds', '--namespace=web', '--set=a=x\\,y', '--set=b=[1\\,2]', '--set=c=', '--', 'one'],
    ],
  ])('runs helm with the options of %s', (helm, args) => {
    expect(withHelm(helm).calls[0]?.args).toEqual(['template', ...args]);
  });

  it('gets the object with values instead of their text', () => {
    expect(withHelm('{ values: "a: 1", valuesObject: { b: 2 } }').calls[0]?.input).toBe('{"b":2}');
  });

  it('is rejected if a values file is missing', () => {
    expect(withHelm('{ valueFiles: [missing.yaml] }').summary).toEqual([
      'one: its values file missing.yaml does not exist',
    ]);
  });

  it('is named with the reason if it is not rendered', () => {
    expect(withHelm('{ fileParameters: [{ name: a, path: b }] }').summary).toEqual([
      'one: spec.source.helm.fileParameters of the Application is not read',
    ]);
    expect(withHelm('{ values: "a: $ARGOCD_APP_REVISION" }').summary).toEqual([
      'one: spec.source.helm of the Application uses ARGOCD_APP_REVISION of the build',
    ]);
  });
});

describe('a name or a value of the repository', () => {
  const source = { 'apps/a.yaml': map('a', '1'), 'apps/kustomization.yaml': 'resources: [a.yaml]\n' };
  it('is no inherited key of a variable', () => {
    const withVariables = (text: string): unknown => {
      const files = {
        ...source,
        'apps/a.yaml': map(`"${text}"`),
        'flux.yaml': flux('postBuild: { substitute: { a: b, __proto__: c } }'),
      };
      const [found] = answerOf({ a: '' }, files).applications;
      return found?.error ?? found?.added.map(({ name }) => name);
    };
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(withVariables(`x\${${name}}y\${${name}:0:3}z`)).toEqual(['xyz']);
    }
    expect(withVariables('x${a}y${__proto__}')).toEqual(['xbyc']);
  });

  it('is an error of its application if the number of replicas is none, and others are compared', () => {
    const files = {
      ...source,
      'one.yaml': application('one', '{ path: apps, kustomize: { replicas: [{ name: a, count: two }] } }'),
      'two.yaml': application('two', '{ path: apps, kustomize: { namePrefix: x- } }'),
    };
    expect(callsFor(files).summary).toEqual([
      'one: kustomize.replicas[0].count is "two", expected an integer',
      'two: +ConfigMap/built',
    ]);
  });
});
