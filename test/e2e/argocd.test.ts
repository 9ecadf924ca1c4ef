import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type KubeObject, nameOf } from '../../src/model/object.ts';
import { getAt, type Value } from '../../src/model/value.ts';
import { readStream } from '../../src/parse/yaml.ts';
import { type CmpServer, cmpServer } from './cmp-server.ts';
import { bundle, describeWith, describeWithAll, execute, sandbox } from './sandbox.ts';

let examples: string;
let server: CmpServer;
beforeEach(() => {
  examples = sandbox();
  server = cmpServer(dirname(examples), dirname(examples));
});
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(examples, path)), { recursive: true });
  writeFileSync(join(examples, path), text);
};
const values = (text: string): Value[] => readStream(text).documents.map(({ value }) => value);
const titles = (manifests: readonly Value[]): string[] =>
  (manifests as KubeObject[]).map((one) => `${one.kind}/${nameOf(one)}`);
const example = (name: string): Value =>
  values(readFileSync(join(examples, 'argocd/applications.yaml'), 'utf8')).find(
    (one) => nameOf(one as KubeObject) === name,
  ) ?? null;
const application = (path: string, ...parameters: { name: string; string?: string; array?: string[] }[]): Value => ({
  metadata: { name: 'app' },
  spec: {
    destination: { namespace: 'apps' },
    source: { path: `examples/${path}`, plugin: parameters.length === 0 ? {} : { parameters } },
  },
});

describe('the CMP server', () => {
  it('finds and generates the shop of the example', () => {
    const shop = example('shop');
    expect(server.discover(shop)).toMatchObject({ supported: true, stderr: '' });
    const { code, stderr, manifests } = server.generate(shop);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(manifests).toEqual(values(readFileSync(join(examples, 'argocd/expected.yaml'), 'utf8')));
    expect(titles(manifests)).toEqual(['ConfigMap/shop-settings', 'Deployment/shop', 'Service/shop', 'Ingress/shop']);
  });

  it('tells the UI what was found', () => {
    const { code, stdout } = server.parameters(example('shop'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'foundDefinitions', array: ['webapp: WebApp.platform.example.com'] },
      { name: 'foundInstances', array: ['WebApp/shop'] },
    ]);
  });

  it('finds a plain folder without being told, and renders it', () => {
    const plain = application('collections/input');
    expect(server.discover(plain).supported).toBe(true);
    const { code, stderr, manifests } = server.generate(plain);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(manifests).toEqual(values(readFileSync(join(examples, 'collections/expected.yaml'), 'utf8')));
  });

  it('does not claim a folder that has nothing of kro', () => {
    write('none/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
    expect(server.discover(application('none'))).toEqual({ code: 0, stdout: '', stderr: '', supported: false });
  });

  it('claims a broken folder, and says why it is broken', () => {
    const text = readFileSync(join(examples, 'collections/input/books.yaml'), 'utf8');
    write('collections/input/books.yaml', text.replace('replicas: 3', 'replicas: three'));
    const broken = application('collections/input');
    expect(server.discover(broken).supported).toBe(true);
    const { code, stdout, stderr } = server.generate(broken);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^books\.yaml:\d+:\d+: error\[instance-type\] Storefront\/books spec\.tiers\[0\]\.replicas: /,
    );
  });

  it('prints nothing, and fails, when all that is left to apply is nothing', () => {
    write('empty/rgd.yaml', readFileSync(join(examples, 'argocd/platform/webapp.rgd.yaml'), 'utf8'));
    const { code, stdout, stderr } = server.generate(application('empty'));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[empty-output]');
  });

  it('lets no Application read the copy of another', () => {
    write('mine/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
    const { code, stderr } = server.generate(application('mine', { name: 'observed', array: ['../../../'] }));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('error[path-outside]') });
  });
});

describeWith('kustomize', (kustomize) => {
  it('generates the blog of the example, patched before it is rendered', () => {
    const blog = example('blog');
    expect(server.discover(blog).supported).toBe(true);
    const { code, stderr, manifests } = server.generate(blog);
    expect({ code, stderr, titles: titles(manifests) }).toEqual({
      code: 0,
      stderr: '',
      titles: ['Deployment/blog', 'Service/blog'],
    });
    expect(getAt(manifests[0], ['spec', 'replicas'])).toBe(5n);
    expect(getAt(manifests[0], ['metadata', 'namespace'])).toBe('blog');
  });

  it('hands on what kustomize says is wrong', () => {
    write('argocd/blog/kustomization.yaml', 'resources: [missing.yaml]\n');
    const { code, stdout, stderr } = server.generate(example('blog'));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error\[build-failed\]: kustomize failed with exit code 1: Error: .*missing\.yaml/);
  });

  it('runs no function of a repository', () => {
    write('evil/run.sh', '#!/bin/sh\ntouch /tmp/render-rgd-was-here\n');
    const config = 'exec: {path: ./run.sh}';
    const transformer = `apiVersion: a/v1\nkind: B\nmetadata: {name: b, annotations: {config.kubernetes.io/function: "${config}"}}\n`;
    write('evil/transformer.yaml', transformer);
    write('evil/kustomization.yaml', 'transformers: [transformer.yaml]\n');
    const { code, stderr } = server.generate(application('evil', { name: 'build', string: 'kustomize' }));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('plugins disabled') });
  });

  it('takes the sidecar as a component of what installs Argo CD', () => {
    write('install/argocd.yaml', REPO_SERVER);
    write('install/kustomization.yaml', 'resources: [argocd.yaml]\ncomponents: [../argocd/sidecar]\n');
    const { code, stdout } = execute(kustomize, ['build', join(examples, 'install')]);
    expect(code).toBe(0);
    const [map, deployment] = ['ConfigMap', 'Deployment'].map((kind) =>
      values(stdout).find(
        (one) => (one as KubeObject).kind === kind && nameOf(one as KubeObject) !== 'argocd-cmd-params-cm',
      ),
    );
    const plugin = readFileSync(join(bundle, '../../plugin.yaml'), 'utf8');
    expect(getAt(map, ['data', 'plugin.yaml'])).toBe(plugin);
    const pod = getAt(deployment, ['spec', 'template', 'spec']);
    expect(getAt(pod, ['containers', 0, 'name'])).toBe('render-rgd');
    expect(getAt(pod, ['containers', 0, 'securityContext'])).toMatchObject({ runAsUser: 999n, runAsNonRoot: true });
    const volumes = getAt(pod, ['volumes']) as Value[];
    const mounted = (getAt(pod, ['containers', 0, 'volumeMounts']) as Value[]).map((one) => nameIn(one));
    expect(volumes.map((one) => nameIn(one))).toEqual(expect.arrayContaining(mounted));
  });
});

const nameIn = (value: Value): unknown => getAt(value, ['name']);

const REPO_SERVER = `apiVersion: apps/v1
kind: Deployment
metadata: {name: argocd-repo-server}
spec:
  template:
    spec:
      containers: [{name: argocd-repo-server, image: quay.io/argoproj/argocd}]
      volumes: [{name: var-files, emptyDir: {}}, {name: plugins, emptyDir: {}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cmd-params-cm}
`;

describeWithAll(['helm'], 'helm', () => {
  const chart = (template: string): void => {
    write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 0.1.0\n');
    write('chart/values.yaml', 'replicas: 1\n');
    write('chart/production.yaml', 'replicas: 3\n');
    write('chart/templates/app.yaml', template);
  };
  const parameters = [
    { name: 'build', string: 'auto' },
    { name: 'definitions', array: ['../argocd/platform'] },
    { name: 'values', array: ['production.yaml'] },
  ];

  it('renders the instances that a chart makes', () => {
    chart(`apiVersion: platform.example.com/v1alpha1
kind: WebApp
metadata: {name: "{{ .Release.Name }}-{{ .Release.Namespace }}"}
spec:
  image: 'nginx:{{ .Capabilities.KubeVersion.Version }}'
  replicas: {{ .Values.replicas }}
  host: '{{ if .Capabilities.APIVersions.Has "networking.k8s.io/v1/Ingress" }}example.com{{ end }}'
`);
    const { code, stderr, manifests } = server.generate(application('chart', ...parameters));
    expect({ code, stderr, titles: titles(manifests) }).toEqual({
      code: 0,
      stderr: '',
      titles: ['Deployment/app-apps', 'Service/app-apps', 'Ingress/app-apps'],
    });
    expect(getAt(manifests[0], ['spec', 'replicas'])).toBe(3n);
    expect(getAt(manifests[0], ['spec', 'template', 'spec', 'containers', 0, 'image'])).toBe('nginx:v1.33.1');
  });

  it('hands on what helm says is wrong', () => {
    chart('{{ fail "no luck" }}');
    const { code, stdout, stderr } = server.generate(application('chart', ...parameters));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error\[build-failed\]: helm failed with exit code 1: .*no luck/);
  });

  it('takes no name for a flag', () => {
    chart('kind: A');
    const named = [...parameters, { name: 'releaseName', string: '--debug' }];
    expect(server.generate(application('chart', ...named)).stderr).toContain('invalid release name');
  });
});
