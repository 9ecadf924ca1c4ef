import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { getAt, type ValueMap } from '../../../src/core/model/value.ts';
import { digestOf } from '../../../src/render/rerender/index.ts';
import { toYaml } from '../../../src/yaml/emit/yaml.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { runs } from '../../properties/runs.ts';
import { values } from '../../properties/values.ts';
import { type Answer, config, listOf, note, noteRgd, runFunction, titles, withItems } from './packages.ts';

const kptfile = (name: string, more = ''): string =>
  `{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: ${name}}, pipeline: {mutators: [{exec: render-rgd${more}}]}}`;
const told = ({ results }: Answer): string[] =>
  results
    .map((result) => `${result.severity} ${getAt(result, ['tags', 'code'])}`)
    .filter((one) => !/node-skipped/.test(one));
const without = (list: string, ...gone: string[]): string =>
  withItems(list, (items) => items.filter((item) => !gone.includes(titles([item])[0] as string)));
type Change = (item: KubeObject) => KubeObject;
const changed = (list: string, title: string, change: Change): string =>
  withItems(list, (items) => items.map((item) => (titles([item])[0] === title ? change(item) : item)));
const withData: Change = (item) => ({ ...item, data: { text: 'by hand' } });
const annotated =
  (annotations: ValueMap): Change =>
  (item) => {
    const metadata = item.metadata as ValueMap;
    return {
      ...item,
      metadata: { ...metadata, annotations: { ...(metadata.annotations as ValueMap), ...annotations } },
    };
  };
const labelled: Change = (item) => {
  const metadata = item.metadata as ValueMap;
  return { ...item, metadata: { ...metadata, labels: { ...(metadata.labels as ValueMap), team: 'blue' } } };
};
/** Output of version 0.1. */
const withoutDigest: Change = (item) => {
  const metadata = item.metadata as ValueMap;
  const { 'render-rgd.dev/digest': _, ...annotations } = metadata.annotations as ValueMap;
  return { ...item, metadata: { ...metadata, annotations } };
};

/** Two instances in a rendered package. */
const rendered = async (name = 'p', more = ''): Promise<string> =>
  (await runFunction(listOf([kptfile(name, more), noteRgd, note('a'), note('b')]))).stdout;

async function settled(list: string): Promise<{ answer: Answer; stays: boolean }> {
  const answer = await runFunction(list);
  expect(answer.code, answer.stderr).toBe(0);
  const again = await runFunction(answer.stdout);
  expect(titles(again.items)).toEqual(titles(answer.items));
  return { answer, stays: titles(answer.items).includes('ConfigMap/a') };
}

describe('an object that is no longer rendered', () => {
  it('is removed if it is unchanged output', async () => {
    const { answer, stays } = await settled(without(await rendered(), 'Note/a'));
    expect({ stays, told: told(answer) }).toEqual({ stays: false, told: ['info earlier-removed'] });
  });

  it.each<[string, (list: string) => string]>([
    ['was edited', (list) => changed(list, 'ConfigMap/a', withData)],
    ['got a label of its own', (list) => changed(list, 'ConfigMap/a', labelled)],
    ['got an annotation of its own', (list) => changed(list, 'ConfigMap/a', annotated({ mine: 'x' }))],
    ['was rendered by version 0.1', (list) => changed(list, 'ConfigMap/a', withoutDigest)],
    ['was copied from another package', (list) => list.replace('name: p\n', 'name: q\n')],
    ['lost its RGD', (list) => without(list, 'ResourceGraphDefinition/note', 'Note/b', 'ConfigMap/b')],
  ])('is kept with a warning if it %s', async (_, change) => {
    const { answer, stays } = await settled(change(without(await rendered(), 'Note/a')));
    expect(stays).toBe(true);
    expect(told(answer)).toContain('warning earlier-doubtful');
  });

  it.each<[string, Change]>([
    [
      'the annotations of runners',
      annotated({ 'config.kubernetes.io/path': 'a.yaml', 'internal.config.kubernetes.io/x': '1' }),
    ],
    [
      'another order of keys',
      ({ kind, apiVersion, ...item }) => ({ ...Object.fromEntries(Object.entries(item).reverse()), kind, apiVersion }),
    ],
  ])('is removed in spite of %s', async (_, change) => {
    const { stays } = await settled(changed(without(await rendered(), 'Note/a'), 'ConfigMap/a', change));
    expect(stays).toBe(false);
  });

  it('is removed in spite of a label that an earlier function sets on all objects', async () => {
    const list = without(await rendered(), 'Note/a');
    const { answer, stays } = await settled(
      withItems(list, (items) => items.map((item) => (item.kind === 'Kptfile' ? item : labelled(item)))),
    );
    expect({ stays, told: told(answer) }).toEqual({ stays: false, told: ['info earlier-removed'] });
  });

  it.each([', exclude: [{kind: Note}]', ', selectors: [{kind: ConfigMap}]'])(
    'is kept if the Kptfile hides items: %s',
    async (more) => {
      const { answer, stays } = await settled(without(await rendered('p', more), 'Note/a'));
      expect({ stays, told: told(answer) }).toEqual({ stays: true, told: ['warning earlier-part'] });
    },
  );

  it('is kept if all of its sources are hidden', async () => {
    const hidden = ['ResourceGraphDefinition/note', 'Note/a', 'Note/b'];
    const { answer, stays } = await settled(without(await rendered('p', ', exclude: [{kind: Note}]'), ...hidden));
    expect({ stays, told: told(answer) }).toEqual({ stays: true, told: ['warning earlier-part'] });
  });

  it('is kept with a warning if function and instance were renamed together', async () => {
    const first = await runFunction(listOf([noteRgd, note('a')], config('{}', 'one')));
    const items = without(first.stdout, 'Note/a').replace('name: one', 'name: two');
    const renamed = withItems(items, (all) => [
      ...all,
      ...(readStream(note('b')).documents.map(({ value }) => value) as KubeObject[]),
    ]);
    const { answer, stays } = await settled(renamed);
    expect({ stays, told: told(answer) }).toEqual({ stays: true, told: ['warning earlier-elsewhere'] });
  });

  it('is kept while a node of its instance is pending, even if its own node was renamed', async () => {
    const waiting = noteRgd
      .replace('- id: text', '- id: renamed')
      .replace('data: {text: "${schema.spec.text}"}', 'data: {text: "${copy.status.text}"}')
      .replace('includeWhen: ["${schema.spec.copy}"]', '')
      .replace(
        'apiVersion: v1\n        kind: ConfigMap\n        metadata: {name: "${schema.metadata.name}-copy"}\n        data: {text: "${schema.spec.text}"}',
        'apiVersion: v1\n        kind: Service\n        metadata: {name: "${schema.metadata.name}-copy"}',
      )
      .replace('${copy.status.text}', '${copy.status.loadBalancer.ingress[0].ip}');
    const rgd = readStream(waiting).documents[0]?.value as KubeObject;
    const first = await runFunction(listOf([noteRgd, note('a')], config('{onPending: skip}')));
    const { answer, stays } = await settled(
      withItems(first.stdout, (items) => items.map((item) => (item.kind === rgd.kind ? rgd : item))),
    );
    expect(stays).toBe(true);
    expect(told(answer)).toContain('info earlier-kept');
  });
});

describe('two earlier objects of one identity', () => {
  const twice = (list: string, change: Change): string =>
    withItems(list, (items) =>
      items.flatMap((item) => {
        const path = annotated({ 'config.kubernetes.io/path': 'other.yaml' });
        return titles([item])[0] === 'ConfigMap/a' ? [item, change(path(item))] : [item];
      }),
    );

  it('are merged if they are equal, with a diagnostic', async () => {
    const answer = await runFunction(twice(await rendered(), (item) => item));
    expect(titles(answer.items).filter((title) => title === 'ConfigMap/a')).toHaveLength(1);
    expect({ code: answer.code, told: told(answer) }).toEqual({ code: 0, told: ['info earlier-removed'] });
  });

  it('are an error if they differ', async () => {
    const list = twice(await rendered(), withData);
    const answer = await runFunction(list);
    expect({ code: answer.code, told: told(answer) }).toEqual({ code: 1, told: ['error identity-collision'] });
    expect(answer.stderr).toMatch(/and they differ \(-:\d+:\d+\)/);
    expect(titles(answer.items).filter((title) => title === 'ConfigMap/a')).toHaveLength(2);
  });

  it('are kept if they differ and are no longer rendered', async () => {
    const { answer, stays } = await settled(without(twice(await rendered(), withData), 'Note/a'));
    expect(stays).toBe(true);
    expect(told(answer).sort()).toEqual(['info earlier-removed', 'warning earlier-doubtful']);
  });
});

describe('an object that is rendered again', () => {
  it('is overwritten with a warning if it was edited', async () => {
    const list = await rendered();
    const answer = await runFunction(changed(list, 'ConfigMap/a', withData));
    expect({ code: answer.code, told: told(answer) }).toEqual({ code: 0, told: ['warning earlier-changed'] });
    expect(answer.items).toEqual((await runFunction(list)).items);
  });

  it('is not reported if its instance was changed', async () => {
    const answer = await runFunction(
      changed(await rendered(), 'Note/a', (item) => ({ ...item, spec: { text: 'new' } })),
    );
    expect(told(answer)).toEqual([]);
  });

  it('gets a digest if version 0.1 rendered it', async () => {
    const list = await rendered();
    const answer = await runFunction(changed(list, 'ConfigMap/a', withoutDigest));
    expect(told(answer)).toEqual([]);
    expect(answer.stdout).toBe((await runFunction(list)).stdout);
  });
});

it('the digest of an object does not change when it is written and read', () => {
  fc.assert(
    fc.property(values, (spec) => {
      const object: KubeObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec: { a: spec } };
      const read = readStream(toYaml([object])).documents[0]?.value as KubeObject;
      expect(digestOf(read)).toBe(digestOf(object));
    }),
    runs(300),
  );
});
