import {
  type Collector,
  composeText,
  counted,
  HIDDEN,
  type HiddenTitle,
  hiddenTitleOf,
  type Message,
  phrase,
  quote,
  reporterFor,
  shown,
  type Text,
  titleText,
} from '../../core/diagnostics/index.ts';
import type { Counted } from '../../core/ledger/index.ts';
import { lazily } from '../../core/model/lazily.ts';
import { groupKindOf, type InputObject, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { getAt, type Path, textAt } from '../../core/model/value.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { locationText, type Origin, originOfField } from '../../describe/explain/index.ts';
import { hiddenTitleOfNode, type NodeRun } from '../../kro/expand/index.ts';
import { kro } from '../../kro/front-end.ts';
import { reviewAlone } from '../../kubernetes/front-end/index.ts';
import { builtinKinds } from '../../kubernetes/schema/index.ts';
import type { Rendering } from '../../render/pipeline.ts';
import { createLocator } from '../../yaml/locate/index.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import {
  compilePolicies,
  DecisionLedger,
  Denials,
  type Denied,
  fieldOf,
  isPolicy,
  mayAlsoReject,
  problemOf,
  Undecided,
  type UserOptions,
  userOf,
  withOrigin,
} from '../policies/index.ts';
import { type Applied, appliedObjects, fileOfApplied, inputOf } from './applied.ts';
import { type NodeProblems, note, reportOf } from './objects.ts';

export type PolicyOptions = RenderOptions & UserOptions;

/**
 * Evaluates the admission policies of a package, and those given for it, for the creation of its objects. Returns the
 * number of decisions, and those that deny or are not made.
 */
export function checkPolicies(
  input: RenderInput,
  options: PolicyOptions,
  output: Rendering,
  reports: Collector,
): Counted {
  const ledger = new DecisionLedger();
  const own = objectsIn(input.objects);
  const beside = objectsIn([...(input.definitions ?? []), ...(input.observed ?? [])]);
  const given = flattenObjects(input.policies ?? [], reports);
  const session = output.of(kro);
  const applied = appliedObjects(own, output);
  // What is secret of an object is computed for few of them.
  const rendered = applied.filter(({ object }) => isPolicy({ object }) || mayAlsoReject({ object })).map(inputOf);
  const all = [...given, ...beside, ...rendered];
  reportOthers(all.filter(mayAlsoReject), reports);
  if (!all.some(isPolicy)) return ledger.counted;
  const graphs = [...(session?.graphs.values() ?? [])];
  const compiled = compilePolicies(
    {
      policies: all.filter(isPolicy),
      known: [...given, ...beside, ...applied.map(inputOf)],
      complete: [...given, ...objectsIn(input.observed ?? [])],
      crds: [...(session?.pack.crds.map(({ object }) => object) ?? []), ...graphs.map(({ crd }) => crd)],
      kinds: session?.kinds ?? builtinKinds,
      user: userOf(options),
      limits: options,
      namespace: options.namespace,
      unknownSecrets: options.unknownSecrets,
    },
    applied.length,
    reports,
  );
  const problems: NodeProblems = new Map();
  const undecided = new Undecided();
  const denials = new Denials(reports);
  for (const one of applied) {
    const title = lazily(() => titleOf(one));
    const decisions = compiled.decide({ object: one.object });
    ledger.add(compiled.policies, decisions, () => ({ title: hiddenTextOf(one), file: fileOfApplied(one) }));
    for (const decision of decisions) {
      if ('skipped' in decision) undecided.skip(decision, title());
      else if ('undecided' in decision) undecided.add(decision, title(), one.object);
      else if (denials.takes(decision, title(), one.object)) report(decision, one);
    }
  }
  undecided.report(reports);
  denials.report();
  for (const one of problems.values()) reports.add(reportOf(one));
  return ledger.counted;

  function report(denied: Denied, one: Applied): void {
    const field = fieldOf(denied, one);
    const problem = problemOf(denied, titleOf(one), field);
    if ('input' in one) {
      // A message may quote any field of the object.
      const secret = one.input.secret ?? (isSecret(reviewAlone(one.object).secrecy) ? 'values' : undefined);
      reporterFor({ ...one.input, ...(secret && { secret }) }, reports).report(problem);
    } else note(problems, one, withOrigin(problem, originOf(one, field)));
  }
}

const hiddenOf = (one: Applied): HiddenTitle =>
  'input' in one ? hiddenTitleOf(one.input.secret) : hiddenTitleOfNode(one);

const hiddenTextOf = (one: Applied): Text => titleText(one.object, hiddenOf(one));

/** Returns the name of an object, which is hidden if it may be a value of a Secret. */
function titleOf(one: Applied): Message {
  const { object } = one;
  const given = nameOf(object) || `${textAt(object.metadata, 'generateName')}*`;
  const name = [namespaceOf(object), given].filter((part) => part !== '').join('/');
  const hidden = hiddenOf(one);
  if (hidden === 'everything') return shown(HIDDEN);
  const isHidden = hidden;
  return phrase`${shown(object.kind)}/${isHidden ? quote(name, '(hidden)') : shown(name)}`;
}

/** Returns where the value of a field comes from: a field of an instance, or of the schema of an RGD. */
function originOf({ object, ...at }: { object: KubeObject } & NodeRun, field: Path): Text | undefined {
  if (field.length === 0 || getAt(object, field) === undefined) return undefined;
  const from = { details: new Map(), locator: createLocator() };
  return sourceText(originOfField({ object, ...at }, field, from));
}

function sourceText({ from, what, place, behind }: Origin): Text | undefined {
  if (from === 'instance' || from === 'default') {
    const words = from === 'default' ? composeText`from the default of ` : composeText`from `;
    if (place === undefined) return composeText`${words}${what}`;
    return composeText`${words}${what} (${locationText(place)})`;
  }
  for (const one of behind) {
    const text = sourceText(one);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The objects that change or reject others and are not evaluated: those of other packages, and those that are applied. */
export interface OtherPolicies {
  beside: readonly InputObject[];
  written: readonly InputObject[];
  rendered: readonly InputObject[];
}

export function otherPoliciesIn({ objects, definitions = [] }: RenderInput, output: Rendering): OtherPolicies {
  const applied = appliedObjects(objectsIn(objects), output).filter(mayAlsoReject);
  return {
    beside: objectsIn(definitions).filter(mayAlsoReject),
    written: applied.filter((one) => 'input' in one).map(inputOf),
    rendered: applied.filter((one) => !('input' in one)).map(inputOf),
  };
}

/** Reports objects that may change or reject others, if there are any. */
export function reportOthers(others: readonly InputObject[], reports: Collector): void {
  const [first] = others;
  if (first === undefined) return;
  const kindOf = ({ object, secret }: InputObject): string => (secret === 'everything' ? HIDDEN : groupKindOf(object));
  const kinds = [...new Set(others.map(kindOf))].sort();
  reporterFor(first, reports).report({
    code: 'policy-not-evaluated',
    message: phrase`${shown(counted(others.length, 'object'))} of ${{ kind: shown(kinds.join(', ')) }} may change or reject others, and are not evaluated`,
    path: ['kind'],
    severity: 'info',
  });
}
