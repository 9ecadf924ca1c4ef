import { expect, it } from 'vitest';
import type { KubeObject } from '../../src/core/model/object.ts';
import type { Api } from './control-plane/api.ts';
import { serveCrds } from './crds.ts';
import { readPackageText } from './documents.ts';

const [crd] = readPackageText(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.acme.test}
spec:
  group: acme.test
  names: {kind: Gear, plural: gears}
  versions: [{name: v1, served: true}, {name: v0, served: false}]
`) as [KubeObject];

type Conditions = Record<string, string>;

/** An API server that returns the listed conditions one after the other, and then the last one. */
function serverWith(readings: readonly Conditions[], more: Partial<Api> = {}) {
  let time = 0;
  const asked: string[] = [];
  const api: Pick<Api, 'create' | 'read' | 'knows'> = {
    create: async () => ({ status: 201, body: {} }),
    read: async () => {
      const now = readings[Math.min(time, readings.length - 1)] ?? {};
      const conditions = Object.entries(now).map(([type, status]) => ({ type, status, reason: 'R', message: 'why' }));
      time += 1;
      return { status: 200, body: { status: { conditions } } };
    },
    knows: async ({ apiVersion, kind }) => asked.push(`${apiVersion} ${kind}`) > 0,
    ...more,
  };
  return { api, asked, patience: { poll: 0, longest: 5, now: () => time }, time: () => time };
}

it('waits until a CRD is established and its resources are listed', async () => {
  const { api, asked, patience } = serverWith([{}, { NamesAccepted: 'True' }, { Established: 'True' }]);
  expect(await serveCrds(api, [crd], patience)).toEqual(new Map());
  expect(asked).toEqual(['acme.test/v1 Gear']);
});

it('waits while the state changes', async () => {
  const steps = Array.from({ length: 12 }, (_, step) => ({ [`Step${step}`]: 'True' }));
  const { api, patience, time } = serverWith([...steps, { Established: 'True' }]);
  expect(await serveCrds(api, [crd], patience)).toEqual(new Map());
  expect(time()).toBe(13);
});

it('reports what a CRD is waiting for if nothing changes', async () => {
  const { api, patience } = serverWith([{ NamesAccepted: 'True', Established: 'False' }]);
  const reason = 'NamesAccepted=True R: why; Established=False R: why';
  expect(await serveCrds(api, [crd], patience)).toEqual(new Map([['gears.acme.test', { reason, isFinal: false }]]));
  const unlisted = serverWith([{ Established: 'True' }], { knows: async () => false });
  const [found] = (await serveCrds(unlisted.api, [crd], unlisted.patience)).values();
  expect(found).toEqual({ reason: 'not listed yet; Established=True R: why', isFinal: false });
});

it('accepts rejections of the API server, and name conflicts of CRDs, as final', async () => {
  const refused = serverWith([], { create: async () => ({ status: 422, body: { message: 'no' } }) });
  expect(await serveCrds(refused.api, [crd], refused.patience)).toEqual(
    new Map([['gears.acme.test', { reason: 'no', isFinal: true }]]),
  );
  const { api, patience } = serverWith([{ NamesAccepted: 'False' }]);
  expect((await serveCrds(api, [crd], patience)).get('gears.acme.test')?.isFinal).toBe(true);
});
