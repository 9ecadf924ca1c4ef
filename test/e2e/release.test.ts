import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAt, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { archiveOf, hostTarget, targets } from '../../tools/native/targets.mjs';
import { executeBeside, filesFrom, makeRelease, root, serve, version, writeTool } from './release.ts';
import { describeWith, execute, findTool, sandbox } from './sandbox.ts';

let release: ReturnType<typeof makeRelease>;
beforeAll(() => {
  release = makeRelease();
});
afterAll(() => release.remove());

const read = (file: string): string => readFileSync(join(release.folder, file), 'utf8');
const manifest = (file: string): Value => readStream(read(file)).documents[0]?.value ?? null;
const host = archiveOf(hostTarget() ?? 'linux-x64', version);
const digestOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(release.folder, file)))
    .digest('hex');
const archives = Object.keys(targets).map((target) => archiveOf(target, version));
/** Returns the file for a URL of a release. */
const fileAt = (url: unknown): string => {
  const base = `https://github.com/render-rgd/render-rgd/releases/download/v${version}/`;
  expect(url).toMatch(new RegExp(`^${base}`));
  return String(url).slice(base.length);
};

/** Unpacks an archive of the release; returns the folder. */
function unpacked(archive: string): string {
  const folder = join(dirname(sandbox()), 'unpacked');
  mkdirSync(folder);
  expect(execute('tar', ['-xzf', join(release.folder, archive), '-C', folder])).toMatchObject({ code: 0, stderr: '' });
  return folder;
}

describe('a release', () => {
  it('has an archive for each platform, and lists all files with their checksums', () => {
    const files = readdirSync(release.folder).filter((file) => file !== 'checksums.txt');
    expect(files).toEqual(expect.arrayContaining(archives));
    const lines = files.map((file) => `${digestOf(file)}  ${file}`);
    expect(read('checksums.txt').trim().split('\n').sort()).toEqual(lines.sort());
  });

  it('names archives as aqua, mise and others expect: NAME_VERSION_OS_ARCH', () => {
    expect(archives).toContain(`render-rgd_${version}_linux_amd64.tar.gz`);
    expect(archives).toContain(`render-rgd_${version}_darwin_arm64.tar.gz`);
    expect(archives).toContain(`render-rgd_${version}_linux_amd64_musl.tar.gz`);
  });

  it('does not contain the machine or the time of the build', () => {
    const lines = execute('tar', ['-tvzf', join(release.folder, host)], { env: { ...process.env, TZ: 'UTC' } }).stdout;
    for (const line of lines.trim().split('\n')) expect(line).toMatch(/ root\/root .* 1980-01-01 00:00 /);
  });

  it('contains the executable, the licence and the notices in each archive', () => {
    const windows = unpacked(archiveOf('windows-x64', version));
    expect(readdirSync(windows).sort()).toEqual(['LICENSE', 'NOTICES.txt', 'render-rgd.exe']);
    const { code, stdout } = execute(join(unpacked(host), 'render-rgd'), ['--version']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(version) });
  });

  it('cannot be published without the executables of all platforms', () => {
    const cwd = sandbox();
    writeFileSync(join(cwd, 'render-rgd-linux-x64'), '');
    const args = [join(root, 'tools/release.mjs'), '--from', cwd, '--out', join(cwd, 'out')];
    expect(execute(process.execPath, args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/lacks linux-arm64,/),
    });
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });
});

describe('check.sh', () => {
  const check = (folder: string, archive: string) =>
    execute(join(root, 'tools/release/check.sh'), [folder, archive], { cwd: root });

  it('renders the example with the executable of an archive', () => {
    expect(check(release.folder, host)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('renders the example'),
    });
  });

  it('fails for an archive with another checksum', () => {
    const folder = sandbox();
    writeFileSync(join(folder, host), 'other');
    writeFileSync(join(folder, 'checksums.txt'), read('checksums.txt'));
    expect(check(folder, host).code).not.toBe(0);
  });
});

describe('publish.sh', () => {
  it('uploads the files, publishes the package and the images, and shows the release last', () => {
    const folder = join(dirname(sandbox()), 'checkout');
    const log = join(folder, 'log');
    for (const tool of ['gh', 'npm', 'docker', 'curl']) {
      const output = tool === 'curl' ? 'touch "$3"' : '';
      writeTool(join(folder, 'bin'), tool, `echo "${tool} $*" >>"${log}"; ${output}`);
    }
    writeTool(join(folder, 'bin'), 'git', 'echo 0a1b2c');
    mkdirSync(join(folder, 'files'));
    for (const file of readdirSync(release.folder))
      symlinkSync(join(release.folder, file), join(folder, 'files', file));
    const env = {
      ...process.env,
      PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
      GITHUB_REPOSITORY: 'render-rgd/render-rgd',
      IMAGE: 'ghcr.io/Render-RGD/render-rgd',
    };
    writeTool(join(folder, 'dist'), 'render-rgd.js', '');
    writeFileSync(join(folder, 'CHANGELOG.md'), '');
    const args = [version, join(folder, 'files')];
    expect(execute(join(root, 'tools/release/publish.sh'), args, { cwd: folder, env })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const calls = readFileSync(log, 'utf8').trim().split('\n');
    const names = calls.map((call) => call.split(' ').slice(0, 3).join(' '));
    expect(names).toEqual([
      ...Array(3).fill('curl -fsSL -o'),
      `gh release create`,
      `gh release upload`,
      'npm pkg set',
      'npm publish ./dist',
      ...Array(3).fill('docker buildx build'),
      'gh release edit',
    ]);
    expect(calls[0]).toMatch(/\/WebKit\/archive\/1\.tar\.gz$/);
    for (const file of [...archives, 'checksums.txt', 'render-rgd.rb', 'sources-bun.tar.gz']) {
      expect(calls[4]).toContain(join(folder, 'files', file));
    }
    expect(calls[8]).toContain('--build-arg REVISION=0a1b2c');
    expect(calls[8]).toContain(`--tag ghcr.io/render-rgd/render-rgd:v${version}-plugin `);
  });
});

describe('the krew manifest', () => {
  it('lists an archive with its checksum and its executable for each platform', () => {
    const krew = manifest('render-rgd.krew.yaml');
    expect(krew).toMatchObject({
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: { name: 'render-rgd' },
      spec: { version: `v${version}` },
    });
    const platforms = getAt(krew, ['spec', 'platforms']) as ValueMap[];
    expect(platforms).toHaveLength(5);
    for (const { selector, uri, sha256, bin } of platforms) {
      const file = fileAt(uri);
      expect(sha256).toBe(digestOf(file));
      const { os, arch } = getAt(selector as Value, ['matchLabels']) as ValueMap;
      expect(file).toBe(`render-rgd_${version}_${os}_${arch}.tar.gz`);
      expect(execute('tar', ['-tzf', join(release.folder, file)]).stdout.split('\n')).toContain(bin);
    }
  });

  // krew links the executable under this name, which kubectl looks up.
  it.skipIf(findTool('kubectl') === undefined)('installs a plugin that kubectl runs', () => {
    const folder = unpacked(host);
    symlinkSync(join(folder, 'render-rgd'), join(folder, 'kubectl-render_rgd'));
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
    const args = ['render-rgd', 'render', join(root, 'examples/collections/input')];
    const { code, stdout } = execute(findTool('kubectl') as string, args, { env });
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(join(root, 'examples/collections/expected.yaml'), 'utf8'));
  });
});

describe('the Homebrew formula', () => {
  it('has an archive with its checksum for each system and processor', () => {
    const formula = read('render-rgd.rb');
    const found = [...formula.matchAll(/on_(\w+) do\n {6}url "(.+)"\n {6}sha256 "(.+)"/g)];
    expect(found).toHaveLength(4);
    for (const [, , url, digest] of found) expect(digest).toBe(digestOf(fileAt(url)));
    const opened = formula.match(/^\s*(class|def|test do|on_\w+ do)/gm) ?? [];
    expect(formula.match(/^\s*end$/gm)).toHaveLength(opened.length);
  });

  it.skipIf(findTool('ruby') === undefined)('is valid Ruby', () => {
    const file = join(release.folder, 'render-rgd.rb');
    expect(execute(findTool('ruby') as string, ['-c', file])).toMatchObject({ code: 0 });
  });
});

describe('the Flux plugin', () => {
  it('has a manifest for its catalog', () => {
    const plugin = manifest('rgd.yaml');
    expect(plugin).toMatchObject({ apiVersion: 'cli.fluxcd.io/v1beta1', kind: 'Plugin', name: 'rgd', bin: 'flux-rgd' });
    const platforms = getAt(plugin, ['versions', 0, 'platforms']) as ValueMap[];
    expect(platforms).toHaveLength(5);
    for (const { url, checksum, extractPath } of platforms) {
      const file = fileAt(url);
      expect(checksum).toBe(`sha256:${digestOf(file)}`);
      expect(execute('tar', ['-tzf', join(release.folder, file)]).stdout.split('\n')).toContain(extractPath);
    }
  });

  const flux = findTool('flux');
  it.skipIf(flux === undefined)('is installed and run by flux', async () => {
    const folder = dirname(sandbox());
    // The catalog has the same manifest with the address of this server.
    const [catalog, plugins] = [join(folder, 'catalog'), join(folder, 'plugins')];
    for (const path of [catalog, plugins]) mkdirSync(path);
    symlinkSync(join(release.folder, host), join(catalog, host));
    const server = await serve(filesFrom(catalog));
    try {
      writeFileSync(
        join(catalog, 'rgd.yaml'),
        read('rgd.yaml').replace(/https:\S+\/(?=render-rgd_)/g, `${server.url}/`),
      );
      const env = {
        ...process.env,
        HOME: folder,
        FLUXCD_PLUGINS: plugins,
        FLUXCD_PLUGIN_CATALOG: `${server.url}/`,
      };
      const installed = await executeBeside(flux as string, ['plugin', 'install', 'rgd'], { env });
      expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining('✔') });
      const args = ['rgd', 'render', join(root, 'examples/collections/input')];
      const { code, stdout } = await executeBeside(flux as string, args, { env });
      expect(code).toBe(0);
      expect(stdout).toBe(readFileSync(join(root, 'examples/collections/expected.yaml'), 'utf8'));
    } finally {
      await server.close();
    }
  });
});

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: site\nversion: 1.0.0\n',
  'templates/site.yaml':
    'apiVersion: kro.run/v1alpha1\nkind: Site\nmetadata: { name: {{ .Release.Name }} }\nspec: { title: Hello }\n',
  'templates/plain.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: plain }\n',
};
/** Writes the chart and the command to a folder. */
function withChart(): string {
  const folder = dirname(sandbox());
  mkdirSync(join(folder, 'chart/templates'), { recursive: true });
  for (const [file, text] of Object.entries(chart)) writeFileSync(join(folder, 'chart', file), text);
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(folder, 'dist/render-rgd.js'), join(folder, 'bin/render-rgd'));
  return folder;
}

describeWith('helm', (helm) => {
  const isHelm3 = execute(helm, ['version', '--short']).stdout.startsWith('v3');

  it.skipIf(!isHelm3)('Helm 3 runs the command as a post-renderer', () => {
    const folder = withChart();
    const args = ['render', '-', '--all', '--definitions=examples/kustomize/base/site.rgd.yaml', '--namespace=web'];
    const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
    const given = args.flatMap((one) => ['--post-renderer-args', one]);
    const template = ['template', 'blog', 'chart', '--namespace=web', '--post-renderer=render-rgd', ...given];
    const { code, stdout, stderr } = execute(helm, template, { cwd: folder, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/kind: Deployment\nmetadata:\n {2}name: blog\n {2}namespace: web\n/);
    expect(stdout).toMatch(/kind: ConfigMap\nmetadata:\n {2}name: plain\n/);
    expect(stdout).not.toMatch(/^kind: Site$/m);
  });
});

const helm4 = findTool('helm4');
describe.skipIf(helm4 === undefined)('the Helm 4 plugin', () => {
  function helm(folder: string, ...args: string[]) {
    const own = Object.fromEntries(
      ['DATA', 'CACHE', 'CONFIG'].map((name) => [`HELM_${name}_HOME`, join(folder, name)]),
    );
    const env = { ...process.env, ...own, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
    return execute(helm4 as string, args, { cwd: folder, env });
  }

  /** A folder with a chart and the installed plugin. */
  function installed(): string {
    const folder = withChart();
    const archive = join(release.folder, `helm-render-rgd-${version}.tgz`);
    expect(helm(folder, 'plugin', 'install', archive, '--verify=false')).toMatchObject({ code: 0 });
    return folder;
  }
  const template = (folder: string, ...args: string[]) =>
    helm(folder, 'template', 'blog', 'chart', '--namespace=web', '--post-renderer=render-rgd', ...args);
  const definitions = '--post-renderer-args=--definitions=examples/kustomize/base/site.rgd.yaml';

  it('renders the instances of a chart, and keeps other objects', () => {
    const { code, stdout, stderr } = template(installed(), definitions, '--post-renderer-args=--namespace=web');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/kind: Deployment\nmetadata:\n {2}name: blog\n {2}namespace: web\n/);
    expect(stdout).toMatch(/kind: ConfigMap\nmetadata:\n {2}name: plain\n/);
    expect(stdout).not.toMatch(/^kind: Site$/m);
  });

  it('fails if an instance is invalid', () => {
    const folder = installed();
    writeFileSync(join(folder, 'chart/templates/site.yaml'), chart['templates/site.yaml'].replace('Hello', '[1]'));
    expect(template(folder, definitions)).toMatchObject({ code: 1, stdout: '' });
  });

  it('fails if nothing is rendered, because Helm rejects empty output', () => {
    const folder = installed();
    writeFileSync(join(folder, 'chart/templates/site.yaml'), '');
    const site = readFileSync(join(folder, 'examples/kustomize/base/site.rgd.yaml'), 'utf8');
    writeFileSync(join(folder, 'chart/templates/plain.yaml'), site);
    expect(template(folder)).toMatchObject({ code: 1, stdout: '' });
  });
});

describeWith('pre-commit', (preCommit) => {
  /** Runs a hook for all files, or for the staged deletion of `deleted`. */
  function runHook(hook: string, files: Record<string, string>, deleted?: string): { code: number; stdout: string } {
    const folder = dirname(sandbox());
    const git = (cwd: string, ...args: string[]) => expect(execute('git', args, { cwd })).toMatchObject({ code: 0 });
    const repository = (path: string, content: Record<string, string>): string => {
      mkdirSync(path);
      for (const [file, text] of Object.entries(content)) writeFileSync(join(path, file), text);
      git(path, 'init', '-q');
      git(path, 'add', '-A');
      git(path, '-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'x');
      return path;
    };
    const hooks = '.pre-commit-hooks.yaml';
    const source = repository(join(folder, 'hooks'), { [hooks]: readFileSync(join(root, hooks), 'utf8') });
    const cwd = repository(join(folder, 'apps'), files);
    if (deleted !== undefined) git(cwd, 'rm', '-q', deleted);
    mkdirSync(join(folder, 'bin'));
    symlinkSync(join(folder, 'dist/render-rgd.js'), join(folder, 'bin/render-rgd'));
    const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
    const env = { ...process.env, PATH: path, PRE_COMMIT_HOME: join(folder, 'cache'), HOME: folder };
    const scope = deleted === undefined ? ['--all-files'] : [];
    return execute(preCommit, ['try-repo', source, hook, ...scope, '--verbose'], { cwd, env });
  }
  const site = readFileSync(join(root, 'examples/kustomize/base/site.rgd.yaml'), 'utf8');
  const instance = 'apiVersion: kro.run/v1alpha1\nkind: Site\nmetadata: { name: a }\nspec: { title: A }\n';

  it('pre-commit runs the hook on a clone of the repository', () => {
    const { code, stdout } = runHook('render-rgd-validate', { 'site.yaml': site });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/render-rgd validate\.+Passed/) });
  });

  it('the hook fails for an RGD with an error', () => {
    const wrong = site.replace('schema.spec.replicas', 'schema.spec.copies');
    const { code, stdout } = runHook('render-rgd-validate', { 'site.yaml': wrong });
    expect(code).toBe(1);
    expect(stdout).toContain('site.yaml:');
  });

  it('the hook of golden tests passes without a test', () => {
    const { code, stdout } = runHook('render-rgd-test', { 'site.yaml': site });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/render-rgd test\.+Passed/) });
  });

  it('runs for a commit that only deletes', () => {
    const { code, stdout } = runHook('render-rgd-validate', { 'site.yaml': site, 'a.yaml': instance }, 'site.yaml');
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringMatching(/render-rgd validate\.+Failed/) });
    expect(runHook('render-rgd-test', { 'site.yaml': site, 'a.yaml': instance }, 'a.yaml')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/render-rgd test\.+Passed/),
    });
  });
});
