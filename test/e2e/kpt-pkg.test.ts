import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { command, describeWithAll, execute, filesOf, findTool, type Result, sandbox } from './sandbox.ts';

const LOCAL = 'annotations:\n    config.kubernetes.io/local-config: "true"\n';
const kptfile = (name: string): string =>
  `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n  ${LOCAL}pipeline:\n  mutators:\n    - exec: render-rgd\n`;
const note = (name: string, more = ''): string =>
  `apiVersion: kro.run/v1alpha1\nkind: Note\nmetadata:\n  name: ${name}\n  namespace: web\n${more}`;
const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: note
spec:
  schema: {apiVersion: v1alpha1, kind: Note, spec: {}}
  resources:
    - id: cm
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}"}}
    - id: bucket
      template:
        apiVersion: storage.cnrm.cloud.google.com/v1beta1
        kind: StorageBucket
        metadata: {name: "\${schema.metadata.name}"}
`;

describeWithAll(['kpt', 'git'], 'packages of kpt', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  const run = (tool: string, args: readonly string[], cwd = folder): Result => {
    const result = execute(findTool(tool) ?? tool, args, { cwd, env });
    expect(result.code, result.stderr + result.stdout).toBe(0);
    return result;
  };
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  const commit = (cwd: string, tag?: string): void => {
    run('git', ['add', '-A'], cwd);
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x'], cwd);
    if (tag !== undefined) run('git', ['tag', tag], cwd);
  };
  /** Returns the warnings of a rendering, except for the unknown kind StorageBucket. */
  const render = (path: string): string[] =>
    run('kpt', ['fn', 'render', path, '--allow-exec'])
      .stderr.split('\n')
      .filter((line) => line.includes('[warning]') && !line.includes('no core type'));

  beforeEach(() => {
    folder = join(sandbox(), 'kpt-packages');
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(command, join(bin, 'render-rgd'));
    const cache = join(folder, 'cache');
    env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, KPT_CACHE_DIR: cache };
  });

  /**
   * Returns a package with two instances at v1, of which only the first exists at v2. It is fetched and rendered at v1.
   */
  const fetched = (metadata: string): { upstream: string; local: string } => {
    const upstream = join(folder, 'up');
    write({
      'up/pkg/Kptfile': kptfile('pkg'),
      'up/pkg/rgd.yaml': rgd,
      'up/pkg/a.yaml': note('a', metadata),
      'up/pkg/b.yaml': note('b', metadata),
    });
    run('git', ['init', '-q', '-b', 'main'], upstream);
    commit(upstream, 'v1');
    rmSync(join(upstream, 'pkg/b.yaml'));
    commit(upstream, 'v2');
    run('kpt', ['pkg', 'get', `${upstream}.git/pkg@v1`, 'local']);
    const local = join(folder, 'local');
    write({ 'local/mine.yaml': note('mine') });
    expect(render('local')).toEqual([]);
    run('git', ['init', '-q', '-b', 'main'], local);
    commit(local);
    run('kpt', ['pkg', 'update', '.@v2'], local);
    return { upstream, local };
  };

  it('an update is not an edit of rendered objects, and a warning names what upstream removed', () => {
    const { local } = fetched('');
    expect(readdirSync(local)).toContain('b.yaml');
    const updated = readFileSync(join(local, 'web/configmap_a.yaml'), 'utf8');
    expect(updated).toContain('internal.kpt.dev/upstream-identifier');
    expect(render('local')).toEqual([expect.stringContaining('because render-rgd marked them: Note/b (hint:')]);
    expect(render('local')).toEqual([]);
    // The next update names it again.
    commit(local);
    run('kpt', ['pkg', 'update', '.@v2'], local);
    expect(render('local')).toEqual([expect.stringContaining('because render-rgd marked them: Note/b (hint:')]);
    rmSync(join(local, 'b.yaml'));
    expect(render('local')).toEqual([]);
    expect(readdirSync(join(local, 'web')).sort()).toEqual([
      'configmap_a.yaml',
      'configmap_mine.yaml',
      'storagebucket_a.yaml',
      'storagebucket_mine.yaml',
    ]);
  });

  it('an instance with the annotation of upstream is removed by an update', () => {
    const { local } = fetched(`  ${LOCAL}`);
    expect(readdirSync(local)).not.toContain('b.yaml');
    expect(render('local')).toEqual([]);
    expect(readdirSync(join(local, 'web'))).not.toContain('configmap_b.yaml');
  });

  it('a marked instance follows upstream again after it is fetched again', () => {
    const { upstream, local } = fetched('');
    write({ 'up/pkg/a.yaml': note('a', `  ${LOCAL}`) });
    commit(upstream, 'v3');
    rmSync(join(upstream, 'pkg/a.yaml'));
    commit(upstream, 'v4');
    commit(local);
    run('kpt', ['pkg', 'update', '.@v3', '--strategy', 'force-delete-replace'], local);
    render('local');
    expect(readFileSync(join(local, 'a.yaml'), 'utf8')).not.toContain('render-rgd.dev/marked');
    commit(local);
    run('kpt', ['pkg', 'update', '.@v4', '--strategy', 'resource-merge'], local);
    expect(readdirSync(local)).not.toContain('a.yaml');
  });

  it('a subpackage and the package above write the same files', () => {
    write({
      'top/Kptfile': kptfile('top'),
      'top/note.yaml': note('c'),
      'top/sub/Kptfile': kptfile('sub'),
      'top/sub/rgd.yaml': rgd,
      'top/sub/a.yaml': note('a'),
      'top/sub/b.yaml': note('b'),
    });
    render('top');
    const files = filesOf(join(folder, 'top'));
    expect(Object.keys(files)).toContain('web/configmap_c.yaml');
    render('top/sub');
    expect(filesOf(join(folder, 'top'))).toEqual(files);
    render('top');
    expect(filesOf(join(folder, 'top'))).toEqual(files);
    rmSync(join(folder, 'top/sub/b.yaml'));
    expect(render('top/sub')).toEqual([]);
    expect(readdirSync(join(folder, 'top/sub/web')).sort()).toEqual(['configmap_a.yaml', 'storagebucket_a.yaml']);
  });

  it('kpt fn eval and kpt fn render run the same function', () => {
    write({ 'p/Kptfile': kptfile('p'), 'p/rgd.yaml': rgd, 'p/a.yaml': note('a') });
    run('kpt', ['fn', 'eval', 'p', '--exec', 'render-rgd', '--', 'strict=false']);
    const files = filesOf(join(folder, 'p'));
    render('p');
    expect(Object.keys(filesOf(join(folder, 'p')))).toEqual(Object.keys(files));
    run('kpt', ['fn', 'eval', 'p', '--exec', 'render-rgd']);
    expect(Object.keys(filesOf(join(folder, 'p')))).toEqual(Object.keys(files));
  });
});
