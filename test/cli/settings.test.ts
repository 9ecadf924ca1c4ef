import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec: { schema: { apiVersion: v1, kind: Site, spec: { title: string } }, resources: [] }
`;
const OFF = `rules:
  - code: lint-unread-field
    severity: off
    paths: [vendor/**]
    reason: comes from upstream
`;

let folder: string;
const write = (files: Record<string, string>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('render-rgd.yaml', () => {
  it('is found above the input, and its globs are relative to its folder', async () => {
    write({ 'render-rgd.yaml': OFF, 'vendor/a/rgd.yaml': RGD, 'own/rgd.yaml': RGD });
    expect((await invoke(['validate', join(folder, 'vendor/a')])).stdout).toBe('1 object in 1 file: nothing wrong\n');
    expect((await invoke(['validate', join(folder, 'own')])).stdout).toContain('lint-unread-field');
    expect((await invoke(['validate', folder])).stdout).toContain('2 objects in 2 files: 1 warning');
  });

  it('is searched up to the root of the repository', async () => {
    write({ 'render-rgd.yaml': OFF, 'vendor/a/.git/HEAD': '', 'vendor/a/b/rgd.yaml': RGD });
    expect((await invoke(['validate', join(folder, 'vendor/a/b')])).stdout).toContain('lint-unread-field');
  });

  it('is replaced by --config', async () => {
    write({ 'other.yaml': OFF, 'render-rgd.yaml': 'rules: 1\n', 'vendor/rgd.yaml': RGD });
    const { code, stdout } = await invoke(['validate', join(folder, 'vendor'), '--config', join(folder, 'other.yaml')]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 object in 1 file: nothing wrong\n' });
  });

  it('is an error with its line if it is invalid', async () => {
    write({ 'render-rgd.yaml': 'rules:\n  - code: lint-unread-field\n    severity: none\n', 'rgd.yaml': RGD });
    const { code, stdout } = await invoke(['validate', folder]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/ {2}--> .*render-rgd\.yaml:3:15 rules\[0\]\.severity\n/);
    expect(stdout).toContain('error[settings-file]: must have a reason');
  });

  it('is ignored if it is a Kubernetes object', async () => {
    write({
      'render-rgd.yaml': 'apiVersion: fn.kpt.dev/v1alpha1\nkind: RenderRGD\nmetadata: { name: a }\n',
      'rgd.yaml': RGD,
    });
    expect((await invoke(['validate', folder])).stdout).not.toContain('settings-file');
  });

  it('is an error if the file of --config is missing', async () => {
    write({ 'rgd.yaml': RGD });
    const { code, stdout } = await invoke(['validate', folder, '--config', join(folder, 'none.yaml')]);
    expect(code).toBe(1);
    expect(stdout).toContain('none.yaml');
  });
});

describe('reports as annotations', () => {
  it.each(['github', 'sarif'])('skip documents that are not objects without --verbose: %s', async (format) => {
    write({ 'rgd.yaml': RGD, 'notes.yaml': 'a: 1\n' });
    expect((await invoke(['validate', folder, '--report', format])).stdout).not.toContain('not-an-object');
    expect((await invoke(['validate', folder, '--report', format, '-v'])).stdout).toContain('not-an-object');
  });
});

describe('paths of admission policies that contain none', () => {
  const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
  const OLD =
    'apiVersion: admissionregistration.k8s.io/v1alpha1\nkind: ValidatingAdmissionPolicy\nmetadata: { name: a }\n';
  const NONE = 'error[not-found]: there is no ValidatingAdmissionPolicy in ';

  it.each([
    ['another object', CONFIG_MAP],
    ['a version that is not read', OLD],
    ['an empty list', 'apiVersion: v1\nkind: List\nitems: []\n'],
  ])('are an error: %s', async (_, text) => {
    write({ 'package/rgd.yaml': RGD, 'policies/a.yaml': text });
    const policies = join(folder, 'policies');
    const found = await invoke(['validate', join(folder, 'package'), '--policies', policies]);
    expect(found.stdout).toContain(`${NONE}${policies}, so that nothing would be checked`);
    expect(found.code).toBe(1);
  });

  it('are an error in render-rgd.yaml and in a golden test', async () => {
    write({
      'package/rgd.yaml': RGD,
      'package/render-rgd.yaml': 'policies: [../policies]\n',
      'policies/a.yaml': CONFIG_MAP,
    });
    const inSettings = await invoke(['validate', join(folder, 'package')]);
    expect([inSettings.code, inSettings.stdout.startsWith(NONE)]).toEqual([1, true]);
    write({ 'test/test.yaml': 'input: [../package/rgd.yaml]\npolicies: [../policies]\n', 'test/expected.yaml': '' });
    const inTest = await invoke(['test', join(folder, 'test')]);
    expect([inTest.code, inTest.stdout.includes('there is no ValidatingAdmissionPolicy')]).toEqual([1, true]);
  });
});
