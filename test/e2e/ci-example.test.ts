import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { get, getAt, listOf, type Value } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { packInto } from './packed.ts';
import { bundle, command, execute, filesOf, type Result, sandbox } from './sandbox.ts';

describe('the workflow of examples/ci', () => {
  let folder: string;
  beforeEach(() => {
    const examples = sandbox();
    folder = join(dirname(examples), 'checkout');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    symlinkSync(command, join(folder, 'bin/render-rgd'));
    cpSync(join(examples, 'argocd/platform'), join(folder, 'platform'), { recursive: true });
    cpSync(join(examples, 'argocd/shop'), join(folder, 'apps/shop'), { recursive: true });
    cpSync(join(examples, 'argocd/blog'), join(folder, 'apps/blog'), { recursive: true });
  });

  /** Returns the script of a step, as the runner calls it. */
  function step(name: string, path: readonly string[] = [join(folder, 'bin')]): Result {
    const text = readFileSync(join(bundle, '../../examples/ci/github-actions.yaml'), 'utf8');
    const steps = getAt(readStream(text).documents[0]?.value, ['jobs', 'render', 'steps']) as Value[];
    const script = steps.find((one) => getAt(one, ['name']) === name);
    writeFileSync(join(folder, 'step.sh'), String(getAt(script, ['run'])));
    const env = {
      ...process.env,
      PATH: [...path, process.env.PATH].join(delimiter),
      npm_config_prefix: join(folder, 'global'),
      npm_config_offline: 'true',
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    };
    return execute('bash', ['--noprofile', '--norc', '-eo', 'pipefail', 'step.sh'], { cwd: folder, env });
  }
  const render = (): Result => step('Render');

  it('installs the package in the repository, and renders with it', () => {
    mkdirSync(join(folder, 'tools'));
    const tarball = packInto(join(folder, 'tools'));
    renameSync(join(folder, 'tools', tarball), join(folder, 'tools/render-rgd.tgz'));
    expect(step('Install render-rgd')).toMatchObject({ code: 0 });
    expect(step('Render', [join(folder, 'global/bin')])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('reports an error of the platform once, and not for every application', () => {
    const platform = join(folder, 'platform');
    const rgd = filesOf(platform);
    const [[name = '', text = ''] = []] = Object.entries(rgd).filter(([, content]) =>
      content.includes('kind: Service'),
    );
    writeFileSync(join(platform, name), text.replace('kind: Service\n', 'kind: Servise\n'));
    const { code, stdout } = render();
    expect(code).toBe(1);
    const said = stdout.split('\n').filter((line) => line.includes('Servise'));
    expect(said).toHaveLength(1);
  });

  it('renders every folder of apps', () => {
    const { code, stdout, stderr } = render();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('');
    const rendered = filesOf(join(folder, 'rendered'));
    expect(Object.keys(rendered).sort()).toEqual(['blog.yaml', 'shop.yaml']);
    expect(rendered['shop.yaml']).toContain('kind: Ingress');
  });

  it('fails with an annotation at the line of the error, and renders the others', () => {
    const shop = join(folder, 'apps/shop/shop.yaml');
    writeFileSync(shop, readFileSync(shop, 'utf8').replace('host: shop.example.com', 'hosts: none'));
    const { code, stdout } = render();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^::error file=apps\/shop\/shop\.yaml,line=8,col=3,title=instance-unknown-field::WebApp\/shop /m,
    );
    expect(filesOf(join(folder, 'rendered'))['blog.yaml']).toContain('kind: Deployment');
  });

  it('writes the changes of a merge into the summary of the job', () => {
    const commit = (...args: string[]): void => {
      const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
      expect(execute('git', [...own, 'commit', '-q', '-a', ...args], { cwd: folder }).code).toBe(0);
    };
    execute('git', ['init', '-q'], { cwd: folder });
    execute('git', ['add', '-A'], { cwd: folder });
    commit('-m', 'base');
    const shop = join(folder, 'apps/shop/shop.yaml');
    writeFileSync(shop, readFileSync(shop, 'utf8').replace('2.4.0', '2.5.0'));
    commit('-m', 'change');
    expect(step('Compare')).toEqual({ code: 0, stdout: '', stderr: '' });
    const summary = readFileSync(join(folder, 'summary.md'), 'utf8');
    expect(summary).toMatch(/^### apps\/blog\/\n\nNo rendered object changes \(\d+ unchanged\)\.\n### apps\/shop\/\n/);
    expect(summary).toContain('+image: registry.example.com/shop:2.5.0');
  });

  it('reports diagnostics without a file too', () => {
    rmSync(join(folder, 'platform'), { recursive: true });
    const { code, stdout } = render();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error title=unreadable-file::cannot read platform: /m);
  });

  /** The commands of other CI systems, which the file of each one calls. */
  const commandsOf = (text: string): string[] => {
    const value = readStream(text).documents[0]?.value ?? null;
    const steps = listOf(get(value, 'steps')).flatMap((one) => get(one, 'script') ?? []);
    const scripts = [...listOf(getAt(value, ['render', 'script'])), ...steps].map(String);
    return scripts.length > 0 ? scripts : [...text.matchAll(/^ +sh '(.*)'$/gm)].map(([, line = '']) => line);
  };

  it.each(['gitlab-ci.yml', 'azure-pipelines.yml', 'Jenkinsfile'])('renders as %s says', (name) => {
    const examples = join(bundle, '../../examples/ci');
    mkdirSync(join(folder, 'ci'));
    cpSync(join(examples, 'render.sh'), join(folder, 'ci/render.sh'));
    const [install, rendering = ''] = commandsOf(readFileSync(join(examples, name), 'utf8'));
    expect(install).toBe('npm install --global ./tools/render-rgd.tgz');
    const env = { ...process.env, PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter) };
    const run = () => execute('bash', ['-c', rendering], { cwd: folder, env });
    expect(run()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(Object.keys(filesOf(join(folder, 'rendered'))).sort()).toEqual(['blog.yaml', 'shop.yaml']);
    const shop = join(folder, 'apps/shop/shop.yaml');
    writeFileSync(shop, readFileSync(shop, 'utf8').replace('host: shop.example.com', 'hosts: none'));
    expect(run()).toMatchObject({ code: 1 });
    const { 'blog.xml': blog, 'shop.xml': failed } = filesOf(join(folder, 'diagnostics'));
    expect(blog).toContain('tests="0"');
    expect(failed).toMatch(/<failure [^>]*instance-unknown-field/);
  });
});
