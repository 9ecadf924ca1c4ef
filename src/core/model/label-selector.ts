// biome-ignore-all lint/plugin: a path of at most three steps
import { labelKeyFault, labelValueFault } from './names.ts';
import { get, isMap, type Path, type Value, type ValueMap } from './value.ts';

interface Requirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  values: readonly string[];
}

/** A parsed metav1.LabelSelector: all requirements must match. */
export type Selector = readonly Requirement[];

export interface SelectorProblem {
  message: string;
  path: Path;
  /** An unknown field, a value of a wrong type, or a text that is not valid. */
  about: 'field' | 'type' | 'text';
}

/**
 * Reads a LabelSelector as Kubernetes does (metav1.LabelSelectorAsSelector after a strict decoder): no other fields,
 * valid label keys and values, values for In and NotIn only. Null counts as absent, and as '' for a string.
 */
export function parseSelector(value: Value): { selector: Selector; faults: readonly SelectorProblem[] } {
  const faults: SelectorProblem[] = [];
  const fault: ReportProblem = (about, message, ...path) => void faults.push({ message, path, about });
  if (!isMap(value)) {
    fault('type', 'a selector must be a LabelSelector: a map of matchLabels and matchExpressions');
    return { selector: [], faults };
  }
  for (const key of Object.keys(value)) {
    if (key !== 'matchLabels' && key !== 'matchExpressions') {
      fault('field', `a selector has matchLabels and matchExpressions, not '${key}'`, key);
    }
  }
  const selector = [...labelRequirements(value, fault), ...expressionRequirements(value, fault)];
  return { selector, faults };
}

/** Returns a selector as an argument of kubectl's `--selector`; '' selects everything. */
export const selectorText = (selector: Selector): string =>
  selector.map(({ key, operator, values }) => REQUIREMENTS[operator](key, values)).join(',');

const REQUIREMENTS: Readonly<Record<Requirement['operator'], (key: string, values: readonly string[]) => string>> = {
  In: (key, values) => (values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`),
  NotIn: (key, values) => `${key} notin (${values.join(',')})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

type ReportProblem = (about: SelectorProblem['about'], message: string, ...path: Path) => void;

function labelRequirements(value: ValueMap, fault: ReportProblem): Requirement[] {
  const labels = get(value, 'matchLabels') ?? {};
  if (!isMap(labels)) {
    fault('type', 'matchLabels must be a map', 'matchLabels');
    return [];
  }
  return Object.keys(labels).flatMap((key) => {
    const at = ['matchLabels', key];
    const wanted = labels[key] ?? '';
    checkKey(key, (message) => fault('text', `matchLabels: ${message}`, ...at));
    if (typeof wanted !== 'string') {
      fault('type', `matchLabels: the value of '${key}' must be a string`, ...at);
      return [];
    }
    checkValue(wanted, (message) => fault('text', `matchLabels: ${message}`, ...at));
    return [{ key, operator: 'In', values: [wanted] }];
  });
}

function expressionRequirements(value: ValueMap, fault: ReportProblem): Requirement[] {
  const expressions = get(value, 'matchExpressions') ?? [];
  if (!Array.isArray(expressions)) {
    fault('type', 'matchExpressions must be a list', 'matchExpressions');
    return [];
  }
  return expressions.flatMap((expression, index) => {
    const inside: ReportProblem = (about, message, ...path) =>
      fault(about, `matchExpressions: ${message}`, 'matchExpressions', index, ...path);
    return parseRequirement(expression ?? {}, inside) ?? [];
  });
}

const REQUIREMENT = ['key', 'operator', 'values'];

function parseRequirement(value: Value, fault: ReportProblem): Requirement | undefined {
  if (!isMap(value)) {
    fault('type', 'each entry must be a map of key, operator and values');
    return undefined;
  }
  for (const field of Object.keys(value)) {
    if (!REQUIREMENT.includes(field)) fault('field', `an entry has key, operator and values, not '${field}'`, field);
  }
  const key = get(value, 'key') ?? '';
  const operator = get(value, 'operator') ?? '';
  const values = (get(value, 'values') ?? []) as Value;
  if (typeof key !== 'string' || key === '') {
    fault(key === '' ? 'text' : 'type', 'each entry needs a key', 'key');
    return undefined;
  }
  checkKey(key, (message) => fault('text', message, 'key'));
  if (!Array.isArray(values) || !values.every((item) => item === null || typeof item === 'string')) {
    fault('type', `the values of '${key}' must be a list of strings`, 'values');
    return undefined;
  }
  const several = operator === 'In' || operator === 'NotIn';
  if (!several && operator !== 'Exists' && operator !== 'DoesNotExist') {
    fault(
      typeof operator === 'string' ? 'text' : 'type',
      `the operator of '${key}' must be In, NotIn, Exists or DoesNotExist`,
      'operator',
    );
    return undefined;
  }
  if (several !== values.length > 0) {
    fault(
      'text',
      `${operator} of '${key}' ${several ? 'needs values' : 'has no values'}`,
      several ? 'operator' : 'values',
    );
    return undefined;
  }
  const wanted = values.map((item) => (typeof item === 'string' ? item : ''));
  wanted.forEach((item, index) => {
    checkValue(item, (message) => fault('text', message, 'values', index));
  });
  return { key, operator, values: wanted };
}

function checkKey(key: string, fault: (message: string) => void): void {
  const reason = labelKeyFault(key);
  if (reason !== undefined) fault(`'${key}' is not a valid label key: ${reason}`);
}

function checkValue(value: string, fault: (message: string) => void): void {
  const reason = labelValueFault(value);
  if (reason !== undefined) fault(`'${value}' is not a valid label value: ${reason}`);
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
