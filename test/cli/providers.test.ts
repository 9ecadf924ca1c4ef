import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const API = 'fluxcd.controlplane.io/v1';
const provider = (name: string, rest: string, labels = ''): string =>
  `---\napiVersion: ${API}\nkind: ResourceSetInputProvider\nmetadata: {name: ${name}, namespace: sea${labels && `, labels: {${labels}}`}}\n${rest}\n`;
const set = (inputsFrom: string): string => `apiVersion: ${API}
kind: ResourceSet
metadata: {name: boats, namespace: sea}
spec:
  inputsFrom: [${inputsFrom}]
  resources:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: boat-<< inputs.id >>}}
`;
const exported = (id: string): string => `status:\n  conditions: []\n  exportedInputs:\n  - id: ${id}\n`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-providers-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('providers whose inputs only a cluster has', () => {
  it('are observed with only the fields that are read', async () => {
    const written =
      provider('tags', 'spec: {type: GitHubTag, url: "https://git.example/sea/boats"}') +
      provider('fixed', 'spec: {type: Static, defaultValues: {id: here}}', 'fleet: tugs');
    const pack = file('set.yaml', set('{name: tags}, {selector: {matchLabels: {fleet: tugs}}}') + written);
    const live = file(
      'live.yaml',
      provider('tags', `spec: {type: GitHubTag, url: "https://example.test"}\n${exported('t1')}`, 'team: red') +
        provider(
          'pulls',
          `spec: {type: GitHubPullRequest, url: "https://git.example/sea/boats"}\n${exported('p1')}`,
          'fleet: tugs, team: red',
        ) +
        provider('fixed', `spec: {type: Static}\n${exported('stale')}`, 'fleet: tugs') +
        provider('other', `spec: {type: GitHubTag, url: "https://git.example/sea/boats"}\n${exported('o1')}`),
    );
    const { code, stdout, stderr } = await invoke(['observe', pack, '--from', live]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(
        'nothing reads ResourceSetInputProvider sea/fixed, ResourceSetInputProvider sea/other: omitted',
      ),
    });
    expect(stdout).toBe(`apiVersion: ${API}
kind: ResourceSetInputProvider
metadata:
  name: pulls
  namespace: sea
  labels:
    fleet: tugs
status:
  exportedInputs:
  - id: p1
---
apiVersion: ${API}
kind: ResourceSetInputProvider
metadata:
  name: tags
  namespace: sea
status:
  exportedInputs:
  - id: t1
`);
    const observed = file('observed.yaml', stdout);
    const whole = await invoke(['render', pack, '--observed', live]);
    expect(whole.stdout.match(/name: boat-.*/g)).toEqual(['name: boat-104661521', 'name: boat-p1', 'name: boat-t1']);
    expect((await invoke(['render', pack, '--observed', observed])).stdout).toBe(whole.stdout);
  });

  it('are omitted and stay pending if they never reported inputs', async () => {
    const pack = file(
      'waiting.yaml',
      set('{name: tags}') + provider('tags', 'spec: {type: GitHubTag, url: "https://git.example/sea/boats"}'),
    );
    const live = file('new.yaml', provider('tags', 'spec: {type: GitHubTag, url: "https://git.example/sea/boats"}'));
    const { code, stdout } = await invoke(['observe', pack, '--from', live, '--allow-empty']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it.each([
    ['{name: tags}', 'tags', '', '(the name)'],
    ['{selector: {matchLabels: {fleet: tugs}}}', '', "--selector='fleet=tugs' ", '(fleet=tugs)'],
    [
      '{selector: {matchExpressions: [{key: fleet, operator: NotIn, values: [a, b]}, {key: old, operator: DoesNotExist}]}}',
      '',
      "--selector='fleet notin (a,b),!old' ",
      '(fleet notin (a,b),!old)',
    ],
    ['{selector: {}}', '', '', '(all)'],
  ])('are listed as kubectl commands: %s', async (reference, name, selector, title) => {
    const pack = file('unknown.yaml', set(reference));
    const { code, stdout } = await invoke(['pending', pack, '--kubectl']);
    const type = 'ResourceSetInputProvider.v1.fluxcd.controlplane.io';
    const command = `kubectl get --namespace=sea ${selector}-o yaml --ignore-not-found -- ${type}${name && ` ${name}`}\n`;
    expect({ code, stdout }).toEqual({ code: 0, stdout: command });
    const shown = (await invoke(['pending', pack])).stdout.split('\n');
    expect(shown[0]).toBe(`ResourceSetInputProvider sea/${name || title}`);
    expect(shown[1]).toBe('  status.exportedInputs');
    expect(shown[2]).toBe('    ResourceSet sea/boats node inputsFrom spec.inputsFrom[0]');
  });

  const app = (template: string, resources = ''): string => `---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App}
  resources:
${resources}  - id: made
    template: ${template}
---
{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: a, namespace: sea}}
`;

  it.each([
    ['boats', '', 'ResourceSetInputProvider sea/tags', 'ResourceSet sea/boats'],
    [
      '${string(secret.data.name)}',
      '  - id: secret\n    template: {apiVersion: v1, kind: Secret, metadata: {name: s}, data: {name: cGxhbnRlZA==}}\n',
      'ResourceSetInputProvider (hidden)',
      'ResourceSet (hidden)',
    ],
  ])('are pending in a ResourceSet that an instance renders: %s', async (name, resources, title, reader) => {
    const rendered = JSON.stringify({
      apiVersion: API,
      kind: 'ResourceSet',
      metadata: { name },
      spec: { inputsFrom: [{ name: 'tags' }], resources: [] },
    });
    const { code, stdout } = await invoke(['pending', file('rendered.yaml', app(rendered, resources))]);
    expect({ code, lines: stdout.split('\n').slice(0, 3) }).toEqual({
      code: 0,
      lines: [title, '  status.exportedInputs', `    ${reader} node inputsFrom spec.inputsFrom[0]`],
    });
  });

  it('are observed with the fields that ResourceSets and RGDs read of them', async () => {
    const reads =
      '{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {team: "${tags.metadata.labels.team}"}}';
    const reference = `  - id: tags\n    externalRef: {apiVersion: ${API}, kind: ResourceSetInputProvider, metadata: {name: tags}}\n`;
    const pack = file('both.yaml', `${set('{name: tags}')}${app(reads, reference)}`);
    const live = file(
      'both-live.yaml',
      provider('tags', `spec: {type: GitHubTag, url: x}\n${exported('t1')}`, 'team: red, fleet: x'),
    );
    const whole = await invoke(['render', pack, '--observed', live]);
    expect(whole.stdout).toContain('team: red');
    expect(whole.stdout).toContain('name: boat-t1');
    const part = await invoke(['observe', pack, '--from', live]);
    expect(part.stdout).not.toContain('fleet');
    expect((await invoke(['render', pack, '--observed', file('both-part.yaml', part.stdout)])).stdout).toBe(
      whole.stdout,
    );
  });

  it('are warnings of validate, like the pending values of an RGD', async () => {
    const pack = file(
      'valid.yaml',
      set('{name: tags}') + provider('tags', 'spec: {type: GitHubTag, url: "https://git.example/sea/boats"}'),
    );
    const { code, stdout } = await invoke(['validate', pack]);
    expect(code).toBe(0);
    expect(stdout).toContain('warning[provider-pending]');
  });

  it('omit their ResourceSet, or leave it to the operator, if they are unknown', async () => {
    const pack = file('nobody.yaml', `${set('{name: tags}')}---\n{apiVersion: v1, kind: Pod, metadata: {name: a}}\n`);
    expect((await invoke(['render', pack])).code).toBe(1);
    const skipped = await invoke(['render', pack, '--all', '--on-pending', 'skip']);
    expect(skipped.code).toBe(0);
    expect(skipped.stderr).toContain('warning[provider-pending]');
    expect(skipped.stdout).not.toContain('ResourceSet');
    expect((await invoke(['render', pack, '--all', '--on-pending', 'passthrough'])).stdout).toContain(
      'kind: ResourceSet',
    );
  });
});
