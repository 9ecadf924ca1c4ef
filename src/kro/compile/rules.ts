import { type Problem, phrase, quote, quotedHint, shown } from '../../core/diagnostics/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import { MAX_RULE_MESSAGE } from '../../core/model/limits.ts';
import type { Path } from '../../core/model/value.ts';
import type { Schema, ValidationRule } from '../../kubernetes/schema/index.ts';
import type { RuleRunner } from '../../kubernetes/validation/index.ts';
import {
  type Budget,
  type CelIssue,
  type CelType,
  type CelValue,
  type CheckedExpression,
  check,
  children,
  compileRegex,
  createBudget,
  DYN,
  EvaluationError,
  type Expr,
  formatType,
  kubernetesEnvironment,
  mentions,
  Optional,
  optionalOf,
  outcomeOf,
  type Program,
  parse,
  plan,
} from '../../languages/cel/index.ts';
import { validationRules } from '../simpleschema/index.ts';
import { declaredType } from './declared-type.ts';

/** The compiled validation rules of a schema. */
export interface Rules {
  /** Runs on creation: transition rules, which read `oldSelf`, run only if it is optional. */
  runner: RuleRunner;
  /** Runs the rules of defaults: an API server uses a default as its own earlier value. */
  ofDefaults: RuleRunner;
  /** Runs the transition rules on an update. */
  transitions: RuleRunner;
  isTransition(rule: ValidationRule): boolean;
  /** Returns the checked expression of a rule; `undefined` if it is wrong, which is reported. */
  checkedOf(rule: ValidationRule): CheckedExpression | undefined;
}

/** Compiles the rules of a schema, and reports those that are wrong. */
export function compileRules(schema: Schema, report: (problem: Problem) => void): Rules {
  const programs = new Map<ValidationRule, RuleProgram>();
  const closed = closing();
  for (const { rule, schema: at, path } of validationRules(schema)) {
    const visible = closed(at);
    const { checked, issues } = checkExpression(rule.rule, rule, visible);
    const isBool = checked?.type.kind === 'bool' || checked?.type.kind === 'dyn';
    if (checked === undefined || !isBool) {
      const reason = checked ? 'it must yield bool' : issues.map(({ message }) => message).join('; ');
      const message = phrase`the validation rule '${{ rule: rule.rule }}' is wrong: ${{ reason }}`;
      const { hint } = issues.find((issue) => issue.hint !== undefined) ?? {};
      report({ code: 'validation-rule', message, hint: quotedHint(hint), path });
      continue;
    }
    const { messageExpression } = rule;
    const ofMessage = messageExpression && checkExpression(messageExpression, rule, visible).checked;
    programs.set(rule, {
      checked,
      // As in the API server (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel, UsesOldSelf).
      isTransition: mentions(checked.parsed.root, 'oldSelf'),
      isOptional: rule.optionalOldSelf === true,
      holds: planned(checked, rule),
      message: ofMessage && ofMessage.type.kind === 'string' ? planned(ofMessage, rule) : undefined,
    });
  }
  const runner = (applies: (program: RuleProgram) => boolean, oldSelf: OldSelf): RuleRunner => ({
    applies(rule) {
      const program = programs.get(rule);
      return program !== undefined && applies(program);
    },
    run(rule, self, path, budget, old) {
      const program = programs.get(rule);
      const earlier = program && oldSelf(program, self, old ?? undefined);
      return program && earlier !== undefined ? violation(rule, program, [self, earlier], path, budget) : undefined;
    },
  });
  return {
    runner: runner(
      ({ isTransition, isOptional }) => !isTransition || isOptional,
      () => Optional.none,
    ),
    ofDefaults: runner(
      () => true,
      ({ isTransition, isOptional }, self) => (isTransition && !isOptional ? self : Optional.none),
    ),
    transitions: runner(
      ({ isTransition }) => isTransition,
      ({ isOptional }, _, old) => (isOptional ? (old === undefined ? Optional.none : Optional.of(old)) : old),
    ),
    isTransition: (rule) => programs.get(rule)?.isTransition === true,
    checkedOf: (rule) => programs.get(rule)?.checked,
  };
}

interface RuleProgram {
  checked: CheckedExpression;
  isTransition: boolean;
  /** `oldSelf` is an optional. */
  isOptional: boolean;
  holds: Program;
  /** `undefined` for a rule without `messageExpression`, or with one that an API server ignores. */
  message: Program | undefined;
}

/** Returns `oldSelf` for a value and its earlier version; `undefined` if the rule does not run. */
type OldSelf = (program: RuleProgram, self: CelValue, old: CelValue | undefined) => CelValue | undefined;

const OPTIONAL: ReadonlySet<string> = new Set(['oldSelf']);

const planned = (checked: CheckedExpression, { optionalOldSelf }: ValidationRule): Program =>
  plan(kubernetesEnvironment(), checked, ['self', 'oldSelf'], optionalOldSelf === true ? OPTIONAL : undefined);

/** Hides undeclared fields, as the API server does (k8s.io/apiserver/pkg/cel/common, SchemaDeclType). */
function closing(): (schema: Schema) => Schema {
  const known = new Map<Schema, Schema>();
  const close = (schema: Schema): Schema => {
    const earlier = known.get(schema);
    if (earlier !== undefined) return earlier;
    const { 'x-kubernetes-preserve-unknown-fields': _, ...copy }: Schema = schema;
    known.set(schema, copy);
    if (copy.properties !== undefined) {
      copy.properties = Object.fromEntries(Object.entries(copy.properties).map(([name, one]) => [name, close(one)]));
    }
    if (copy.items !== undefined) copy.items = close(copy.items);
    if (typeof copy.additionalProperties === 'object') copy.additionalProperties = close(copy.additionalProperties);
    if (copy['x-kubernetes-embedded-resource'] === true) Object.assign(copy, resourceFields(copy));
    return copy;
  };
  return close;
}

const STRING: Schema = { type: 'string' };

/** The fields of every object that rules see (k8s.io/apiserver/pkg/cel/common, WithTypeAndObjectMeta). */
const resourceFields = ({ properties }: Schema): Schema => ({
  type: 'object',
  properties: {
    ...properties,
    apiVersion: STRING,
    kind: STRING,
    metadata: { type: 'object', properties: { name: STRING, generateName: STRING } },
  },
});

function violation(
  rule: ValidationRule,
  { holds, message: computedBy }: RuleProgram,
  given: CelValue[],
  path: Path,
  budget: Budget,
): Problem | undefined {
  try {
    if (holds.run(given, budget) === true) return undefined;
    const words = (rule.message ?? `failed rule: ${rule.rule}`).trim();
    const where = [...path, ...stepsOf(rule.fieldPath)];
    const problem: Problem = { code: 'rule-violated', message: shown(words), path: where };
    const computed = computedMessage(computedBy, given, budget);
    return computed === undefined ? problem : { ...problem, message: quote(computed, words) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const message = phrase`the rule '${{ rule: shown(rule.rule) }}' failed${quote(`: ${error.message}`, '')}`;
    return { code: 'rule-violated', message, path };
  }
}

/** Returns the value of `messageExpression`; `undefined` if the API server uses `message` instead. */
function computedMessage(program: Program | undefined, given: CelValue[], budget: Budget): string | undefined {
  const value = attempt(() => program?.run(given, budget), EvaluationError);
  const message = typeof value === 'string' ? value.trim() : '';
  // sentence: the author of a rule writes this message, and an API server refuses a line break in it
  return message === '' || message.length > MAX_RULE_MESSAGE || message.includes('\n') ? undefined : message;
}

/** Returns the steps of a `fieldPath`: `.a['b']`. */
const stepsOf = (fieldPath = ''): string[] =>
  [...fieldPath.matchAll(/\.([^.[\]]+)|\['([^']*)'\]/g)].map(([, name, quoted]) => name ?? quoted ?? '');

/** The API server's environment has no bindings (k8s.io/apiserver/pkg/cel/environment, base.go). */
const binds = (expr: Expr): boolean => (expr.kind === 'bind' && expr.written) || children(expr).some(binds);

function checkExpression(text: string, { optionalOldSelf }: ValidationRule, schema: Schema): CheckedByApiServer {
  const self = declaredType(schema, '__type_self') ?? DYN;
  const oldSelf = optionalOldSelf === true ? optionalOf(self) : self;
  return checkForApiServer(text, new Map(Object.entries({ self, oldSelf })));
}

interface CheckedByApiServer {
  checked?: CheckedExpression;
  issues: readonly CelIssue[];
}

export function checkForApiServer(
  text: string,
  variables: ReadonlyMap<string, CelType>,
  environment = kubernetesEnvironment(),
): CheckedByApiServer {
  const parsed = parse(text);
  if (!parsed.ok) return { issues: [parsed.issue] };
  const { root } = parsed.expression;
  if (binds(root)) return { issues: [{ message: 'cel.bind is not known to an API server', offset: 0 }] };
  const result = check(environment, parsed.expression, variables);
  if (!result.ok) return { issues: result.issues };
  const literal = literalIssue(result.checked);
  return literal === undefined ? { checked: result.checked, issues: [] } : { issues: [literal] };
}

const CONVERSIONS = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'string', 'timestamp', 'uint']);

/**
 * Checks literals as the API server does: patterns compile, constants convert, lists and maps have parts of one type,
 * except arguments of `format` (k8s.io/apiserver/pkg/cel/environment, base.go; cel-go cel/validator.go).
 */
function literalIssue(checked: CheckedExpression): CelIssue | undefined {
  const typeOf = (expr: Expr): CelType => checked.types.get(expr.id) ?? DYN;
  const visit = (expr: Expr, mixes: boolean): CelIssue | undefined => {
    const inside = mixes || (expr.kind === 'call' && expr.name === 'format');
    return (
      patternIssue(expr) ??
      conversionIssue(expr, checked) ??
      (mixes ? undefined : mixedIssue(expr, typeOf)) ??
      children(expr).flatMap((child) => visit(child, inside) ?? [])[0]
    );
  };
  return visit(checked.parsed.root, false);
}

function patternIssue(expr: Expr): CelIssue | undefined {
  if (expr.kind !== 'call' || expr.name !== 'matches') return undefined;
  const [pattern] = expr.args;
  if (pattern?.kind !== 'literal' || pattern.literal.type !== 'string') return undefined;
  const { value } = pattern.literal;
  return failureOf(() => compileRegex(value), pattern);
}

function conversionIssue(expr: Expr, checked: CheckedExpression): CelIssue | undefined {
  if (!isConversion(expr)) return undefined;
  const parsed = { ...checked.parsed, root: expr };
  return failureOf(() => plan(kubernetesEnvironment(), { ...checked, parsed }, []).run([], createBudget()), expr);
}

/** Reports whether an expression converts a constant: it is evaluated when the rule is compiled. */
function isConversion(expr: Expr): boolean {
  if (expr.kind !== 'call' || expr.target !== undefined || !CONVERSIONS.has(expr.name)) return false;
  const [part, ...others] = expr.args;
  return part !== undefined && others.length === 0 && (part.kind === 'literal' || isConversion(part));
}

function failureOf(action: () => unknown, { offset }: Expr): CelIssue | undefined {
  const result = outcomeOf(action);
  return result instanceof EvaluationError ? { message: result.message, offset } : undefined;
}

type Part = { readonly value: Expr; readonly optional?: boolean };

function mixedIssue(expr: Expr, typeOf: (expr: Expr) => CelType): CelIssue | undefined {
  const typeOfPart = ({ value, optional = false }: Part): string => {
    const type = typeOf(value);
    return formatType(optional && type.kind === 'optional' ? type.value : type);
  };
  const differing = (parts: readonly Part[]): CelIssue | undefined => {
    const [first, ...others] = parts;
    if (first === undefined) return undefined;
    const wanted = typeOfPart(first);
    const other = others.find((part) => typeOfPart(part) !== wanted);
    if (other === undefined) return undefined;
    const message = `expected type '${wanted}' but found '${typeOfPart(other)}': what a rule spells out is of one type`;
    return { message, offset: other.value.offset };
  };
  if (expr.kind === 'list') return differing(expr.elements);
  if (expr.kind !== 'map') return undefined;
  return differing(expr.entries.map(({ key }) => ({ value: key }))) ?? differing(expr.entries);
}
