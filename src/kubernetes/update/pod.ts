import type { KubeObject } from '../../core/model/object.ts';
import { equal, get, isMap, listOf, mapOf, type Value, type ValueMap } from '../../core/model/value.ts';
import { compareQuantities } from '../../languages/cel/index.ts';

/** Compares two quantities; returns undefined if one is invalid. */
function compare(one: Value | undefined, other: Value | undefined): bigint | undefined {
  const [a, b] = [one, other].map((value) =>
    typeof value === 'string' || typeof value === 'bigint' ? String(value) : '',
  );
  return a === '' || b === '' ? undefined : compareQuantities(a as string, b as string);
}

export const isSmaller = (one: Value | undefined, other: Value | undefined): boolean =>
  (compare(one, other) ?? 0n) < 0n;

/** Reports whether two quantities are equal, such as `1000m` and `1`. */
export const sameQuantity = (one: Value | undefined, other: Value | undefined): boolean =>
  equal(one, other) || compare(one, other) === 0n;

/** The values of missing fields in the API server (pkg/apis/core/v1/defaults.go). */
const POD_DEFAULTS: ValueMap = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  terminationGracePeriodSeconds: 30n,
  enableServiceLinks: true,
  securityContext: {},
};
const CONTAINER_DEFAULTS: ValueMap = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  resources: {},
};

/** An image without a tag and a digest has the tag `latest` (pkg/util/parsers, ParseImageName). */
const hasLatestTag = (image: Value | undefined): boolean =>
  /^[^@]*?(?:^|\/)[^/:@]+(?::latest(?:@.*)?)?$/.test(String(image));

/** Fields of alpha features, which an API server drops unless a feature gate is set. */
const DROPPED: readonly string[] = ['schedulingGroup', 'evictionResponders'];
const CONTAINERS = ['containers', 'initContainers'] as const;

/** Compares pods: images, the deadline, tolerations and scheduling gates may change. */
export function samePod(before: KubeObject, after: KubeObject): string[] {
  const [old, current] = [mapOf(before.spec), mapOf(after.spec)];
  const free = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates', 'nodeName'];
  const changed = changedIn(old, current, { free, containers: ['image', 'imagePullPolicy'] });
  return [...changed.map((name) => `spec.${name}`), ...deadline(old, current), ...tolerations(old, current)];
}

/** A deadline may only get shorter. */
function deadline(old: ValueMap, current: ValueMap): string[] {
  const [was, is] = [old.activeDeadlineSeconds, current.activeDeadlineSeconds];
  const isAllowed = was === undefined || (typeof was === 'bigint' && typeof is === 'bigint' && is <= was);
  return isAllowed ? [] : ['spec.activeDeadlineSeconds'];
}

/** Tolerations may only be added. */
function tolerations(old: ValueMap, current: ValueMap): string[] {
  const [was, is] = [listOf(old.tolerations), listOf(current.tolerations)];
  const isAllowed = was.every((one) => is.some((other) => equal(one, other)));
  return isAllowed ? [] : ['spec.tolerations'];
}

/** Compares Jobs, which keep their template; while a Job is suspended, its scheduling may change. */
export function sameJob(before: KubeObject, after: KubeObject): string[] {
  const isSuspended = get(before.spec, 'suspend') === true;
  const templateOf = (job: KubeObject): ValueMap => mapOf(get(job.spec, 'template'));
  const [old, current] = [templateOf(before), templateOf(after)];
  const free = isSuspended ? ['nodeSelector', 'tolerations', 'affinity', 'schedulingGates'] : [];
  const [was, is] = [mapOf(old.spec), mapOf(current.spec)];
  const changed = changedIn(was, is, { free, containers: isSuspended ? ['resources'] : [] });
  const metadata = isSuspended || equal(mapOf(old.metadata), mapOf(current.metadata)) ? [] : ['metadata'];
  return [...metadata, ...changed.map((name) => `spec.${name}`)].map((name) => `spec.template.${name}`);
}

/** Returns the changed fields of a spec, except those that are free to change, in it and in its containers. */
function changedIn(
  old: ValueMap,
  current: ValueMap,
  { free, containers }: Readonly<Record<'free' | 'containers', readonly string[]>>,
): string[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])]
    .filter((name) => !free.includes(name) && !DROPPED.includes(name))
    .sort();
  return names.filter((name) => {
    const [was, is] = [old, current].map((spec) => {
      const value = spec[name] ?? POD_DEFAULTS[name];
      return CONTAINERS.some((one) => one === name) ? withoutFree(value, containers) : value;
    });
    return !same(was, is);
  });
}

/** Returns containers with their defaults, without the fields that may change. */
function withoutFree(containers: Value | undefined, free: readonly string[]): Value {
  if (!Array.isArray(containers)) return [];
  return containers.map((container) => {
    if (!isMap(container)) return container;
    const pull: ValueMap = { imagePullPolicy: hasLatestTag(container.image) ? 'Always' : 'IfNotPresent' };
    const { ports, ...written } = { ...CONTAINER_DEFAULTS, ...pull, ...container };
    const rest = { ...written, resources: withRequests(written.resources) };
    const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !free.includes(name)));
    return Array.isArray(ports) ? { ...own, ports: ports.map(withProtocol) } : own;
  });
}

/** Limits are also requests, unless a request is set. */
function withRequests(resources: Value | undefined): Value {
  if (!isMap(resources) || !isMap(resources.limits)) return resources ?? {};
  return { ...resources, requests: { ...resources.limits, ...mapOf(resources.requests) } };
}

const withProtocol = (port: Value): Value => (isMap(port) ? { protocol: 'TCP', ...port } : port);

/** Reports deep equality, in which quantities are compared by amount. */
function same(one: Value | undefined, other: Value | undefined, isQuantity = false): boolean {
  if (isQuantity && sameQuantity(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => same(item, other[index]));
  }
  if (!isMap(one) || !isMap(other)) return equal(one, other);
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return keys.every((key) => same(one[key], other[key], isQuantity || key === 'limits' || key === 'requests'));
}
