/** What an API server rejects in an update, beyond what it rejects in a new object. */

import table from '../../../data/immutable-fields.json';
import type { Problem } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import {
  equal,
  get,
  getAt,
  isMap,
  listOf,
  mapItems,
  mapOf,
  ownValue,
  type Path,
  setKey,
  textsOf,
  type Value,
  type ValueMap,
} from '../../core/model/value.ts';
import { isFilledAlone, withDefaults } from '../defaults/index.ts';
import { builtinKinds, memberSchema, type Schema } from '../schema/index.ts';
import { conformityOf, earlierItems, isMore, quantityOf } from '../validation/index.ts';

/** Returns the fields of an object of Kubernetes' own kinds that cannot change to their value in `after`. */
export function refusedUpdates(before: KubeObject, after: KubeObject): string[] {
  const gvk = groupVersionKind(after);
  const schema = builtinKinds.find(gvk)?.schema;
  if (schema === undefined) return [];
  const rules = LINES.filter(({ kinds }) => kinds.includes(groupKind(gvk)));
  // Defaults need more time than all rules.
  const lines = rules.filter(({ path }) => !isUntouched(path, before, after));
  const compared = (object: KubeObject): KubeObject =>
    lines.length === 0 ? object : (withoutEmpty(withDefaults(object)) as KubeObject);
  const old = compared(before);
  const current = compared(after);
  const refused = lines.flatMap(({ rule }) => rule(old, current));
  return [...new Set([...refused, ...lostByEmptying(schema, before, after)])];
}

/** Reports whether a field of the spec is the same in both versions, whatever defaults an API server fills in. */
function isUntouched(path: string | undefined, before: KubeObject, after: KubeObject): boolean {
  const [part, name] = path?.split('.') ?? [];
  if (part !== 'spec' || name === undefined) return false;
  const { spec: old } = before;
  const { spec: current } = after;
  if (!isMap(old) || !isMap(current)) return false;
  return equal(get(old, name), get(current, name)) && isFilledAlone(groupVersionKind(after), name);
}

/** Booleans that are not pointers in Go, so that false equals absent. */
const FALSE_IS_NONE = ['readOnly', 'hostNetwork', 'hostPID', 'hostIPC', 'stdin', 'stdinOnce', 'tty'];

/** Maps in Go, which equal an absent field if they are empty; an empty struct does not. */
const MAPS = ['limits', 'requests', 'matchLabels', 'nodeSelector', 'labels', 'annotations'];

const isNone = (key: string, value: Value): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && MAPS.includes(key) && Object.keys(value).length === 0) ||
  (value === false && FALSE_IS_NONE.includes(key));

/** For an API server a null, an empty list and an empty map equal an absent field. */
const withoutEmpty = (value: Value): Value =>
  mapItems(value, (one, key) => (typeof key === 'string' && isNone(key, one) ? undefined : withoutEmpty(one)));

/**
 * Returns the fields that are missing after a server-side apply, although `after` writes them as `{}`: a map that loses
 * all of its fields becomes null (sigs.k8s.io/structured-merge-diff, typed/remove.go: doMap).
 */
function lostByEmptying(schema: Schema, before: Value, after: ValueMap): string[] {
  const applied = withoutEmptied(schema, before, after);
  if (applied === after) return [];
  // A struct that is required is empty in Go, and not missing.
  const isGone = (path: Path): boolean => getAt(after, path) !== undefined && getAt(applied, path) === undefined;
  const faultsOf = (object: Value): readonly Problem[] => conformityOf(schema, object, false).faults;
  const known = faultsOf(after).map(({ path }) => `${path.join('.')}.`);
  return faultsOf(applied)
    .filter(({ path }) => !isGone(path))
    .map(({ path }) => path.join('.'))
    .filter((path) => !known.some((one) => one.startsWith(`${path}.`)));
}

/** Returns the value without the maps that are empty now and were not before; the value itself if there are none. */
function withoutEmptied(schema: Schema, before: Value | undefined, after: Value): Value {
  if (equal(before, after)) return after;
  if (Array.isArray(after)) return Array.isArray(before) ? itemsWithoutEmptied(schema, before, after) : after;
  if (!isMap(after) || !isMap(before) || schema['x-kubernetes-map-type'] === 'atomic') return after;
  const applied: ValueMap = {};
  let isChanged = false;
  for (const [key, value] of Object.entries(after)) {
    const old = get(before, key);
    const below = memberSchema(schema, key) ?? {};
    const member = isEmptied(old, value) ? undefined : withoutEmptied(below, old, value);
    if (member !== undefined) setKey(applied, key, member);
    isChanged ||= member !== value;
  }
  return isChanged ? applied : after;
}

/** Reports whether a map has no entries any more. */
const isEmptied = (before: Value | undefined, after: Value): boolean =>
  isMap(after) && isMap(before) && Object.keys(after).length === 0 && Object.keys(before).length > 0;

function itemsWithoutEmptied(schema: Schema, before: Value[], after: Value[]): Value {
  const { items } = schema;
  if (items === undefined) return after;
  const earlier = earlierItems(schema, before);
  const applied = after.map((item) => withoutEmptied(items, earlier(item), item));
  return applied.some((item, index) => item !== after[index]) ? applied : after;
}

/** Returns the paths of fields whose change an API server rejects. Both versions have its defaults. */
type UpdateRule = (before: KubeObject, after: KubeObject) => readonly string[];

type Field = Value | undefined;

const at = (object: KubeObject, path: string): Field => getAt(object, path.split('.'));

const both =
  (path: string, meets: (field: Field) => boolean) =>
  (...versions: readonly KubeObject[]): boolean =>
    versions.every((object) => meets(at(object, path)));

const valuesOf = (list: Field): Value => [...new Set(listOf(list).map(String))].sort();

/** Invalid quantities are not smaller. */
export const isSmallerQuantity = (one: Field, other: Field): boolean => isMore(quantityOf(other), quantityOf(one));

/** The rules for one field: whether an API server accepts its change. */
const FIELDS: Readonly<Record<string, (old: Field, current: Field) => boolean>> = {
  fixed: equal,
  /** The API server keeps it if it is absent. */
  allowed: (old, current) => current === undefined || equal(old, current),
  /** It changes once, from absent to a value. */
  fixedOnceSet: (old, current) => old === undefined || equal(old, current),
  /** The API server fills it in, and keeps it if it is absent. */
  allocated: (old, current) => old === undefined || current === undefined || equal(old, current),
  /** The first item of a list never changes. */
  firstOf: (old, current) => {
    const was = getAt(old, [0]);
    const is = getAt(current, [0]);
    return was === undefined || is === undefined || equal(was, is);
  },
  /** A list without a significant order. */
  fixedSet: (old, current) => equal(valuesOf(old), valuesOf(current)),
  /** A Service keeps its address if none is written; a headless one has no address. */
  clusterIp: (old, current) => current === undefined || current === '' || (old ?? '') === current,
  notSmaller: (old, current) => !isSmallerQuantity(current, old),
};

/** The rules for a whole object. */
const OBJECTS: Readonly<Record<string, UpdateRule>> = {
  /** Those of an indexed Job change together with its parallelism. */
  completions: ({ spec: old }, { spec: current }) => {
    const completions = get(current, 'completions');
    const isInTandem = get(current, 'completionMode') === 'Indexed' && equal(completions, get(current, 'parallelism'));
    return isInTandem || equal(get(old, 'completions'), completions) ? [] : ['spec.completions'];
  },
  /** Jobs keep their template; while a Job is suspended, its scheduling may change. */
  sameJob: (before, after) => {
    const isSuspended = get(before.spec, 'suspend') === true;
    const [old, current] = [before, after].map((job) => mapOf(get(job.spec, 'template'))) as [ValueMap, ValueMap];
    const free = isSuspended ? ['nodeSelector', 'tolerations', 'affinity', 'schedulingGates'] : [];
    const changed = changedIn(old.spec, current.spec, free, isSuspended ? ['resources'] : []);
    const metadata = isSuspended || equal(mapOf(old.metadata), mapOf(current.metadata)) ? [] : ['metadata'];
    return [...metadata, ...changed.map((name) => `spec.${name}`)].map((name) => `spec.template.${name}`);
  },
  /** Images, the deadline, tolerations and scheduling gates of pods may change. */
  samePod: ({ spec: old }, { spec: current }) => {
    const free = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates', 'nodeName'];
    const changed = changedIn(old, current, free, ['image', 'imagePullPolicy']).map((name) => `spec.${name}`);
    // A deadline may only get shorter, and tolerations may only be added.
    const was = get(old, 'activeDeadlineSeconds');
    const is = get(current, 'activeDeadlineSeconds');
    const isShorter = was === undefined || (typeof was === 'bigint' && typeof is === 'bigint' && is <= was);
    const known = listOf(get(old, 'tolerations'));
    const given = listOf(get(current, 'tolerations'));
    const isTolerant = known.every((one) => given.some((other) => equal(one, other)));
    return [
      ...changed,
      ...(isShorter ? [] : ['spec.activeDeadlineSeconds']),
      ...(isTolerant ? [] : ['spec.tolerations']),
    ];
  },
};

/** Fields of alpha features, which an API server drops unless a feature gate is set, and the copy of serviceAccountName. */
const DROPPED: readonly string[] = ['schedulingGroup', 'evictionResponders', 'serviceAccount'];

/** Returns the changed fields of the spec of a pod, except those that are free to change, in it and in its containers. */
function changedIn(old: Field, current: Field, free: readonly string[], inContainers: readonly string[]): string[] {
  const [was, is] = [old, current].map((spec) => {
    const fixed = Object.entries(mapOf(spec)).filter(([name]) => !free.includes(name) && !DROPPED.includes(name));
    const withoutFree = (container: Value): Value =>
      isMap(container)
        ? Object.fromEntries(Object.entries(container).filter(([name]) => !inContainers.includes(name)))
        : container;
    const isFree = (name: string): boolean => name === 'containers' || name === 'initContainers';
    return Object.fromEntries(fixed.map(([name, one]) => [name, isFree(name) ? listOf(one).map(withoutFree) : one]));
  }) as [ValueMap, ValueMap];
  return Object.keys({ ...was, ...is })
    .filter((name) => !equal(ownValue(was, name), ownValue(is, name)))
    .sort();
}

const hasClusterIp = both('spec.type', (type) => type !== 'ExternalName');
const hasAddress = both('spec.clusterIP', (address) => address !== 'None');
const areLoadBalancers = both('spec.type', (type) => type === 'LoadBalancer');
const areLocal = both('spec.externalTrafficPolicy', (policy) => policy === 'Local');

const CONDITIONS: Readonly<Record<string, (before: KubeObject, after: KubeObject) => boolean>> = {
  areLoadBalancers,
  hasClusterIp,
  hasFixedFamilies: (before, after) => hasClusterIp(before, after) && hasAddress(before, after),
  haveHealthChecks: (before, after) => areLoadBalancers(before, after) && areLocal(before, after),
  isImmutable: (before) => before.immutable === true,
  /**
   * The API server drops a new `dataSource` of another kind, unless there is a `dataSourceRef`
   * (api/persistentvolumeclaim: EnforceDataSourceBackwardsCompatibility).
   */
  usesDataSource: ({ spec: old }, { spec: current }) => {
    const source = get(current, 'dataSource');
    const kind = `${get(source, 'kind')}.${get(source, 'apiGroup') ?? ''}`;
    return (
      [get(old, 'dataSource'), get(old, 'dataSourceRef'), get(current, 'dataSourceRef')].some(isMap) ||
      ['PersistentVolumeClaim.', 'VolumeSnapshot.snapshot.storage.k8s.io'].includes(kind)
    );
  },
};

type Written = readonly [name: string, path: string, free?: Value];

function ruleOf([name, path, free]: Written): UpdateRule {
  const accepts = ownValue(FIELDS, name);
  if (accepts !== undefined) return (before, after) => (accepts(at(before, path), at(after, path)) ? [] : [path]);
  // All fields of a map except some.
  if (name !== 'fixedBut') return ownValue(OBJECTS, name) ?? unknown(name);
  const others = textsOf(free);
  return (before, after) => {
    const old = at(before, path);
    const current = at(after, path);
    return Object.keys({ ...mapOf(old), ...mapOf(current) })
      .filter((key) => !others.includes(key) && !equal(get(old, key), get(current, key)))
      .sort()
      .map((key) => `${path}.${key}`);
  };
}

interface Line {
  kinds: readonly string[];
  /** The field that the rule compares; undefined for a rule for a whole object. */
  path: string | undefined;
  rule: UpdateRule;
}

/** The changes of Kubernetes' own kinds that an API server rejects, by `Kind.group`. */
const LINES: readonly Line[] = table.flatMap(({ kinds, rules }) =>
  rules.map(({ when, rule: given }: { when?: string; rule: readonly unknown[] }): Line => {
    const written = given as unknown as Written;
    const rule = ruleOf(written);
    const applies = when === undefined ? () => true : (ownValue(CONDITIONS, when) ?? unknown(when));
    return {
      kinds,
      path: Object.hasOwn(OBJECTS, written[0]) ? undefined : written[1],
      rule: (before, after) => (applies(before, after) ? rule(before, after) : []),
    };
  }),
);

function unknown(name: string): never {
  throw new Error(`data/immutable-fields.json has an unknown rule ${name}`);
}
