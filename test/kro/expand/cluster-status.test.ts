import { describe, expect, it } from 'vitest';
import { render } from '../../../src/api/index.ts';

/** An RGD whose instance has a status of expressions over the ConfigMap `conf`, and one that reads it. */
const packageOf = (status: string, read: string): string => `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: inner}
spec:
  schema: {apiVersion: v1alpha1, kind: Inner, spec: {}, status: ${status}}
  resources:
    - id: conf
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {a: x}}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {}}
  resources:
    - id: inner
      template: {apiVersion: kro.run/v1alpha1, kind: Inner, metadata: {name: inner}, spec: {}}
    - id: copy
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: copy}, data: {v: '\${${read}}'}}
---
{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: one, namespace: team-a}, spec: {}}
`;

const uid = '5f3c7d1e-0000-4000-8000-000000000001';
const instance = (rest: object): object => ({ apiVersion: 'kro.run/v1alpha1', kind: 'Inner', ...rest });

function result(status: string, read: string, observed: readonly object[] = []): { codes: string[]; copied: unknown } {
  const input = {
    objects: [{ file: 'a.yaml', text: packageOf(status, read) }],
    observed: observed.map((one) => ({ file: 'live.json', text: JSON.stringify(one) })),
  };
  const { objects, diagnostics } = render(input);
  const copy = objects.find(({ metadata }) => (metadata as { name?: string }).name === 'copy') as { data?: unknown };
  return { codes: diagnostics.map(({ code }) => code), copied: (copy?.data as { v?: unknown } | undefined)?.v };
}

describe('a field of a status that depends on what only a cluster adds to an object', () => {
  it.each<[string, string, string]>([
    ['a whole object', "{all: '${conf}'}", 'json.marshal(inner.status.all)'],
    ['whole metadata', "{meta: '${conf.metadata}'}", 'json.marshal(inner.status.meta)'],
    ['a field with a fallback', `{uid: '\${conf.metadata.?uid.orValue("none")}'}`, 'inner.status.uid'],
    ['the existence of a field', "{known: '${has(conf.metadata.uid)}'}", 'string(inner.status.known)'],
    ['a text', "{text: 'of ${json.marshal(conf)}'}", 'inner.status.text'],
    ['an item of a list', "{list: ['${conf}']}", 'json.marshal(inner.status.list)'],
    ['a field of an item of a list', "{rows: [{all: '${conf}'}]}", 'json.marshal(inner.status.rows[0])'],
    ['a read with a fallback', "{all: '${conf}'}", 'inner.status.?all.?metadata.?uid.orValue("none")'],
    ['the whole status', "{all: '${conf}'}", 'json.marshal(inner.status)'],
  ])('%s: its reader is pending', (_, status, read) => {
    expect(result(status, read).codes).toContain('pending-value');
  });

  it.each<[string, string, string, string]>([
    ['another field of the object', "{all: '${conf}'}", 'inner.status.all.data.a', 'x'],
    ['another field of the status', "{all: '${conf}', word: '${conf.data.a}'}", 'inner.status.word', 'x'],
  ])('a reader of %s is rendered', (_, status, read, copied) => {
    expect(result(status, read)).toEqual({ codes: [], copied });
  });

  it('is known if the object is observed', () => {
    const metadata = { name: 'conf', namespace: 'team-a', uid };
    const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    expect(result('{uid: \'${conf.metadata.?uid.orValue("none")}\'}', 'inner.status.uid', [live])).toEqual({
      codes: [],
      copied: uid,
    });
  });

  it('is known if it is observed itself', () => {
    const live = instance({ metadata: { name: 'inner', namespace: 'team-a' }, status: { uid } });
    expect(result('{uid: \'${conf.metadata.?uid.orValue("none")}\'}', 'inner.status.uid', [live])).toEqual({
      codes: [],
      copied: uid,
    });
  });

  it('is not known if only the instance is observed', () => {
    const live = instance({ metadata: { name: 'inner', namespace: 'team-a', uid } });
    const { codes } = result('{uid: \'${conf.metadata.?uid.orValue("none")}\'}', 'inner.status.uid', [live]);
    expect(codes).toContain('pending-value');
  });
});
