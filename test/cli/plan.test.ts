import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toolsIn } from '../../src/cli/plan/tools.ts';
import { application, instance, WEB } from '../gitops/plan/repository.ts';
import { invoke } from './invoke.ts';

let folder: string;
const path = (...names: string[]): string => join(folder, ...names);
const write = (name: string, text: string): void => {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), text);
};
const git = (...args: string[]): string => {
  const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  const { status, stdout, stderr } = spawnSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
};
const plan = (...args: string[]) => invoke(['plan', folder, '--against', 'HEAD', ...args]);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-plan-'));
  write('platform/web.yaml', WEB);
  write('apps/a/web.yaml', instance('a'));
  write('apps/b/web.yaml', instance('b', '{ title: Mine }'));
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const changeRgd = (): void => write('platform/web.yaml', WEB.replace('default=Hello', 'default=Hi'));

/** Creates a kustomize that prints a file, first on the PATH. */
function fakeKustomize(folder: string): void {
  writeFileSync(join(folder, 'kustomize'), '#!/bin/sh\ncat web.yaml\n');
  chmodSync(join(folder, 'kustomize'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
}

describe('plan ROOT --against REF', () => {
  it('compares the working tree with a commit and changes neither it nor the index', async () => {
    changeRgd();
    write('apps/c/web.yaml', instance('c'));
    const before = [git('status', '--porcelain'), readFileSync(path('.git/index'), 'hex')];
    const { code, stdout, stderr } = await plan();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^2 applications, 2 objects change, 0 dangers \(3 of 3 compared\)\n/);
    expect(stdout).toContain('Web web/c adds ConfigMap web/c in folder apps/c\n');
    expect([git('status', '--porcelain'), readFileSync(path('.git/index'), 'hex')]).toEqual(before);
  });

  it('skips files that git ignores, and reads deleted ones of the commit', async () => {
    write('.gitignore', 'ignored\n');
    write('ignored/web.yaml', instance('x'));
    rmSync(path('apps/b/web.yaml'));
    const { applications } = JSON.parse((await plan('-o', 'json')).stdout);
    expect(applications).toMatchObject([{ name: 'apps/b', removed: [{ kind: 'ConfigMap', name: 'b' }] }]);
  });

  it('exits with 1 for changes with --exit-code, for dangers with --fail-on danger, and for errors', async () => {
    expect((await plan('--exit-code', '--fail-on', 'danger')).code).toBe(0);
    changeRgd();
    expect((await plan()).code).toBe(0);
    expect((await plan('--exit-code')).code).toBe(1);
    write('platform/web.yaml', WEB.replace('default=Hello', 'required=true'));
    expect((await plan('--fail-on', 'danger', '--disable', 'breaking-change')).code).toBe(1);
    const failed = await plan();
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('apps/a/web.yaml');
    expect(failed.stdout).toContain('breaking-change');
  });

  it('compares what kro 0.9 renders with what --kro 0.10 renders, also without changed files', async () => {
    const differing = WEB.replace(
      'title: string | default=Hello',
      'title: string | default=Hello\n      active: boolean',
    );
    expect(differing).not.toBe(WEB);
    const node = `    - id: more\n      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: more }, data: { a: "b \${" } }\n`;
    write('platform/web.yaml', `${differing}${node}`);
    git('commit', '-q', '-a', '-m', 'unclosed');
    expect(await plan()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 applications, 0 objects change/) });
    const { code, stdout, stderr } = await plan('--kro', '0.10');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^0 applications, 0 objects change, 0 dangers, 2 with errors/);
    expect(stderr).toContain('unclosed');
  });

  it('disables dangers with --disable and a render-rgd.yaml', async () => {
    const claim = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a }\n';
    write('data/claim.yaml', claim);
    write('data/web.yaml', instance('d'));
    write('data.yaml', application('data', '{ path: data }'));
    git('add', '-A');
    git('commit', '-q', '-m', 'data');
    rmSync(path('data/claim.yaml'));
    expect((await plan('--fail-on', 'danger')).code).toBe(1);
    expect((await plan('--fail-on', 'danger', '--disable', 'danger-data-loss')).code).toBe(0);
    write('render-rgd.yaml', 'rules: [{ code: danger-*, severity: "off", reason: reviewed elsewhere }]\n');
    expect((await plan('--fail-on', 'danger')).code).toBe(0);
  });

  it('reports dangers and unrendered applications in SARIF, at the line of the RGD', async () => {
    const replicas = (count: number): string =>
      WEB.replace('apiVersion: v1\n        kind: ConfigMap', 'apiVersion: apps/v1\n        kind: Deployment').replace(
        /(?<=\n {8})data:.*/s,
        `spec:\n          replicas: ${count}\n          selector: {}\n          template: {}\n`,
      );
    write('platform/web.yaml', replicas(1));
    write('redis.yaml', application('redis', '{ chart: redis, targetRevision: 1.0.0 }'));
    git('add', '-A');
    git('commit', '-q', '-m', 'workload');
    write('platform/web.yaml', replicas(0));
    const { stderr } = await plan('--report', 'sarif');
    const results = JSON.parse(stderr).runs[0].results as { ruleId: string; locations?: unknown[] }[];
    expect(stderr).toContain('the chart redis is in another repository');
    expect(results.find(({ ruleId }) => ruleId === 'danger-no-replicas')).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: 'platform/web.yaml' }, region: { startLine: 17 } } }],
    });
  });

  it('runs kustomize in both versions only with --allow-exec', async () => {
    write('apps/a/kustomization.yaml', 'namePrefix: x-\nresources: [web.yaml]\n');
    write('a.yaml', application('a', '{ path: apps/a }'));
    git('add', '-A');
    git('commit', '-q', '-m', 'kustomize');
    write('apps/a/web.yaml', instance('a', '{ title: New }'));
    fakeKustomize(mkdtempSync(join(tmpdir(), 'render-rgd-bin-')));
    expect((await plan()).stdout).toContain('--allow-exec runs kustomize');
    const { applications } = JSON.parse((await plan('-o', 'json', '--allow-exec')).stdout);
    expect(applications).toMatchObject([{ name: 'a', changed: [{ kind: 'ConfigMap' }, { kind: 'Web' }] }]);
  });

  it('runs no kustomize of the repository for either version', async () => {
    write('apps/a/kustomization.yaml', 'namePrefix: x-\nresources: [web.yaml]\n');
    write('a.yaml', application('a', '{ path: apps/a }'));
    git('add', '-A');
    git('commit', '-q', '-m', 'kustomize');
    write('apps/a/web.yaml', instance('a', '{ title: New }'));
    mkdirSync(path('bin'));
    fakeKustomize(path('bin'));
    writeFileSync(path('bin/kustomize'), `#!/bin/sh\ntouch ${path('ran')}\n`);
    await plan('--allow-exec');
    expect(existsSync(path('ran'))).toBe(false);
  });

  it('does not run kustomize without --allow-remote if it would fetch or build a configuration', async () => {
    fakeKustomize(mkdtempSync(join(tmpdir(), 'render-rgd-bin-')));
    write('a.yaml', application('a', '{ path: apps/a }'));
    write('apps/a/web.yaml', instance('a'));
    write('apps/a/kustomization.yaml', 'resources: [web.yaml, "https://example.com/base"]\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'remote');
    write('apps/a/web.yaml', instance('a', '{ title: New }'));
    expect((await plan('--allow-exec')).stdout).toContain(
      "kustomize is not run: fetching 'https://example.com/base' is disabled; --allow-remote lets it fetch",
    );
    expect((await plan('--allow-exec', '--allow-remote')).stdout).not.toContain('not rendered');
    write('apps/a/kustomization.yaml', 'generators: [gen]\n');
    write('apps/a/gen/kustomization.yaml', 'resources: []\n');
    expect((await plan('--allow-exec', '--allow-remote')).stdout).toContain("kustomize is not run: 'gen' is a folder");
  });

  it('checks charts and their values before it runs helm', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'render-rgd-bin-'));
    writeFileSync(join(bin, 'helm'), '#!/bin/sh\nprintf "%s\\n" "$@" >"${0%/*}/calls"\n');
    chmodSync(join(bin, 'helm'), 0o755);
    vi.stubEnv('PATH', `${bin}${delimiter}${process.env.PATH}`);
    write('apps/a/Chart.yaml', 'name: c\n');
    write('apps/a/v,w.yaml', 'a: 1\n');
    const run = toolsIn(() => folder, folder, false);
    const args = ['template', '--values=../../apps/a/v,w.yaml', '--', 'a'];
    expect(run('helm', 'apps/a', args)).toEqual({ text: '' });
    const calls = readFileSync(join(bin, 'calls'), 'utf8').trim().split('\n');
    expect(calls).toEqual([
      'template',
      expect.stringMatching(/^--values="\/[^"]*\/apps\/a\/v,w\.yaml"$/),
      '--',
      'a',
      '.',
    ]);
    expect(run('helm', 'apps/a', ['template', '--set-file=a=b'])).toEqual({
      reason: 'helm is not run: the option --set-file of helm is not allowed',
    });
    write('apps/a/values.schema.json', '{"$ref": "file:///etc/passwd"}');
    expect(run('helm', 'apps/a', args)).toEqual({ reason: expect.stringContaining('helm is not run: $ref of ') });
    expect(readFileSync(join(bin, 'calls'), 'utf8').trim().split('\n')).toEqual(calls);
  });

  it('follows no link that leaves the repository', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'render-rgd-outside-'));
    writeFileSync(join(outside, 'web.yaml'), instance('secret'));
    mkdirSync(path('apps/l'));
    symlinkSync(join(outside, 'web.yaml'), path('apps/l/web.yaml'));
    expect((await plan()).stdout).toMatch(/^0 applications, /);
    rmSync(outside, { recursive: true });
  });

  it('rejects what Argo CD deploys while the text of a link leaves the repository, in either version', async () => {
    write('one.yaml', application('one', '{ path: apps/a }'));
    git('add', '-A');
    git('commit', '-q', '-m', 'one');
    const error = 'Application one: link is a link out of the repository, for which Argo CD rejects all of it';
    symlinkSync('apps/../none', path('link'));
    expect(await plan()).toMatchObject({ code: 0, stdout: expect.stringContaining('(2 of 2 compared)') });
    rmSync(path('link'));
    symlinkSync('apps/../../none', path('link'));
    expect(await plan()).toMatchObject({ code: 1, stdout: expect.stringContaining(`error: ${error}\n`) });
    expect((await plan('--allow-outward-links')).code).toBe(0);
    git('add', '-A');
    git('commit', '-q', '-m', 'link');
    write('apps/a/web.yaml', instance('a', '{ title: New }'));
    expect(await plan()).toMatchObject({ code: 0, stdout: expect.stringContaining(`not rendered: ${error}\n`) });
    rmSync(path('link'));
    expect((await plan()).stdout).toContain(`Application one: the older version is not rendered: ${error.slice(17)}`);
  });

  it('compares with the commit where the branch left another one, or with that itself', async () => {
    git('checkout', '-q', '-b', 'feature');
    git('checkout', '-q', '-b', 'trunk');
    write('apps/b/web.yaml', instance('b', '{ title: Later }'));
    git('commit', '-q', '-a', '-m', 'later');
    git('checkout', '-q', 'feature');
    write('apps/a/web.yaml', instance('a', '{ title: New }'));
    git('commit', '-q', '-a', '-m', 'new');
    expect((await invoke(['plan', folder, '--against', 'trunk'])).stdout).toMatch(/^1 application, /);
    expect((await invoke(['plan', folder, '--against-exact', 'trunk'])).stdout).toMatch(/^2 applications, /);
    const shallow = mkdtempSync(join(tmpdir(), 'render-rgd-shallow-'));
    try {
      git('clone', '-q', '--depth', '1', '-b', 'feature', `file://${folder}`, shallow);
      git('-C', shallow, 'fetch', '-q', '--depth', '1', 'origin', 'trunk');
      const { code, stderr } = await invoke(['plan', shallow, '--against', 'FETCH_HEAD']);
      expect(code).toBe(1);
      expect(stderr).toContain("HEAD and 'FETCH_HEAD' have no common commit here, which a shallow clone lacks");
      expect(stderr).toContain('--against-exact FETCH_HEAD compares with that commit itself');
    } finally {
      rmSync(shallow, { recursive: true });
    }
  });

  it.each([
    [[], 'plan needs --against REF'],
    [['--against', 'nowhere'], "'nowhere' names no commit"],
    [['more', '--against', 'HEAD'], 'plan takes one ROOT'],
    [['--against', 'HEAD', '--disable', 'danger-images'], "unknown code 'danger-images'"],
  ])('rejects %j', async (args, message) => {
    const { code, stdout, stderr } = await invoke(['plan', folder, ...args]);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
  });
});

describe('plan ROOT --output-dir DIR', () => {
  const trees = (...args: string[]) => invoke(['plan', folder, '--output-dir', path('rendered'), ...args]);
  const helm = application('c', '{ path: c, helm: { releaseName: c } }');

  it('writes the objects of each application to a folder of its own', async () => {
    write('one.yaml', application('one', '{ path: apps/a }'));
    const { code, stderr } = await trees();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('2 files written') });
    // Only the cluster renders the folder of the Application.
    expect(readFileSync(path('rendered/one/web/web-a.yaml'), 'utf8')).toContain('kind: Web\n');
    expect(readFileSync(path('rendered/apps/b/web/configmap-b.yaml'), 'utf8')).toContain('title: Mine\n');
  });

  it('reads none of its own output, and removes files that are no longer rendered', async () => {
    await trees();
    expect((await trees('--check')).code).toBe(0);
    rmSync(path('apps/b'), { recursive: true });
    const stale = await trees('--check');
    expect(stale).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('configmap-b.yaml is not rendered any more'),
    });
    expect((await trees()).stderr).toContain('0 files written, 1 removed, 1 unchanged');
  });

  it('keeps the folders of the Applications that an ApplicationSet with an error declares', async () => {
    const set = (name: string): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: all }\nspec:\n  goTemplate: true\n  goTemplateOptions: [missingkey=error]\n  generators: [{ list: { elements: [{ team: a }, { team: b }] } }]\n  template: { metadata: { name: "of-{{ .${name} }}" }, spec: { project: default, destination: { server: https://kubernetes.default.svc, namespace: web }, source: { repoURL: https://git.example.com/r.git, path: "apps/{{ .team }}" } } }\n`;
    write('set.yaml', set('team'));
    expect((await trees()).code).toBe(0);
    expect(existsSync(path('rendered/of-b/web/web-b.yaml'))).toBe(true);
    write('set.yaml', set('none'));
    write('more.yaml', application('more', '{ path: apps/a }'));
    expect(await trees()).toMatchObject({ code: 1, stderr: expect.stringContaining('map has no entry for key') });
    expect(existsSync(path('rendered/of-b/web/web-b.yaml'))).toBe(true);
    expect(existsSync(path('rendered/more/web/web-a.yaml'))).toBe(true);
    write('set.yaml', set('team').replace(', { team: b }', ''));
    expect((await trees()).code).toBe(0);
    expect(existsSync(path('rendered/of-b/web/web-b.yaml'))).toBe(false);
  });

  it('keeps and reports the files of an application that it cannot render', async () => {
    write('c/web.yaml', instance('c'));
    write('c.yaml', application('c', '{ path: c }'));
    await trees();
    write('c.yaml', helm);
    const { code, stderr } = await trees();
    expect(code).toBe(0);
    expect(stderr).toMatch(/warning\[application-not-rendered\] Application c: only helm builds it/);
    expect(readFileSync(path('rendered/c/web/web-c.yaml'), 'utf8')).toContain('kind: Web\n');
    expect((await trees('--check')).code).toBe(0);
  });

  it('writes nothing if every application has an error', async () => {
    write('platform/web.yaml', WEB.replace('default=Hello', 'required=true'));
    rmSync(path('apps/b'), { recursive: true });
    expect((await trees()).code).toBe(1);
    expect(existsSync(path('rendered'))).toBe(false);
  });

  it('writes the other applications if one has an error, and keeps the files of that one', async () => {
    await trees();
    write('apps/a/web.yaml', instance('a', '{ titel: wrong }'));
    write('apps/b/web.yaml', instance('b', '{ title: New }'));
    expect((await trees()).code).toBe(1);
    expect(readFileSync(path('rendered/apps/a/web/configmap-a.yaml'), 'utf8')).toContain('title: Hello\n');
    expect(readFileSync(path('rendered/apps/b/web/configmap-b.yaml'), 'utf8')).toContain('title: New\n');
  });

  it('never moves or replaces the folder of an application for a new one with the same name', async () => {
    const flux = (at: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: web, namespace: flux-system }\nspec: { interval: 10m, path: ${at}, prune: true, sourceRef: { kind: GitRepository, name: x } }\n`;
    const map = (name: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: web }\n`;
    for (const name of ['one', 'two', 'three']) write(`m/${name}/map.yaml`, map(name));
    write('one.yaml', application('web', '{ path: m/one }'));
    write('clusters/two/web.yaml', flux('./m/two'));
    await trees();
    write('clusters/three/web.yaml', flux('./m/three'));
    expect((await trees()).stderr).toContain('1 file written, 0 removed');
    for (const at of ['web', 'Kustomization/clusters/two/web', 'Kustomization/clusters/three/web']) {
      expect(existsSync(path('rendered', at, 'web'))).toBe(true);
    }
    const before = readFileSync(path('rendered/web/web/configmap-one.yaml'), 'utf8');
    write('decoy.yaml', application('web', '{ path: m/three }'));
    const clash = await trees();
    expect(clash).toMatchObject({ code: 1, stderr: expect.stringContaining('has the same folder, web') });
    expect(readFileSync(path('rendered/web/web/configmap-one.yaml'), 'utf8')).toBe(before);
  });

  it.each([
    [['--against', 'HEAD', '--output-dir', 'x'], /give one of them/],
    [[], /needs --against REF or --output-dir DIR/],
    [['--against', 'HEAD', '--check'], /--check needs --output-dir DIR/],
  ])('rejects %j', async (args, words) => {
    const { code, stderr } = await invoke(['plan', folder, ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) });
  });
});
