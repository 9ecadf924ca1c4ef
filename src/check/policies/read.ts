import {
  type Collector,
  nameText,
  type Problem,
  phrase,
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
  plan,
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
const isOf = (kind: string, { object }: InputObject): boolean =>
  object.kind === kind && VERSIONS.has(String(object.apiVersion));

export const isPolicy = (input: InputObject): boolean =>
  isOf('ValidatingAdmissionPolicy', input) || isOf('ValidatingAdmissionPolicyBinding', input);

const OTHERS =
  /^(?:MutatingAdmissionPolicy|(?:Validating|Mutating)WebhookConfiguration)\.admissionregistration\.k8s\.io$|\.(?:policies\.)?kyverno\.io$|\.(?:constraints|templates|mutations)\.gatekeeper\.sh$/;

export const mayAlsoReject = ({ object }: InputObject): boolean => {
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
    const message = phrase`there is no policy '${policy}', so that this binding checks nothing`;
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

const invalidity =
  (reporter: Reporter) =>
  (problem: Omit<Problem, 'code'>): void =>
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
  const params = paramKind && DYN;
  const declared = new Map<string, CelType>();
  const variables = new Map<string, Expression>();
  const compile = (
    at: Value,
    field: string,
    path: Path,
    wanted: readonly string[],
    authorizer = true,
  ): Expression | undefined => {
    const text = textAt(at, field);
    // Conditions see no variables.
    const known = path[1] === 'matchConditions' ? undefined : declared;
    const variables = variablesOf({ params, authorizer }, known);
    const { checked, issues } = checkForApiServer(text, variables, policyEnvironment());
    const where = [...path, field];
    for (const { message, offset, hint } of issues)
      report({
        message: phrase`the expression is wrong: ${message}`,
        path: where,
        offset,
        ...(hint && { hint: phrase`${hint}` }),
      });
    if (checked === undefined) return undefined;
    if (wanted.length > 0 && !wanted.includes(checked.type.kind)) {
      report({ message: phrase`the expression must yield ${shown(wanted.join(' or '))}`, path: where, offset: 0 });
      return undefined;
    }
    const program = plan(policyEnvironment(), checked, VARIABLES, EVERYTHING);
    if (path[1] === 'variables') declared.set(textAt(at, 'name'), fieldType(checked.type));
    return { text, path: where, parsed: checked.parsed, checked, program };
  };
  const each = <T>(field: string, read: (at: Value, path: Path) => T | undefined): T[] =>
    itemsOf(get(spec, field)).flatMap((at, index) => read(at, ['spec', field, index]) ?? []);
  each('variables', (at, path) => {
    const variable = compile(at, 'expression', path, []);
    if (variable !== undefined) variables.set(textAt(at, 'name'), variable);
    return undefined;
  });
  const conditions = each('matchConditions', (at, path) => compile(at, 'expression', path, ['bool']));
  const validations = each('validations', (at, path): Validation | undefined => {
    const holds = compile(at, 'expression', path, ['bool']);
    const reason = textAt(at, 'reason');
    if (reason !== '' && !REASONS.includes(reason))
      report({ message: phrase`must be ${shown(REASONS.join(', '))}`, path: [...path, 'reason'] });
    const hasMessage = textAt(at, 'messageExpression') !== '';
    const messageExpression = hasMessage ? compile(at, 'messageExpression', path, ['string'], false) : undefined;
    return holds && { ...holds, messageExpression, message: textAt(at, 'message') };
  });
  const annotations = each('auditAnnotations', (at, path) => {
    const value = compile(at, 'valueExpression', path, ['string', 'null']);
    return value && { ...value, key: textAt(at, 'key') };
  });
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
  const known = { input, key: name, title: shownNameOf(input), isSecret: input.secret !== undefined };
  const ignoresFailures = getAt(object, ['spec', 'failurePolicy']) === 'Ignore';
  return { ...known, match, ignoresFailures, paramKind, conditions, variables, validations, annotations, bindings };
}

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** At run time all variables are data without a schema. */
export const EVERYTHING = { has: (): boolean => true };

/** Returns the type of a variable as other expressions see it (composition.go, convertCelTypeToDeclType). */
function fieldType(type: CelType): CelType {
  if (type.kind === 'list') return listOf(fieldType(type.element));
  if (type.kind === 'map') return mapOf(fieldType(type.key), fieldType(type.value));
  return ['object', 'opaque', 'optional', 'type', 'param'].includes(type.kind) ? DYN : type;
}
