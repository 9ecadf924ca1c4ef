import {
  advise,
  composeText,
  type Hint,
  hint,
  hintMessage,
  type Listed,
  type Message,
  type Problem,
  phrase,
  type Remedy,
  type Reporter,
  renameTo,
  shown,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { lazily } from '../../core/model/lazily.ts';
import { isDomain, isLetterLabel } from '../../core/model/names.ts';
import { type GroupVersionKind, groupKind } from '../../core/model/object.ts';
import type { KubernetesRelease } from '../../core/model/render.ts';
import { get, type Path } from '../../core/model/value.ts';
import { nearest } from '../../core/text/nearest.ts';
import { builtinKinds, pluralize, readKindName, unservedKind } from '../../kubernetes/schema/index.ts';
import type { Definition, NodeDefinition } from '../definition/index.ts';
import type { GraphNode } from './graph.ts';

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

/** Returns why a node or an iterator cannot have a name; `undefined` if it can. */
export function idFault(name: string): string | undefined {
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
  name === undefined ? name : advise(phrase`for example ${name}`, renameTo(phrase`${name}`));

function checkIdentity({ kind, version, group, plural, schema }: Definition, reporter: Reporter): void {
  const report = (code: Problem['code'], key: string, message: Message, hint?: Message): void =>
    reporter.report({ code, message, path: ['spec', 'schema', key], hint });
  if (!KIND.test(kind)) {
    const message = phrase`the kind '${{ kind }}' must be UpperCamelCase: letters and digits, at most 63`;
    report('rgd-kind', 'kind', message, nameHint(suggestKind(kind)));
  }
  if (!VERSION.test(version)) {
    const isLong = version.includes('/');
    const hint = isLong
      ? phrase`write the version alone and the rest under group`
      : advise(phrase`for example v1alpha1`, renameTo(shown('v1alpha1')));
    report('rgd-version', 'apiVersion', phrase`'${{ version }}' is not a Kubernetes version`, hint);
  }
  if (!isDomain(group)) report('rgd-group', 'group', phrase`'${{ group }}' is not a DNS name`);
  if (plural !== undefined && !isLetterLabel(plural)) {
    const message = phrase`'${{ name: plural }}' is not a valid plural: lower case letters, digits and dashes, a letter first, at most 63`;
    report('rgd-plural', 'plural', message);
  }
  const scope = get(schema, 'scope') ?? 'Namespaced';
  if (scope !== 'Namespaced' && scope !== 'Cluster')
    report('rgd-scope', 'scope', phrase`scope is Namespaced or Cluster, not '${{ value: String(scope) }}'`);
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
  message: phrase`'${{ name: shown(RESERVED_LATER) }}' is a reserved word from kro 0.10 on`,
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
      const message = phrase`duplicate id '${{ name: id }}': used by spec.resources[${first}]`;
      const { source } = definition.input;
      const related = [{ message: composeText`takes the id`, source, path: ['spec', 'resources', first, 'id'] }];
      reporter.report({ code: 'node-id', message, path: [...path, 'id'], related }, id);
    } else {
      seen.set(id, path[2] as number);
      if (id === RESERVED_LATER) reporter.report({ ...reservedLater('node-id', strict), path: [...path, 'id'] }, id);
    }
    if (forEach.length > 10) {
      const message = phrase`forEach must have at most 10 iterators, got ${{ count: forEach.length }}`;
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
    const node = ids.get(name);
    const iterator = own.get(name);
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

/** What is known of a kind that nothing describes. */
interface UnknownKind {
  /** Whether Kubernetes owns the group, so that no CRD can define the kind. */
  isOwned: boolean;
  /** Whether Kubernetes certainly has no such kind, or does not serve it in this version. */
  impossible: boolean;
  /** Whether it is served in other versions. */
  hasOtherVersions: boolean;
  /** Up to three kinds of a similar group and name. */
  intended: readonly GroupVersionKind[];
}

function unknownKind(gvk: GroupVersionKind, names: readonly string[]): UnknownKind {
  const core = coreKinds();
  const known = names.length === 0 ? [...core.values()].flat() : names.map(readKindName);
  const ofGroup = known.filter(({ group }) => group === gvk.group);
  const versions = ofGroup.filter(({ kind }) => kind === gvk.kind);
  // The group of a CRD has a dot.
  const isOwned = core.has(gvk.group) || !gvk.group.includes('.');
  // A description without any kind says nothing about the kinds that Kubernetes has.
  const isServed = names.length === 0 && versions.some(({ version }) => version === gvk.version);
  const impossible = isOwned && !isServed && (ofGroup.length > 0 || describesKubernetes(known));
  const about = { isOwned, impossible, hasOtherVersions: versions.length > 0 };
  if (versions.length > 0) return { ...about, intended: firstOf(versions) };
  // There are many unknown kinds: only the first ones are compared with the known ones.
  if (names.length === 0) return { ...about, intended: [] };
  const groups = nearGroups(gvk.group, known);
  const near = known.filter(({ group }) => groups.has(group));
  const kindsOfNear = near.map(({ kind }) => kind);
  const wanted = new Set([gvk.kind, ...nearest(gvk.kind, kindsOfNear, 3)]);
  const close = near.filter(({ kind }) => wanted.has(kind)).sort((a, b) => rank(a, gvk) - rank(b, gvk));
  if (close.length > 0 || !impossible) return { ...about, intended: firstOf(close) };
  return { ...about, intended: firstOf(known.filter(({ group, kind }) => core.has(group) && kind === gvk.kind)) };
}

/** A document that describes only a few groups says nothing about others. */
const describesKubernetes = (known: readonly GroupVersionKind[]): boolean =>
  ['', 'apps'].every((wanted) => known.some(({ group }) => group === wanted));

const coreKinds = lazily(() => groupBy([...builtinKinds.names()].map(readKindName), ({ group }) => group));

const rank = (one: GroupVersionKind, wanted: GroupVersionKind): number =>
  (one.group === wanted.group ? 0 : 2) + (one.kind === wanted.kind ? 0 : 1);

/** Returns the groups that a written one may mean: itself, one with similar spelling, and '' for `core`. */
function nearGroups(group: string, known: readonly GroupVersionKind[]): Set<string> {
  const groups = new Set(known.map((one) => one.group));
  const near = new Set(nearest(group, groups));
  if (groups.has(group)) near.add(group);
  if (group === 'core') near.add('');
  return near;
}

/** Returns the first kinds, each once. */
function firstOf(kinds: readonly GroupVersionKind[]): GroupVersionKind[] {
  const byName = new Map<string, GroupVersionKind>();
  for (const one of kinds) if (!byName.has(kindName(one))) byName.set(kindName(one), one);
  return [...byName.values()].slice(0, 3);
}

const apiVersionOf = ({ group, version }: GroupVersionKind): string => (group === '' ? version : `${group}/${version}`);

const kindName = (gvk: GroupVersionKind): string => `${apiVersionOf(gvk)} ${gvk.kind}`;

/** Asks for one of some kinds in place of a written one. */
function askForKinds(kinds: readonly GroupVersionKind[], written: GroupVersionKind): Hint {
  const remedies = kinds.map((gvk): Remedy => {
    const apiVersion = apiVersionOf(gvk);
    if (apiVersion === apiVersionOf(written)) return { kind: 'rename', to: gvk.kind };
    return { kind: 'set-kind', apiVersion, name: gvk.kind };
  });
  return hint(`did you mean ${kinds.map(kindName).join(' or ')}?`, remedies);
}

/**
 * A warning, because a repository rarely has every CRD; an error if a group of Kubernetes itself has no such kind, or no
 * longer serves it.
 */
export function unknownKindProblem(
  { path, gvk, scopeAssumed, namespaced }: Pick<GraphNode, 'path' | 'gvk' | 'scopeAssumed' | 'namespaced'>,
  names: readonly string[],
  { strict, release }: { strict: boolean; release: KubernetesRelease | undefined },
): Problem {
  const { isOwned, impossible, hasOtherVersions, intended } = unknownKind(gvk, names);
  // With a cluster's document, only what it lacks of a group that it has is certain.
  const unserved = impossible || release !== undefined ? unservedKind(gvk, release) : undefined;
  if (unserved !== undefined) return { ...unserved, path: [...path, 'apiVersion'] };
  const isError = strict || impossible;
  const written = `${gvk.group === '' ? '' : `${gvk.group}/`}${gvk.version} ${gvk.kind}`;
  const scope = namespaced ? 'namespaced' : 'cluster-scoped';
  const assumed = scopeAssumed ? `, and it is assumed to be ${scope}` : '';
  const message = impossible
    ? absentText(gvk, written, hasOtherVersions)
    : phrase`no core type, CRD or RGD describes ${{ kind: written }}${isError ? phrase`` : phrase`; its fields are not checked${assumed}`}`;
  const question = intended.length === 0 ? undefined : askForKinds(intended, gvk);
  const general = isOwned ? OTHER_KUBERNETES : phrase`${crdHint(gvk, isError, scopeAssumed && namespaced)}`;
  const problem: Problem = {
    code: 'unknown-kind',
    message,
    path: [...path, 'kind'],
    severity: isError ? 'error' : 'warning',
    hint:
      question === undefined ? general : phrase`${hintMessage(question, (text) => phrase`${text}`)} If not, ${general}`,
    alike: written,
  };
  return isError || isOwned ? problem : { ...problem, listed: listedKind(gvk, written, question?.text) };
}

function absentText(gvk: GroupVersionKind, written: string, hasOtherVersions: boolean): Message {
  if (hasOtherVersions) return phrase`Kubernetes does not serve ${{ kind: written }}`;
  const group = gvk.group === '' ? phrase`the core API group` : phrase`the API group ${{ group: gvk.group }}`;
  return phrase`${group} of Kubernetes has no kind ${{ kind: gvk.kind }}`;
}

const OTHER_KUBERNETES = phrase`give the types of another Kubernetes with --openapi`;

const OFF =
  '; this line of render-rgd.yaml turns the warning off: rules: [{code: unknown-kind, severity: off, reason: WHY}]';

function crdHint(gvk: GroupVersionKind, isError: boolean, mayBeClusterScoped: boolean): string {
  const name = crdName(gvk);
  const option =
    !isError && mayBeClusterScoped ? `, or use --cluster-scoped ${groupKind(gvk)} if it has no namespace` : '';
  return `add its CustomResourceDefinition to the input${option}; kubectl get crd ${name} -o yaml > ${name}.yaml writes it from a cluster, and --definitions ${name}.yaml reads it${isError ? '' : OFF}`;
}

function listedKind(gvk: GroupVersionKind, written: string, question: string | undefined): Listed {
  return {
    subject: trusted.definition(written),
    message: composeText`no core type, CRD or RGD describes these kinds; their fields are not checked, and their scope is assumed`,
    note: question === undefined ? undefined : trusted.definition(`${written}: ${question}`),
    hint: composeText`add their CustomResourceDefinitions to the input: kubectl get crd ITEMS -o yaml > crds.yaml writes them from a cluster, and --definitions crds.yaml reads them${OFF}`,
    item: crdName(gvk),
  };
}

function crdName({ group, kind }: GroupVersionKind): string {
  const singular = kind.toLowerCase();
  const plural = pluralize(singular);
  return `${/^[a-z0-9]+$/.test(plural) ? plural : `${singular}s`}.${group}`;
}
