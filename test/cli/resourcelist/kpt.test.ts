import { describe, expect, it } from 'vitest';
import { annotationOf, type KubeObject } from '../../../src/core/model/object.ts';
import { get, getAt, type ValueMap } from '../../../src/core/model/value.ts';
import { type Answer, config, listOf, note, noteRgd, runFunction, titles, withItems } from './packages.ts';

type Change = (item: KubeObject) => KubeObject;
const IDENTIFIER = 'internal.kpt.dev/upstream-identifier';
const annotated =
  (annotations: ValueMap): Change =>
  (item) => {
    const metadata = item.metadata as ValueMap;
    return {
      ...item,
      metadata: { ...metadata, annotations: { ...(metadata.annotations as ValueMap), ...annotations } },
    };
  };
const where = (list: string, test: (item: KubeObject) => boolean, change: Change): string =>
  withItems(list, (items) => items.map((item) => (test(item) ? change(item) : item)));
const without = (list: string, ...gone: string[]): string =>
  withItems(list, (items) => items.filter((item) => !gone.includes(titles([item])[0] as string)));
const isConfigMap = ({ kind }: KubeObject): boolean => kind === 'ConfigMap';
const isNote = ({ kind }: KubeObject): boolean => kind === 'Note';
const codes = ({ results }: Answer): string[] =>
  results
    .map((result) => `${result.severity} ${getAt(result, ['tags', 'code'])}`)
    .filter((one) => !one.includes('node-skipped'));
const kptfile = (name: string, folder?: string, mutators = '[{exec: render-rgd}]'): string =>
  `{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: ${name}${at(folder, 'Kptfile')}}, pipeline: {mutators: ${mutators}}}`;
const at = (folder: string | undefined, file: string): string =>
  folder === undefined
    ? ''
    : `, annotations: {config.kubernetes.io/path: ${file}, internal.config.kubernetes.io/package-path: ${folder}}`;

describe('changes that kpt and kustomize make in rendered objects', () => {
  const written: ValueMap[] = [
    { [IDENTIFIER]: '|ConfigMap|desk|a' },
    { 'internal.kpt.dev/anything': 'x' },
    { 'internal.config.k8s.io/kpt-resource-id': '3' },
    { 'internal.config.kubernetes.io/seqindent': 'compact' },
    { 'config.kubernetes.io/merge-source': 'dest' },
    { 'config.kubernetes.io/origin': 'path: a.yaml' },
    { 'alpha.config.kubernetes.io/transformations': '- x' },
    { 'config.k8s.io/owning-inventory': 'x' },
  ];

  it.each(written.map((annotations) => [Object.keys(annotations)[0], annotations] as const))(
    'are not edits: %s',
    async (_, annotations) => {
      const { stdout } = await runFunction(listOf([kptfile('p'), noteRgd, note('a'), note('b')]));
      const touched = where(stdout, isConfigMap, annotated(annotations));
      const again = await runFunction(touched);
      expect(codes(again).filter((one) => one.includes('earlier'))).toEqual([]);
      const gone = await runFunction(without(touched, 'Note/a'));
      expect(codes(gone)).toEqual(['info earlier-removed']);
      expect(titles(gone.items)).not.toContain('ConfigMap/a');
    },
  );

  const bucketRgd = noteRgd
    .replaceAll('apiVersion: v1\n', 'apiVersion: storage.cnrm.cloud.google.com/v1beta1\n')
    .replaceAll('kind: ConfigMap', 'kind: StorageBucket')
    .replaceAll('data: {text', 'spec: {text');
  it.each([
    ['kpt-fn', true],
    ['kpt-pkg-fn-live', true],
    ['cnrm/landing-zone:networking/v0.4.0,kpt-fn', false],
    ['mine', false],
  ])('are not edits: the attribution %s to kpt (%s)', async (value, goes) => {
    const { stdout } = await runFunction(listOf([kptfile('p'), bucketRgd, note('a'), note('b')]));
    const isBucket = ({ kind }: KubeObject): boolean => kind === 'StorageBucket';
    const touched = where(stdout, isBucket, annotated({ 'cnrm.cloud.google.com/blueprint': value }));
    const { items } = await runFunction(without(touched, 'Note/a'));
    expect(titles(items).includes('StorageBucket/a')).toBe(!goes);
  });

  it('are edits in other objects: an attribution to kpt', async () => {
    const { stdout } = await runFunction(listOf([kptfile('p'), noteRgd, note('a'), note('b')]));
    const touched = where(stdout, isConfigMap, annotated({ 'cnrm.cloud.google.com/blueprint': 'kpt-fn' }));
    const gone = await runFunction(without(touched, 'Note/a'));
    expect(titles(gone.items)).toContain('ConfigMap/a');
  });

  it('are invisible to expressions', async () => {
    const copying = noteRgd.replace(
      'metadata: {name: "${schema.metadata.name}"}',
      'metadata: {name: "${schema.metadata.name}", annotations: "${schema.metadata.annotations}"}',
    );
    const all = Object.assign({ 'example.org/own': 'x' }, ...written) as ValueMap;
    const { items, stderr } = await runFunction(where(listOf([copying, note('a')]), isNote, annotated(all)));
    expect(stderr).toBe('');
    const keys = Object.keys(getAt(items.find(isConfigMap), ['metadata', 'annotations']) as ValueMap);
    expect(keys.filter((key) => !key.startsWith('render-rgd.dev/'))).toEqual(['example.org/own']);
  });
});

describe('the function after kpt pkg update', () => {
  const fetched = (list: string): string => where(list, isNote, annotated({ [IDENTIFIER]: 'kro.run|Note|desk|x' }));
  const updated = (list: string): string => where(list, () => true, annotated({ [IDENTIFIER]: 'x' }));
  const input = listOf([kptfile('p'), noteRgd, note('a'), note('b')]);

  it('warns once of instances of upstream that the mark keeps', async () => {
    const first = await runFunction(fetched(input));
    expect(codes(first)).toEqual([]);
    const second = await runFunction(updated(first.stdout));
    expect(codes(second)).toEqual(['warning upstream-instance-kept']);
    expect(second.results[0]?.message).toContain('Note/a, Note/b');
    expect(codes(await runFunction(second.stdout))).toEqual([]);
  });

  it('does not warn of instances that were added here', async () => {
    const first = await runFunction(input);
    expect(codes(await runFunction(updated(first.stdout)))).toEqual([]);
  });

  it('does not warn, or write into instances, if upstream has set local-config', async () => {
    const local = where(fetched(input), isNote, annotated({ 'config.kubernetes.io/local-config': 'true' }));
    const first = await runFunction(local);
    const notes = first.items.filter(isNote).map((item) => get(item.metadata as ValueMap, 'annotations'));
    expect(notes.map((annotations) => Object.keys(annotations as ValueMap))).toEqual([
      [IDENTIFIER, 'config.kubernetes.io/local-config'],
      [IDENTIFIER, 'config.kubernetes.io/local-config'],
    ]);
    expect(codes(await runFunction(updated(first.stdout)))).toEqual([]);
  });
});

describe('a subpackage that renders on its own', () => {
  const inPackage = (text: string, folder: string): string =>
    withItems(listOf([text]), (items) =>
      items.map(
        annotated({
          'config.kubernetes.io/path': `${titles(items)[0]?.replace('/', '-').toLowerCase()}.yaml`,
          'internal.config.kubernetes.io/package-path': folder,
        }),
      ),
    );
  const items = (...texts: string[]): string => withItems(listOf([]), () => texts.flatMap((text) => readItemsOf(text)));
  const readItemsOf = (text: string): KubeObject[] => {
    let read: KubeObject[] = [];
    withItems(text.includes('ResourceList') ? text : listOf([text]), (all) => {
      read = all;
      return all;
    });
    return read;
  };
  const top = '/x/top';
  const sub = '/x/top/sub';
  const digests = ({ items: all }: Answer): string[] =>
    all.filter(isConfigMap).map((item) => String(annotationOf(item, 'render-rgd.dev/digest')).replace(/\/.*/, ''));

  it('gives its objects the same digests as the package above', async () => {
    const own = [kptfile('sub', sub), inPackage(noteRgd, sub), inPackage(note('a'), sub), inPackage(note('b'), sub)];
    const alone = await runFunction(items(...own));
    const together = await runFunction(
      withItems(alone.stdout, (all) => [
        ...all,
        ...readItemsOf(kptfile('top', top)),
        ...readItemsOf(inPackage(note('c'), top)),
      ]),
    );
    expect({ alone: digests(alone), together: digests(together) }).toEqual({
      alone: ['sub', 'sub'],
      together: ['sub', 'sub', 'top'],
    });
    const isOfSub = (item: KubeObject): boolean =>
      !['Kptfile/top', 'Note/c', 'ConfigMap/c'].includes(titles([item])[0] as string);
    const again = await runFunction(
      without(
        withItems(together.stdout, (all) => all.filter(isOfSub)),
        'Note/b',
      ),
    );
    expect({ titles: titles(again.items).filter((one) => /ConfigMap/.test(one)), codes: codes(again) }).toEqual({
      titles: ['ConfigMap/a'],
      codes: ['info earlier-removed'],
    });
  });

  it.each([
    ['the RGD is above', kptfile('sub', sub), top, []],
    ['it does not render', kptfile('sub', sub, '[]'), sub, []],
    [
      'a live object is above',
      kptfile('sub', sub),
      sub,
      ['{apiVersion: v1, kind: Secret, metadata: {name: s, annotations: {render-rgd.dev/observed: "true"}}}'],
    ],
  ])('leaves its objects to the package above when %s', async (_, subpackage, rgdFolder, above) => {
    const answer = await runFunction(
      items(
        kptfile('top', top),
        subpackage,
        inPackage(noteRgd, rgdFolder),
        inPackage(note('a'), sub),
        ...above.map((text) => inPackage(text, top)),
      ),
    );
    expect(digests(answer)).toEqual(['top']);
  });
});

describe('a function without a name', () => {
  const input = [noteRgd, note('a')];
  const configMap = '{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {strict: "true"}}';

  it.each([
    ['kpt fn eval, then kpt fn render', configMap, undefined],
    ['kpt fn render, then kpt fn eval', undefined, configMap],
    ['function-input of an earlier version', undefined, undefined],
  ])('is the same function: %s', async (name, first, second) => {
    const { stdout } = await runFunction(listOf(input, first));
    const earlier = name.endsWith('version') ? stdout.replaceAll(': default/', ': function-input/') : stdout;
    const again = await runFunction(
      withItems(listOf([], second), () => {
        let all: KubeObject[] = [];
        withItems(earlier, (own) => {
          all = own;
          return own;
        });
        return all;
      }),
    );
    expect({ code: again.code, codes: codes(again) }).toEqual({ code: 0, codes: [] });
    expect(titles(again.items)).toEqual(['ResourceGraphDefinition/note', 'Note/a', 'ConfigMap/a']);
    expect(again.stdout).not.toContain('function-input/');
  });

  it('is not the same as one with a name', async () => {
    const { stdout } = await runFunction(listOf(input, config('{}', 'mine')));
    const again = await runFunction(stdout.replace('name: mine', 'name: function-input'));
    expect(again.code).toBe(1);
  });
});
