/** The names that kro accepts (kro: pkg/graph/validation.go, api/v1alpha1 kubebuilder markers). */
const LOWER_CAMEL_CASE = /^[a-z][a-zA-Z0-9]*$/;
export const KIND = /^[A-Z][a-zA-Z0-9]{0,62}$/;
export const VERSION = /^v[0-9]+(alpha[0-9]+|beta[0-9]+)?$/;

const CEL_RESERVED =
  'true false null in as break const continue else for function if import let loop package namespace return var void while';
const KRO_RESERVED =
  'apiVersion context dependency dependencies each externalRef externalReference externalRefs externalReferences graph ' +
  'instance item items kind kro metadata namespace object resource resourcegraphdefinition resourceGraphDefinition ' +
  'resources root runtime schema self serviceAccountName spec status this variables vars version';

export const celReserved: ReadonlySet<string> = new Set(CEL_RESERVED.split(' '));
const reserved: ReadonlySet<string> = new Set(`${CEL_RESERVED} ${KRO_RESERVED}`.split(' '));

const upperCamelCase = (name: string): string =>
  (name.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

/** Returns a valid kind with the letters and digits of an invalid one; `undefined` if there is none. */
export function suggestKind(name: string): string | undefined {
  const kind = upperCamelCase(name);
  return KIND.test(kind) ? kind : undefined;
}

/** Returns a valid node id with the letters and digits of an invalid one; `undefined` if there is none. */
export function suggestId(name: string): string | undefined {
  const words = upperCamelCase(name);
  const id = words.charAt(0).toLowerCase() + words.slice(1);
  return idFault(id) === undefined ? id : undefined;
}

/** Returns why a name cannot be a node id or an iterator name; `undefined` if it can. */
export function idFault(name: string): string | undefined {
  if (reserved.has(name)) return `'${name}' is a reserved word`;
  if (!LOWER_CAMEL_CASE.test(name)) return `'${name}' is not lowerCamelCase (letters and digits, lower case first)`;
  return undefined;
}
