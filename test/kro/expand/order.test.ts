import { describe, expect, it } from 'vitest';
import { getAt } from '../../../src/core/model/value.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { invoke } from '../../cli/invoke.ts';

/** An RGD whose node `app` reads a ConfigMap of the package; both have the given annotations. */
function reading(plain: string, app: string, reference = 'name: settings'): string {
  const found = reference.startsWith('name') ? 'settings.metadata.name' : 'settings[0].metadata.name';
  return `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: site}
spec:
  schema: {apiVersion: v1alpha1, kind: Site}
  resources:
    - id: settings
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {${reference}}}
    - id: app
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${${found}}-app", annotations: {${app}}}
    - id: last
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${app.metadata.name}-last"}
---
{apiVersion: kro.run/v1alpha1, kind: Site, metadata: {name: s, namespace: web}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: web, labels: {a: b}, annotations: {${plain}}}}
`;
}

const wave = (value: string): string => `argocd.argoproj.io/sync-wave: "${value}"`;
const hook = (value: string): string => `argocd.argoproj.io/hook: ${value}`;

async function waves(input: string): Promise<{ code: number; stderr: string; waves: unknown[] }> {
  const { code, stdout, stderr } = await invoke(['render', '-', '--order', 'argocd'], input);
  const path = ['metadata', 'annotations', 'argocd.argoproj.io/sync-wave'];
  return { code, stderr, waves: readStream(stdout).documents.map(({ value }) => getAt(value, path)) };
}

describe('order: argocd, for an object that reads one of the package', () => {
  it.each<[string, string, string[]]>([
    ['is not moved by one without a wave', '', ['0', '1']],
    ['comes behind its wave', wave('3'), ['4', '5']],
    ['comes no earlier than usual behind an early one', wave('-3'), ['0', '1']],
    ['need not come behind one of an earlier phase', `${wave('3')}, ${hook('PreSync')}`, ['0', '1']],
  ])('%s', async (_, plain, expected) => {
    for (const reference of ['name: settings', 'selector: {matchLabels: {a: b}}']) {
      expect((await waves(reading(plain, '', reference))).waves).toEqual(expected);
    }
  });

  it('is an error if its own wave is not later', async () => {
    const { code, stderr } = await waves(reading(wave('3'), wave('3')));
    expect(code).toBe(1);
    expect(stderr).toContain('error[wave-conflict] Site/s node app');
    expect(stderr).toContain('wave 3 is not after wave 3 of ConfigMap/settings, which it depends on');
  });

  it('is a warning if it is a hook of an earlier phase', async () => {
    const { code, stderr } = await waves(reading('', hook('PreSync')));
    expect(code).toBe(0);
    expect(stderr).toContain('warning[hook-order] Site/s node app');
    expect(stderr).toContain('depends on ConfigMap/settings, which is applied in phase Sync');
  });
});

describe('order: argocd, for Secrets', () => {
  const all = (annotations: string): string => (annotations.startsWith('$') ? `"${annotations}"` : `{${annotations}}`);
  const secrets = (early: string, late: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: site}
spec:
  schema: {apiVersion: v1alpha1, kind: Site}
  resources:
    - id: first
      template: {apiVersion: v1, kind: Secret, metadata: {name: keys}, stringData: {wave: "1"}}
    - id: early
      template: {apiVersion: v1, kind: Secret, metadata: {name: "\${first.metadata.name}-a", annotations: {${early}}}}
    - id: late
      template: {apiVersion: v1, kind: Secret, metadata: {name: "\${early.metadata.name}-b", annotations: ${all(late)}}}
---
{apiVersion: kro.run/v1alpha1, kind: Site, metadata: {name: s, namespace: web}}
`;

  it('reports why waves of the author are wrong', async () => {
    const { stderr } = await waves(secrets(wave('3'), wave('2')));
    expect(stderr).toContain('error[wave-conflict] Site/s node late');
    expect(stderr).toContain('wave 2 is not after wave 3 of Secret/keys-a, which it depends on');
    const hooks = await waves(secrets('', hook('PreSync')));
    expect(hooks.stderr).toContain('depends on Secret/keys-a, which is applied in phase Sync');
  });

  it.each([
    ['its own', wave('3'), wave('${first.stringData.wave}')],
    ['that of the other one', wave('${string(int(first.stringData.wave) + 2)}'), wave('2')],
    ['all annotations', wave('3'), "${{'argocd.argoproj.io/sync-wave': first.stringData.wave}}"],
  ])('does not print a wave that is computed from a Secret: %s', async (_, early, late) => {
    const { stderr } = await waves(secrets(early, late));
    expect(stderr).toContain('error[wave-conflict] Site/s node late');
    expect(stderr).toContain('wave (hidden) is not after wave (hidden) of (hidden)');
    expect(stderr).not.toMatch(/wave \d/);
  });
});

describe('order: argocd, for hooks', () => {
  it('warns once per node, and of nodes that depend on a later hook', async () => {
    const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: site}
spec:
  schema: {apiVersion: v1alpha1, kind: Site}
  resources:
    - id: a
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
    - id: jobs
      forEach: [{letter: "\${['x', 'y', 'z']}"}]
      template:
        {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${a.metadata.name}-\${letter}", annotations: {${hook('PreSync')}}}}
    - id: after
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: after, annotations: {${hook('PostSync')}}}}
    - id: late
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "late-\${after.metadata.name}"}}
---
{apiVersion: kro.run/v1alpha1, kind: Site, metadata: {name: s, namespace: web}}
`;
    const { code, stderr } = await waves(rgd);
    expect({ code, errors: stderr.match(/error.*/g) }).toEqual({ code: 0, errors: null });
    expect(stderr.match(/warning\[hook-order\] Site\/s node \w+/g)).toEqual([
      'warning[hook-order] Site/s node jobs',
      'warning[hook-order] Site/s node late',
    ]);
  });
});
