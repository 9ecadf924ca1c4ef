import table from '../../../data/immutable-fields.json';
import type { KubeObject } from '../../core/model/object.ts';
import { equal, get, getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { isSmaller, sameJob, samePod, sameQuantity } from './pod.ts';

/** Returns the paths of fields whose change an API server rejects. */
type UpdateRule = (before: KubeObject, after: KubeObject) => readonly string[];

interface Line {
  /** `Kind.group` of each kind that the rule is for. */
  kinds: readonly string[];
  rule: UpdateRule;
  /** The source in the API server (k8s.io/kubernetes 1.37, below pkg/apis by default). */
  source: string;
}

const steps = (path: string): string[] => path.split('.');

/** A field that never changes. The default is the value of the API server for a missing field. */
const fixed =
  (path: string, fallback?: Value): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => getAt(object, steps(path)) ?? fallback);
    return equal(old, current) ? [] : [path];
  };

/** A field that never changes, and whose empty value counts as absent. */
const fixedUnlessEmpty =
  (path: string, fallback: Value): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => withDefault(getAt(object, steps(path)), fallback));
    return equal(old, current) ? [] : [path];
  };

const withDefault = (value: Value | undefined, fallback: Value): Value => {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  return value === undefined || value === null || isEmpty ? fallback : value;
};

/** The role of a binding, with the default group of roles. */
const roleRef: UpdateRule = (before, after) => {
  const [old, current] = [before, after].map(({ roleRef: ref }) =>
    isMap(ref) ? { ...ref, apiGroup: withDefault(ref.apiGroup, 'rbac.authorization.k8s.io') } : ref,
  );
  return equal(old as Value, current as Value) ? [] : ['roleRef'];
};

type Field = Value | undefined;

/** A field that never changes if it is fixed: some of them may be absent before, or after. */
const fixedIf =
  (isFixed: (old: Field, current: Field) => boolean) =>
  (path: string): UpdateRule =>
  (before, after) =>
    isFixed(getAt(before, steps(path)), getAt(after, steps(path))) ? fixed(path)(before, after) : [];

/** The API server keeps it if it is absent. */
const allowed = fixedIf((_, current) => current !== undefined);
/** It changes once, from absent to a value. */
const fixedOnceSet = fixedIf((old) => old !== undefined);
/** The API server fills it in, and keeps it if it is absent. */
const allocated = fixedIf((old, current) => old !== undefined && current !== undefined);

/** All fields below a path except some. */
const fixedBut =
  (path: string, free: readonly string[], defaults: ValueMap = {}): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => getAt(object, steps(path)));
    const names = [old, current].flatMap((map) => (isMap(map) ? Object.keys(map) : []));
    return [...new Set(names)]
      .filter((name) => !free.includes(name))
      .sort()
      .flatMap((name) => fixed(`${path}.${name}`, defaults[name])(before, after));
  };

const isImmutable = (before: KubeObject): boolean => before.immutable === true;

const serviceType = (object: KubeObject): Value => getAt(object, ['spec', 'type']) ?? 'ClusterIP';
const hasClusterIp = (before: KubeObject, after: KubeObject): boolean =>
  ![before, after].some((object) => serviceType(object) === 'ExternalName');
const isHeadless = (object: KubeObject): boolean => getAt(object, ['spec', 'clusterIP']) === 'None';
const hasFixedFamilies = (before: KubeObject, after: KubeObject): boolean =>
  hasClusterIp(before, after) && !isHeadless(before) && !isHeadless(after);
const areLoadBalancers = (before: KubeObject, after: KubeObject): boolean =>
  [before, after].every((object) => serviceType(object) === 'LoadBalancer');
const haveHealthChecks = (before: KubeObject, after: KubeObject): boolean =>
  areLoadBalancers(before, after) &&
  [before, after].every((object) => getAt(object, ['spec', 'externalTrafficPolicy']) === 'Local');

/** A Service keeps its address if none is written; a headless one has no address. */
const clusterIp: UpdateRule = (before, after) => {
  const [old, current] = [before, after].map((object) => get(object.spec, 'clusterIP'));
  return current === undefined || current === '' || (old ?? '') === current ? [] : ['spec.clusterIP'];
};

/** The first item of a list never changes. */
const firstOf =
  (path: string): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => getAt(object, [...steps(path), 0]));
    return old === undefined || current === undefined || equal(old, current) ? [] : [path];
  };

/** A list without a significant order. */
const fixedSet =
  (path: string): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => {
      const list = getAt(object, steps(path));
      return Array.isArray(list) ? [...new Set(list.map(String))].sort() : [];
    });
    return equal(old, current) ? [] : [path];
  };

const STORAGE = 'spec.resources.requests.storage';
const shrinks: UpdateRule = (before, after) =>
  isSmaller(getAt(after, steps(STORAGE)), getAt(before, steps(STORAGE))) ? [STORAGE] : [];

/** Storage may grow; other requests never change. */
const otherRequests: UpdateRule = (before, after) => {
  const [old, current] = [before, after].map((object) => getAt(object, steps('spec.resources.requests')));
  const names = [old, current].flatMap((map) => (isMap(map) ? Object.keys(map) : []));
  const changed = names.filter((name) => name !== 'storage' && !sameQuantity(get(old, name), get(current, name)));
  return [...new Set(changed)].sort().map((name) => `spec.resources.requests.${name}`);
};

const isIndexed = (object: KubeObject): boolean => get(object.spec, 'completionMode') === 'Indexed';
const completions: UpdateRule = (before, after) => {
  const changed = fixed('spec.completions')(before, after);
  if (changed.length === 0 || !isIndexed(after)) return changed;
  const isInTandem = equal(get(after.spec, 'completions'), get(after.spec, 'parallelism'));
  return isInTandem ? [] : changed;
};

const CLAIMS = 'volumeClaimTemplates';

/** An API server sets the type of each claim template, whatever it was. */
function withTypedClaims(object: KubeObject): KubeObject {
  const list = get(object.spec, CLAIMS);
  if (!isMap(object.spec) || !Array.isArray(list)) return object;
  const type = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
  const typed = list.map((item) => (isMap(item) ? { ...item, ...type } : item));
  return { ...object, spec: { ...object.spec, [CLAIMS]: typed } };
}

const typedClaims: UpdateRule = (before, after) =>
  fixed(`spec.${CLAIMS}`)(withTypedClaims(before), withTypedClaims(after));

/**
 * The API server drops a new `dataSource` of another kind, unless there is a `dataSourceRef`
 * (api/persistentvolumeclaim: EnforceDataSourceBackwardsCompatibility).
 */
const usesDataSource = (before: KubeObject, after: KubeObject): boolean => {
  const source = get(after.spec, 'dataSource');
  const isUsed = [get(before.spec, 'dataSource'), get(before.spec, 'dataSourceRef'), get(after.spec, 'dataSourceRef')];
  const kind = `${get(source, 'kind')}.${get(source, 'apiGroup') ?? ''}`;
  return isUsed.some(isMap) || ['PersistentVolumeClaim.', 'VolumeSnapshot.snapshot.storage.k8s.io'].includes(kind);
};

const CONDITIONS: Readonly<Record<string, (before: KubeObject, after: KubeObject) => boolean>> = {
  areLoadBalancers,
  hasClusterIp,
  hasFixedFamilies,
  haveHealthChecks,
  isImmutable,
  usesDataSource,
};

const RULES = {
  allocated,
  allowed,
  fixed,
  fixedBut,
  fixedOnceSet,
  fixedSet,
  fixedUnlessEmpty,
  firstOf,
} as Readonly<Record<string, (path?: Value, second?: Value, third?: Value) => UpdateRule>>;

/** Rules without arguments. */
const SINGLE: Readonly<Record<string, UpdateRule>> = {
  clusterIp,
  completions,
  otherRequests,
  roleRef,
  sameJob,
  samePod,
  shrinks,
  typedClaims,
};

/** The changes of Kubernetes' own kinds that an API server rejects, one rule per line. */
export const LINES: readonly Line[] = table.flatMap(({ kinds, source, rules }) =>
  rules.map(({ when, rule: [name, ...args] }: { when?: string; rule: readonly unknown[] }) => {
    const [path, ...more] = args.map((arg) => (typeof arg === 'number' ? BigInt(arg) : (arg as Value)));
    const rule =
      RULES[name as string]?.(path, more[0], more[1]) ?? SINGLE[name as string] ?? unknownRule(name as string);
    const applies = when === undefined ? () => true : (CONDITIONS[when] ?? unknownRule(when));
    return {
      kinds,
      source,
      rule: (before, after) => (applies(before, after) ? rule(before, after) : []),
    } satisfies Line;
  }),
);

function unknownRule(name: string): never {
  throw new Error(`data/immutable-fields.json has an unknown rule ${name}`);
}
