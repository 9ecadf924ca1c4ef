import { labelKeyFault, labelValueFault } from './names.ts';
import { get, isMap, listOf, type Path, textOf, type Value, type ValueMap } from './value.ts';

interface Requirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  values: readonly string[];
}

export type Selector = readonly Requirement[];

export interface SelectorProblem {
  message: string;
  path: Path;
  /** An unknown field, a value of a wrong type, or a text that is not valid. */
  about: 'field' | 'type' | 'text';
}

/** Reads a LabelSelector as metav1.LabelSelectorAsSelector does after a strict decoder. Null counts as absent. */
export function parseSelector(value: Value): { selector: Selector; faults: readonly SelectorProblem[] } {
  const faults: SelectorProblem[] = [];
  const fault: ReportProblem = (about, message, ...path) => {
    faults.push({ message, path, about });
    return [];
  };
  if (!isMap(value)) {
    fault('type', 'a selector must be a LabelSelector: a map of matchLabels and matchExpressions');
    return { selector: [], faults };
  }
  checkFields(value, ['matchLabels', 'matchExpressions'], 'a selector', fault);
  return { selector: [...labelRequirements(value, fault), ...expressionRequirements(value, fault)], faults };
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

/** Adds a problem; returns no requirements. */
type ReportProblem = (about: SelectorProblem['about'], message: string, ...path: Path) => never[];

function checkFields(map: ValueMap, known: readonly string[], what: string, fault: ReportProblem): void {
  const names = `${known.slice(0, -1).join(', ')} and ${known.at(-1)}`;
  for (const key of Object.keys(map))
    if (!known.includes(key)) fault('field', `${what} has ${names}, not '${key}'`, key);
}

function labelRequirements(value: ValueMap, fault: ReportProblem): Requirement[] {
  const labels = get(value, 'matchLabels') ?? {};
  if (!isMap(labels)) return fault('type', 'matchLabels must be a map', 'matchLabels');
  return Object.entries(labels).flatMap(([key, wanted]): Requirement[] => {
    const inside: ReportProblem = (about, message) => fault(about, `matchLabels: ${message}`, 'matchLabels', key);
    checkText('key', key, inside);
    if (typeof (wanted ?? '') !== 'string') return inside('type', `the value of '${key}' must be a string`);
    checkText('value', textOf(wanted), inside);
    return [{ key, operator: 'In', values: [textOf(wanted)] }];
  });
}

function expressionRequirements(value: ValueMap, fault: ReportProblem): Requirement[] {
  const expressions = get(value, 'matchExpressions') ?? [];
  if (!Array.isArray(expressions)) return fault('type', 'matchExpressions must be a list', 'matchExpressions');
  return expressions.flatMap((expression, index) =>
    parseRequirement(expression ?? {}, (about, message, ...path) =>
      fault(about, `matchExpressions: ${message}`, 'matchExpressions', index, ...path),
    ),
  );
}

function parseRequirement(value: Value, fault: ReportProblem): Requirement[] {
  if (!isMap(value)) return fault('type', 'each entry must be a map of key, operator and values');
  checkFields(value, ['key', 'operator', 'values'], 'an entry', fault);
  const key = get(value, 'key') ?? '';
  const operator = get(value, 'operator') ?? '';
  const values = get(value, 'values') ?? [];
  // A decoder rejects types before anything looks at the texts.
  if (!areTyped({ key, operator, values }, fault)) return [];
  if (key === '') return fault('text', 'each entry needs a key', 'key');
  checkText('key', key as string, (about, message) => fault(about, message, 'key'));
  if (!isOperator(operator))
    return fault('text', `the operator of '${key}' must be In, NotIn, Exists or DoesNotExist`, 'operator');
  const isSet = operator === 'In' || operator === 'NotIn';
  const wanted = listOf(values).map(textOf);
  if (isSet && wanted.length === 0) return fault('text', `${operator} of '${key}' needs values`, 'operator');
  if (!isSet && wanted.length > 0) return fault('text', `${operator} of '${key}' has no values`, 'values');
  for (const [index, item] of wanted.entries())
    checkText('value', item, (about, message) => fault(about, message, 'values', index));
  return [{ key: key as string, operator, values: wanted }];
}

interface Written {
  key: Value;
  operator: Value;
  values: Value;
}

/** Reports each field of an entry that has another type than in a LabelSelector, and whether there is none. */
function areTyped({ key, operator, values }: Written, fault: ReportProblem): boolean {
  const name = typeof key === 'string' ? key : '';
  const isKey = typeof key === 'string';
  const isOperatorText = typeof operator === 'string';
  const areTexts = Array.isArray(values) && values.every((item) => item === null || typeof item === 'string');
  if (!isKey) fault('type', 'each entry needs a key', 'key');
  if (!areTexts) fault('type', `the values of '${name}' must be a list of strings`, 'values');
  if (!isOperatorText) fault('type', `the operator of '${name}' must be In, NotIn, Exists or DoesNotExist`, 'operator');
  return isKey && areTexts && isOperatorText;
}

const isOperator = (operator: Value): operator is Requirement['operator'] =>
  typeof operator === 'string' && Object.hasOwn(REQUIREMENTS, operator);

function checkText(what: 'key' | 'value', text: string, fault: ReportProblem): void {
  const reason = what === 'key' ? labelKeyFault(text) : labelValueFault(text);
  if (reason !== undefined) fault('text', `'${text}' is not a valid label ${what}: ${reason}`);
}

export function selectsObject(value: Value, object: ValueMap): boolean {
  const { selector, faults } = parseSelector(value);
  const labels = get(get(object, 'metadata'), 'labels');
  return faults.length === 0 && matches(selector, isMap(labels) ? labels : {});
}

/** An object without the label matches NotIn (k8s.io/apimachinery/pkg/labels). */
export function matches(selector: Selector, labels: ValueMap): boolean {
  return selector.every(({ key, operator, values }) => {
    const value = get(labels, key);
    const isListed = typeof value === 'string' && values.includes(value);
    const isThere = value !== undefined;
    return { In: isListed, NotIn: !isListed, Exists: isThere, DoesNotExist: !isThere }[operator];
  });
}
