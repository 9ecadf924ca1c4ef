import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type KubeObject, nameOf } from '../../src/core/model/object.ts';
import { getAt } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { command, describeWith, execute, filesOf, type Result, sandbox } from './sandbox.ts';

describeWith('kustomize', (kustomize) => {
  let folder: string;
  beforeEach(() => {
    folder = join(sandbox(), 'kustomize');
  });
  const at = (name: string): string => join(folder, name);
  const edit = (name: string, change: (text: string) => string): void =>
    writeFileSync(at(name), change(readFileSync(at(name), 'utf8')));
  const build = (layer: string, flags = ['--enable-alpha-plugins', '--enable-exec']): Result =>
    execute(kustomize, ['build', ...flags, at(layer)]);
  const titles = ({ stdout }: Result): string[] => objects(stdout).map((object) => `${object.kind}/${nameOf(object)}`);

  it('builds the example as documented', () => {
    const { code, stdout, stderr } = build('production');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(readFileSync(at('expected.yaml'), 'utf8'));
  });

  it('emits neither RGDs nor instances', () => {
    const kinds = new Set(objects(build('rendered').stdout).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['ConfigMap', 'Deployment', 'Service']);
  });

  it('renders an instance with the patches of the same layer', () => {
    const replicas = objects(build('rendered').stdout).find(
      (object) => object.kind === 'Deployment' && nameOf(object) === 'handbook',
    );
    expect(getAt(replicas, ['spec', 'replicas'])).toBe(4n);
  });

  it('allows renames of rendered objects only in the layer above', () => {
    edit('rendered/kustomization.yaml', (text) => `${text}namePrefix: my-\n`);
    // In the layer of the transformer the prefix changes the instance, and the names derive from it.
    expect(titles(build('rendered'))).toContain('ConfigMap/my-handbook-page');
    expect(titles(build('production'))).toContain('ConfigMap/prod-my-handbook-page');
  });

  it('does not see a patch on an instance above the transformer', () => {
    edit('production/kustomization.yaml', (text) =>
      text.replace('kind: Deployment', 'kind: Site').replace('/spec/template/spec/priorityClassName', '/spec/replicas'),
    );
    const { code, stdout } = build('production');
    expect({ code, changed: stdout.includes('replicas: production') }).toEqual({ code: 0, changed: false });
  });

  it('keeps the emitted order with fifo, and otherwise sorts by kind', () => {
    const fifo = ['ConfigMap', 'Deployment', 'Service', 'ConfigMap', 'Deployment', 'Service'];
    expect(objects(build('production').stdout).map(({ kind }) => kind)).toEqual(fifo);
    edit('production/kustomization.yaml', (text) => text.replace(/sortOptions:\n.*\n/, ''));
    expect(objects(build('production').stdout).map(({ kind }) => kind)).toEqual(
      [...fifo].sort((a, b) => order(a) - order(b)),
    );
  });

  it('accepts an inline functionConfig', () => {
    const config = readFileSync(at('rendered/render.yaml'), 'utf8').trimEnd();
    const inline = `  - |-\n${config.replace(/^/gm, '    ')}\n`;
    const before = build('rendered').stdout;
    edit('rendered/kustomization.yaml', (text) => text.replace('  - render.yaml\n', inline));
    expect(build('rendered')).toEqual({ code: 0, stdout: before, stderr: '' });
  });

  it('accepts a functionConfig from a folder with a kustomization', () => {
    const before = build('rendered').stdout;
    mkdirSync(at('rendered/transformer'));
    renameSync(at('rendered/render.yaml'), at('rendered/transformer/render.yaml'));
    writeFileSync(at('rendered/transformer/kustomization.yaml'), 'resources: [render.yaml]\n');
    edit('rendered/kustomization.yaml', (text) => text.replace('- render.yaml', '- transformer'));
    expect(build('rendered')).toEqual({ code: 0, stdout: before, stderr: '' });
  });

  it('accepts a ConfigMap as functionConfig', () => {
    edit('rendered/render.yaml', (text) =>
      text
        .replace(/^apiVersion.*\nkind.*/, 'apiVersion: v1\nkind: ConfigMap')
        .replace('spec:\n  strict: true', 'data:\n  strict: "true"'),
    );
    expect(build('rendered')).toMatchObject({ code: 0, stderr: '' });
  });

  it('reads definitions relative to the folder that lists the transformer', () => {
    const before = build('rendered').stdout;
    edit('base/kustomization.yaml', (text) => text.replace('  - site.rgd.yaml\n', ''));
    edit('rendered/render.yaml', (text) => `${text}  definitions: [../base/site.rgd.yaml]\n`);
    expect(build('rendered')).toEqual({ code: 0, stdout: before, stderr: '' });
  });

  it('renders the piped output of kustomize', () => {
    const { stdout: input } = build('base', []);
    const { code, stdout } = execute(command, ['render', '-', '--all'], { input });
    expect({ code, kinds: objects(stdout).map(({ kind }) => kind) }).toEqual({
      code: 0,
      kinds: ['ConfigMap', 'Deployment', 'Service', 'ConfigMap', 'Deployment', 'Service'],
    });
  });

  it('shows the field and the line of an invalid instance, and prints nothing', () => {
    edit('base/sites.yaml', (text) => text.replace('replicas: 2', 'replicas: 99'));
    const { code, stdout, stderr } = build('production');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/error\[[a-z-]+\] Site\/status: .*\n.*--> -:\d+:\d+ spec\.replicas/);
    expect(stderr).toContain('replicas: 99');
  });

  it('reports an error in the functionConfig', () => {
    edit('rendered/render.yaml', (text) => text.replace('strict:', 'strikt:'));
    const { code, stdout, stderr } = build('rendered');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain("error[function-config] functionConfig: unknown option 'strikt'");
  });

  it.each([
    ['strict: true', 'maxCollectionSize: many', 'spec.maxCollectionSize', 'maxCollectionSize: must be a whole number'],
    ['strict: true', 'clusterScoped: Site', 'spec.clusterScoped', 'clusterScoped: must be a list of strings'],
    ['spec:\n  strict: true', 'data:\n  strict: "true"', 'data', "unknown field 'data'"],
  ])('names the field of an invalid option: %j as %j', (from, to, field, expected) => {
    edit('rendered/render.yaml', (text) => text.replace(from, to));
    const { code, stdout, stderr } = build('rendered');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`error[function-config] functionConfig: ${expected}`);
    expect(stderr).toMatch(new RegExp(` {2}--> -:\\d+:\\d+ ${field}\n`));
  });

  it('removes a live object that is also rendered', () => {
    writeFileSync(at('base/live.yaml'), LIVE);
    edit('base/kustomization.yaml', (text) => `${text}  - live.yaml\n`);
    const { code, stdout } = build('production');
    // kustomize replaces a resource with one of the same identity.
    const documents = (text: string): string[] => text.trimEnd().split('\n---\n').sort();
    expect(code).toBe(0);
    expect(documents(stdout)).toEqual(documents(readFileSync(at('expected.yaml'), 'utf8')));
  });

  it('passes the check of doctor: the output', () => {
    const doctor = (input: string): Result => execute(command, ['doctor'], { input });
    const stdout = '6 objects checked, 6 of them rendered by render-rgd\n';
    expect(doctor(build('production').stdout)).toEqual({ code: 0, stdout, stderr: '' });
    const skipped = doctor(build('production', ['--enable-alpha-plugins']).stdout);
    expect(skipped.code).toBe(1);
    expect(skipped.stderr).toContain('error[not-rendered] Site/prod-handbook: was not rendered');
    expect(skipped.stderr).toContain('--enable-exec');
    expect(doctor('').code).toBe(1);
  });

  it('passes the check of doctor: the layers', () => {
    const doctor = (): Result => execute(command, ['doctor', folder, '--exclude', 'expected.yaml']);
    expect(doctor()).toMatchObject({ code: 0, stderr: '' });
    edit('production/kustomization.yaml', (text) => text.replace('kind: Deployment', 'kind: Site'));
    edit('rendered/kustomization.yaml', (text) => text.replace('kind: Site', 'kind: Service'));
    const { code, stderr } = doctor();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error\[kustomize-order\]: .*Site was rendered.*\n.*production\/kustomization\.yaml:8:5 patches\[0\]/,
    );
    expect(stderr).toMatch(
      /error\[kustomize-order\]: .*Service is.*\n.*rendered\/kustomization\.yaml:7:5 patches\[0\]/,
    );
  });

  it('renders seven hundred instances', () => {
    const site = readFileSync(at('base/sites.yaml'), 'utf8').split('---\n')[0] as string;
    const sites = Array.from({ length: 700 }, (_, index) => site.replace('name: handbook', `name: site-${index}`));
    writeFileSync(at('base/sites.yaml'), [site, ...sites].join('---\n'));
    const { stdout: input } = build('base', []);
    const { code, stdout } = execute(command, ['render', '-', '--all'], { input });
    expect({ code, objects: stdout.match(/^kind: /gm)?.length }).toEqual({ code: 0, objects: 701 * 3 });
  });

  it('fails as a validator, because kustomize compares its own annotations', () => {
    edit('rendered/kustomization.yaml', (text) => text.replace('transformers:', 'validators:'));
    const { code, stdout, stderr } = build('rendered');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('nodes unequal');
  });

  it('cannot combine two applications that list one RGD', () => {
    cpSync(at('rendered'), at('other'), { recursive: true });
    writeFileSync(at('kustomization.yaml'), 'resources: [rendered, other]\n');
    const { code, stderr } = build('.');
    expect(code).toBe(1);
    expect(stderr).toContain('already registered id: ResourceGraphDefinition');
  });

  it('fails if it is listed as a generator', () => {
    edit('rendered/kustomization.yaml', (text) => text.replace('transformers:', 'generators:'));
    const { code, stderr } = build('rendered');
    expect(code).toBe(1);
    expect(stderr).toContain('error[empty-output]');
    expect(stderr).toContain('hint: list the function under transformers');
    edit('rendered/render.yaml', (text) => `${text}  allowEmpty: true\n`);
    const allowed = build('rendered');
    expect(allowed.code).toBe(0);
    expect(allowed.stderr).toContain('warning[empty-output]: there are no items, so nothing is rendered');
  });

  it('leaves items that are not objects to kustomize fn run, and runs again', () => {
    const others = {
      'kustomization.yaml': '# mine\nresources: [sites.yaml] # all\n',
      'values.yaml': 'image: {tag: v1} # t\n',
    };
    for (const [name, text] of Object.entries(others)) writeFileSync(at(`base/${name}`), text);
    const run = (): Result => execute(kustomize, ['fn', 'run', '--enable-exec', '--exec-path', command, at('base')]);
    expect(run()).toMatchObject({ code: 0, stderr: '' });
    const files = filesOf(at('base'));
    expect(files).toMatchObject(others);
    expect(Object.keys(files).length).toBeGreaterThan(4);
    expect(run()).toMatchObject({ code: 0, stderr: '' });
    expect(filesOf(at('base'))).toEqual(files);
  });

  it('names the location of the RGD in the first of two overlays of one base', () => {
    for (const name of ['one', 'two']) {
      mkdirSync(at(name));
      writeFileSync(at(`${name}/kustomization.yaml`), `namespace: ${name}\nresources: [../base]\n`);
    }
    edit('rendered/kustomization.yaml', () => 'resources: [../one, ../two]\ntransformers: [render.yaml]\n');
    const { code, stdout, stderr } = build('rendered');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/error\[kind-defined-twice\] .* by the RGD 'site' already \(-:\d+:\d+\)\n/);
    edit('base/kustomization.yaml', (text) => text.replace('  - site.rgd.yaml\n', ''));
    edit('rendered/render.yaml', (text) => `${text}  definitions: [../base/site.rgd.yaml]\n`);
    expect(build('rendered')).toMatchObject({ code: 0, stderr: '' });
  });

  it('is recognised by doctor in managed-by annotations of kustomize', () => {
    edit('production/kustomization.yaml', (text) => `${text}buildMetadata: [managedByLabel]\n`);
    const { stdout: input } = build('production');
    expect(input).toContain('app.kubernetes.io/managed-by: kustomize-');
    expect(input).not.toContain('managed-by: render-rgd');
    const count = objects(input).length;
    expect(execute(command, ['doctor', '-'], { input })).toEqual({
      code: 0,
      stdout: `${count} objects checked, ${count} of them rendered by render-rgd\n`,
      stderr: '',
    });
  });

  it('is skipped by kustomize without a message if --enable-exec is missing', () => {
    const { code, stdout } = build('rendered', ['--enable-alpha-plugins']);
    expect(code).toBe(0);
    expect(objects(stdout).map(({ kind }) => kind)).toContain('ResourceGraphDefinition');
  });
});

const objects = (text: string): KubeObject[] => readStream(text).documents.map(({ value }) => value as KubeObject);
const order = (kind: string): number => ['ConfigMap', 'Service', 'Deployment'].indexOf(kind);

const LIVE = `apiVersion: v1
kind: Service
metadata:
  name: status
  namespace: sites
  annotations:
    render-rgd.dev/observed: "true"
status:
  loadBalancer:
    ingress:
      - ip: 203.0.113.7
`;
