import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from '../invoke.ts';
import { commitAll, git, temporaryFolder, write } from './repository.ts';

const map = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: x }\ndata: { k: "${value}" }\n`;
const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: prod, namespace: argocd }
spec: { project: default, destination: { server: https://kubernetes.default.svc, namespace: x }, source: { repoURL: "https://example.com/x", path: vendor/app } }
`;

let made: string;
let root: string;

beforeAll(() => {
  made = mkdtempSync(join(tmpdir(), 'render-rgd-submodules-'));
  const other = join(made, 'other');
  root = join(made, 'checkout');
  write(join(other, 'app/a.yaml'), map('1'));
  for (const folder of [other, root]) git(made, ['init', '-q', '-b', 'main', folder]);
  commitAll(other);
  write(join(root, 'app.yaml'), application);
  git(root, ['submodule', '--quiet', 'add', other, 'vendor']);
  git(root, ['remote', 'add', 'origin', 'https://example.com/x']);
  commitAll(root);
  write(join(root, 'vendor/app/a.yaml'), map('2'));
  write(join(root, 'vendor/.gitignore'), 'ignored.yaml\n');
  commitAll(join(root, 'vendor'));
  write(join(root, 'vendor/app/ignored.yaml'), 'kind: [');
});
afterAll(() => rmSync(made, { recursive: true }));

beforeEach(() => {
  const work = temporaryFolder();
  cpSync(made, work, { recursive: true, verbatimSymlinks: true });
  root = join(work, 'checkout');
});

const plan = (ref: string) => invoke(['plan', root, '--against', ref]);

describe('plan of a repository with a submodule', () => {
  it('compares its files with those of the recorded commit', async () => {
    const changed = /^1 application, 1 object changes[\s\S]* {2}-k: "1"\n {2}\+k: "2"\n/;
    expect(await plan('HEAD')).toMatchObject({ code: 0, stdout: expect.stringMatching(changed), stderr: '' });
    commitAll(root);
    expect(await plan('HEAD^')).toMatchObject({ code: 0, stdout: expect.stringMatching(changed), stderr: '' });
    expect((await plan('HEAD')).stdout).toContain('0 applications');
    write(join(root, 'vendor/app/a.yaml'), map('3'));
    write(join(root, 'vendor/app/b.yaml'), map('4').replace('name: a', 'name: b'));
    expect((await plan('HEAD')).stdout).toMatch(/^1 application, 2 objects change/);
  });

  it('warns if it changed and is not checked out, and fails if it lacks the commit', async () => {
    commitAll(root);
    const vendor = join(root, 'vendor');
    git(vendor, ['checkout', '-q', '--orphan', 'other']);
    const module = join(root, '.git/modules/vendor');
    rmSync(join(module, 'refs/heads/main'));
    rmSync(join(module, 'logs'), { recursive: true });
    rmSync(join(module, 'packed-refs'), { force: true });
    rmSync(join(module, 'refs/remotes'), { recursive: true, force: true });
    git(vendor, ['commit', '-qm', 'only']);
    git(vendor, ['gc', '-q', '--prune=now']);
    commitAll(root);
    const lacking = await plan('HEAD^');
    expect(lacking).toMatchObject({ code: 1, stderr: expect.stringContaining('the submodule vendor: ') });
    expect(lacking.stderr).toContain("hint: 'git submodule update --init --recursive' fetches");
    rmSync(vendor, { recursive: true });
    mkdirSync(vendor);
    const gone = await plan('HEAD^');
    expect(gone.stderr).toContain('warning[unreadable-file]: the submodule vendor changed and is not checked out');
    expect((await plan('HEAD')).stderr).toBe('');
  });
});
