import { describe, expect, it } from 'vitest';
import { annotationOf, type KubeObject } from '../../../src/core/model/object.ts';
import { toYaml } from '../../../src/yaml/emit/yaml.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { invoke } from '../../cli/invoke.ts';
import { config, listOf, note, noteRgd, runFunction, titles, withItems } from '../../cli/resourcelist/packages.ts';

/** Returns a package as a KRM function leaves it. */
async function renderedInPlace(items: string[], name = 'render'): Promise<KubeObject[]> {
  return (await runFunction(listOf(items, config('{}', name)))).items;
}

/** Returns the printed objects, those that are printed unchanged, and the diagnostics. */
async function render(items: KubeObject[], ...args: string[]): Promise<Record<'printed' | 'kept' | 'told', string[]>> {
  const { code, stdout, stderr } = await invoke(['render', '-', '--diagnostics', 'json', ...args], toYaml(items));
  expect(code).toBe(0);
  const objects = readStream(stdout).documents.map(({ value }) => value as KubeObject);
  const kept = objects.filter((object) => annotationOf(object, 'render-rgd.dev/rendered') !== undefined);
  const told = (JSON.parse(stderr) as { code: string }[]).map((one) => one.code);
  return { printed: titles(objects), kept: titles(kept), told: told.filter((one) => one !== 'node-skipped') };
}

const without = (items: KubeObject[], title: string): KubeObject[] =>
  items.filter((item) => titles([item])[0] !== title);

describe('a package that was rendered in place', () => {
  it.each([['render'], ['another']])('is rendered to the same objects again, by function %s', async (name) => {
    const items = await renderedInPlace([noteRgd, note('a', '{copy: true}'), note('b')], name);
    const expected = ['ConfigMap/a', 'ConfigMap/a-copy', 'ConfigMap/b'];
    expect(await render(items)).toEqual({ printed: expected, kept: [], told: [] });
    expect(await render(items, '--all')).toEqual({ printed: expected, kept: [], told: [] });
  });

  it('has its RGD recognised by a group that is too long for a label', async () => {
    const group = `${'a.'.repeat(40)}example.com`;
    const rgd = noteRgd.replace('kind: Note\n', `kind: Note\n    group: ${group}\n`);
    const items = await renderedInPlace([rgd, note('a').replace('kro.run/', `${group}/`)]);
    expect((await render(items)).printed).toEqual(['ConfigMap/a']);
  });

  it('loses objects that its instance no longer renders', async () => {
    const items = await renderedInPlace([noteRgd, note('a', '{copy: true}')]);
    const changed = items.map((item) => (item.kind === 'Note' ? { ...item, spec: { copy: false } } : item));
    expect(await render(changed, '--all')).toEqual({ printed: ['ConfigMap/a'], kept: [], told: ['earlier-removed'] });
  });

  it('keeps objects of an instance in another package', async () => {
    const items = without(await renderedInPlace([noteRgd, note('a'), note('b')]), 'Note/a');
    expect(await render(items, '--all')).toEqual({
      printed: ['ConfigMap/a', 'ConfigMap/b'],
      kept: ['ConfigMap/a'],
      told: ['earlier-elsewhere'],
    });
    expect(await render(items)).toEqual({
      printed: ['ConfigMap/b'],
      kept: [],
      told: ['earlier-elsewhere', 'left-out'],
    });
  });

  it('keeps all objects if nothing here could have rendered them, such as output of kustomize', async () => {
    const items = (await renderedInPlace([noteRgd, note('a'), note('b')])).filter(({ kind }) => kind === 'ConfigMap');
    const both = ['ConfigMap/a', 'ConfigMap/b'];
    expect(await render(items, '--all')).toEqual({ printed: both, kept: both, told: [] });
  });

  it('is invisible to references and causes no collisions', async () => {
    const reader = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: reader}
spec:
  schema: {apiVersion: v1alpha1, kind: Reader, spec: {}}
  resources:
    - id: all
      externalRef:
        apiVersion: v1
        kind: ConfigMap
        metadata: {selector: {matchLabels: {app.kubernetes.io/managed-by: render-rgd}}}
    - id: count
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: count}
        data: {found: "\${string(size(all))}"}
`;
    const instance = '{apiVersion: kro.run/v1alpha1, kind: Reader, metadata: {name: r, namespace: desk}, spec: {}}';
    const items = await renderedInPlace([noteRgd, note('a'), reader, instance]);
    const [before, after] = await Promise.all(
      [items.filter(({ kind }) => kind !== 'ConfigMap'), items].map((some) => invoke(['render', '-'], toYaml(some))),
    );
    expect(after?.stdout).toBe(before?.stdout);
    expect(after?.stdout).toContain('found: "0"');
  });

  it('treats a copy as an ordinary object', async () => {
    const items = await renderedInPlace([noteRgd, note('a')]);
    const copy = items.find(({ kind }) => kind === 'ConfigMap') as KubeObject;
    const renamed = { ...copy, metadata: { ...(copy.metadata as object), name: 'mine' } };
    const { printed, kept } = await render([...items, renamed], '--all');
    expect({ printed, kept }).toEqual({ printed: ['ConfigMap/a', 'ConfigMap/mine'], kept: ['ConfigMap/mine'] });
  });

  it('may be in a List', async () => {
    const items = await renderedInPlace([noteRgd, note('a')]);
    const list = withItems(listOf([]), () => items).replace(/^.*\n.*\n/, 'apiVersion: v1\nkind: List\n');
    const { code, stdout } = await invoke(['render', '-'], list);
    expect({ code, kinds: titles(readStream(stdout).documents.map(({ value }) => value as KubeObject)) }).toEqual({
      code: 0,
      kinds: ['ConfigMap/a'],
    });
  });
});
