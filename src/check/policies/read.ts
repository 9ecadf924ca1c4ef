import {
  type Collector,
  nameText,
  type Problem,
  phrase,
  quotedHint,
  type Reporter,
  reporterFor,
  shown,
  type Text,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { type GroupVersionKind, groupVersionKind, type InputObject, nameOf } from '../../core/model/object.ts';
import {
  get,
  getAt,
  isMap,
  listOf as itemsOf,
  type Path,
  textAt,
  type Value,
  type ValueMap,
} from '../../core/model/value.ts';
import { checkForApiServer } from '../../kro/compile/index.ts';
import { builtinKinds } from '../../kubernetes/schema/index.ts';
import { conformityOf } from '../../kubernetes/validation/index.ts';
import {
  type CelType,
  type CheckedExpression,
  DYN,
  listOf,
  mapOf,
  type ParsedExpression,
  type Program,
  planPartial,
} from '../../languages/cel/index.ts';
import { policyEnvironment, VARIABLES, variablesOf } from './environment.ts';
import { type Match, readMatch } from './match.ts';

/** An expression of a policy, compiled as for an object of any kind. */
export interface Expression {
  text: string;
  path: Path;
  parsed: ParsedExpression;
  checked: CheckedExpression;
  program: Program;
}

export interface Validation extends Expression {
  message: string;
  messageExpression: Expression | undefined;
}

/** A ValidatingAdmissionPolicy that an API server accepts. */
export interface Policy {
  input: InputObject;
  /** Its name, to find its bindings. */
  key: string;
  /** Its name for people. */
  title: Text;
  /** Whether its messages and expressions may be values of a Secret. */
  isSecret: boolean;
  match: Match;
  ignoresFailures: boolean;
  paramKind: GroupVersionKind | undefined;
  conditions: readonly Expression[];
  variables: ReadonlyMap<string, Expression>;
  validations: readonly Validation[];
  annotations: readonly (Expression & { key: string })[];
  bindings: readonly Binding[];
}

export interface Binding {
  input: InputObject;
  title: Text;
  isSecret: boolean;
  policy: string;
  match: Match | undefined;
  actions: readonly string[];
  param: ValueMap | undefined;
}

const VERSIONS = new Set(['admissionregistration.k8s.io/v1', 'admissionregistration.k8s.io/v1beta1']);
/** The kinds of admission policies that are evaluated. */
const POLICIES: readonly string[] = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];

/** Reports whether objects of a kind are policies, or bind them, in any version. */
export const isPolicyKind = ({ group, kind }: GroupVersionKind): boolean =>
  group === 'admissionregistration.k8s.io' && POLICIES.includes(kind);

const isOf = (kind: string, { object }: InputObject): boolean =>
  object.kind === kind && VERSIONS.has(String(object.apiVersion));

export const isPolicy = (input: InputObject): boolean => POLICIES.some((kind) => isOf(kind, input));

const OTHERS =
  /^(?:MutatingAdmissionPolicy|(?:Validating|Mutating)WebhookConfiguration)\.admissionregistration\.k8s\.io$|\.(?:policies\.)?kyverno\.io$|\.(?:constraints|templates|mutations)\.gatekeeper\.sh$/;

export const mayAlsoReject = ({ object }: Pick<InputObject, 'object'>): boolean => {
  // Nearly all objects are of other groups.
  if (!/admissionregistration|kyverno|gatekeeper/.test(String(object.apiVersion))) return false;
  const { group, kind } = groupVersionKind(object);
  return OTHERS.test(`${kind}.${group}`);
};

/** Reads policies with their bindings, in order. Those that an API server rejects are reported and omitted. */
export function readPolicies(inputs: readonly InputObject[], reports: Collector): Policy[] {
  const isPolicyOf = (input: InputObject): boolean => isOf('ValidatingAdmissionPolicy', input);
  const accepted = inputs.filter((input) => isWellFormed(input, reports));
  const bindings = accepted
    .filter((input) => isOf('ValidatingAdmissionPolicyBinding', input))
    .map((input) => bindingOf(input, reports));
  const byPolicy = groupBy(bindings, ({ policy }) => policy);
  const policies = accepted.filter(isPolicyOf).flatMap((input) => policyOf(input, byPolicy, reports) ?? []);
  const names = new Set(inputs.filter(isPolicyOf).map(({ object }) => nameOf(object)));
  for (const { input, policy } of bindings) {
    if (names.has(policy)) continue;
    const message = phrase`there is no policy '${{ policy }}', so that this binding checks nothing`;
    reporterFor(input, reports).report({
      code: 'policy-ineffective',
      message,
      path: ['spec', 'policyName'],
      severity: 'warning',
    });
  }
  return policies;
}

/** Reports what the schema rejects; v1beta1 has the fields of v1. */
function isWellFormed(input: InputObject, reports: Collector): boolean {
  const schema = builtinKinds.find({ ...groupVersionKind(input.object), version: 'v1' })?.schema;
  if (schema === undefined) return false;
  const { status: _, ...applied } = input.object;
  const { faults } = conformityOf(schema, applied, false);
  const reporter = reporterFor(input, reports);
  for (const { message, path } of faults) reporter.report({ code: 'policy-invalid', message, path });
  return !reporter.failed();
}

/** The name of a policy or a binding; any text of a rendered one may be a value of a Secret. */
const shownNameOf = ({ object, secret }: InputObject): Text => nameText(object, secret !== undefined);

function bindingOf(input: InputObject, reports: Collector): Binding {
  const spec = get(input.object, 'spec');
  const match = get(spec, 'matchResources');
  const param = get(spec, 'paramRef');
  const report = invalidity(reporterFor(input, reports));
  return {
    input,
    title: shownNameOf(input),
    isSecret: input.secret !== undefined,
    policy: textAt(spec, 'policyName'),
    match: isMap(match) ? readMatch(match, ['spec', 'matchResources'], report) : undefined,
    actions: itemsOf(get(spec, 'validationActions')).map(String),
    param: isMap(param) ? param : undefined,
  };
}

type Invalidity = (problem: Omit<Problem, 'code'>) => void;

const invalidity =
  (reporter: Reporter): Invalidity =>
  (problem) =>
    reporter.report({ code: 'policy-invalid', ...problem });

function policyOf(
  input: InputObject,
  byPolicy: ReadonlyMap<string, readonly Binding[]>,
  reports: Collector,
): Policy | undefined {
  const { object } = input;
  const spec = get(object, 'spec');
  const name = nameOf(object);
  const reporter = reporterFor(input, reports);
  const report = invalidity(reporter);
  const kind = get(spec, 'paramKind');
  const paramKind = isMap(kind) ? groupVersionKind(kind) : undefined;
  const expressions = new ExpressionReader(spec, paramKind === undefined ? undefined : DYN, report);
  const variables = expressions.variables();
  const conditions = expressions.conditions();
  const validations = expressions.validations();
  const annotations = expressions.annotations();
  if (validations.length + annotations.length === 0 && !reporter.failed())
    report({ message: phrase`a policy needs validations or auditAnnotations`, path: ['spec'] });
  const match = readMatch(get(spec, 'matchConstraints'), ['spec', 'matchConstraints'], report);
  if (reporter.failed()) return undefined;
  const bindings = byPolicy.get(name) ?? [];
  if (bindings.length === 0) {
    const message = phrase`no binding names this policy, so that it checks nothing`;
    const hint = phrase`add a ValidatingAdmissionPolicyBinding with ${shown('policyName:')} ${name}`;
    reporter.report({ code: 'policy-ineffective', message, hint, path: ['metadata', 'name'], severity: 'warning' });
  }
  return {
    input,
    key: name,
    title: shownNameOf(input),
    isSecret: input.secret !== undefined,
    match,
    ignoresFailures: getAt(object, ['spec', 'failurePolicy']) === 'Ignore',
    paramKind,
    conditions,
    variables,
    validations,
    annotations,
    bindings,
  };
}

/** What one expression of a policy may read, and what it must yield. */
interface Use {
  /** The kinds of types that it may yield; any if there are none. */
  yields: readonly string[];
  /** Whether it sees the variables that were read before it. */
  seesVariables: boolean;
  /** Whether it may ask the authorizer. */
  asksAuthorizer: boolean;
}

const VARIABLE: Use = { yields: [], seesVariables: true, asksAuthorizer: true };
const CONDITION: Use = { yields: ['bool'], seesVariables: false, asksAuthorizer: true };
const VALIDATION: Use = { yields: ['bool'], seesVariables: true, asksAuthorizer: true };
const MESSAGE: Use = { yields: ['string'], seesVariables: true, asksAuthorizer: false };
const ANNOTATION: Use = { yields: ['string', 'null'], seesVariables: true, asksAuthorizer: true };

/** An entry of a list of `spec`. */
interface Entry {
  at: Value;
  path: Path;
}

/** Reads and compiles the expressions of one policy, and reports those that an API server rejects. */
class ExpressionReader {
  readonly #spec: Value | undefined;
  readonly #params: CelType | undefined;
  readonly #report: Invalidity;
  /** The types of the variables that were read so far. */
  readonly #declared = new Map<string, CelType>();

  constructor(spec: Value | undefined, params: CelType | undefined, report: Invalidity) {
    this.#spec = spec;
    this.#params = params;
    this.#report = report;
  }

  /** Reads the variables, which other expressions see: they come first. */
  variables(): ReadonlyMap<string, Expression> {
    const variables = new Map<string, Expression>();
    for (const { at, path } of this.#entries('variables')) {
      const name = textAt(at, 'name');
      const variable = this.#compile(at, 'expression', path, VARIABLE);
      if (variable === undefined) continue;
      this.#declared.set(name, fieldType(variable.checked.type));
      variables.set(name, variable);
    }
    return variables;
  }

  conditions(): Expression[] {
    return this.#entries('matchConditions').flatMap(
      ({ at, path }) => this.#compile(at, 'expression', path, CONDITION) ?? [],
    );
  }

  validations(): Validation[] {
    return this.#entries('validations').flatMap(({ at, path }) => {
      const holds = this.#compile(at, 'expression', path, VALIDATION);
      const reason = textAt(at, 'reason');
      if (reason !== '' && !REASONS.includes(reason))
        this.#report({
          message: phrase`must be ${{ expected: shown(REASONS.join(', ')) }}`,
          path: [...path, 'reason'],
        });
      const hasMessage = textAt(at, 'messageExpression') !== '';
      const messageExpression = hasMessage ? this.#compile(at, 'messageExpression', path, MESSAGE) : undefined;
      if (holds === undefined) return [];
      return { ...holds, messageExpression, message: textAt(at, 'message') };
    });
  }

  annotations(): Policy['annotations'] {
    return this.#entries('auditAnnotations').flatMap(({ at, path }) => {
      const value = this.#compile(at, 'valueExpression', path, ANNOTATION);
      if (value === undefined) return [];
      return { ...value, key: textAt(at, 'key') };
    });
  }

  #entries(field: string): readonly Entry[] {
    return itemsOf(get(this.#spec, field)).map((at, index) => ({ at, path: ['spec', field, index] }));
  }

  #compile(at: Value, field: string, path: Path, use: Use): Expression | undefined {
    const text = textAt(at, field);
    const where = [...path, field];
    const known = variablesOf(
      { params: this.#params, authorizer: use.asksAuthorizer },
      use.seesVariables ? this.#declared : undefined,
    );
    const { checked, issues } = checkForApiServer(text, known, policyEnvironment());
    for (const { message, offset, hint } of issues)
      this.#report({
        message: phrase`the expression is wrong: ${{ reason: message }}`,
        path: where,
        offset,
        ...(hint && { hint: quotedHint(hint) }),
      });
    if (checked === undefined) return undefined;
    if (use.yields.length > 0 && !use.yields.includes(checked.type.kind)) {
      const message = phrase`the expression must yield ${{ expected: shown(use.yields.join(' or ')) }}`;
      this.#report({ message, path: where, offset: 0 });
      return undefined;
    }
    const program = planPartial(policyEnvironment(), checked, VARIABLES);
    return { text, path: where, parsed: checked.parsed, checked, program };
  }
}

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** Returns the type of a variable as other expressions see it (composition.go, convertCelTypeToDeclType). */
function fieldType(type: CelType): CelType {
  if (type.kind === 'list') return listOf(fieldType(type.element));
  if (type.kind === 'map') return mapOf(fieldType(type.key), fieldType(type.value));
  return ['object', 'opaque', 'optional', 'type', 'param'].includes(type.kind) ? DYN : type;
}
