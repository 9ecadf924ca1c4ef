import {
  type CheckedExpression,
  check,
  children,
  DYN,
  EvaluationError,
  type Expr,
  kubernetesEnvironment,
  type Program,
  parse,
  plan,
} from '../../cel/index.ts';
import { type Problem, quotesNothing } from '../../diagnostics/index.ts';
import type { Schema, ValidationRule } from '../../schema/index.ts';
import type { RuleRunner } from '../../validation/index.ts';
import { validationRules } from '../simpleschema/index.ts';
import type { Rules } from '../structural/index.ts';
import { declaredType } from './declared-type.ts';
import { literalIssue } from './rule-literals.ts';

/**
 * Compiles the `x-kubernetes-validations` rules of a schema. A rule that is not CEL, or not bool, is reported with the
 * path of its field. Rules that read `oldSelf` are transition rules: they do not run when an object is created.
 */
export function compileRules(schema: Schema, report: (problem: Problem) => void): Rules {
  const programs = new Map<ValidationRule, Program>();
  const transitions = new Set<ValidationRule>();
  const expressions = new Map<ValidationRule, CheckedExpression>();
  const closed = closing();
  for (const { rule, schema: at, path } of validationRules(schema)) {
    const checked = checkRule(rule, closed(at), (message) =>
      report({ code: 'validation-rule', message: `the validation rule '${rule.rule}' is wrong: ${message}`, path }),
    );
    if (checked === undefined) continue;
    expressions.set(rule, checked);
    if (readsOldSelf(checked.parsed.root)) transitions.add(rule);
    else programs.set(rule, plan(kubernetesEnvironment(), checked, ['self']));
  }
  return {
    runner: runnerOf(programs),
    isTransition: (rule) => transitions.has(rule),
    checkedOf: (rule) => expressions.get(rule),
  };
}

/**
 * Schemas as the API server shows them to rules: fields that nobody declared cannot be read, although the object may
 * have them (k8s.io/apiserver/pkg/cel/common, SchemaDeclType).
 */
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
    return copy;
  };
  return close;
}

function runnerOf(programs: ReadonlyMap<ValidationRule, Program>): RuleRunner {
  return {
    applies: (rule) => programs.has(rule),
    run(rule, _schema, self, path, budget) {
      const program = programs.get(rule);
      if (program === undefined) return undefined;
      try {
        if (program.run([self], budget) === true) return undefined;
        return quotesNothing({ code: 'rule-violated', message: rule.message ?? `failed rule: ${rule.rule}`, path });
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
        const message = `the rule '${rule.rule}' failed`;
        return { code: 'rule-violated', message: `${message}: ${error.message}`, withoutValues: { message }, path };
      }
    },
  };
}

/**
 * As the API server tells transition rules (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel, UsesOldSelf): by
 * the names that the expression reads, those of its own variables among them.
 */
const readsOldSelf = (expr: Expr): boolean =>
  (expr.kind === 'ident' && expr.name.replace(/^\./, '') === 'oldSelf') || children(expr).some(readsOldSelf);

/** The API server's environment has no bindings (k8s.io/apiserver/pkg/cel/environment, base.go). */
const binds = (expr: Expr): boolean =>
  (expr.kind === 'comprehension' && expr.macro.does === 'bind') || children(expr).some(binds);

/** `undefined` for a rule that is wrong. */
function checkRule(
  rule: ValidationRule,
  schema: Schema,
  fault: (message: string) => void,
): CheckedExpression | undefined {
  const parsed = parse(rule.rule);
  if (!parsed.ok) {
    fault(parsed.issue.message);
    return undefined;
  }
  if (binds(parsed.expression.root)) {
    fault('cel.bind is not known to the rules of a CRD');
    return undefined;
  }
  const self = declaredType(schema, '__type_self') ?? DYN;
  const variables = new Map([
    ['self', self],
    ['oldSelf', self],
  ]);
  const checked = check(kubernetesEnvironment(), parsed.expression, variables);
  if (!checked.ok) {
    fault(checked.issues.map(({ message }) => message).join('; '));
    return undefined;
  }
  const { kind } = checked.checked.type;
  if (kind !== 'bool' && kind !== 'dyn') {
    fault('it must yield bool');
    return undefined;
  }
  const literal = literalIssue(checked.checked);
  if (literal !== undefined) {
    fault(literal.message);
    return undefined;
  }
  return checked.checked;
}
