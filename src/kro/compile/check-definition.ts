import { composeText, type Message, type Problem, phrase, type Reporter, shown } from '../../core/diagnostics/index.ts';
import { isDomain, isLetterLabel } from '../../core/model/names.ts';
import { get, type Path } from '../../core/model/value.ts';
import type { Definition, NodeDefinition } from '../definition/index.ts';

/** The names that kro accepts (kro: pkg/graph/validation.go, api/v1alpha1 kubebuilder markers). */
const LOWER_CAMEL_CASE = /^[a-z][a-zA-Z0-9]*$/;
const KIND = /^[A-Z][a-zA-Z0-9]{0,62}$/;
const VERSION = /^v[0-9]+(alpha[0-9]+|beta[0-9]+)?$/;

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

function suggestKind(name: string): string | undefined {
  const kind = upperCamelCase(name);
  return KIND.test(kind) ? kind : undefined;
}

function suggestId(name: string): string | undefined {
  const words = upperCamelCase(name);
  const id = words.charAt(0).toLowerCase() + words.slice(1);
  return idFault(id) === undefined ? id : undefined;
}

/** Returns why a name cannot be a node id or an iterator name; `undefined` if it can. */
function idFault(name: string): string | undefined {
  if (reserved.has(name)) return `'${name}' is a reserved word`;
  if (!LOWER_CAMEL_CASE.test(name)) return `'${name}' is not lowerCamelCase (letters and digits, lower case first)`;
  return undefined;
}

/** Checks the parts of an RGD that do not depend on expressions (kro: pkg/graph/validation.go). */
export function checkDefinition(definition: Definition, strict: boolean, reporter: Reporter): void {
  checkIdentity(definition, reporter);
  checkNames(definition, strict, reporter);
  for (const node of definition.nodes) checkCombination(node, reporter);
}

const nameHint = (name: string | undefined): Message | undefined =>
  name === undefined ? name : phrase`for example ${name}`;

function checkIdentity({ kind, version, group, plural, schema }: Definition, reporter: Reporter): void {
  const report = (code: Problem['code'], key: string, message: Message, hint?: Message): void =>
    reporter.report({ code, message, path: ['spec', 'schema', key], hint });
  if (!KIND.test(kind)) {
    const message = phrase`the kind '${kind}' must be UpperCamelCase: letters and digits, at most 63`;
    report('rgd-kind', 'kind', message, nameHint(suggestKind(kind)));
  }
  if (!VERSION.test(version)) {
    const isLong = version.includes('/');
    const hint = isLong ? phrase`write the version alone and the rest under group` : phrase`for example v1alpha1`;
    report('rgd-version', 'apiVersion', phrase`'${version}' is not a Kubernetes version`, hint);
  }
  if (!isDomain(group)) report('rgd-group', 'group', phrase`'${group}' is not a DNS name`);
  if (plural !== undefined && !isLetterLabel(plural)) {
    const message = phrase`'${plural}' is not a valid plural: lower case letters, digits and dashes, a letter first, at most 63`;
    report('rgd-plural', 'plural', message);
  }
  const scope = get(schema, 'scope') ?? 'Namespaced';
  if (scope !== 'Namespaced' && scope !== 'Cluster')
    report('rgd-scope', 'scope', phrase`scope is Namespaced or Cluster, not '${String(scope)}'`);
}

function checkCombination({ id, path, template, externalRef, forEach }: NodeDefinition, reporter: Reporter): void {
  if ((template === undefined) === (externalRef === undefined)) {
    const message = phrase`a node has either a template or an externalRef`;
    reporter.report({ code: 'node-shape', message, path }, id);
  }
  if (externalRef !== undefined && forEach.length > 0) {
    const message = phrase`forEach cannot be set together with externalRef`;
    reporter.report({ code: 'node-shape', message, path: [...path, 'forEach'] }, id);
  }
}

/** The name of the engine in kro 0.10. */
const RESERVED_LATER = 'graphengine';

const reservedLater = (code: 'node-id' | 'iterator-name', strict: boolean): Problem => ({
  code,
  message: phrase`'${shown(RESERVED_LATER)}' is a reserved word from kro 0.10 on`,
  path: [],
  severity: strict ? 'error' : 'warning',
});

/** Returns a hint for a name that YAML reads as a boolean. */
export const booleanKeyHint = (name: string): Pick<Problem, 'hint'> =>
  ['true', 'false'].includes(name)
    ? { hint: phrase`y, n, yes, no, on and off are booleans in YAML: put the name in quotes` }
    : {};

function checkNames(definition: Definition, strict: boolean, reporter: Reporter): void {
  const seen = new Map<string, number>();
  const ids = new Map(definition.nodes.map(({ id, path }) => [id, [...path, 'id']]));
  for (const { id, path, forEach } of definition.nodes) {
    const fault = idFault(id);
    const first = seen.get(id);
    if (fault !== undefined) {
      const message = phrase`${fault}, so it cannot be a node id`;
      reporter.report({ code: 'node-id', message, path: [...path, 'id'], hint: nameHint(suggestId(id)) }, id);
    } else if (first !== undefined) {
      const message = phrase`duplicate id '${id}': used by spec.resources[${first}]`;
      const { source } = definition.input;
      const related = [{ message: composeText`takes the id`, source, path: ['spec', 'resources', first, 'id'] }];
      reporter.report({ code: 'node-id', message, path: [...path, 'id'], related }, id);
    } else {
      seen.set(id, path[2] as number);
      if (id === RESERVED_LATER) reporter.report({ ...reservedLater('node-id', strict), path: [...path, 'id'] }, id);
    }
    if (forEach.length > 10) {
      const message = phrase`forEach must have at most 10 iterators, got ${forEach.length}`;
      reporter.report({ code: 'iterator-name', message, path: [...path, 'forEach'] }, id);
    }
    checkIterators(definition, { id, forEach }, ids, strict, reporter);
  }
}

function checkIterators(
  { input: { source } }: Definition,
  { id, forEach }: Pick<NodeDefinition, 'id' | 'forEach'>,
  ids: ReadonlyMap<string, Path>,
  strict: boolean,
  reporter: Reporter,
): void {
  const own = new Map<string, Path>();
  for (const { name, path } of forEach) {
    const [node, iterator] = [ids.get(name), own.get(name)];
    if (iterator === undefined) own.set(name, path);
    if (name === RESERVED_LATER) reporter.report({ ...reservedLater('iterator-name', strict), path }, id);
    const fault = idFault(name);
    const reason =
      fault ?? (node && `'${name}' is a node id`) ?? (iterator && `'${name}' is an iterator of this node already`);
    if (reason === undefined) continue;
    const other = fault === undefined ? (node ?? iterator) : undefined;
    const message = phrase`${reason}, so it cannot be an iterator`;
    const related = other && [{ message: composeText`takes the name`, source, path: other }];
    reporter.report({ code: 'iterator-name', message, path, related, ...booleanKeyHint(name) }, id);
  }
}
