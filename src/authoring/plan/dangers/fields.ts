import { publicText } from '../../../core/diagnostics/index.ts';
import type { KubeObject } from '../../../core/model/object.ts';
import { get, getAt, type Value } from '../../../core/model/value.ts';
import { isSmallerQuantity } from '../../../kubernetes/update/index.ts';
import type { Danger } from './danger.ts';

/** Reports workloads that are scaled to zero. */
export function scaleDangers(before: KubeObject, after: KubeObject): Danger[] {
  const [was, is] = [before, after].map((object) => getAt(object, ['spec', 'replicas']));
  const isZero = is !== undefined && is !== null && Number(is) === 0;
  const ran = was === undefined || was === null || Number(was) > 0;
  return isZero && ran && getAt(after, ['spec', 'template']) !== undefined
    ? [{ code: 'danger-no-replicas', message: publicText`spec.replicas changes from ${String(was ?? 1)} to 0` }]
    : [];
}

/** Reports hosts that an Ingress or a route no longer serves. */
export function hostDangers(before: KubeObject, after: KubeObject): Danger[] {
  const hosts = new Set(hostsOf(after));
  return hostsOf(before)
    .filter((host) => !hosts.has(host))
    .map((host) => ({ code: 'danger-host-removed', message: publicText`the host ${host} is no longer served` }));
}

const ROUTES = ['HTTPRoute', 'GRPCRoute', 'TLSRoute'];

function hostsOf(object: KubeObject): string[] {
  if (object.kind === 'Ingress')
    return listAt(object, ['spec', 'rules']).flatMap((rule) => texts([get(rule, 'host') ?? null]));
  return ROUTES.includes(object.kind) ? texts(listAt(object, ['spec', 'hostnames'])) : [];
}

/** Reports claims that request less storage than before, which API servers reject. */
export function sizeDangers(before: KubeObject, after: KubeObject): Danger[] {
  if (after.kind !== 'PersistentVolumeClaim') return [];
  const [was, is] = [before, after].map((object) => getAt(object, ['spec', 'resources', 'requests', 'storage']));
  return isSmallerQuantity(is, was)
    ? [
        {
          code: 'danger-volume-smaller',
          message: publicText`the requested storage falls from ${String(was)} to ${String(is)}`,
        },
      ]
    : [];
}

const listAt = (object: KubeObject, path: readonly string[]): readonly Value[] => {
  const found = getAt(object, path);
  return Array.isArray(found) ? found : [];
};

const texts = (values: readonly Value[]): string[] => values.filter((value) => typeof value === 'string');
