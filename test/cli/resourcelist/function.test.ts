import { describe, expect, it } from 'vitest';
import { annotationOf, type KubeObject } from '../../../src/core/model/object.ts';
import { getAt } from '../../../src/core/model/value.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { config, listOf, note, noteRgd, runFunction, titles, withItems } from './packages.ts';

const LOCAL = 'config.kubernetes.io/local-config';
const RENDERED = 'render-rgd.dev/rendered';
const named = (items: readonly KubeObject[], title: string): KubeObject | undefined =>
  items[titles(items).indexOf(title)];
const summary = (results: readonly { [key: string]: unknown }[]): string[] =>
  results.map((result) => `${result.severity} ${getAt(result as never, ['tags', 'code'])}`);

describe('the KRM function', () => {
  it('puts rendered objects after their instance and marks RGDs and instances', async () => {
    const { code, items, results, stderr } = await runFunction(listOf([noteRgd, note('a', '{text: hi}'), note('b')]));
    expect({ code, results: summary(results), stderr }).toEqual({
      code: 0,
      results: ['info node-skipped', 'info node-skipped'],
      stderr: '',
    });
    expect(titles(items)).toEqual(['ResourceGraphDefinition/note', 'Note/a', 'ConfigMap/a', 'Note/b', 'ConfigMap/b']);
    expect(items.map((item) => annotationOf(item, LOCAL))).toEqual(['true', 'true', undefined, 'true', undefined]);
    expect(annotationOf(items[2] as KubeObject, RENDERED)).toMatch(/^default\/[0-9a-f]{10}$/);
  });

  it('does not change its own output', async () => {
    const first = await runFunction(listOf([noteRgd, note('a', '{copy: true}'), note('b')], config('{}')));
    const second = await runFunction(first.stdout);
    expect(second.stdout).toBe(first.stdout);
    expect(titles(second.items)).toContain('ConfigMap/a-copy');
  });

  it('keeps every other item and its position', async () => {
    const others = [
      '{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: p, annotations: {config.kubernetes.io/path: Kptfile}}}',
      '{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {n: "0777", yes: "no"}, extra: [1, 1.5, null]}',
      config('{}'),
    ];
    const { items } = await runFunction(
      listOf([others[0] as string, noteRgd, others[1] as string, note('a'), others[2] as string]),
    );
    const kinds = ['Kptfile', 'ResourceGraphDefinition', 'Secret', 'Note', 'ConfigMap', 'RenderRGD'];
    expect(items.map(({ kind }) => kind)).toEqual(kinds);
    const { items: expected } = await runFunction(listOf([...others], config('{allowEmpty: true}')));
    expect([items[0], items[2], items[5]]).toEqual(expected);
  });

  it('removes and reports objects that are no longer rendered', async () => {
    const first = await runFunction(listOf([noteRgd, note('a', '{copy: true}'), note('b')]));
    const without = withItems(first.stdout, (items) => items.filter((item) => titles([item])[0] !== 'Note/a'));
    const { items, results, code } = await runFunction(without);
    expect(code).toBe(0);
    expect(titles(items)).toEqual(['ResourceGraphDefinition/note', 'Note/b', 'ConfigMap/b']);
    const removed = results.filter((result) => getAt(result, ['tags', 'code']) === 'earlier-removed');
    expect(removed).toMatchObject([
      { severity: 'info', resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'desk' } },
      { severity: 'info', resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a-copy', namespace: 'desk' } },
    ]);
  });

  it('keeps the file of an object', async () => {
    const place = { 'config.kubernetes.io/path': 'x/y.yaml', 'internal.config.kubernetes.io/index': '3' };
    const first = await runFunction(listOf([noteRgd, note('a')]));
    const moved = withItems(first.stdout, (items) =>
      items.map((item) => {
        const metadata = item.metadata as { annotations: object };
        if (item.kind !== 'ConfigMap') return item;
        return { ...item, metadata: { ...metadata, annotations: { ...metadata.annotations, ...place } } };
      }),
    );
    const { items } = await runFunction(moved);
    expect(named(items, 'ConfigMap/a')?.metadata).toMatchObject({ annotations: place });
  });

  it('does not claim an object by labels alone', async () => {
    const copied = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: from-the-cluster
  namespace: desk
  labels: {app.kubernetes.io/managed-by: render-rgd, kro.run/owned: "true", kro.run/instance-name: a}`;
    const { items, code } = await runFunction(listOf([noteRgd, note('b'), copied]));
    expect(code).toBe(0);
    expect(titles(items)).toContain('ConfigMap/from-the-cluster');
  });

  it('claims a copy or a renamed object with a warning', async () => {
    const first = await runFunction(listOf([noteRgd, note('a')]));
    const renamed = withItems(first.stdout, (items) =>
      items.map((item) =>
        item.kind === 'ConfigMap' ? { ...item, metadata: { ...(item.metadata as object), name: 'mine' } } : item,
      ),
    );
    const { items, results, stderr } = await runFunction(renamed);
    expect(titles(items)).toEqual(['ResourceGraphDefinition/note', 'Note/a', 'ConfigMap/a', 'ConfigMap/mine']);
    expect(summary(results)).toContain('warning earlier-mismatch');
    expect(stderr).toContain('warning[earlier-mismatch] ConfigMap/mine');
  });

  it('does not change the output of a function of another name', async () => {
    const first = await runFunction(listOf([noteRgd, note('a')], config('{}', 'one')));
    const only = withItems(first.stdout, (items) => items.filter(({ kind }) => kind === 'ConfigMap'));
    const other = await runFunction(listOf([noteRgd, note('b')], config('{}', 'two')));
    const both = withItems(other.stdout, (items) => [...items, ...readItems(only)]);
    const { items, results } = await runFunction(both);
    expect(titles(items)).toEqual(['ResourceGraphDefinition/note', 'Note/b', 'ConfigMap/b', 'ConfigMap/a']);
    expect(summary(results)).not.toContain('warning earlier-mismatch');
  });

  it('fails if the RGD of an earlier object is missing but its instance is not', async () => {
    const first = await runFunction(listOf([noteRgd, note('a')]));
    const without = withItems(first.stdout, (items) => items.filter(({ kind }) => kind !== 'ResourceGraphDefinition'));
    const { code, items, results } = await runFunction(without);
    expect(code).toBe(1);
    expect(summary(results)).toContain('error earlier-without-rgd');
    expect(titles(items)).toEqual(['Note/a', 'ConfigMap/a']);
  });

  it('returns the unchanged items, results, stderr and exit code 1 after an error', async () => {
    const place = 'annotations: {config.kubernetes.io/path: notes/a.yaml, config.kubernetes.io/index: "2"}';
    const broken = `{apiVersion: kro.run/v1alpha1, kind: Note, metadata: {name: a, namespace: desk, ${place}}, spec: {text: 7}}`;
    const input = listOf([noteRgd, broken]);
    const { code, stderr, results, items } = await runFunction(input);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error\[[a-z-]+\] Note\/a: .*\n {2}--> -:\d+:\d+ spec\.text\n/);
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      severity: 'error',
      resourceRef: { apiVersion: 'kro.run/v1alpha1', kind: 'Note', name: 'a', namespace: 'desk' },
      field: { path: 'spec.text' },
      file: { path: 'notes/a.yaml', index: 2n },
      tags: { stage: 'instance' },
    });
    expect(items).toEqual((await runFunction(listOf([noteRgd, broken], config('{nope: 1}')))).items);
    expect(items.map((item) => annotationOf(item, LOCAL))).toEqual([undefined, undefined]);
  });

  it('reports the invalid field of the functionConfig', async () => {
    const { code, results, stderr } = await runFunction(listOf([noteRgd, note('a')], config('{strikt: true}')));
    expect(code).toBe(1);
    expect(results).toMatchObject([
      { field: { path: 'spec.strikt' }, resourceRef: { kind: 'RenderRGD', name: 'render' }, severity: 'error' },
    ]);
    expect(stderr).toContain("error[function-config] functionConfig: unknown option 'strikt'");
  });

  it('fails instead of returning nothing', async () => {
    const empty = await runFunction(listOf([noteRgd]));
    expect({ code: empty.code, results: summary(empty.results) }).toEqual({ code: 1, results: ['error empty-output'] });
    expect((await runFunction(listOf([noteRgd], config('{allowEmpty: true}')))).code).toBe(0);
    const bare = await runFunction('apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n');
    expect(bare.code).toBe(1);
    expect(bare.stdout).toContain('items: []');
  });

  it.each([
    ['{}', 1, 'error[empty-output]: nothing is left to apply, which would delete everything that was'],
    ['{allowEmpty: true}', 0, 'warning[empty-output]: there are no items, so nothing is rendered'],
  ])('reports with %s what kustomize does not pass to a generator', async (spec, code, message) => {
    const hint = 'list the function under transformers: kustomize gives generators no items';
    const configuration = config(spec);
    const id = 'annotations: {config.kubernetes.io/local-config: "true", config.kubernetes.io/index: "0"}';
    const copied = configuration.replace('metadata: {', `metadata: {${id}, `);
    const answer = await runFunction(listOf([copied], configuration));
    expect({ code: answer.code, stderr: answer.stderr }).toEqual({ code, stderr: `${message}\n  hint: ${hint}\n` });
  });

  it('distinguishes a generator from a package that only contains the configuration', async () => {
    const inFile = config('{}').replace(
      'metadata: {',
      'metadata: {annotations: {config.kubernetes.io/path: fn.yaml}, ',
    );
    const { code, stderr } = await runFunction(listOf([inFile], config('{}')));
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('hint: add an instance') });
    expect(await runFunction(listOf([inFile], config('{allowEmpty: true}')))).toMatchObject({ code: 0, stderr: '' });
    expect(await runFunction(listOf([], config('{allowEmpty: true}')))).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['a kustomization', 'resources: [a.yaml]', 'sub/kustomization.yaml'],
    ['a kustomization of a kind', 'kind: Kustomization\nnamePrefix: a-', 'kustomization.yml'],
    ['values', 'image: {tag: v1}', 'chart/values.yaml'],
    ['something of a kind', 'kind: X', 'settings.yaml'],
  ])('does not change items that are not objects: %s', async (_, text, path) => {
    const added = `config.kubernetes.io/index: '0', config.kubernetes.io/path: ${path}, internal.config.kubernetes.io/path: ${path}, config.k8s.io/id: '2'`;
    const item = `${text}\nmetadata: {annotations: {${added}}}`;
    const input = listOf([item, noteRgd, item, note('a')]);
    const { code, stderr, items, results } = await runFunction(input);
    expect({ code, stderr, results: summary(results) }).toEqual({
      code: 0,
      stderr: '',
      // kustomize completes its own files, so their missing fields are not reported.
      results: [
        ...(/kustomization/.test(path) ? [] : ['info not-an-object', 'info not-an-object']),
        'info node-skipped',
      ],
    });
    const came = readItems(input);
    expect([items[0], items[2]]).toEqual([came[0], came[2]]);
    expect(titles(items.filter((one) => 'apiVersion' in one))).toEqual([
      'ResourceGraphDefinition/note',
      'Note/a',
      'ConfigMap/a',
    ]);
    const again = withItems(input, () => items);
    expect((await runFunction(again)).items).toEqual(items);
  });

  it.each([
    ['apiVersion: kro.run/v1alpha1\nspec: {text: a}', 'a.yaml', 'it has apiVersion but no kind'],
    ['kind: Note\nmetadata: {name: a}', 'a.yaml', 'it has kind but no apiVersion'],
    ['kind: Note\nmetadata: {name: a}', undefined, 'an item must be an object with apiVersion and kind'],
    ['resources: [a.yaml]', undefined, 'an item must be an object with apiVersion and kind'],
    ['text', undefined, 'an item must be an object with apiVersion and kind'],
  ])('rejects an item that lost a field: %j in %s', async (text, path, message) => {
    const item = readStream(text).documents[0]?.value;
    const placed = (value: object): object => {
      const metadata = 'metadata' in value ? (value.metadata as object) : {};
      return { ...value, metadata: { ...metadata, annotations: { 'config.kubernetes.io/path': path } } };
    };
    const written = JSON.stringify(path === undefined ? item : placed(item as object));
    const { code, stderr } = await runFunction(listOf([noteRgd, note('a'), written]));
    expect(code).toBe(1);
    expect(stderr).toContain(`: ${message}\n  --> `);
    expect(stderr).toContain(' items[2]\n');
  });

  it('reports the first location of a duplicate RGD, and the fix', async () => {
    const overlay = (name: string): string => noteRgd.replace('{name: note}', `{name: note, namespace: ${name}}`);
    const { code, stderr } = await runFunction(listOf([overlay('a'), note('a'), overlay('b')]));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error\[kind-defined-twice\] .* is defined by the RGD 'note' already \(-:\d+:\d+\)\n(.*\n)* {2}hint: remove one of them; .* read it once with definitions\n/,
    );
  });

  it('leaves the instances of a subpackage to the package above, even if they were rendered there', async () => {
    const { items } = await runFunction(listOf([noteRgd, note('a')]));
    const sub = withItems(listOf([]), () => items.filter(({ kind }) => kind === 'Note'));
    const { code, stdout, results } = await runFunction(sub);
    expect({ code, results: summary(results) }).toEqual({ code: 0, results: ['warning undefined-kind'] });
    expect(stdout.startsWith(sub)).toBe(true);
  });

  it('marks members of a List in their place and puts rendered objects after the List', async () => {
    const { stdout: flat } = await runFunction(listOf([noteRgd, note('a')]));
    const list = withItems(listOf([]), () => [
      { apiVersion: 'v1', kind: 'List', items: readItems(listOf([noteRgd, note('a')])) },
    ]);
    const { items, code } = await runFunction(list);
    expect({ code, kinds: items.map(({ kind }) => kind) }).toEqual({ code: 0, kinds: ['List', 'ConfigMap'] });
    const [marked, rendered] = items as [KubeObject, KubeObject];
    expect([...(marked.items as KubeObject[]), rendered]).toEqual(readItems(flat));
    expect((await runFunction(withItems(list, () => items))).items).toEqual(items);
  });

  it('keeps observed objects, marked local-config', async () => {
    const observed =
      '{apiVersion: v1, kind: Secret, metadata: {name: s, annotations: {render-rgd.dev/observed: "true"}}}';
    const { items } = await runFunction(listOf([noteRgd, note('a'), observed]));
    expect(annotationOf(named(items, 'Secret/s') as KubeObject, LOCAL)).toBe('true');
  });

  it.each(['', 'not: a list', '{apiVersion: v1, kind: List, items: []}', '--- {}\n--- {}\n', 'a: [', 'text'])(
    'rejects %j with exit code 1 and empty stdout',
    async (stdin) => {
      const { code, stdout, stderr } = await runFunction(stdin);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/error\[(resource-list|yaml-syntax)\]/);
    },
  );
});

function readItems(list: string): KubeObject[] {
  const items: KubeObject[] = [];
  withItems(list, (own) => {
    items.push(...own);
    return own;
  });
  return items;
}
