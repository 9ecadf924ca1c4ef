import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../src/core/model/object.ts';
import { getAt, type Value } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { isLong, partOf } from '../properties/runs.ts';
import { argocdModule, BUILD_TIMEOUT } from './argo-cd.ts';
import { bundle, describeWithAll, execute, findTool, sandbox } from './sandbox.ts';

const root = dirname(dirname(bundle));
const sidecar = '../argocd/sidecar';
const discovery = '../argocd/discovery';

/** The kustomizations of an administrator around the manifests of Argo CD, `argocd.yaml`. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'as they are': { 'kustomization.yaml': `resources: [argocd.yaml]\ncomponents: [${sidecar}]\n` },
  'in a namespace': {
    'kustomization.yaml': `namespace: argocd\nresources: [argocd.yaml]\ncomponents: [${sidecar}]\n`,
  },
  'from a layer that sets the namespace': {
    'kustomization.yaml': `namespace: cd\nresources: [layer]\ncomponents: [../argocd/sidecar]\n`,
    'layer/kustomization.yaml': 'namespace: cd\nresources: [../argocd]\n',
    'argocd/kustomization.yaml': 'resources: [argocd.yaml]\n',
  },
  'with discovery': {
    'kustomization.yaml': `namespace: argocd\nresources: [argocd.yaml]\ncomponents: [${sidecar}, ${discovery}]\n`,
  },
};

function install(manifests: string, shape: string): KubeObject[] {
  const folder = join(sandbox(), 'install');
  for (const [path, text] of Object.entries(SHAPES[shape] ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const place = shape.startsWith('from') ? 'argocd/argocd.yaml' : 'argocd.yaml';
  copyFileSync(join(argocdModule(), 'manifests', manifests), join(folder, place));
  const { code, stdout, stderr } = execute(findTool('kustomize') ?? 'kustomize', ['build', folder]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return readStream(stdout).documents.map(({ value }) => value as KubeObject);
}

const names = (list: Value | undefined): Value[] =>
  (Array.isArray(list) ? list : []).map((one) => getAt(one, ['name']) ?? null);

describeWithAll(['go', 'kustomize'], 'the sidecar component on the manifests of Argo CD', () => {
  const official = [
    'install.yaml',
    'namespace-install.yaml',
    'core-install.yaml',
    'ha/install.yaml',
    'ha/namespace-install.yaml',
    'install-with-hydrator.yaml',
    'namespace-install-with-hydrator.yaml',
    'core-install-with-hydrator.yaml',
    'ha/install-with-hydrator.yaml',
    'ha/namespace-install-with-hydrator.yaml',
  ];
  const shapes = Object.keys(SHAPES);

  // Each manifest in one shape, and each shape for a cluster and an HA install, half of them; the nightly run has all
  // combinations.
  const isHa = (manifests: string): boolean => manifests.startsWith('ha/');
  const cases = [official.filter(isHa), official.filter((manifests) => !isHa(manifests))].flatMap((alike) =>
    alike.flatMap((manifests, index) =>
      (isLong ? shapes : [shapes[index % shapes.length] as string]).map((shape) => ({ manifests, shape })),
    ),
  );

  describe.each(partOf(cases, 2))('$manifests, $shape', ({ manifests, shape }) => {
    it('adds the sidecar and its limit, and changes nothing else', { timeout: BUILD_TIMEOUT }, () => {
      const objects = install(manifests, shape);
      const find = (kind: string, name: string): KubeObject => {
        const found = objects.filter((one) => groupVersionKind(one).kind === kind && nameOf(one) === name);
        expect(found).toHaveLength(1);
        return found[0] as KubeObject;
      };
      const server = find('Deployment', 'argocd-repo-server');
      const limits = find('ConfigMap', 'argocd-cmd-params-cm');
      const plugin = find('ConfigMap', 'render-rgd-plugin');
      const namespace = shape === 'as they are' ? '' : shape.startsWith('from') ? 'cd' : 'argocd';
      for (const object of [server, limits, plugin]) expect(namespaceOf(object)).toBe(namespace);

      const containers = getAt(server, ['spec', 'template', 'spec', 'containers']) as Value[];
      // Patches and kubectl use the first container.
      expect(names(containers)).toEqual(['argocd-repo-server', 'render-rgd']);
      const ours = containers.find((one) => getAt(one, ['name']) === 'render-rgd') ?? null;
      expect(getAt(ours, ['securityContext'])).toMatchObject({ runAsUser: 999n, runAsNonRoot: true });
      const volumes = names(getAt(server, ['spec', 'template', 'spec', 'volumes']));
      expect(volumes).toEqual(expect.arrayContaining(names(getAt(ours, ['volumeMounts']))));
      expect(getAt(server, ['spec', 'template', 'spec', 'initContainers'])).toHaveLength(1);

      const file = shape === 'with discovery' ? 'plugin-discovery.yaml' : 'plugin.yaml';
      expect(getAt(plugin, ['data', 'plugin.yaml'])).toBe(readFileSync(join(root, file), 'utf8'));
      expect(getAt(limits, ['data', 'reposerver.parallelism.limit'])).toMatch(/^[1-9]\d*$/);
      // The HA manifests already set some.
      if (isHa(manifests)) expect(getAt(limits, ['data', 'redis.server'])).toBeDefined();
      const variable = (getAt(containers.find((one) => one !== ours) ?? null, ['env']) as Value[]).find(
        (one) => getAt(one, ['name']) === 'ARGOCD_REPO_SERVER_PARALLELISM_LIMIT',
      );
      expect(getAt(variable ?? null, ['valueFrom', 'configMapKeyRef'])).toMatchObject({
        name: 'argocd-cmd-params-cm',
        key: 'reposerver.parallelism.limit',
      });
    });
  });
});
