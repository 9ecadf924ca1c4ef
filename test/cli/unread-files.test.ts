import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { invoke } from './invoke.ts';

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const CLAIM = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\n';

type Files = Readonly<Record<string, string | Uint8Array>>;

function folderWith(files: Files): string {
  const folder = temporaryFolder('unread');
  for (const [path, content] of Object.entries({ 'a.yaml': CONFIG_MAP, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Returns the output with the folder removed, and the exit codes without and with --strict. */
async function validated(
  folder: string,
  ...options: string[]
): Promise<{ code: number; strict: number; text: string }> {
  const { code, stdout } = await invoke(['validate', folder, ...options]);
  const strict = await invoke(['validate', folder, '--strict', ...options]);
  return { code, strict: strict.code, text: stdout.replaceAll(`${folder}/`, '') };
}

const utf16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le');

describe('files that validate does not read', () => {
  it.each<[path: string, content: string | Uint8Array, why: string]>([
    ['.more/data.yaml', CLAIM, 'hidden'],
    ['.more/deep/data', CLAIM, 'hidden'],
    ['.data.yaml', CLAIM, 'hidden'],
    ['data', CLAIM, 'its name does not end in .yaml, .yml or .json'],
    ['data.YAML', CLAIM, 'its name does not end in .yaml, .yml or .json'],
    ['data.yaml.bak', CLAIM, 'its name does not end in .yaml, .yml or .json'],
    ['data.yaml.disabled', utf16(CLAIM), 'its name does not end in .yaml, .yml or .json'],
    ['data.txt', '{"apiVersion": "v1", "kind": "Secret"}', 'its name does not end in .yaml, .yml or .json'],
    ['data.yaml.tmpl', CLAIM, 'a template of another tool'],
    ['data.jsonnet', "{ apiVersion: 'v1', kind: 'Secret' }", 'a template of another tool'],
    ['data.yaml', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n', 'not in the working tree'],
    ['data.json', '{"data": "ENC[AES256_GCM,data:a]", "sops": {"mac": "ENC[a]"}}', 'encrypted'],
    ['data.yml', '$ANSIBLE_VAULT;1.1;AES256\n6162\n6364\n', 'encrypted'],
  ])('names %s, and fails with --strict', async (path, content, why) => {
    const { code, strict, text } = await validated(folderWith({ [path]: content }));
    expect({ code, strict }).toEqual({ code: 0, strict: 1 });
    expect(text).toContain(`the file seems to have Kubernetes objects, and is not read: ${why}\n  --> ${path}`);
    expect(text).toMatch(/1 file not read \(.*\)\n$/);
    expect(text).not.toContain('nothing wrong');
  });

  it.each<[path: string, content: string | Uint8Array]>([
    ['README.md', `# A\n\n${CLAIM}`],
    ['apply.sh', `cat <<END | kubectl apply -f -\n${CLAIM}END\n`],
    ['.github/workflows/check.yaml', 'on: push\njobs: {}\n'],
    ['.gitignore', 'dist/\n'],
    ['Makefile', 'all:\n\ttrue\n'],
    ['node_modules/a/data.yaml', CLAIM],
    ['.git/data.yaml', CLAIM],
    ['.vscode/schema.json', '{"properties": {"apiVersion": {"enum": ["v1"]}, "kind": {"enum": ["Web"]}}}'],
    ['kubectl', Buffer.from('\u007fELF apiVersion: kind: ', 'latin1')],
    ['pdf', Buffer.from([0, 1, 2, 255])],
  ])('does not count %s, which has no manifests', async (path, content) => {
    const { code, strict, text } = await validated(folderWith({ [path]: content }));
    expect({ code, strict, text }).toEqual({ code: 0, strict: 0, text: '1 object in 1 file: nothing wrong\n' });
  });

  it('names what --exclude leaves out, without an error', async () => {
    const folder = folderWith({ 'data.yaml': CLAIM, 'more/data.yaml': CLAIM });
    const { code, strict, text } = await validated(folder, '--exclude', 'data.yaml', '--exclude', 'more');
    expect({ code, strict }).toEqual({ code: 0, strict: 0 });
    expect(text).toBe('1 object in 1 file: nothing wrong; 2 left out on request (data.yaml, more)\n');
  });

  it('reads a linked file or folder once, and says nothing of the link', async () => {
    const folder = folderWith({ 'more/data.yaml': CONFIG_MAP.replace('name: a', 'name: b') });
    symlinkSync('.', join(folder, 'loop'));
    symlinkSync('a.yaml', join(folder, 'b.yaml'));
    symlinkSync('nowhere', join(folder, 'broken'));
    const { code, text } = await validated(folder);
    expect({ code, text }).toEqual({ code: 0, text: '2 objects in 2 files: nothing wrong\n' });
  });

  it('names several of them in one line', async () => {
    const { text } = await validated(folderWith({ '.x/data.yaml': CLAIM, 'data.tpl': CLAIM }));
    expect(text).toContain(
      'warning[skipped-file]: files that seem to have Kubernetes objects are not read: .x/data.yaml (hidden), data.tpl (a template of another tool)\n',
    );
  });

  it('names a submodule without files, and files that a sparse checkout leaves out', async () => {
    const folder = folderWith({ 'apps/b.yaml': CONFIG_MAP, 'data/c.yaml': CLAIM, 'lib/d.yaml': CONFIG_MAP });
    const git = (...args: string[]): void => {
      const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
      expect(spawnSync('git', [...own, ...args], { cwd: folder }).status).toBe(0);
    };
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    git('sparse-checkout', 'set', 'apps', 'lib');
    writeFileSync(join(folder, '.gitmodules'), '[submodule "shared"]\n\tpath = shared\n\turl = https://example.com\n');
    mkdirSync(join(folder, 'shared'));
    const { stdout, code } = await invoke(['validate', folder]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /not read: .*shared \(not in the working tree\), .*data\/c\.yaml \(not in the working tree\)\n/,
    );
    expect((await invoke(['validate', join(folder, 'apps')])).stdout).toContain('nothing wrong');
    const { stdout: compared } = await invoke(['diff', folder, '--against', 'HEAD', '--all']);
    expect(compared).toContain('data/c.yaml (the file is not read)');
  });

  it('fails render with --strict, which prints nothing', async () => {
    const folder = folderWith({ data: CLAIM });
    expect((await invoke(['render', folder, '--all'])).code).toBe(0);
    const strict = await invoke(['render', folder, '--all', '--strict']);
    expect({ code: strict.code, stdout: strict.stdout }).toEqual({ code: 1, stdout: '' });
    expect(strict.stderr).toContain('error[skipped-file]');
    expect((await invoke(['render', folder, '--all', '--strict', '--exclude', 'data'])).code).toBe(0);
  });

  it('fails with --fail-on unknown', async () => {
    const folder = folderWith({ data: CLAIM });
    expect((await invoke(['validate', folder, '--fail-on', 'unknown'])).code).toBe(1);
    expect((await invoke(['validate', folder, '--fail-on', 'unknown', '--exclude', 'data'])).code).toBe(0);
  });
});
