import type { Collector } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { selectsObject } from '../../core/model/label-selector.ts';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import { allowance, EVALUATIONS_EACH, type Limits, MAX_EVALUATIONS, spend } from '../../core/model/limits.ts';
import {
  groupKind,
  groupKindOf,
  groupVersionKind,
  type InputObject,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { get, isMap, mapOf, setKey, textOf, type Value, type ValueMap } from '../../core/model/value.ts';
import { spendFromPool, startPool } from '../../kro/admit/index.ts';
import { withDefaults } from '../../kubernetes/defaults/index.ts';
import { builtinKinds, type KindRegistry, resourcesOf } from '../../kubernetes/schema/index.ts';
import { conformityOf } from '../../kubernetes/validation/index.ts';
import { type CelValue, createBudget } from '../../languages/cel/index.ts';
import { type Decision, type Denial, evaluate, type Missing, type Skipped, Unknown, type Watch } from './evaluate.ts';
import {
  type Candidate,
  candidatesOf,
  isExempt,
  isNamespace,
  kindFinder,
  labelled,
  type Match,
  type Matched,
  matched,
  NAMESPACE_NAME,
  type Operation,
  type Request,
  requestOf,
  requestValue,
  userInfo,
} from './match.ts';
import { type Binding, type Policy, readPolicies } from './read.ts';
import { checkTypes } from './types.ts';

export { DecisionLedger } from './decisions.ts';
export { policyEnvironment } from './environment.ts';
export type { Operation } from './match.ts';
export { isPolicy, mayAlsoReject } from './read.ts';
export { Denials, type Denied, denialText, fieldOf, problemOf, Undecided, withOrigin } from './report.ts';
export { inspectPolicy, policyScope } from './types.ts';

export interface PolicyInput {
  policies: readonly InputObject[];
  /** Objects that are in the cluster: namespaces, and parameters. */
  known: readonly InputObject[];
  /** Those of `known` that were given for the policies: others of their kinds do not exist. */
  complete: readonly InputObject[];
  crds: readonly KubeObject[];
  kinds: KindRegistry;
  user?: { name: string; groups: readonly string[] } | undefined;
  limits: Limits;
  /** The namespace of objects without one; '' if it is not known. */
  namespace: string;
  /** Nothing may depend on values of Secrets. */
  unknownSecrets?: RenderOptions['unknownSecrets'];
}

export const userOf = ({ as = '', asGroup = [] }: UserOptions): PolicyInput['user'] =>
  as === '' ? undefined : { name: as, groups: asGroup };

export interface UserOptions {
  as?: string | undefined;
  asGroup?: readonly string[] | undefined;
}

export interface Policies {
  policies: readonly Policy[];
  /** Returns the decisions of all policies, in order; those that were not evaluated at all come together. */
  decide(operation: Operation): (Decision | Skipped)[];
}

/** Matches what a binding without its own selection is bound to: everything that its policy selects. */
const EVERY_REQUEST: Match = { namespaces: [], objects: [], rules: [], excluded: [], isExact: false };

/** An API server stops an expression at a cost of a million; a step costs less than 20, so that it stops none here. */
const MAX_STEPS = 50_000;

export function compilePolicies(input: PolicyInput, operations: number, reports: Collector): Policies {
  const policies = readPolicies(distinct(input.policies), reports);
  const resources = resourcesOf(input.crds);
  const kindOf = kindFinder(resources, input.kinds);
  for (const policy of policies) checkTypes(policy, input.kinds, kindOf, reports);
  const active = policies.filter(({ bindings }) => bindings.length > 0);
  const namespaces = new Map(
    input.known.flatMap(({ object }) => (isNamespace(object) ? [[nameOf(object), labelled(object)] as const] : [])),
  );
  const secretNamespaces = new Set(
    input.known.flatMap(({ object, secret }) => (secret && isNamespace(object) ? nameOf(object) : [])),
  );
  const params = paramsOf({ ...input, known: distinct(input.known) });
  const limits = { ...input.limits, maxSteps: Math.min(input.limits.maxSteps, MAX_STEPS) };
  const pool = startPool(operations, input.limits);
  const watch: Watch = { met: undefined };
  const unknownNamespace = new Unknown('namespace', watch);
  const set = new Unknown('fields that the API server sets', watch);
  const unknownOptions = new Unknown('request.options', watch);
  const unknown: UnknownParts = {
    set,
    secret: input.unknownSecrets === undefined ? undefined : new Unknown('a Secret', watch),
  };
  // One budget for all, which starts anew: creating one takes as long as an expression.
  const budget = createBudget(limits);
  let isExhausted = false;
  const user = input.user === undefined ? new Unknown('the user', watch) : userInfo(input.user);
  const evaluations = allowance(MAX_EVALUATIONS + operations * EVALUATIONS_EACH);
  const candidates = candidatesOf(active, ({ match }) => match);
  const bindingsOf = onceFor((policy: Policy) => candidatesOf(policy.bindings, ({ match }) => match ?? EVERY_REQUEST));
  const policiesOf = onceFor((all: readonly Candidate<Policy>[]) => all.map(({ of }) => of));
  const decide = (operation: Operation): (Decision | Skipped)[] => {
    const own = (operation.object ?? operation.oldObject) as KubeObject;
    const request = requestOf(operation, own, input, resources, namespaces);
    if (isExempt(request)) return [];
    const requestOfVersion = onceFor((version: string) => requestValue(request, version, user, unknownOptions));
    const seen = lazily(() => seenBy(operation, request, input.kinds, unknown));
    const bound = (policy: Policy, { of: binding, match }: Bound, found: NonNullable<Matched>): Decision[] => {
      const at = { policy, binding };
      const undecided = (missing: Missing): Decision[] => [{ ...at, undecided: missing }];
      const isBound = binding.match === undefined ? found : matched(match, request);
      if (isBound === undefined) return [];
      if (isExhausted) return undecided('budget');
      if (found === 'unknown' || isBound === 'unknown') return undecided('namespace');
      const given = params(policy, binding, request);
      if ('undecided' in given) return undecided(given.undecided);
      if ('fault' in given) return configurationError(at, given.fault);
      const { version } = found;
      if (version !== request.version && !resources.has(groupKindOf(own))) return undecided('conversion');
      const namespace = request.isNamespace || request.namespace === '' ? null : namespaces.get(request.namespace);
      return given.params.flatMap((param) => {
        isExhausted ||= !spend(evaluations, 1);
        if (isExhausted) return undecided('budget');
        budget.steps = 0;
        budget.size = 0;
        const { object, oldObject } = seen();
        const values = {
          object: inVersion(object, request, version),
          oldObject: inVersion(oldObject, request, version),
          params: param === null ? null : (asStored(param.object, undefined, input.kinds, unknown) as CelValue),
          request: requestOfVersion(version),
          namespaceObject: namespace === undefined ? unknownNamespace : (namespace as CelValue),
        };
        const verdict = evaluate(policy, values, budget, watch, evaluations);
        isExhausted ||= !spendFromPool(pool, budget);
        const more = verdict.undecided === undefined ? [] : undecided(verdict.undecided);
        const usesSecret =
          policy.paramKind?.kind === 'Secret' || param?.secret !== undefined || secretNamespaces.has(request.namespace);
        return [...actionsOf(at, verdict.denials, usesSecret), ...more];
      });
    };
    const selecting = candidates(request);
    if (isExhausted && selecting.length > 0) return [{ skipped: policiesOf(selecting) }];
    return selecting.flatMap(({ of: policy, match }) => {
      const found = matched(match, request);
      if (found === undefined) return [];
      return bindingsOf(policy)(request).flatMap((binding) => bound(policy, binding, found));
    });
  };
  return { policies, decide };
}

type Bound = Candidate<Binding>;

/** The same object may be given in several places, such as a folder of policies in the package: the first one counts. */
function distinct(inputs: readonly InputObject[]): InputObject[] {
  const alike = groupBy(inputs, ({ object }) => identityOf(object));
  return [...alike.values()].map((each) => {
    const secret = each.find((one) => one.secret !== undefined)?.secret;
    return { ...(each[0] as InputObject), ...(secret && { secret }) };
  });
}

type At = Pick<Decision, 'policy' | 'binding'>;

function actionsOf(at: At, denials: readonly Denial[], usesSecret: boolean): Decision[] {
  return denials.flatMap((denial) => {
    // An audit annotation that fails rejects the request, whatever the actions are.
    const isAnnotation = denial.expression?.path[1] === 'auditAnnotations';
    const actions = isAnnotation ? ['Deny'] : at.binding.actions;
    return actions.map((action): Decision => ({ ...at, action: action as 'Deny', denial, usesSecret }));
  });
}

function configurationError(at: At, fault: string): Decision[] {
  if (at.policy.ignoresFailures) return [];
  const message = `failed to configure binding: ${fault}`;
  const denial: Denial = { message, plain: message };
  return [{ ...at, action: 'Deny', denial, usesSecret: false }];
}

/** Another version of a custom object only differs in its apiVersion. */
function inVersion(object: CelValue, { group, version }: Request, wanted: string): CelValue {
  if (version === wanted || object === null) return object;
  return { ...(object as object), apiVersion: group === '' ? wanted : `${group}/${wanted}` };
}

function seenBy({ object, oldObject }: Operation, { operation }: Request, kinds: KindRegistry, unknown: UnknownParts) {
  const stored = (one: KubeObject | undefined, isNew: boolean): CelValue =>
    one === undefined ? null : (asStored(one, isNew, kinds, unknown) as CelValue);
  const old = stored(oldObject, false);
  const after = object && oldObject ? (carried(object, oldObject, old) as KubeObject) : object;
  return { object: stored(after, operation === 'CREATE'), oldObject: old };
}

const NO_OBJECTS: readonly InputObject[] = [];

type Params = { params: readonly (InputObject | null)[] } | { undecided: Missing } | { fault: string };

/** Returns a function that finds the parameters of a binding (generic.CollectParams). */
function paramsOf({ known, complete, kinds }: PolicyInput) {
  const supplied = new Set(complete.map(({ object }) => groupKindOf(object)));
  const byKind = lazily(() => groupBy(known, ({ object }) => groupKindOf(object)));
  const inNamespaces = onceFor((kind: string) =>
    groupBy(byKind().get(kind) ?? [], ({ object }) => namespaceOf(object)),
  );
  const namedIn = onceFor((objects: readonly InputObject[]) => groupBy(objects, ({ object }) => nameOf(object)));
  const selectedBy = onceFor((selector: Value) =>
    onceFor((objects: readonly InputObject[]) => objects.filter(({ object }) => selectsObject(selector, object))),
  );
  const everyObject: ValueMap = {};
  /** Returns the objects of a kind, in a namespace unless the kind has none, that a binding names or selects. */
  const foundFor = (param: ValueMap, kind: string, inside: string | undefined): readonly InputObject[] => {
    const ofKind = (inside === undefined ? byKind().get(kind) : inNamespaces(kind).get(inside)) ?? NO_OBJECTS;
    const name = textOf(param.name);
    if (name !== '') return namedIn(ofKind).get(name) ?? NO_OBJECTS;
    return selectedBy(param.selector ?? everyObject)(ofKind);
  };
  return ({ paramKind }: Policy, { param }: Binding, { namespace }: Request): Params => {
    if (paramKind === undefined) return { params: [null] };
    const info = kinds.find(paramKind);
    // An API server without this kind rejects all that the policy matches.
    if (info === undefined) return { undecided: 'params' };
    if (param === undefined) return { params: [null] };
    const wanted = textOf(param.namespace);
    if (!info.namespaced && wanted !== '')
      return { fault: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
    const inside = info.namespaced ? wanted || namespace : '';
    if (info.namespaced && inside === '')
      return { fault: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources' };
    const found = foundFor(param, groupKind(paramKind), info.namespaced ? inside : undefined);
    if (found.length > 0) return { params: found };
    if (!supplied.has(groupKind(paramKind))) return { undecided: 'params' };
    return param.parameterNotFoundAction === 'Deny'
      ? { fault: 'no params found for policy binding with `Deny` parameterNotFoundAction' }
      : { params: [] };
  };
}

/** Values that are unknown: what a cluster sets, and for an assistant the values of a Secret. */
interface UnknownParts {
  set: Unknown;
  secret: Unknown | undefined;
}

/**
 * Returns an object as a policy sees it: with the defaults of its CRD, or of Kubernetes' own kinds those in the table,
 * and with unknown values for what a cluster sets. `isNew` is undefined for a parameter.
 */
function asStored(
  object: KubeObject,
  isNew: boolean | undefined,
  registry: KindRegistry,
  { set, secret }: UnknownParts,
): Record<string, unknown> {
  const gvk = groupVersionKind(object);
  const { group, kind } = gvk;
  const info = registry.find(gvk);
  const isCustom = builtinKinds.find(gvk) === undefined;
  const schema = isCustom ? (info?.written?.() ?? info?.schema) : undefined;
  const { status: _, ...applied } = object;
  const complete = schema === undefined ? applied : (conformityOf(schema, applied, true).object as KubeObject);
  const defaulted = withDefaults(complete, set);
  const metadata: Record<string, unknown> = { ...mapOf(defaulted.metadata) };
  const { labels, annotations } = mapOf(defaulted.metadata);
  if (kind === 'Namespace' && group === '') metadata.labels = { ...mapOf(labels), [NAMESPACE_NAME]: nameOf(object) };
  // Conversion keeps a field of an older version as an annotation.
  if (kind === 'DaemonSet' && group === 'apps')
    metadata.annotations = { ...mapOf(annotations), 'deprecated.daemonset.template.generation': set };
  for (const field of ['uid', 'creationTimestamp', 'managedFields', 'generation'] as const) metadata[field] = set;
  if (isNew !== true) metadata.resourceVersion = set;
  else if (nameOf(object) === '') metadata.name = set;
  const hasStatus = isNew !== true || (!isCustom && info?.schema.properties?.status !== undefined);
  const isSecret = secret !== undefined && kind === 'Secret' && group === '';
  if (isSecret) metadata.annotations = secret;
  const values = isSecret ? { data: secret, stringData: secret } : {};
  return { ...defaulted, ...values, metadata, ...(hasStatus ? { status: set } : {}) };
}

/** Keeps defaults of the older version, which nobody wrote, as server-side apply does. Items are matched by name. */
function carried(after: Value, written: Value | undefined, stored: unknown): Value {
  if (Array.isArray(after)) {
    const items = Array.isArray(stored) ? stored : [];
    return after.map((item) => {
      const name = get(item, 'name');
      const at = items.findIndex((one) => name !== undefined && get(one as Value, 'name') === name);
      return at < 0 ? item : carried(item, Array.isArray(written) ? written[at] : undefined, items[at]);
    });
  }
  if (!isMap(after) || !isMap(stored)) return after;
  const result: ValueMap = { ...after };
  for (const [key, value] of Object.entries(stored)) {
    const own = get(written, key);
    const known = get(result, key);
    if (known !== undefined) setKey(result, key, carried(known, own, value));
    else if (own === undefined && !((value as unknown) instanceof Unknown)) setKey(result, key, value);
  }
  return result;
}
