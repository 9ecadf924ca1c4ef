import { get, isMap, type Value, type ValueMap } from '../model/value.ts';

interface Requirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  values: readonly string[];
}

/** A parsed metav1.LabelSelector: all requirements must hold. */
export type Selector = readonly Requirement[];

/** Reads a LabelSelector; a string says what is wrong with it. */
export function parseSelector(value: Value): Selector | string {
  if (!isMap(value)) return 'a selector must be a LabelSelector: a map of matchLabels and matchExpressions';
  const unknown = Object.keys(value).find((key) => key !== 'matchLabels' && key !== 'matchExpressions');
  if (unknown !== undefined) return `a selector has matchLabels and matchExpressions, not '${unknown}'`;
  const labels = get(value, 'matchLabels') ?? {};
  const expressions = get(value, 'matchExpressions') ?? [];
  if (!isMap(labels)) return 'matchLabels must be a map';
  if (!Array.isArray(expressions)) return 'matchExpressions must be a list';
  const requirements: Requirement[] = [];
  for (const key of Object.keys(labels)) {
    const wanted = labels[key];
    if (typeof wanted !== 'string') return `matchLabels: the value of '${key}' must be a string`;
    requirements.push({ key, operator: 'In', values: [wanted] });
  }
  for (const expression of expressions) {
    const requirement = parseRequirement(expression);
    if (typeof requirement === 'string') return requirement;
    requirements.push(requirement);
  }
  return requirements;
}

function parseRequirement(value: Value): Requirement | string {
  const key = get(value, 'key');
  const operator = get(value, 'operator');
  const values = get(value, 'values') ?? [];
  if (typeof key !== 'string' || key === '') return 'matchExpressions: each entry needs a key';
  if (!Array.isArray(values) || !values.every((item) => typeof item === 'string')) {
    return `matchExpressions: the values of '${key}' must be a list of strings`;
  }
  const several = operator === 'In' || operator === 'NotIn';
  if (!several && operator !== 'Exists' && operator !== 'DoesNotExist') {
    return `matchExpressions: the operator of '${key}' must be In, NotIn, Exists or DoesNotExist`;
  }
  if (several !== values.length > 0) {
    return `matchExpressions: ${operator} of '${key}' ${several ? 'needs values' : 'has no values'}`;
  }
  return { key, operator, values };
}

/** An object without the label matches NotIn (k8s.io/apimachinery/pkg/labels). */
export function matches(selector: Selector, labels: ValueMap): boolean {
  return selector.every(({ key, operator, values }) => {
    const value = get(labels, key);
    const listed = typeof value === 'string' && values.includes(value);
    switch (operator) {
      case 'In':
        return listed;
      case 'NotIn':
        return !listed;
      case 'Exists':
        return value !== undefined;
      default:
        return value === undefined;
    }
  });
}
