/** What Kubernetes accepts as names, label keys and label values (k8s.io/apimachinery/pkg/util/validation). */
const LABEL_1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

export const isLabel = (name: string): boolean => name.length <= 63 && LABEL_1123.test(name);

/** An RFC 1035 label: one that starts with a letter. */
export const isLetterLabel = (name: string): boolean => name.length <= 63 && LABEL_1035.test(name);

/** An RFC 1123 subdomain, of any length. */
export const isDomain = (name: string): boolean => SUBDOMAIN.test(name);

export const isSubdomain = (name: string): boolean => name.length <= 253 && isDomain(name);

/** Groups of Kubernetes itself, whose CRDs need an approval (k8s.io/apiextensions-apiserver/pkg/apihelpers). */
export const isProtectedGroup = (group: string): boolean => /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);

/** A segment of an API path, such as the names of RBAC objects. */
export const isPathSegment = (name: string): boolean => name !== '.' && name !== '..' && !/[/%]/.test(name);

const PATH_SEGMENT_KINDS = new Set([
  'policy/PodDisruptionBudget',
  ...['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'].map((kind) => `rbac.authorization.k8s.io/${kind}`),
]);

/** Returns why an object of this kind cannot have this name; `undefined` if it can. */
export function nameFault(kind: { group: string; kind: string }, name: string): string | undefined {
  if (PATH_SEGMENT_KINDS.has(`${kind.group}/${kind.kind}`)) {
    return isPathSegment(name) ? undefined : "it may not be '.' or '..' nor hold '/' or '%'";
  }
  if (kind.group === '' && kind.kind === 'Service') {
    return isLetterLabel(name)
      ? undefined
      : 'a Service is named by an RFC 1035 label: lower case letters, digits and dashes, a letter first, at most 63';
  }
  if (kind.group === '' && kind.kind === 'Namespace') {
    return isLabel(name)
      ? undefined
      : 'a Namespace is named by an RFC 1123 label: lower case letters, digits and dashes, at most 63';
  }
  return isSubdomain(name)
    ? undefined
    : 'it must be an RFC 1123 subdomain: lower case letters, digits, dashes and dots, at most 253';
}

/** Reports whether a name is valid only since Kubernetes 1.36: that of a Service that starts with a digit. */
export const isNewServiceName = (kind: { group: string; kind: string }, name: string): boolean =>
  kind.group === '' && kind.kind === 'Service' && /^[0-9]/.test(name) && isLabel(name);

export function namespaceFault(name: string): string | undefined {
  return nameFault({ group: '', kind: 'Namespace' }, name);
}

/** Keys that were valid: all objects of a rendering have the same ones. */
const validKeys = new Set<string>();
const MOST_KEYS = 1000;

export function labelKeyFault(key: string): string | undefined {
  if (validKeys.has(key)) return undefined;
  const slash = key.lastIndexOf('/');
  const name = key.slice(slash + 1);
  const valid = name.length <= 63 && QUALIFIED_PART.test(name) && (slash < 0 || isSubdomain(key.slice(0, slash)));
  if (valid && validKeys.size < MOST_KEYS) validKeys.add(key);
  return valid
    ? undefined
    : 'a label key is [prefix/]name, the name of letters, digits, dashes, underscores and dots, at most 63';
}

export const isLabelKey = (key: string): boolean => labelKeyFault(key) === undefined;

export function labelValueFault(value: string): string | undefined {
  return value === '' || (value.length <= 63 && QUALIFIED_PART.test(value))
    ? undefined
    : 'a label value has letters, digits, dashes, underscores and dots, starts and ends with a letter or digit, at most 63';
}

/** Returns why labels or annotations cannot have an entry (k8s.io/apimachinery/pkg/api/validation). */
export const entryFault = (field: 'labels' | 'annotations', key: string, value: string): string | undefined =>
  field === 'labels' ? (labelKeyFault(key) ?? labelValueFault(value)) : labelKeyFault(key.toLowerCase());
