import { type Budget, type CheckedExpression, createBudget } from '../../cel/index.ts';
import type { Problem } from '../../diagnostics/index.ts';
import type { Schema, ValidationRule } from '../../schema/index.ts';
import { compileRuleWalk, type RuleRunner, startVisit } from '../../validation/index.ts';
import { IMPLIED_DEFAULT, schemasWithCheckedDefaults } from '../simpleschema/index.ts';
import { costProblems } from './cost/index.ts';
import { type Field, fieldsOf } from './field.ts';
import { listFaults } from './lists.ts';

export { nameProblems } from './names.ts';

/** What is known about the rules of a schema. */
export interface Rules {
  runner: RuleRunner;
  /** Whether a rule reads `oldSelf`. */
  isTransition(rule: ValidationRule): boolean;
  /** A rule with its types; undefined when it is wrong. */
  checkedOf(rule: ValidationRule): CheckedExpression | undefined;
}

/**
 * What an API server would refuse of the schema of a CRD, and what makes it refuse every instance. kro finds out when it
 * creates the CRD. Paths are relative to `spec.schema`. The rules are those of k8s.io/apiextensions-apiserver
 * (pkg/apis/apiextensions/validation and pkg/apiserver/schema).
 */
export function checkSchema(instance: Schema, rules: Rules): Problem[] {
  const spec = instance.properties?.spec;
  if (spec === undefined) return [];
  const budget = createBudget();
  const known = new Set<string>();
  const defaulted = new Set(schemasWithCheckedDefaults(spec));
  const problems = [
    ...[...fieldsOf(spec, ['spec'])].flatMap((field) =>
      fieldProblems(field, rules, defaulted.has(field.schema), budget),
    ),
    ...costProblems(spec, ['spec'], (rule) => rules.checkedOf(rule)),
  ];
  return problems.filter(({ message, path }) => {
    const key = JSON.stringify([message, path]);
    return !known.has(key) && known.add(key);
  });
}

function fieldProblems(field: Field, rules: Rules, isDefaultChecked: boolean, budget: Budget): Problem[] {
  const { schema, path, uncorrelatable } = field;
  const refused = (message: string, hint?: string): Problem => ({
    code: 'crd-refused',
    message,
    path,
    ...(hint === undefined ? {} : { hint }),
  });
  const problems = [...listFaults(schema), ...boundFaults(schema)].map((message) => refused(message));
  const transition = schema['x-kubernetes-validations']?.find(rules.isTransition);
  if (transition !== undefined && uncorrelatable) {
    const message = `'${transition.rule}' compares with an earlier value, which nobody can find in a list`;
    problems.push(refused(message, 'make the whole list immutable, or give it listType=map and a listMapKey'));
  }
  return isDefaultChecked ? [...problems, ...defaultProblems(field, rules.runner, budget)] : problems;
}

/** The API server (1.36) accepts such a CRD, and then refuses every instance. */
function boundFaults(schema: Schema): string[] {
  if (schema.type !== 'integer') return [];
  return (['minimum', 'maximum'] as const).flatMap((name) => {
    const bound = schema[name];
    const isWhole = bound === undefined || typeof bound === 'bigint' || Number.isInteger(bound);
    return isWhole ? [] : `${name}=${bound} is no whole number, and the field is an integer`;
  });
}

/**
 * A default has to keep the rules of its field and of what is below. The `{}` that kro adds by itself is only warned of:
 * instances that give the field are fine with kro's engine.
 */
function defaultProblems({ schema, path }: Field, runner: RuleRunner, budget: Budget): Problem[] {
  if (schema.default === undefined) return [];
  const walk = compileRuleWalk(schema, runner);
  if (walk === undefined) return [];
  const visit = startVisit(['default']);
  walk(schema.default, visit, budget);
  const [first] = visit.problems;
  if (first === undefined) return [];
  if (schema.default !== IMPLIED_DEFAULT) {
    return [{ code: 'schema-default', message: `the default is refused: ${first.message}`, path }];
  }
  const message = `an API server refuses the default {} that the members bring about: ${first.message}`;
  const hint = 'give the members that the rule reads a default, or guard it with has()';
  return [{ code: 'crd-refused', message, path, severity: 'warning', hint }];
}
