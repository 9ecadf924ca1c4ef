import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toYaml } from '../../src/emit/yaml.ts';
import { config, listOf, note, noteRgd, runFunction } from '../resourcelist/packages.ts';
import { invoke } from '../shells/invoke.ts';

const passed = (text: string): string =>
  text.replace(/metadata: \{name: (\w+)/, 'metadata: {annotations: {render-rgd.dev/mode: passthrough}, name: $1');
const stream = (...texts: string[]): string => texts.join('\n---\n');
const namespace = '{apiVersion: v1, kind: Namespace, metadata: {name: desk}}';
const rendered = async (): Promise<string> => {
  const { items } = await runFunction(listOf([noteRgd, note('a')]));
  return toYaml(items.filter(({ kind }) => kind === 'ConfigMap'));
};

describe('doctor, on what kustomize prints', () => {
  const doctor = async (text: string, ...args: string[]) => {
    const { code, stdout, stderr } = await invoke(['doctor', '-', '--diagnostics', 'json', ...args], text);
    const told = (JSON.parse(stderr) as { code: string; object?: string }[]).map((one) => one.object ?? one.code);
    return { code, told, stdout };
  };

  it('is content with rendered and other objects', async () => {
    const stdout = '2 objects looked at, 1 of them rendered by render-rgd\n';
    expect(await doctor(stream(namespace, await rendered()))).toEqual({ code: 0, told: [], stdout });
  });

  it.each([
    ['an RGD and its instance', stream(noteRgd, note('a')), ['ResourceGraphDefinition/note', 'Note/a']],
    ['an instance of group kro.run without its RGD', note('a'), ['Note/a']],
    ['nothing at all', '', ['empty-output']],
    ['local-config items only', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n', ['empty-output']],
  ])('fails for %s', async (_, text, told) => {
    expect(await doctor(text)).toMatchObject({ code: 1, told });
  });

  it('knows instances of another group by their RGD, here or elsewhere', async () => {
    const group = noteRgd.replace('kind: Note\n', 'kind: Note\n    group: desk.example.com\n');
    const instance = note('a').replace('kro.run/', 'desk.example.com/');
    expect(await doctor(stream(group, instance))).toMatchObject({ code: 1, told: expect.arrayContaining(['Note/a']) });
    expect(await doctor(instance)).toMatchObject({ code: 0, told: [] });
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-doctor-'));
    writeFileSync(join(folder, 'rgd.yaml'), group);
    expect(await doctor(instance, '--definitions', folder)).toMatchObject({ code: 1, told: ['Note/a'] });
    rmSync(folder, { recursive: true });
  });

  it('lets through what is left to a kro controller', async () => {
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
  ])('says why once: %s', async (_, text, hint) => {
    const { stderr } = await invoke(['doctor', '-'], await text());
    expect(stderr.match(/hint:/g)).toHaveLength(1);
    expect(stderr).toContain(hint);
  });

  it('reads standard input when something is piped, and asks for a path otherwise', async () => {
    expect(await invoke(['doctor'], namespace)).toMatchObject({ code: 0 });
    expect(await invoke(['doctor'])).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a PATH') });
    expect(await invoke(['doctor', '--nope'])).toMatchObject({ code: 2 });
    expect(await invoke(['doctor', 'missing'])).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('doctor, on a folder', () => {
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

  it('sends to kpt where a Kptfile is', async () => {
    write({ Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n', 'note.yaml': note('a') });
    const { code, stderr } = await invoke(['doctor', folder]);
    expect(code).toBe(1);
    expect(stderr).toContain('hint: run kpt fn render --allow-exec');
  });

  it('does not take instances for unrendered that are marked local-config', async () => {
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
  ])('knows the transformer as %s', async (_, transformer) => {
    layers({ top: patchOf('Note') }, transformer);
    expect((await doctor()).told).toEqual(['error top/kustomization.yaml patches[0]']);
  });

  it('says nothing about layers without it', async () => {
    layers({ top: patchOf('Note') }, 'patch.yaml');
    expect(await doctor()).toEqual({ code: 0, told: [] });
  });
});
