import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { note, noteRgd } from '../resourcelist/packages.ts';
import { workingCopy } from './working-copy.ts';

// test/e2e runs kustomize and helm themselves; these tests check how and when they are called.
const copy = workingCopy();
const build = (value: string): object => ({ name: 'build', string: value });
const recorder = `#!/bin/sh
env=$(/usr/bin/env)
PATH=/usr/bin:/bin
printf '%s\\n' "$@" > ../calls
echo "$env" | sort > ../environment
cat ../built.yaml
`;
const recorded = (name: string): string[] => copy.read(`app/../${name}`).trimEnd().split('\n');
const prepare = (files: Readonly<Record<string, string>>): void =>
  copy.write({ 'built.yaml': `${noteRgd}---${note('built')}`, ...files });
const names = (stdout: string): unknown[] =>
  readStream(stdout).documents.map(({ value }) => (value as { metadata?: { name?: unknown } }).metadata?.name);

describe('external programs', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`)
    .sort();
  const filesWith = (pattern: RegExp): string[] => sources.filter((file) => pattern.test(readFileSync(file, 'utf8')));

  it('start in three modules: git, kustomize and helm after all checks, and a release that the command line names', () => {
    const starting = ['src/cli/git/run.ts', 'src/cli/other-release.ts', 'src/cli/tool.ts'];
    expect(filesWith(/\bchild_process\b/)).toEqual(starting);
    expect(filesWith(/\b(spawn|spawnSync|execFile|execSync|execFileSync)\(/)).toEqual(starting);
  });
});

describe('build', () => {
  it.each([
    ['kustomize', 'kustomization.yaml'],
    ['auto', 'kustomization.yaml'],
    ['auto', 'kustomization.yml'],
    ['auto', 'Kustomization'],
  ])('%s renders the output of kustomize for a folder with %s', async (value, file) => {
    prepare({ [`app/${file}`]: '{}', 'app/unread.yaml': 'a: [' });
    copy.tool('kustomize', recorder);
    const { code, stdout, stderr } = await copy.generate([build(value)]);
    expect({ code, stderr, names: names(stdout) }).toEqual({ code: 0, stderr: '', names: ['built'] });
    expect(recorded('calls')).toEqual(['build', '.']);
  });

  it('helm gets the name, the namespace, the versions and the values', async () => {
    prepare({ 'app/Chart.yaml': '{}', 'values.yaml': 'a: 1', 'app/v2.yaml': 'b: 2' });
    copy.tool('helm', recorder);
    const variables = {
      ARGOCD_APP_NAME: 'shop',
      ARGOCD_APP_NAMESPACE: 'sales',
      KUBE_VERSION: '1.32.1',
      KUBE_API_VERSIONS: 'v1,apps/v1',
      ARGOCD_APP_PARAMETERS: JSON.stringify([build('auto'), { name: 'values', array: ['../values.yaml', 'v2.yaml'] }]),
    };
    const { code, stdout } = await copy.call('generate', { variables });
    expect({ code, names: names(stdout) }).toEqual({ code: 0, names: ['built'] });
    expect(recorded('calls')).toEqual([
      'template',
      '--include-crds',
      '--namespace=sales',
      '--kube-version=1.32.1',
      '--api-versions=v1',
      '--api-versions=apps/v1',
      `--values=${copy.top()}/repository/values.yaml`,
      `--values=${copy.top()}/repository/app/v2.yaml`,
      '--',
      'shop',
      '.',
    ]);
  });

  it('helm gets the name and the namespace of parameters, and no flag in their place', async () => {
    prepare({ 'app/Chart.yaml': '{}' });
    copy.tool('helm', recorder);
    const parameters = [build('helm'), { name: 'releaseName', string: '--post-renderer=x' }];
    await copy.generate([...parameters, { name: 'namespace', string: 'other' }]);
    expect(recorded('calls')).toEqual([
      'template',
      '--include-crds',
      '--namespace=other',
      '--',
      '--post-renderer=x',
      '.',
    ]);
  });

  const values = (...array: string[]): object[] => [build('helm'), { name: 'values', array }];

  it.each([
    'https://example.com/values.yaml',
    'oci://example.com/values',
    'secrets://v.yaml',
    'git::https://example.com/x',
    'v.yaml,w.yaml',
    '"v.yaml"',
    '-',
    '--post-renderer=x',
    'folder',
    'v.yaml\nw.yaml',
  ])('values: %j is one path, which is missing', async (path) => {
    prepare({ 'app/Chart.yaml': '{}', 'app/v.yaml': '', 'app/w.yaml': '', 'app/folder/x': '' });
    copy.tool('helm', recorder);
    const { code, stderr } = await copy.generate(values(path));
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot read|standard input is empty/);
    expect(existsSync(join(copy.top(), 'repository/calls'))).toBe(false);
  });

  it('values with commas and quotes are quoted, and control characters are rejected', async () => {
    const names = ['a,b.yaml', 'a"b.yaml', '"a,b".yaml', ',', "it's é.yaml", '-x.yaml'];
    prepare({ 'app/Chart.yaml': '{}', ...Object.fromEntries(names.map((name) => [`app/${name}`, 'a: 1'])) });
    copy.tool('helm', recorder);
    await copy.generate(values(...names));
    const app = `${copy.top()}/repository/app`;
    expect(recorded('calls').filter((arg) => arg.startsWith('--values'))).toEqual([
      `--values="${app}/a,b.yaml"`,
      `--values="${app}/a""b.yaml"`,
      `--values="${app}/""a,b"".yaml"`,
      `--values="${app}/,"`,
      `--values=${app}/it's é.yaml`,
      `--values=${app}/-x.yaml`,
    ]);
    prepare({ 'app/a\r\nb.yaml': 'a: 1' });
    copy.link('app/link.yaml', 'a\r\nb.yaml');
    expect((await copy.generate(values('link.yaml'))).stderr).toContain('its path has control characters');
  });

  it('passes no environment variables and no plugins', async () => {
    prepare({ 'app/kustomization.yaml': '{}' });
    copy.tool('kustomize', recorder);
    const secret = {
      ARGOCD_APP_PARAMETERS: JSON.stringify([build('auto')]),
      TOKEN: 'secret',
      HELM_PLUGINS: '/plugins',
    };
    await copy.call('generate', { variables: { ...secret, KUSTOMIZE_PLUGIN_HOME: '/plugins' } });
    const seen = recorded('environment').map((line) => line.replace(/=.*/, ''));
    const ofShell = ['PWD', 'OLDPWD', 'SHLVL', '_'];
    expect(seen.filter((name) => !ofShell.includes(name))).toEqual([
      'HELM_CACHE_HOME',
      'HELM_CONFIG_HOME',
      'HELM_DATA_HOME',
      'HELM_NO_PLUGINS',
      'HELM_PLUGINS',
      'HOME',
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'KUBECONFIG',
      'PATH',
      'TMPDIR',
    ]);
    expect(recorded('environment')).toContain('PATH=/dev/null');
    expect(recorded('environment')).toContain('HELM_PLUGINS=/dev/null');
  });

  it('an administrator may allow git, restricted to https', async () => {
    prepare({ 'app/kustomization.yaml': 'resources: [https://example.com/base]' });
    copy.tool('kustomize', recorder);
    const { code } = await copy.generate([build('auto')], ['--allow-remote']);
    expect(code).toBe(0);
    expect(recorded('environment')).toContain('GIT_ALLOW_PROTOCOL=https');
    expect(recorded('environment')).toContain(`PATH=${copy.top()}/bin:${dirname(process.execPath)}:/usr/bin:/bin`);
  });

  it('rejects a program of the repository', async () => {
    prepare({ 'app/kustomization.yaml': '{}', 'app/kustomize': recorder });
    chmodSync(join(copy.top(), 'repository/app/kustomize'), 0o755);
    const variables = { PATH: '.::', ARGOCD_APP_PARAMETERS: JSON.stringify([build('auto')]) };
    expect((await copy.call('generate', { variables })).stderr).toContain('kustomize is not on the PATH');
  });

  it('a failure is an error with the output of the tool', async () => {
    prepare({ 'app/kustomization.yaml': '{}' });
    copy.tool('kustomize', '#!/bin/sh\necho out; echo "Error: no such base" >&2; exit 3\n');
    expect(await copy.generate([build('auto')])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error[build-failed]: kustomize failed with exit code 3: Error: no such base\n',
    });
  });

  it('a killed tool is an error', async () => {
    prepare({ 'app/Chart.yaml': '{}' });
    copy.tool('helm', '#!/bin/sh\nkill -9 $$\n');
    expect((await copy.generate([build('helm')])).stderr).toBe(
      'error[build-failed]: helm failed with signal SIGKILL\n',
    );
  });

  it('a missing tool is an error', async () => {
    prepare({ 'app/Chart.yaml': '{}' });
    const variables = { PATH: '/no/such/place', ARGOCD_APP_PARAMETERS: JSON.stringify([build('helm')]) };
    const { code, stderr } = await copy.call('generate', { variables });
    expect(code).toBe(1);
    expect(stderr).toContain('error[build-failed]: helm is not on the PATH\n  hint: install it');
  });

  it.each(['kustomize', 'helm'])('%s without its file is an error', async (value) => {
    const { code, stderr } = await copy.generate([build(value)]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/error\[build-failed\]: no (kustomization|Chart)\.yaml in this folder/);
  });

  it('auto renders the files if there is nothing to build', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': note('plain') });
    expect(names((await copy.generate([build('auto')])).stdout)).toEqual(['plain']);
  });

  it('reports positions in the output of the tool', async () => {
    copy.write({ 'built.yaml': `${noteRgd}---${note('a', '{text: 7}')}`, 'app/Chart.yaml': '{}' });
    copy.tool('helm', recorder);
    const { stderr } = await copy.generate([build('helm')]);
    expect(stderr).toMatch(/^error\[instance-type\] Note\/a: .*\n {2}--> helm template:\d+:\d+ spec\.text\n/);
  });
});
