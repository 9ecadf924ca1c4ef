import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { get, type ValueMap } from '../../src/core/model/value.ts';
import {
  canonical,
  compared,
  type Disagreement,
  disagreement,
  ours,
  theirs,
  type Verdict,
  withoutValueless,
} from './compare.ts';
import { configMap, nextPurposes, packageWith, purposeOf, purposes } from './on-purpose.ts';

const input = { objects: [], observed: [] };
const applied = (...names: string[]): Verdict => ({
  id: '1',
  objects: names.map((name) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { 'kro.run/x': 'y' } },
  })),
});
const refused = (stage: string): Verdict => ({ id: '1', stage, error: 'no' });
const found = (mine: Verdict, judged: Verdict): string | undefined =>
  disagreement(theirs(mine, input), theirs(judged, input))?.group;

describe('the comparison of two results', () => {
  it('accepts equal objects, early rejections, and values that stay pending', () => {
    expect(found(applied('a', 'b'), applied('a', 'b'))).toBeUndefined();
    expect(found(refused('parse'), refused('crd'))).toBeUndefined();
    expect(found(refused('expand'), refused('pending'))).toBeUndefined();
    const badLabel = { ...theirs(refused('expand'), input), code: 'object-label' };
    expect(disagreement(badLabel, theirs(refused('instance'), input))).toBeUndefined();
    expect(disagreement(badLabel, theirs(refused('compile'), input))?.group).toBe('expand / refused: object-label');
  });

  it('accepts a failing expression here for a rendered object that an API server rejects', () => {
    const known = packageWith('');
    const verdict = { ...refused('instance'), subject: 'ConfigMap/x' };
    expect(disagreement(theirs(refused('expand'), known), theirs(verdict, known))).toBeUndefined();
    const instance = { ...verdict, subject: 'App/one' };
    expect(disagreement(theirs(refused('expand'), known), theirs(instance, known))?.stages).toEqual([
      'expand',
      'refused',
    ]);
    expect(disagreement(theirs(applied('a'), known), theirs(verdict, known))?.stages).toEqual(['', 'refused']);
  });

  it.each([
    [applied('a'), applied('a', 'b'), 'an object is missing here'],
    [applied('a', 'b'), applied('a'), 'an object is missing there'],
    [applied('a', 'b'), applied('b', 'a'), 'the order differs'],
    [applied('a'), refused('compile'), 'ok / refused: no'],
    [refused('pending'), refused('expand'), 'pending / expand: no'],
  ])('reports differences', (mine, judged, group) => expect(found(mine, judged)).toBe(group));

  it('is repeated without computed labels that have no value', () => {
    const input = packageWith(
      configMap('a', "name: x, labels: {b: '${optional.none()}', c: '${\"d\"}', e: null, f: g}"),
    );
    const labels = (all: ValueMap): Verdict => ({
      id: '1',
      objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', labels: all } }],
    });
    expect(withoutValueless(input, labels({ c: 'd', f: 'g' }))).toBeUndefined();
    const without = withoutValueless(input, labels({ b: '', c: 'd', e: null, f: 'g' }));
    expect(without).toEqual(packageWith(configMap('a', 'name: x, labels: {c: \'${"d"}\', f: g}')));
  });

  it('compares fields of objects, not the form of numbers or the order of keys', () => {
    expect(canonical({ b: 1n, a: 1.5 })).toBe(canonical({ a: 1.5, b: 1 } as never));
  });
});

describe('a diagnostic of a package', () => {
  const conf = (id: string, value: string): string =>
    `{id: ${id}, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${id}}, data: {v: '\${${value}}'}}}`;
  const [waits, lacks, fails] = [
    conf('a', 'known.metadata.uid'),
    conf('b', 'schema.spec.zones[0]'),
    conf('c', 'schema.spec.name.substring(9)'),
  ];
  const condition = conf('d', '"x"').replace('{id: d,', '{id: d, includeWhen: [\'${schema.spec.zones[0] == ""}\'],');
  const known = '{id: known, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: known}}}';
  it.each<[string, string[]]>([
    ['c', [known, waits, lacks, fails]],
    ['c', [lacks, fails]],
    ['b', [known, waits, lacks]],
    ['a', [known, waits]],
    ['d', [known, waits, lacks, condition]],
    ['c', [fails, condition]],
  ])('covers what kro does not wait for: node %s', (node, resources) => {
    const input = packageWith(resources.join(', '), 'name: string, zones: "[]string"', 'name: Web, zones: []');
    expect(ours(input).message.split(' ')[1]).toBe(node);
  });

  it('names the instance that kro reports', () => {
    const input = packageWith(lacks, 'name: string, zones: "[]string"', 'name: Web, zones: []');
    const other = input.objects.find(({ kind }) => kind === 'App');
    input.objects.push({ ...other, metadata: { name: 'other' }, spec: { name: 5 } } as never);
    const verdict = { id: '1', stage: 'pending', error: 'no such key: zones' };
    expect(ours(input).stage).toBe('instance');
    expect(compared(input, { ...verdict, subject: 'App/one' })).toBeUndefined();
    expect(compared(input, { ...verdict, subject: 'App/other' })?.group).toBe('refused / pending: instance-type');
  });
});

describe('a rejection of a rendered object by an API server', () => {
  const refusal =
    'Port.example.com "x" is invalid: spec.port: Invalid value: "boolean": must be an integer or a string';
  const waiting = {
    id: 'b',
    template: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'b' },
      data: { uid: '${a.metadata.uid}' },
    },
  };
  const sampled = purposes.find(({ reason }) => reason.includes('validate does'))?.sample;
  const withWaiting = {
    observed: [],
    objects: structuredClone(sampled?.objects ?? []).map((object) => {
      const resources = get(object.spec, 'resources');
      if (Array.isArray(resources)) resources.push(waiting);
      return object;
    }),
  };
  const told = (found: Pick<Disagreement, 'stages' | 'theirs'>): string | undefined =>
    purposeOf({ group: '', ours: '', ...found }, withWaiting)?.reason;

  it('is expected if validate reports it, whether or not other nodes are pending', () => {
    expect(ours(withWaiting)).toMatchObject({ stage: 'pending', code: 'pending-value' });
    expect(told({ stages: ['pending', 'refused'], theirs: refusal })).toContain('validate does');
    expect(told({ stages: ['', 'refused'], theirs: refusal })).toContain('validate does');
  });

  it('is open if validate does not report it, or another error is reported', () => {
    expect(told({ stages: ['pending', 'refused'], theirs: refusal.replace('spec.port', 'spec.size') })).toBeUndefined();
    expect(told({ stages: ['expand', 'refused'], theirs: refusal })).toBeUndefined();
    expect(told({ stages: ['pending', 'expand'], theirs: refusal })).toBeUndefined();
  });
});

it('a copy of a label without a value counts as the label', () => {
  const labelled = configMap('a', "name: a, labels: {team: '${optional.none()}', b: c}");
  const copy = configMap('b', 'name: b', ", data: '${a.metadata.labels}'");
  const input = packageWith([labelled, copy].join(', '));
  const object = (name: string, rest: object): ValueMap =>
    ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ...rest } }) as ValueMap;
  const [a, b] = [object('a', { labels: { team: '', b: 'c' } }), object('b', {})];
  const verdict = (data: ValueMap): Verdict => ({ id: '1', objects: [a, { ...b, data }] });
  const group = (data: ValueMap): string | undefined => compared(input, verdict(data))?.group;
  const own = JSON.parse(ours(input).objects.get('v1 ConfigMap default b') ?? '{}').data as ValueMap;
  expect(group({ ...own, team: '' })).toBe('labels or annotations without a value differ');
  expect(group({ ...own, team: 'x' })).toBe('objects differ');
  expect(group({ ...own, other: '' })).toBe('objects differ');
});

describe('a deliberate difference', () => {
  const page = readFileSync('docs/differences.md', 'utf8').replace(/\s+/g, ' ');

  it.each([...purposes, ...nextPurposes])('is documented: $documented', ({ documented }) => {
    expect(page).toContain(documented);
  });
});
