import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { get } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { command, describeWith, execute, findTool, type Result, sandbox } from './sandbox.ts';

// Tests the commands for authors of RGDs on the built command: valid, invalid and empty input.

let folder: string;
let input: string;
beforeEach(() => {
  const examples = sandbox();
  folder = dirname(examples);
  input = join(examples, 'collections/input');
  mkdirSync(join(folder, 'empty'));
  mkdirSync(join(folder, 'bad'));
  writeFileSync(
    join(folder, 'bad/rgd.yaml'),
    'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nspec: {}\n',
  );
});
const run = (...args: string[]): Result => execute(command, args, { cwd: folder });

describe('diff', () => {
  it('compares with a commit', () => {
    execute('git', ['init', '-q'], { cwd: folder });
    execute('git', ['add', 'examples'], { cwd: folder });
    const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    execute('git', [...own, 'commit', '-q', '-m', 'one'], { cwd: folder });
    const books = join(input, 'books.yaml');
    writeFileSync(books, readFileSync(books, 'utf8').replace(':1.8.2', ':1.9.0'));
    const { code, stdout, stderr } = run('diff', input, '--against', 'HEAD', '--exit-code');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/\n4 changed, 3 unchanged\n$/);
    expect(stdout).not.toContain('\u001b');
  });

  it.each(['bad', 'empty'])('fails for %s input', (name) => {
    const { code, stdout, stderr } = run('diff', input, name);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('error[') });
    // What the other version has is compared all the same, if this one has anything.
    expect(stdout).toContain(name === 'bad' ? 'removed ConfigMap shop/books-directory' : '');
  });
});

describe('graph', () => {
  it.each([
    ['mermaid', /^flowchart LR\n/],
    ['dot', /^digraph rgds \{\n/],
    ['svg', /^<svg /],
  ])('prints %s', (form, start) => {
    expect(run('graph', input, '-o', form)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(start),
      stderr: '',
    });
  });

  it.each(['bad', 'empty'])('fails for %s input', (name) => {
    expect(run('graph', name)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('error[') });
  });

  describeWith('python3', (python) => {
    it('prints XML', () => {
      const read =
        'import sys, xml.dom.minidom; print(len(xml.dom.minidom.parse(sys.stdin).getElementsByTagName("g")))';
      const { stdout } = run('graph', input, '-o', 'svg');
      expect(Number(execute(python, ['-c', read], { input: stdout }).stdout)).toBeGreaterThan(5);
    });
  });

  describe.runIf(findTool('dot') !== undefined)('dot', () => {
    const dot = findTool('dot') ?? '';

    it('prints what Graphviz reads', () => {
      const drawn = execute(dot, ['-Tsvg'], { input: run('graph', input, '-o', 'dot').stdout });
      expect(drawn).toMatchObject({ code: 0, stderr: '' });
    });
  });
});

describe('explain', () => {
  it('explains instances, nodes and fields', () => {
    expect(run('explain', 'Storefront/books', input)).toMatchObject({ code: 0, stderr: '' });
    expect(run('explain', 'Storefront/books', 'workloads', input).stdout).toContain('tier.name = "web"');
    const { stdout } = run('explain', 'Deployment/books-cache', '.metadata.name', input);
    expect(stdout).toContain('given in Storefront/books, metadata.name = "books"');
  });

  it.each(['bad', 'empty'])('fails for %s input', (name) => {
    const failed = { code: 1, stdout: '', stderr: expect.stringContaining('error[') };
    expect(run('explain', 'Storefront/books', name)).toMatchObject(failed);
  });
});

describe('instance, schema and docs', () => {
  it('print the output for an RGD', () => {
    const sample = run('instance', 'Cache', input);
    expect(sample).toMatchObject({ code: 0, stderr: '' });
    const rgd = readFileSync(join(input, 'cache.rgd.yaml'), 'utf8');
    expect(execute(command, ['render', '-'], { input: `${rgd}\n---\n${sample.stdout}` })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(JSON.parse(run('schema', 'Cache', input).stdout).title).toBe('Cache');
    expect(JSON.parse(run('schema', 'rgd').stdout).title).toBe('ResourceGraphDefinition');
    expect(run('docs', input).stdout).toMatch(/^- \[Cache\]\(#cache\)\n(?:.*\n)+# Cache\n/);
  });

  it.each([['instance', 'Cache'], ['schema', 'Cache'], ['docs']])(
    '%s fails for invalid and for empty input',
    (...args) => {
      for (const name of ['bad', 'empty']) {
        const failed = { code: 1, stdout: '', stderr: expect.stringContaining('error[') };
        expect(run(...args, name)).toMatchObject(failed);
      }
    },
  );
});

describe('init', () => {
  it('writes a project that renders, validates and passes its test, and overwrites nothing', () => {
    expect(run('init', 'new')).toMatchObject({ code: 0, stderr: '' });
    expect(run('validate', 'new/platform', 'new/apps/base/blog.yaml').code).toBe(0);
    expect(run('test', 'new/tests').code).toBe(0);
    expect(run('validate', 'new')).toMatchObject({ code: 0, stderr: '' });
    expect(run('render', 'new').code).toBe(0);
    expect(run('test', 'new').code).toBe(0);
    // The workflow installs the copy in the repository.
    expect(run('init', 'own', '--vendor')).toMatchObject({ code: 0, stderr: '' });
    const copy = execute(process.execPath, [join(folder, 'own/tools/render-rgd.js'), 'test', 'own'], { cwd: folder });
    expect(copy).toMatchObject({ code: 0, stderr: '' });
    const rendered = run('render', 'new/apps/base/blog.yaml', '--definitions', 'new/platform').stdout;
    expect(rendered).toBe(readFileSync(join(folder, 'new/tests/blog/expected.yaml'), 'utf8'));
    const again = run('init', 'new');
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('already exists') });
    expect(run('init')).toMatchObject({ code: 2, stdout: '' });
  });

  describeWith('kustomize', (kustomize) => {
    it('writes a kustomization whose fields change what is rendered, and not the instance', () => {
      run('init', 'new');
      const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
      mkdirSync(join(folder, 'bin'));
      symlinkSync(command, join(folder, 'bin/render-rgd'));
      const overlay = join(folder, 'new/apps/overlay/kustomization.yaml');
      const build = () =>
        execute(kustomize, ['build', '--enable-alpha-plugins', '--enable-exec', dirname(overlay)], {
          cwd: folder,
          env,
        });
      const before = build();
      expect(before).toMatchObject({ code: 0, stdout: expect.stringContaining('kind: Deployment') });
      const fields = [
        'namePrefix: prod-',
        'namespace: production',
        'images: [{ name: nginx, newTag: "1.28" }]',
        'labels: [{ pairs: { team: web }, includeTemplates: true }]',
        `patches: [{ target: { kind: Deployment }, patch: '[{"op":"add","path":"/spec/minReadySeconds","value":5}]' }]`,
      ];
      writeFileSync(overlay, `${readFileSync(overlay, 'utf8')}${fields.join('\n')}\n`);
      const { code, stdout } = build();
      expect(code).toBe(0);
      const server =
        readStream(stdout).documents.find(({ value }) => get(value, 'kind') === 'Deployment')?.value ?? null;
      expect(server).toMatchObject({
        metadata: {
          name: 'prod-blog',
          namespace: 'production',
          // The labels of origin name the instance as the component reads it.
          labels: { team: 'web', 'kro.run/instance-name': 'blog', 'kro.run/instance-namespace': 'web' },
        },
        spec: {
          minReadySeconds: 5n,
          selector: { matchLabels: { app: 'blog' } },
          template: {
            metadata: { labels: { app: 'blog', team: 'web' } },
            spec: { containers: [{ image: 'nginx:1.28' }] },
          },
        },
      });
      expect(run('doctor', 'new')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^3 kustomizations/) });
    });
  });
});
