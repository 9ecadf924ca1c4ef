import { format, type Problem, phrase } from '../../core/diagnostics/index.ts';
import type { Schema, ValidationRule } from '../../kubernetes/schema/index.ts';
import type { TransitionRunner } from '../../kubernetes/update/index.ts';
import { compileRuleWalk, type RuleRunner, startVisit } from '../../kubernetes/validation/index.ts';
import { type Budget, type CheckedExpression, createBudget } from '../../languages/cel/index.ts';
import { IMPLIED_DEFAULT, schemasWithCheckedDefaults } from '../simpleschema/index.ts';
import { costProblems } from './cost/index.ts';
import { type Field, fieldsOf } from './field.ts';
import { listFaults } from './lists.ts';

export { nameProblems } from './names.ts';

/** The compiled rules of a schema. */
export interface Rules {
  runner: RuleRunner;
  /** Runs the rules of defaults: an API server uses a default as its own earlier value. */
  ofDefaults: RuleRunner;
  /** Runs transition rules when an object is updated. */
  transitions: TransitionRunner;
  /** Reports whether a rule reads `oldSelf`. */
  isTransition(rule: ValidationRule): boolean;
  /** Returns a rule with its types; undefined if it is invalid. */
  checkedOf(rule: ValidationRule): CheckedExpression | undefined;
}

/**
 * Returns what an API server would reject in the schema of a CRD, and what makes it reject every instance. kro finds
 * these errors when it creates the CRD. Paths are relative to `spec.schema`. The rules are those of
 * k8s.io/apiextensions-apiserver (pkg/apis/apiextensions/validation and pkg/apiserver/schema).
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
    const key = JSON.stringify([format(message), path]);
    return !known.has(key) && known.add(key);
  });
}

function fieldProblems(field: Field, rules: Rules, isDefaultChecked: boolean, budget: Budget): Problem[] {
  const { schema, path, uncorrelatable } = field;
  const refused = (message: string, hint?: string): Problem => ({
    code: 'crd-refused',
    message: phrase`${message}`,
    path,
    ...(hint === undefined ? {} : { hint: phrase`${hint}` }),
  });
  const problems = [...listFaults(schema), ...boundFaults(schema)].map((message) => refused(message));
  const transition = schema['x-kubernetes-validations']?.find(rules.isTransition);
  if (transition !== undefined && uncorrelatable) {
    const message = `'${transition.rule}' compares with an earlier value, which does not exist in a list`;
    problems.push(refused(message, 'make the whole list immutable, or give it listType=map and a listMapKey'));
  }
  return isDefaultChecked ? [...problems, ...defaultProblems(field, rules.ofDefaults, budget)] : problems;
}

/** Returns contradictory bounds: the API server (1.36) accepts such a CRD, and then rejects every instance. */
function boundFaults(schema: Schema): string[] {
  if (schema.type !== 'integer') return [];
  return (['minimum', 'maximum'] as const).flatMap((name) => {
    const bound = schema[name];
    if (bound === undefined) return [];
    if (typeof bound === 'number' && !Number.isInteger(bound))
      return [`${name}=${bound} is no whole number, and the field is an integer`];
    return Math.abs(Number(bound)) < TWO_TO_63 ? [] : [`${name}=${bound} is out of range for an integer of 64 bits`];
  });
}

/** An API server reads bounds as doubles and treats neither 2^63 nor -2^63 as an integer. */
const TWO_TO_63 = 2 ** 63;

/**
 * Returns defaults that violate the rules of their field or those below it. The `{}` that kro adds is only a warning:
 * instances that set the field work with kro's engine.
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
    return [{ code: 'schema-default', message: phrase`the default is rejected: ${first.message}`, path }];
  }
  const message = phrase`an API server rejects the default {} that follows from the members: ${first.message}`;
  const hint = phrase`add a default to the members that the rule reads, or guard the read with has()`;
  return [{ code: 'crd-refused', message, path, severity: 'warning', hint }];
}
