import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { parseSelector, type Selector, matches as selects } from '../../core/model/label-selector.ts';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { groupKind, groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { get, getAt, listAt, mapOf, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { type KindRegistry, pluralOf, type Resources, readKindName } from '../../kubernetes/schema/index.ts';
import type { CelValue } from '../../languages/cel/index.ts';

export const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

/** What an API server never shows to policies: their own kinds, and requests about permissions. */
const EXEMPT =
  /^(?:(?:Validating|Mutating)AdmissionPolicy(?:Binding)?\.admissionregistration|\w+Review\.auth(?:entication|orization))\.k8s\.io$/;

export const isExempt = (request: { group: string; kind: string }): boolean => EXEMPT.test(groupKind(request));

/** The selection of requests in a policy, or in a binding (`MatchResources`). */
export interface Match {
  namespaces: Selector;
  objects: Selector;
  /** Empty for every request. */
  rules: readonly Rule[];
  excluded: readonly Rule[];
  isExact: boolean;
}

/** A rule that selects requests: every set may contain `*`. */
interface Rule {
  written: Value;
  operations: ReadonlySet<Value>;
  groups: ReadonlySet<Value>;
  versions: ReadonlySet<Value>;
  resources: ReadonlySet<Value>;
  scope: Value;
  /** Empty for every name. */
  names: ReadonlySet<Value>;
}

export interface Request {
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
  group: string;
  version: string;
  resource: string;
  name: string;
  /** '' for a cluster-scoped object, except that a Namespace is in itself. */
  namespace: string;
  labels: readonly ValueMap[];
  /** `undefined` if only a cluster knows the namespace. */
  namespaceLabels: ValueMap | undefined;
  kind: string;
  isNamespace: boolean;
  /** Other versions in which the cluster has the same object. */
  equivalents(): readonly string[];
}

/** A change of an object in a cluster: without `oldObject` it is created, without `object` it is deleted. */
export interface Operation {
  object?: KubeObject;
  oldObject?: KubeObject;
}

export function readMatch(
  match: Value | undefined,
  path: Path,
  report: (problem: Omit<Problem, 'code'>) => void,
): Match {
  const selectorAt = (key: string): Selector => {
    const { selector, faults } = parseSelector(get(match, key) ?? {});
    for (const fault of faults)
      report({ message: phrase`${{ reason: fault.message }}`, path: [...path, key, ...fault.path] });
    return selector;
  };
  return {
    namespaces: selectorAt('namespaceSelector'),
    objects: selectorAt('objectSelector'),
    rules: listAt(match, 'resourceRules').map(readRule),
    excluded: listAt(match, 'excludeResourceRules').map(readRule),
    isExact: get(match, 'matchPolicy') === 'Exact',
  };
}

function readRule(written: Value): Rule {
  const setOf = (key: string): ReadonlySet<Value> => new Set(listAt(written, key));
  return {
    written,
    operations: setOf('operations'),
    groups: setOf('apiGroups'),
    versions: setOf('apiVersions'),
    resources: setOf('resources'),
    scope: get(written, 'scope') ?? '*',
    names: setOf('resourceNames'),
  };
}

/** The version in which a policy sees the object; `unknown` if the labels of the namespace decide. */
export type Matched = { version: string } | 'unknown' | undefined;

/** Reports whether a request is selected (k8s.io/apiserver/pkg/admission/plugin/policy/matching). */
export function matched(match: Match, request: Request): Matched {
  const isInNamespace = inNamespace(match.namespaces, request);
  if (isInNamespace === false) return undefined;
  if (match.objects.length > 0 && !request.labels.some((labels) => selects(match.objects, labels))) return undefined;
  if (versionIn(match.excluded, match, request) !== undefined) return undefined;
  const version = match.rules.length === 0 ? request.version : versionIn(match.rules, match, request);
  if (version === undefined) return undefined;
  return isInNamespace === undefined ? 'unknown' : { version };
}

function inNamespace(selector: Selector, { namespace, namespaceLabels, resource }: Request): boolean | undefined {
  if (selector.length === 0 || (namespace === '' && resource !== 'namespaces')) return true;
  if (namespaceLabels !== undefined) return selects(selector, namespaceLabels);
  const known = selector.filter(({ key }) => key === NAMESPACE_NAME);
  if (!selects(known, { [NAMESPACE_NAME]: namespace })) return false;
  return known.length === selector.length ? true : undefined;
}

function versionIn(rules: readonly Rule[], { isExact }: Match, request: Request): string | undefined {
  if (rules.some((rule) => isSelected(rule, request, request.version))) return request.version;
  if (isExact || rules.length === 0) return undefined;
  return rules
    .flatMap((rule) => request.equivalents().filter((version) => isSelected(rule, request, version)))
    .find((version) => version !== request.version);
}

const lists = (values: ReadonlySet<Value>, value: string): boolean => values.has('*') || values.has(value);

/** Reports whether a rule selects requests for a resource; not its version, its scope and its name. */
const isForResource = ({ operations, groups, resources }: Rule, { operation, group, resource }: Request): boolean =>
  lists(operations, operation) &&
  lists(groups, group) &&
  // Subresources, as in pods/status, have requests of their own; `pods/*` includes the object.
  (lists(resources, resource) || resources.has('*/*') || resources.has(`${resource}/*`));

function isSelected(rule: Rule, request: Request, version: string): boolean {
  const { group, resource, namespace, name } = request;
  if (!lists(rule.versions, version) || !isForResource(rule, request)) return false;
  const isNamespaced = namespace !== '' && !(group === '' && resource === 'namespaces');
  if (rule.scope !== '*' && (rule.scope === 'Namespaced') !== isNamespaced) return false;
  return rule.names.size === 0 || rule.names.has(name);
}

/** Something that selects requests, with the rules that are for the resource of a request. */
export interface Candidate<T> {
  of: T;
  match: Match;
}

/** Returns what may select a request, in order. */
export type CandidatesOf<T> = (request: Request) => Candidate<T>[];

/**
 * Returns a function that returns those that may select a request, in order, by the resources in their rules. It is asked
 * once for each resource and operation.
 */
export function candidatesOf<T>(all: readonly T[], matchOf: (one: T) => Match): CandidatesOf<T> {
  const byResource = new Map<Value, Set<number>>();
  for (const [index, one] of all.entries()) {
    const { rules } = matchOf(one);
    const resources = rules.length === 0 ? ['*'] : rules.flatMap((rule) => [...rule.resources]);
    for (const resource of resources) getOrCompute(byResource, resource, () => new Set<number>()).add(index);
  }
  const known = new Map<string, Candidate<T>[]>();
  return (request) => {
    const { operation, group, resource } = request;
    return getOrCompute(known, [operation, group, resource].join('\n'), () => {
      const named = [resource, `${resource}/*`, '*', '*/*'].flatMap((one) => [...(byResource.get(one) ?? [])]);
      return [...new Set(named)]
        .sort((a, b) => a - b)
        .flatMap((index): Candidate<T>[] => {
          const of = all[index] as T;
          const match = matchOf(of);
          const rules = match.rules.filter((rule) => isForResource(rule, request));
          if (rules.length === 0 && match.rules.length > 0) return [];
          return [
            { of, match: { ...match, rules, excluded: match.excluded.filter((rule) => isForResource(rule, request)) } },
          ];
        });
    });
  };
}

export const isNamespace = (object: KubeObject): boolean => object.kind === 'Namespace' && object.apiVersion === 'v1';

/** Returns a Namespace as expressions see it: with the label that the API server sets. */
export function labelled(object: KubeObject): ValueMap {
  const { name = '', generateName, labels, annotations, finalizers } = mapOf(object.metadata);
  return {
    metadata: {
      name,
      ...(generateName !== undefined && { generateName }),
      labels: { ...mapOf(labels), [NAMESPACE_NAME]: nameOf(object) },
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
    },
    spec: get(object, 'spec') ?? { finalizers: ['kubernetes'] },
    status: get(object, 'status') ?? { phase: 'Active' },
  };
}

export function kindFinder(
  resources: Resources,
  kinds: KindRegistry,
): (resource: string, group: string, version: string) => string | undefined {
  const known = lazily(() => {
    const all = [...kinds.names()].map(readKindName);
    return new Map(all.map((gvk) => [[pluralOf(gvk, resources), gvk.group, gvk.version].join('/'), gvk.kind]));
  });
  return (resource, group, version) => known().get([resource, group, version].join('/'));
}

export function requestOf(
  { object, oldObject }: Operation,
  own: KubeObject,
  { kinds, namespace: fallback }: { kinds: KindRegistry; namespace: string },
  resources: Resources,
  namespaces: ReadonlyMap<string, ValueMap>,
): Request {
  const gvk = groupVersionKind(own);
  const { group, version, kind } = gvk;
  const known = resources.get(groupKind(gvk));
  const isNamespaced = kinds.find(gvk)?.namespaced ?? namespaceOf(own) !== '';
  const isOwnNamespace = isNamespace(own);
  const namespace = isOwnNamespace ? nameOf(own) : isNamespaced ? namespaceOf(own) || fallback : '';
  const labels = [object, oldObject].flatMap((one) => (one ? [mapOf(getAt(one, ['metadata', 'labels']))] : []));
  const ofNamespace = namespaces.get(namespace);
  const namespaceLabels = isOwnNamespace
    ? { ...labels[0], [NAMESPACE_NAME]: namespace }
    : (getAt(ofNamespace, ['metadata', 'labels']) as ValueMap | undefined);
  return {
    operation: object === undefined ? 'DELETE' : oldObject === undefined ? 'CREATE' : 'UPDATE',
    group,
    version,
    kind,
    resource: pluralOf(gvk, resources),
    name: nameOf(own),
    namespace,
    isNamespace: isOwnNamespace,
    labels,
    namespaceLabels,
    equivalents: () => known?.versions ?? stableVersions(group, kind, kinds),
  };
}

const byKind = new WeakMap<KindRegistry, ReadonlyMap<string, readonly { version: string }[]>>();

/** The versions of a built-in kind that an API server serves by default. */
function stableVersions(group: string, kind: string, kinds: KindRegistry): readonly string[] {
  const known = getOrCompute(byKind, kinds, () => {
    const stable = [...kinds.names()].map(readKindName).filter(({ version }) => /^v\d+$/.test(version));
    return groupBy(stable, (gvk) => groupKind(gvk));
  });
  return known.get(groupKind({ group, kind }))?.map(({ version }) => version) ?? [];
}

/** The value of `request` (k8s.io/apiserver/pkg/admission/plugin/cel, CreateAdmissionRequest). */
export function requestValue(request: Request, version: string, userInfo: unknown, options: unknown): CelValue {
  const { group, kind, resource, name, namespace, operation } = request;
  return {
    kind: { group, version, kind },
    resource: { group, version, resource },
    requestKind: { group, version: request.version, kind },
    requestResource: { group, version: request.version, resource },
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo,
    dryRun: false,
    options,
  } as CelValue;
}

export const userInfo = ({ name, groups }: { name: string; groups: readonly string[] }): CelValue => ({
  username: name,
  groups: [...new Set([...groups, 'system:authenticated'])],
});
