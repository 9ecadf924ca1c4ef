import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: note}
spec:
  schema:
    apiVersion: v1
    kind: Note
    group: notes.example.com
    spec: {text: string}
  resources:
    - id: map
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}"}
        data: {text: "\${schema.spec.text}"}
`;
const INSTANCE = 'apiVersion: notes.example.com/v1\nkind: Note\nmetadata: {name: a}\nspec: {text: x}\n';
const TEMPLATE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "x.name" . }}
{{- if .Values.a }}
  labels: {a: b}
{{- end }}
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-templates-'));
  write('rgd.yaml', RGD);
  write('note.yaml', INSTANCE);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const render = async (...args: string[]) => {
  const { code, stdout, stderr } = await invoke(['render', folder, ...args]);
  return { code, kinds: stdout.match(/^kind: .*/gm) ?? [], stderr: stderr.replaceAll(`${folder}/`, '') };
};

describe('templates among the files', () => {
  it('are skipped with one warning for all of them', async () => {
    for (const name of ['b', 'c', 'd', 'e', 'f']) write(`${name}.yaml`, TEMPLATE);
    const { code, kinds, stderr } = await render();
    expect({ code, kinds }).toEqual({ code: 0, kinds: ['kind: ConfigMap'] });
    expect(stderr.match(/template-file/g)).toHaveLength(1);
    expect(stderr).toContain('5 files are Helm templates or similar templates');
    expect(stderr).toContain('b.yaml, c.yaml, d.yaml and 2 more');
    expect(stderr).toContain('helm template CHART | render-rgd render -');
    expect(stderr).not.toContain('yaml-');
  });

  it('are skipped with --strict too, and in --definitions', async () => {
    write('chart/Chart.yaml', 'apiVersion: v2\nname: x\nversion: 1.0.0\n');
    write('chart/templates/deployment.yaml', TEMPLATE);
    expect(await render('--strict', '--exclude', 'Chart.yaml')).toMatchObject({ code: 0 });
    write('other/note.yaml', INSTANCE);
    const { code } = await invoke([
      'render',
      join(folder, 'other'),
      '--definitions',
      folder,
      '--exclude',
      'Chart.yaml',
    ]);
    expect(code).toBe(0);
  });

  it('are errors if all objects are printed, unless they belong to a chart', async () => {
    write('broken.yaml', TEMPLATE);
    const { code, stderr } = await render('--all');
    expect(code).toBe(1);
    expect(stderr).toMatch(/error\[template-file\].*\n {2}--> .*broken\.yaml:4:9/);
    expect(stderr).toContain('would be missing');
    expect(await render('--all', '--exclude', 'broken.yaml')).toMatchObject({ code: 0 });
  });

  it('of a chart are skipped if all objects are printed', async () => {
    write('charts/web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    write('charts/web/templates/sub/deployment.yaml', TEMPLATE);
    const { code, stderr } = await render('--all', '--exclude', 'Chart.yaml');
    expect(code).toBe(0);
    expect(stderr).toContain('warning[template-file]');
  });

  it('of the chart that is the input folder are errors if all objects are printed', async () => {
    write('Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    write('templates/deployment.yaml', TEMPLATE);
    expect(await render('--all', '--exclude', 'Chart.yaml')).toMatchObject({ code: 1 });
  });

  it.each([
    ['an RGD', RGD.replace('kind: ConfigMap', 'kind: {{ .kind }}')],
    ['an instance', INSTANCE.replace('text: x', 'text: {{ .Values.text }}')],
    ['an instance beside another object', `${TEMPLATE}---\n${INSTANCE}`],
  ])('are errors if they may become %s', async (_, text) => {
    write('chart/Chart.yaml', 'apiVersion: v2\nname: x\nversion: 1.0.0\n');
    write('chart/templates/some.yaml', text);
    const { code, kinds, stderr } = await render('--exclude', 'Chart.yaml');
    expect({ code, kinds }).toEqual({ code: 1, kinds: [] });
    expect(stderr.match(/error\[/g)).toHaveLength(1);
    expect(stderr).toContain('may become an RGD or an instance');
  });

  it('are errors if they are named', async () => {
    write('named.yaml', TEMPLATE);
    const { code, stderr } = await invoke(['render', join(folder, 'rgd.yaml'), join(folder, 'named.yaml')]);
    expect(code).toBe(1);
    expect(stderr.match(/error\[/g)).toHaveLength(1);
    expect(stderr).toContain('not YAML');
    expect(await invoke(['render', '-'], TEMPLATE)).toMatchObject({ code: 1, stdout: '' });
  });

  it('are distinguished from other broken files', async () => {
    write('broken.yaml', 'a: [\nb: "{{ c }}"\n');
    const { code, stderr } = await render();
    expect(code).toBe(1);
    expect(stderr).toContain('error[yaml-syntax]');
    write('broken.yaml', 'a: |\n  {{ b }}\nc: [\n');
    expect((await render()).stderr).toContain('error[yaml-syntax]');
  });
});

describe('a duplicate key', () => {
  it('is a warning, and the last one wins', async () => {
    write('note.yaml', INSTANCE.replace('spec: {text: x}', 'spec:\n  text: first\n  text: last'));
    const { code, stdout, stderr } = await invoke(['render', folder]);
    expect({ code, text: stdout.match(/text: .*/g) }).toEqual({ code: 0, text: ['text: last'] });
    expect(stderr).toMatch(/warning\[duplicate-key\].*\n {2}--> .*note\.yaml:6:3/);
  });

  it('is an error with --strict', async () => {
    write('note.yaml', INSTANCE.replace('spec: {text: x}', 'spec:\n  text: first\n  text: last'));
    expect(await render('--strict')).toMatchObject({ code: 1, kinds: [] });
  });
});
