import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import { parseSelector, type Selector, matches as selects } from '../../core/model/label-selector.ts';
import { groupKind } from '../../core/model/object.ts';
import { get, listAt, type Path, type Value, type ValueMap } from '../../core/model/value.ts';

/** The label of a namespace that an API server sets. */
export const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

/** What an API server never shows to policies: their own kinds, and requests about permissions. */
const EXEMPT =
  /^(?:(?:Validating|Mutating)AdmissionPolicy(?:Binding)?\.admissionregistration|\w+Review\.auth(?:entication|orization))\.k8s\.io$/;

export const isExempt = (request: { group: string; kind: string }): boolean => EXEMPT.test(groupKind(request));

interface Rule {
  names: readonly string[];
  groups: readonly string[];
  versions: readonly string[];
  resources: readonly string[];
  operations: readonly string[];
  scope: string;
}

/** The selection of requests in a policy, or in a binding (`MatchResources`). */
export interface Match {
  namespaces: Selector;
  objects: Selector;
  /** Empty for every request. */
  rules: readonly Rule[];
  excluded: readonly Rule[];
  isExact: boolean;
}

/** What a policy may select a request by. */
export interface Request {
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
  group: string;
  version: string;
  resource: string;
  name: string;
  /** '' for a cluster-scoped object, except that a Namespace is in itself. */
  namespace: string;
  /** The labels of the new and of the old object. */
  labels: readonly ValueMap[];
  /** `undefined` if only a cluster knows the namespace. */
  namespaceLabels: ValueMap | undefined;
  /** Other versions in which the cluster has the same object. */
  equivalents(): readonly string[];
}

export function readMatch(match: ValueMap, path: Path, report: (problem: Omit<Problem, 'code'>) => void): Match {
  const selectorAt = (key: string): Selector => {
    const { selector, faults } = parseSelector(get(match, key) ?? {});
    for (const fault of faults) report({ message: phrase`${fault.message}`, path: [...path, key, ...fault.path] });
    return selector;
  };
  return {
    namespaces: selectorAt('namespaceSelector'),
    objects: selectorAt('objectSelector'),
    rules: listAt(match, 'resourceRules').map(ruleOf),
    excluded: listAt(match, 'excludeResourceRules').map(ruleOf),
    isExact: get(match, 'matchPolicy') === 'Exact',
  };
}

function ruleOf(rule: Value): Rule {
  const texts = (key: string): string[] => listAt(rule, key).map(String);
  return {
    names: texts('resourceNames'),
    groups: texts('apiGroups'),
    versions: texts('apiVersions'),
    resources: texts('resources'),
    operations: texts('operations'),
    scope: String(get(rule, 'scope') ?? '*'),
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

const includes = (list: readonly string[], value: string): boolean => list.includes('*') || list.includes(value);

function isSelected(rule: Rule, { operation, group, resource, namespace, name }: Request, version: string): boolean {
  if (!includes(rule.operations, operation) || !includes(rule.groups, group)) return false;
  if (!includes(rule.versions, version)) return false;
  // Subresources, as in pods/status, have requests of their own; `pods/*` includes the object.
  if (!rule.resources.some((one) => ['*', '*/*', resource, `${resource}/*`].includes(one))) return false;
  const isNamespaced = namespace !== '' && !(group === '' && resource === 'namespaces');
  if (rule.scope !== '*' && (rule.scope === 'Namespaced') !== isNamespaced) return false;
  return rule.names.length === 0 || rule.names.includes(name);
}
