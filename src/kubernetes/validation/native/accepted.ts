import table from '../../../../data/kubernetes-rules.json';
import { ownValue, type Path } from '../../../core/model/value.ts';
import type { FieldRule, Requirement, RuleTable } from './rule.ts';

const EACH_ITEM = '[]';
const EACH_VALUE = '{}';

/** Returns the texts that an API server accepts in a field, as `group/Kind` and a path; none if it accepts others. */
export function acceptedValues(kind: string, path: Path): string[] {
  const steps = path.map((step) => (typeof step === 'number' ? EACH_ITEM : step));
  return [...new Set(ofPart(kind, steps))].filter((value) => value !== '');
}

const ofPart = (name: string, steps: readonly string[]): string[] =>
  ofRules(ownValue(table as RuleTable, name) ?? [], steps);

/** Rules with a condition are left out: it may not hold. */
function ofRules(rules: readonly FieldRule[], steps: readonly string[]): string[] {
  return rules.flatMap((rule) => {
    if (rule.when !== undefined) return [];
    const fields = typeof rule.field === 'string' ? [rule.field] : rule.field;
    return fields.flatMap((field) => {
      const rest = stepsBelow(field, steps);
      return rest === undefined ? [] : ofRequirement(rule, rest);
    });
  });
}

function ofRequirement(requirement: Requirement, steps: readonly string[]): string[] {
  if ('part' in requirement) return ofPart(requirement.part, steps);
  if ('rules' in requirement) return ofRules(requirement.rules, steps);
  if ('checks' in requirement) return requirement.checks.flatMap((one) => ofRequirement(one, steps));
  const { operator, values = [] } = requirement;
  if (operator === 'podSpec') return ofPart('PodSpec', steps);
  if (operator === 'statefulTemplate' && steps[0] === 'template' && steps[1] === 'spec')
    return ofPart('PodSpec', steps.slice(2));
  if (operator !== 'oneOf' || steps.length > 0) return [];
  return values.filter((value) => typeof value === 'string');
}

/** Returns the steps below a field, such as `items[].key`; undefined if they are not in it. */
function stepsBelow(field: string, steps: readonly string[]): readonly string[] | undefined {
  const wanted = field
    .replaceAll(/\[\]|\{\}/g, (each) => `.${each}`)
    .split('.')
    .filter((step) => step !== '');
  const isInside = wanted.every((step, index) => step === steps[index] || isEachValue(step, steps[index]));
  return isInside ? steps.slice(wanted.length) : undefined;
}

const isEachValue = (wanted: string, step: string | undefined): boolean =>
  wanted === EACH_VALUE && step !== undefined && step !== EACH_ITEM;
