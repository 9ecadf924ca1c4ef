import type { Collector } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import { type Allowance, allowance, EVALUATIONS_EACH, MAX_EVALUATIONS, spend } from '../../core/model/limits.ts';
import { groupKindOf, type InputObject, identityOf, type KubeObject, nameOf } from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { type Pool, spendFromPool, startPool } from '../../kro/admit/index.ts';
import { type Resources, resourcesOf } from '../../kubernetes/schema/index.ts';
import { type Budget, type CelValue, createBudget } from '../../languages/cel/index.ts';
import {
  type Decision,
  type Denial,
  evaluate,
  type Given,
  type Missing,
  pathsOf,
  type Skipped,
  unknown,
} from './evaluate.ts';
import type { PolicyInput } from './input.ts';
import {
  type Candidate,
  type CandidatesOf,
  candidatesOf,
  isExempt,
  isNamespace,
  kindFinder,
  labelled,
  type Match,
  type Matched,
  matched,
  type Operation,
  type Request,
  requestOf,
  requestValue,
  userInfo,
} from './match.ts';
import { type ParamsOf, paramsOf } from './params.ts';
import { type Binding, type Policy, readPolicies } from './read.ts';
import { asStored, inVersion, type Seen, seenBy, type UnknownParts } from './stored.ts';
import { checkTypes } from './types.ts';

export interface Policies {
  policies: readonly Policy[];
  /** Returns the decisions of all policies, in order; those that were not evaluated at all come together. */
  decide(operation: Operation): (Decision | Skipped)[];
}

/** Matches what a binding without its own selection is bound to: everything that its policy selects. */
const EVERY_REQUEST: Match = { namespaces: [], objects: [], rules: [], excluded: [], isExact: false };

/** An API server stops an expression at a cost of a million; a step costs less than 20, so that it stops none here. */
const MAX_STEPS = 50_000;

/** Reads and compiles policies. Those that an API server rejects are reported, and decide nothing. */
export function compilePolicies(input: PolicyInput, operations: number, reports: Collector): Policies {
  const policies = readPolicies(distinct(input.policies), reports);
  const resources = resourcesOf(input.crds);
  const kindOf = kindFinder(resources, input.kinds);
  for (const policy of policies) checkTypes(policy, input.kinds, kindOf, reports);
  const decisions = new Decisions(policies, resources, input, operations);
  return { policies, decide: (operation) => decisions.of(operation) };
}

/** One request, and what is computed of it once for all policies. */
interface Considered {
  request: Request;
  groupKind: string;
  /** The request as a policy sees it that selects a version. */
  inVersion: (version: string) => CelValue;
  seen: () => Seen;
}

/** Decides requests. What it may spend on evaluations is for all of them together. */
class Decisions {
  readonly #input: PolicyInput;
  readonly #resources: Resources;
  readonly #namespaces: ReadonlyMap<string, ValueMap>;
  /** Namespaces that a Secret has a part in. */
  readonly #secretNamespaces: ReadonlySet<string>;
  readonly #params: ParamsOf;
  readonly #candidates: CandidatesOf<Policy>;
  readonly #bindingsOf: (policy: Policy) => CandidatesOf<Binding>;
  readonly #policiesOf = onceFor((all: readonly Candidate<Policy>[]) => all.map(({ of }) => of));
  readonly #unknown: UnknownParts;
  readonly #unknownNamespace = unknown('namespace');
  readonly #unknownOptions = unknown('request.options');
  readonly #user: unknown;
  /** One budget for all, which starts anew: creating one takes as long as an expression. */
  readonly #budget: Budget;
  readonly #pool: Pool;
  readonly #evaluations: Allowance;
  #isExhausted = false;

  constructor(policies: readonly Policy[], resources: Resources, input: PolicyInput, operations: number) {
    const { known, limits, user, unknownSecrets } = input;
    const namespaces = known.filter(({ object }) => isNamespace(object));
    const active = policies.filter(({ bindings }) => bindings.length > 0);
    this.#input = input;
    this.#resources = resources;
    this.#namespaces = new Map(namespaces.map(({ object }) => [nameOf(object), labelled(object)]));
    this.#secretNamespaces = new Set(
      namespaces.filter(({ secret }) => secret !== undefined).map(({ object }) => nameOf(object)),
    );
    this.#params = paramsOf({ ...input, known: distinct(known) });
    this.#candidates = candidatesOf(active, ({ match }) => match);
    this.#bindingsOf = onceFor((policy: Policy) =>
      candidatesOf(policy.bindings, ({ match }) => match ?? EVERY_REQUEST),
    );
    this.#unknown = {
      set: () => unknown('fields that the API server sets'),
      secret: unknownSecrets === undefined ? undefined : unknown('a Secret'),
    };
    this.#user = user === undefined ? unknown('the user') : userInfo(user);
    this.#budget = createBudget({ ...limits, maxSteps: Math.min(limits.maxSteps, MAX_STEPS) });
    this.#pool = startPool(operations, limits);
    this.#evaluations = allowance(MAX_EVALUATIONS + operations * EVALUATIONS_EACH);
  }

  of(operation: Operation): (Decision | Skipped)[] {
    const { kinds } = this.#input;
    const own = (operation.object ?? operation.oldObject) as KubeObject;
    const request = requestOf(operation, own, this.#input, this.#resources, this.#namespaces);
    if (isExempt(request)) return [];
    const selecting = this.#candidates(request);
    if (this.#isExhausted && selecting.length > 0) return [{ skipped: this.#policiesOf(selecting) }];
    const considered: Considered = {
      request,
      groupKind: groupKindOf(own),
      inVersion: onceFor((version: string) => requestValue(request, version, this.#user, this.#unknownOptions)),
      seen: lazily(() => seenBy(operation, request, kinds, this.#unknown)),
    };
    return selecting.flatMap(({ of: policy, match }) => {
      const found = matched(match, request);
      if (found === undefined) return [];
      return this.#bindingsOf(policy)(request).flatMap(({ of: binding, match: own }) => {
        const isBound = binding.match === undefined ? found : matched(own, request);
        if (isBound === undefined) return [];
        return this.#decide({ policy, binding }, isBound === 'unknown' ? isBound : found, considered);
      });
    });
  }

  /** Decides for one binding, with each of its parameters. */
  #decide(at: At, found: NonNullable<Matched>, considered: Considered): Decision[] {
    const { request, groupKind } = considered;
    if (this.#isExhausted) return undecided(at, 'budget');
    if (found === 'unknown') return undecided(at, 'namespace');
    const given = this.#params(at.policy, at.binding, request);
    if ('undecided' in given) return undecided(at, given.undecided);
    if ('fault' in given) return configurationError(at, given.fault);
    const { version } = found;
    if (version !== request.version && !this.#resources.has(groupKind)) return undecided(at, 'conversion');
    return given.params.flatMap((param) => {
      this.#isExhausted ||= !spend(this.#evaluations, 1);
      if (this.#isExhausted) return undecided(at, 'budget');
      return this.#evaluate(at, param, version, considered);
    });
  }

  #evaluate(at: At, param: InputObject | null, version: string, considered: Considered): Decision[] {
    const { request } = considered;
    const { policy } = at;
    this.#budget.steps = 0;
    this.#budget.size = 0;
    const values = this.#valuesOf(param, version, considered);
    const verdict = evaluate(policy, values, this.#budget, this.#evaluations);
    this.#isExhausted ||= !spendFromPool(this.#pool, this.#budget);
    const usesSecret =
      policy.paramKind?.kind === 'Secret' ||
      param?.secret !== undefined ||
      this.#secretNamespaces.has(request.namespace);
    const decisions = actionsOf(at, verdict.denials, usesSecret);
    if (verdict.undecided === undefined) return decisions;
    const { missing } = verdict.undecided;
    return [...decisions, ...undecided(at, missing, pathsOf(verdict.undecided, values))];
  }

  /** Returns the variables of the expressions of a policy that selects this version of the object. */
  #valuesOf(param: InputObject | null, version: string, { request, inVersion: requestIn, seen }: Considered): Given {
    const { object, oldObject } = seen();
    const isWithout = request.isNamespace || request.namespace === '';
    const namespace = isWithout ? null : this.#namespaces.get(request.namespace);
    return {
      object: inVersion(object, request, version),
      oldObject: inVersion(oldObject, request, version),
      params: param === null ? null : (asStored(param.object, undefined, this.#input.kinds, this.#unknown) as CelValue),
      request: requestIn(version),
      namespaceObject: namespace === undefined ? this.#unknownNamespace : (namespace as CelValue),
    };
  }
}

type At = Pick<Decision, 'policy' | 'binding'>;

function undecided(at: At, missing: Missing, paths: readonly string[] = []): Decision[] {
  return [{ ...at, undecided: missing, paths }];
}

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

/** The same object may be given in several places, such as a folder of policies in the package: the first one counts. */
function distinct(inputs: readonly InputObject[]): InputObject[] {
  const alike = groupBy(inputs, ({ object }) => identityOf(object));
  return [...alike.values()].map((each) => {
    const secret = each.find((one) => one.secret !== undefined)?.secret;
    return { ...(each[0] as InputObject), ...(secret && { secret }) };
  });
}
