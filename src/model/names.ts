/** What Kubernetes accepts as names, label keys and label values (k8s.io/apimachinery/pkg/util/validation). */
const LABEL_1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const PATH_SEGMENT_KINDS = new Set(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);

/** Why an object of this kind cannot have this name; `undefined` when it can. */
export function nameFault(kind: { group: string; kind: string }, name: string): string | undefined {
  if (kind.group === 'rbac.authorization.k8s.io' && PATH_SEGMENT_KINDS.has(kind.kind)) {
    return name === '.' || name === '..' || /[/%]/.test(name)
      ? "it may not be '.' or '..' nor hold '/' or '%'"
      : undefined;
  }
  if (kind.group === '' && kind.kind === 'Service') {
    return LABEL_1035.test(name) && name.length <= 63
      ? undefined
      : 'a Service is named by an RFC 1035 label: lower case letters, digits and dashes, a letter first, at most 63';
  }
  if (kind.group === '' && kind.kind === 'Namespace') {
    return LABEL_1123.test(name) && name.length <= 63
      ? undefined
      : 'a Namespace is named by an RFC 1123 label: lower case letters, digits and dashes, at most 63';
  }
  return SUBDOMAIN.test(name) && name.length <= 253
    ? undefined
    : 'it must be an RFC 1123 subdomain: lower case letters, digits, dashes and dots, at most 253';
}

/** Why a namespace cannot be called so. */
export function namespaceFault(name: string): string | undefined {
  return nameFault({ group: '', kind: 'Namespace' }, name);
}

export function labelKeyFault(key: string): string | undefined {
  const parts = key.split('/');
  const name = parts.at(-1) as string;
  const prefix = parts.length === 2 ? (parts[0] as string) : undefined;
  const valid =
    parts.length <= 2 &&
    name.length <= 63 &&
    QUALIFIED_PART.test(name) &&
    (prefix === undefined || (SUBDOMAIN.test(prefix) && prefix.length <= 253));
  return valid
    ? undefined
    : 'a label key is [prefix/]name, the name of letters, digits, dashes, underscores and dots, at most 63';
}

export function labelValueFault(value: string): string | undefined {
  return value === '' || (value.length <= 63 && QUALIFIED_PART.test(value))
    ? undefined
    : 'a label value has letters, digits, dashes, underscores and dots, starts and ends with a letter or digit, at most 63';
}
