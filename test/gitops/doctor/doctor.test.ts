import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toYaml } from '../../../src/yaml/emit/yaml.ts';
import { invoke } from '../../cli/invoke.ts';
import { config, listOf, note, noteRgd, runFunction } from '../../cli/resourcelist/packages.ts';

const passed = (text: string): string =>
  text.replace(/metadata: \{name: (\w+)/, 'metadata: {annotations: {render-rgd.dev/mode: passthrough}, name: $1');
const stream = (...texts: string[]): string => texts.join('\n---\n');
const namespace = '{apiVersion: v1, kind: Namespace, metadata: {name: desk}}';
const rendered = async (): Promise<string> => {
  const { items } = await runFunction(listOf([noteRgd, note('a')]));
  return toYaml(items.filter(({ kind }) => kind === 'ConfigMap'));
};

describe('doctor on the output of kustomize', () => {
  const doctor = async (text: string, ...args: string[]) => {
    const { code, stdout, stderr } = await invoke(['doctor', '-', '--diagnostics', 'json', ...args], text);
    const told = (JSON.parse(stderr) as { code: string; object?: string }[]).map((one) => one.object ?? one.code);
    return { code, told, stdout };
  };

  it('accepts rendered and other objects', async () => {
    const stdout = '2 objects checked, 1 of them rendered by render-rgd\n';
    expect(await doctor(stream(namespace, await rendered()))).toEqual({ code: 0, told: [], stdout });
  });

  it.each(['kustomize-v5.8.2', 'Helm', 'somebody'])('recognises rendered objects that %s took over', async (owner) => {
    const stdout = '2 objects checked, 1 of them rendered by render-rgd\n';
    const taken = (await rendered()).replace(/managed-by: \S+/, `managed-by: ${owner}`);
    expect(taken).toContain(owner);
    expect(await doctor(stream(namespace, taken))).toEqual({ code: 0, told: [], stdout });
  });

  it('does not count objects of a kro controller as rendered', async () => {
    const objects = (await rendered()).replace(/managed-by: \S+/, 'managed-by: kro');
    expect((await doctor(stream(namespace, objects))).stdout).not.toContain('1 of them rendered');
  });

  it.each([
    ['an RGD and its instance', stream(noteRgd, note('a')), ['ResourceGraphDefinition/note', 'Note/a']],
    ['an instance of group kro.run without its RGD', note('a'), ['Note/a']],
    ['an object that nobody rendered', namespace, ['not-rendered']],
    [
      'a ResourceSet',
      '{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, metadata: {name: s}}',
      ['ResourceSet/s'],
    ],
    ['nothing at all', '', ['empty-output']],
    ['local-config items only', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n', ['empty-output']],
  ])('fails for %s', async (_, text, told) => {
    expect(await doctor(text)).toMatchObject({ code: 1, told });
  });

  it('recognises instances of another group by their RGD, here or elsewhere', async () => {
    const group = noteRgd.replace('kind: Note\n', 'kind: Note\n    group: desk.example.com\n');
    const instance = note('a').replace('kro.run/', 'desk.example.com/');
    expect(await doctor(stream(group, instance))).toMatchObject({ code: 1, told: expect.arrayContaining(['Note/a']) });
    expect(await doctor(instance)).toMatchObject({ code: 1, told: ['not-rendered'] });
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-doctor-'));
    writeFileSync(join(folder, 'rgd.yaml'), group);
    expect(await doctor(instance, '--definitions', folder)).toMatchObject({ code: 1, told: ['Note/a'] });
    rmSync(folder, { recursive: true });
  });

  it('recognises an instance without its RGD by the objects of another instance', async () => {
    const objects = await rendered();
    const other = note('b').replace('kro.run/', 'desk.example.com/');
    const elsewhere = objects.replace('instance-group: kro.run', 'instance-group: desk.example.com');
    expect(await doctor(stream(elsewhere, other))).toMatchObject({ code: 1, told: ['Note/b'] });
  });

  it('accepts rendered ResourceSets', async () => {
    const set =
      '{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, metadata: {name: s, namespace: web}, spec: {resources: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]}}';
    expect(await doctor((await invoke(['render', '-'], set)).stdout)).toMatchObject({ code: 0, told: [] });
  });

  it('accepts objects that are left to a kro controller', async () => {
    const objects = await rendered();
    expect(await doctor(stream(objects, passed(noteRgd), note('a')))).toMatchObject({ code: 0 });
    expect(await doctor(stream(objects, noteRgd, passed(note('a'))))).toMatchObject({ code: 0 });
    expect(await doctor(stream(objects, noteRgd, passed(note('a')), note('b')))).toMatchObject({ told: ['Note/b'] });
    const waiting = stream(objects, noteRgd, note('b'));
    expect(await doctor(waiting)).toMatchObject({ code: 1 });
    expect(await doctor(waiting, '--on-pending', 'passthrough')).toMatchObject({ code: 0 });
    expect(await doctor(stream(noteRgd, note('b')), '--on-pending', 'passthrough')).toMatchObject({ code: 1 });
  });

  it.each([
    ['both flags', async () => stream(noteRgd, note('a')), '--enable-exec'],
    ['the layer', async () => stream(await rendered(), noteRgd, note('b')), 'list it as a transformer'],
  ])('reports a reason once: %s', async (_, text, hint) => {
    const { stderr } = await invoke(['doctor', '-'], await text());
    expect(stderr.match(/hint:/g)).toHaveLength(1);
    expect(stderr).toContain(hint);
  });

  it('reads standard input if something is piped, and otherwise asks for a path', async () => {
    expect(await invoke(['doctor'], await rendered())).toMatchObject({ code: 0 });
    expect(await invoke(['doctor'])).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a PATH') });
    expect(await invoke(['doctor', '--nope'])).toMatchObject({ code: 2 });
    expect(await invoke(['doctor', 'missing'])).toMatchObject({ code: 1, stdout: '' });
  });
});

function component(transformer: string, changes = ''): Record<string, string> {
  return {
    'stage/kustomization.yaml': `resources: [../base]\ncomponents: [../component]\n${changes}`,
    'component/kustomization.yaml': `kind: Component\ntransformers: [${transformer}]\n`,
    'component/render.yaml': config('{}'),
    'component/other.yaml': namespace,
  };
}

describe('doctor on a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'render-rgd-doctor-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (files: Record<string, string>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  const doctor = async () => {
    const { code, stderr } = await invoke(['doctor', folder, '--diagnostics', 'json']);
    const told = JSON.parse(stderr) as { severity: string; field?: string; file?: string; message: string }[];
    return {
      code,
      told: told.map((one) => `${one.severity} ${one.file?.slice(folder.length + 1)} ${one.field ?? ''}`),
    };
  };

  it('refers to kpt if a Kptfile exists', async () => {
    write({ Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n', 'note.yaml': note('a') });
    const { code, stderr } = await invoke(['doctor', folder]);
    expect(code).toBe(1);
    expect(stderr).toContain('hint: run kpt fn render --allow-exec');
  });

  it('ignores instances that are marked local-config', async () => {
    const { items } = await runFunction(listOf([noteRgd, note('a')]));
    write({ 'all.yaml': toYaml(items) });
    expect(await doctor()).toEqual({ code: 0, told: [] });
  });

  /** Three layers; `changes` are lines of a kustomization. */
  const layers = (changes: { base?: string; rendered?: string; top?: string }, transformer = 'render.yaml'): void =>
    write({
      'base/kustomization.yaml': `resources: [rgd.yaml, note.yaml]\n${changes.base ?? ''}`,
      'base/rgd.yaml': noteRgd,
      'base/note.yaml': note('a'),
      'rendered/kustomization.yaml': `resources: [../base]\ntransformers: [${transformer}]\n${changes.rendered ?? ''}`,
      'rendered/render.yaml': config('{}'),
      'rendered/folder/kustomization.yml': 'resources: [other.yaml]\n',
      'rendered/folder/other.yaml': config('{}'),
      'rendered/patch.yaml': note('a', '{text: hi}'),
      'top/kustomization.yaml': `resources: [../rendered]\n${changes.top ?? ''}`,
      'top/patch.yaml': note('a', '{text: hi}'),
    });
  const patchOf = (kind: string): string => `patches: [{target: {kind: ${kind}}, patch: "[]"}]\n`;

  it.each([
    ['patches on instances below and beside', { base: patchOf('Note'), rendered: patchOf('Note') }, []],
    ['patches on rendered objects above', { top: `namePrefix: x-\n${patchOf('ConfigMap')}` }, []],
    ['a namespace beside', { rendered: 'namespace: x\n' }, []],
    ['a patch on an instance above', { top: patchOf('Note') }, ['error top/kustomization.yaml patches[0]']],
    [
      'a patch on an RGD above',
      { top: patchOf('ResourceGraphDefinition') },
      ['error top/kustomization.yaml patches[0]'],
    ],
    ['a patch file above', { top: 'patches: [{path: patch.yaml}]\n' }, ['error top/kustomization.yaml patches[0]']],
    [
      'a strategic merge above',
      { top: 'patchesStrategicMerge: [patch.yaml]\n' },
      ['error top/kustomization.yaml patchesStrategicMerge[0]'],
    ],
    [
      'a patch on a rendered object beside',
      { rendered: patchOf('ConfigMap') },
      ['error rendered/kustomization.yaml patches[0]'],
    ],
    [
      'a prefix and images beside',
      { rendered: 'namePrefix: x-\nimages: []\n' },
      ['warning rendered/kustomization.yaml namePrefix', 'warning rendered/kustomization.yaml images'],
    ],
  ])('reads kustomizations: %s', async (_, changes, told) => {
    layers(changes);
    expect(await doctor()).toEqual({ code: told.some((one) => one.startsWith('error')) ? 1 : 0, told });
  });

  it.each([
    ['a file', 'render.yaml'],
    ['a folder', 'folder'],
    ['text', '"{apiVersion: fn.kpt.dev/v1alpha1, kind: RenderRGD, metadata: {name: r}}"'],
    [
      'a ConfigMap',
      `'{apiVersion: v1, kind: ConfigMap, metadata: {name: r, annotations: {config.kubernetes.io/function: "exec: {path: /bin/render-rgd}"}}}'`,
    ],
  ])('recognises the transformer as %s', async (_, transformer) => {
    layers({ top: patchOf('Note') }, transformer);
    expect((await doctor()).told).toEqual(['error top/kustomization.yaml patches[0]']);
  });

  const unrendered = ['error base/rgd.yaml ', 'error base/note.yaml '];

  it('fails if no layer lists the transformer', async () => {
    layers({ top: patchOf('Note') }, 'patch.yaml');
    expect(await doctor()).toEqual({ code: 1, told: unrendered });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['a second layer above the base', { 'stage/kustomization.yaml': 'resources: [../base]\n' }, unrendered],
    ['a layer above the rendering one', { 'stage/kustomization.yaml': 'resources: [../top]\n' }, []],
    [
      'a file of a layer of its own',
      { 'stage/kustomization.yaml': 'resources: [./note.yaml]\n', 'stage/note.yaml': note('b') },
      ['error stage/note.yaml '],
    ],
    [
      'a ResourceSet',
      {
        'stage/kustomization.yaml': 'resources: [set.yaml]\n',
        'stage/set.yaml': '{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, metadata: {name: s}}',
      },
      ['error stage/set.yaml '],
    ],
    ['plain objects', { 'stage/kustomization.yaml': 'resources: [ns.yaml]\n', 'stage/ns.yaml': namespace }, []],
    ['a component that lists it', component('render.yaml'), []],
    ['a component that does not', component('other.yaml'), unrendered],
    [
      'changes of rendered objects beside a component',
      component('render.yaml', `namePrefix: x-\nimages: []\n${patchOf('ConfigMap')}`),
      [],
    ],
    [
      'a patch on an instance beside a component',
      component('render.yaml', patchOf('Note')),
      ['error stage/kustomization.yaml patches[0]'],
    ],
    [
      'a transformer that was not read',
      { 'stage/kustomization.yaml': 'resources: [../base]\ntransformers: [https://example.com/render.yaml]\n' },
      [],
    ],
    ['a layer that reads itself', { 'stage/kustomization.yaml': 'resources: [../stage, ../base]\n' }, []],
  ])('recognises the layers that render: %s', async (_, files, told) => {
    layers({});
    write(files);
    const severity = (one: string): string => one.replace('error base/rgd', 'warning base/rgd');
    expect(await doctor()).toEqual({ code: told.length > 0 ? 1 : 0, told: told.map(severity) });
  });

  it.each([
    ['what init writes', '', 0],
    ['a layer of it alone', 'apps/base', 1],
    ['the layer that renders it', 'apps/overlay', 0],
    ['the transformer alone, without the base', 'apps', 0],
  ])('reads %s', async (_, path, code) => {
    await invoke(['init', folder]);
    expect(await invoke(['doctor', join(folder, path)])).toMatchObject({ code });
  });

  it('fails for kustomizations without anything to render', async () => {
    write({ 'kustomization.yaml': 'resources: [ns.yaml]\n', 'ns.yaml': namespace });
    expect(await doctor()).toEqual({ code: 1, told: ['error undefined '] });
  });
});

describe('a problem of many objects', () => {
  const many = stream(noteRgd, ...Array.from({ length: 8 }, (_, index) => note(`n${index}`)));

  it('is one line for each kind, with names and the count', async () => {
    const { stderr } = await invoke(['doctor', '-'], many);
    expect(stderr.match(/^error\[not-rendered\]/gm)).toHaveLength(2);
    expect(stderr).toContain('Note/n0: was not rendered (and 7 more of this kind: n1, n2, n3, n4, n5, ...)');
  });

  it('is reported for each object with --verbose, and in JSON', async () => {
    expect((await invoke(['doctor', '-', '-v'], many)).stderr.match(/not-rendered/g)).toHaveLength(9);
    const { stderr } = await invoke(['doctor', '-', '--report', 'json'], many);
    expect(JSON.parse(stderr)).toHaveLength(9);
  });
});

describe('doctor on Applications of Argo CD', () => {
  const application = (plugin: string, path: string, paths?: string): string =>
    `{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a, annotations: {${paths === undefined ? '' : `argocd.argoproj.io/manifest-generate-paths: "${paths}"`}}}, spec: {source: {path: "${path}", plugin: ${plugin}}}}`;
  const found = async (text: string) => {
    const { stderr } = await invoke(['doctor', '-', '--diagnostics', 'json'], stream(await rendered(), text));
    const all = JSON.parse(stderr) as { code: string; field?: string; message: string }[];
    return all.map(
      ({ code, field, message }) => `${code} ${field}: ${/no name|discovery|no annotation|no folder/.exec(message)}`,
    );
  };
  const whole = (why: string, field: string): string => `plugin-load ${field}: ${why}`;
  const paths = 'metadata.annotations["argocd.argoproj.io/manifest-generate-paths"]';

  it.each<[string, string, string[]]>([
    ['its own folder', application('{name: render-rgd}', 'apps/a', '.'), []],
    ['folders below one', application('{name: render-rgd-v1}', 'fleet/apps/a', '. ; /fleet/platform'), []],
    ['another plugin', application('{name: other}', 'apps/a'), []],
    ['the whole repository', application('{name: render-rgd}', 'apps/a'), [whole('no annotation', 'spec.source')]],
    [
      'folders of the root',
      application('{name: render-rgd}', 'apps/a', '.;../../platform'),
      [whole('no folder', paths)],
    ],
    ['an absolute path', application('{name: render-rgd}', './apps/a', '/platform'), [whole('no folder', paths)]],
    ['the root', application('{name: render-rgd}', '.', '.'), [whole('no folder', paths)]],
    ['nothing', application('{name: render-rgd}', 'apps/a', ' ; '), [whole('no folder', paths)]],
    ['a plugin without a name', application('{}', 'apps/a', '.'), [whole('no name', 'spec.source.plugin')]],
    [
      'several sources',
      '{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, metadata: {name: a}, spec: {template: {spec: {sources: [{path: b}, {path: a, plugin: {name: render-rgd}}]}}}}',
      [whole('no annotation', 'spec.template.spec.sources[1]')],
    ],
    [
      'discovery',
      '{apiVersion: argoproj.io/v1alpha1, kind: ConfigManagementPlugin, metadata: {name: a}, spec: {discover: {fileName: "*.yaml"}}}',
      [whole('discovery', 'spec.discover')],
    ],
  ])('warns if Argo CD sends more than is read: %s', async (_, text, expected) => {
    expect(await found(text)).toEqual(expected);
  });
});
