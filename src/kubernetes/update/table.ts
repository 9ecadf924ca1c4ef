import table from '../../../data/immutable-fields.json';
import type { KubeObject } from '../../core/model/object.ts';
import { equal, get, getAt, isMap, listOf, mapOf, textsOf, type Value } from '../../core/model/value.ts';
import { isSmaller, sameJob, samePod, sameQuantity } from './pod.ts';

/** Returns the paths of fields whose change an API server rejects. */
type UpdateRule = (before: KubeObject, after: KubeObject) => readonly string[];

type Field = Value | undefined;

const at = (object: KubeObject, path: string): Field => getAt(object, path.split('.'));

/** Returns a condition that a field of both versions meets. */
const both =
  (path: string, meets: (field: Field) => boolean) =>
  (...versions: readonly KubeObject[]): boolean =>
    versions.every((object) => meets(at(object, path)));

const withDefault = (value: Field, fallback: Field): Field => {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  return value === undefined || value === null || isEmpty ? fallback : value;
};

const role = (ref: Field): Field =>
  isMap(ref) ? { ...ref, apiGroup: withDefault(ref.apiGroup, 'rbac.authorization.k8s.io') as Value } : ref;

/** An API server sets the type of each claim template, whatever it was. */
const typed = (claims: Field): Field =>
  Array.isArray(claims)
    ? claims.map((item) => (isMap(item) ? { ...item, apiVersion: 'v1', kind: 'PersistentVolumeClaim' } : item))
    : claims;

const valuesOf = (list: Field): Value => [...new Set(listOf(list).map(String))].sort();

const isFixed = (old: Field, current: Field, fallback?: Field): boolean => equal(old ?? fallback, current ?? fallback);

/**
 * The rules for one field: whether an API server accepts its change. `fallback` is the value of the API server for a
 * missing field.
 */
const FIELDS: Readonly<Record<string, (old: Field, current: Field, fallback: Field) => boolean>> = {
  fixed: isFixed,
  /** An empty value counts as absent. */
  fixedUnlessEmpty: (old, current, fallback) => equal(withDefault(old, fallback), withDefault(current, fallback)),
  /** The API server keeps it if it is absent. */
  allowed: (old, current) => current === undefined || isFixed(old, current),
  /** It changes once, from absent to a value. */
  fixedOnceSet: (old, current) => old === undefined || isFixed(old, current),
  /** The API server fills it in, and keeps it if it is absent. */
  allocated: (old, current) => old === undefined || current === undefined || isFixed(old, current),
  /** The first item of a list never changes. */
  firstOf: (old, current) => {
    const [was, is] = [getAt(old, [0]), getAt(current, [0])];
    return was === undefined || is === undefined || equal(was, is);
  },
  /** A list without a significant order. */
  fixedSet: (old, current) => equal(valuesOf(old), valuesOf(current)),
  /** The role of a binding, with the default group of roles. */
  roleRef: (old, current) => equal(role(old), role(current)),
  /** A Service keeps its address if none is written; a headless one has no address. */
  clusterIp: (old, current) => current === undefined || current === '' || (old ?? '') === current,
  typedClaims: (old, current) => equal(typed(old), typed(current)),
  notSmaller: (old, current) => !isSmaller(current, old),
};

/** The rules for all fields of a map except some. */
const MEMBERS: Readonly<Record<string, (old: Field, current: Field) => boolean>> = {
  fixedBut: (old, current) => equal(old, current),
  fixedRequestsBut: sameQuantity,
};

/** The rules for a whole object. */
const OBJECTS: Readonly<Record<string, UpdateRule>> = {
  /** Those of an indexed Job change together with its parallelism. */
  completions: ({ spec: old }, { spec: current }) => {
    const completions = get(current, 'completions');
    const isInTandem = get(current, 'completionMode') === 'Indexed' && equal(completions, get(current, 'parallelism'));
    return isInTandem || equal(get(old, 'completions'), completions) ? [] : ['spec.completions'];
  },
  sameJob,
  samePod,
};

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

type Written = readonly [name: string, path: string, first?: Value, second?: Value];

function ruleOf([name, path, first, second]: Written): UpdateRule {
  const [accepts, same] = [FIELDS[name], MEMBERS[name]];
  const fallback = typeof first === 'number' ? BigInt(first) : first;
  if (accepts !== undefined)
    return (before, after) => (accepts(at(before, path), at(after, path), fallback) ? [] : [path]);
  if (same === undefined) return OBJECTS[name] ?? unknown(name);
  const [free, defaults] = [textsOf(first), mapOf(second)];
  const field = (map: Field, key: string): Field => get(map, key) ?? defaults[key];
  return (before, after) => {
    const [old, current] = [at(before, path), at(after, path)];
    return Object.keys({ ...mapOf(old), ...mapOf(current) })
      .filter((key) => !free.includes(key) && !same(field(old, key), field(current, key)))
      .sort()
      .map((key) => `${path}.${key}`);
  };
}

/** The changes of Kubernetes' own kinds that an API server rejects, by `Kind.group`. */
export const LINES: readonly { kinds: readonly string[]; rule: UpdateRule }[] = table.flatMap(({ kinds, rules }) =>
  rules.map(({ when, rule: written }: { when?: string; rule: readonly unknown[] }) => {
    const rule = ruleOf(written as unknown as Written);
    const applies = when === undefined ? () => true : (CONDITIONS[when] ?? unknown(when));
    return { kinds, rule: (before, after) => (applies(before, after) ? rule(before, after) : []) };
  }),
);

function unknown(name: string): never {
  throw new Error(`data/immutable-fields.json has an unknown rule ${name}`);
}
