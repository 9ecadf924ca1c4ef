import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { invoke } from '../invoke.ts';
import { commitAll, git, write } from './repository.ts';

const top = mkdtempSync(join(tmpdir(), 'render-rgd-sparse-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const app = (name: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: x }\n  source: { repoURL: "https://example.com/x", path: ${name} }\n`;
const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;

function repositoryAt(name: string): string {
  const folder = join(top, name);
  git(top, ['init', '-q', '-b', 'main', folder]);
  for (const one of ['a', 'b']) {
    write(join(folder, `${one}.yaml`), app(one));
    write(join(folder, one, 'm.yaml'), map(one));
  }
  commitAll(folder);
  git(folder, ['remote', 'add', 'origin', 'https://example.com/x']);
  return folder;
}

describe('plan of a checkout', () => {
  it('is an error if files of the index are left out of it', async () => {
    const folder = repositoryAt('sparse');
    git(folder, ['sparse-checkout', 'set', '--no-cone', '/a/', '/*.yaml']);
    const { code, stderr } = await invoke(['plan', folder, '--against', 'HEAD']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('this is a sparse checkout without 1 file, such as b/m.yaml'),
    });
  });

  it('reads UTF-16 with a byte order mark', async () => {
    const folder = repositoryAt('utf16');
    writeFileSync(join(folder, 'a/m.yaml'), Buffer.from(`\ufeff${map('other')}`, 'utf16le'));
    const { code, stdout, stderr } = await invoke(['plan', folder, '--against', 'HEAD']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('added ConfigMap x/other in Application a');
  });

  it('knows the branch that the change is for', async () => {
    const folder = repositoryAt('branch');
    write(join(folder, 'a.yaml'), app('a').replace('path: a', 'path: a, targetRevision: release'));
    const { code, stdout } = await invoke(['plan', folder, '--against', 'HEAD', '--fail-on', 'unknown']);
    expect(code).toBe(1);
    expect(stdout).toContain('not compared: Application a: it deploys the branch release, and the change is for main');
    const other = await invoke(['plan', folder, '--against', 'HEAD', '--target-branch', 'release']);
    expect(other.stdout).not.toContain('the branch release');
  });
});
