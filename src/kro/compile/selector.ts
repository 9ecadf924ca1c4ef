import { type Problem, phrase, shownIf } from '../../core/diagnostics/index.ts';
import { parseSelector, type SelectorProblem } from '../../core/model/label-selector.ts';
import { get, isMap, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { isExpression, scan } from './scan.ts';

/**
 * Returns the errors in the selector of an external reference that do not depend on values (kro: validateSelector): it
 * is a LabelSelector or one expression that returns one, without other fields, its literal parts of the right type. The
 * labels are checked here only if nothing is computed, as in kro; otherwise when an instance is expanded.
 */
export function selectorProblems(selector: Value, path: Path): Problem[] {
  const problem = ({ message, path: inside }: SelectorProblem): Problem => {
    const found: Problem = { code: 'selector-shape', message: phrase`${message}`, path: [...path, ...inside] };
    const key = inside.at(-1);
    const known = inside.length === 1 ? ['matchLabels', 'matchExpressions'] : ['key', 'operator', 'values'];
    const intended = typeof key === 'string' && !known.includes(key) ? shownIf(didYouMean(key, known)) : undefined;
    return intended === undefined ? found : { ...found, hint: intended };
  };
  if (typeof selector === 'string') {
    if (isStandalone(selector)) return [];
    const message = phrase`a selector must be a LabelSelector, or one expression that yields one`;
    return [{ code: 'selector-shape', message, path }];
  }
  const { faults } = parseSelector(selector);
  if (!hasExpression(selector)) return faults.map(problem);
  // Valid replacements for computed values, so that any error is independent of them.
  return parseSelector(withStandIns(selector)).faults.map(problem);
}

/** Returns the schema of an external reference, whose identity consists of strings. */
export function referenceSchema(externalRef: ValueMap): Schema {
  const selector = get(get(externalRef, 'metadata'), 'selector') ?? null;
  const properties = { name: TEXT, namespace: TEXT, selector: selectorSchema(selector) };
  return {
    type: 'object',
    properties: { apiVersion: TEXT, kind: TEXT, metadata: { type: 'object', properties } },
  };
}

const TEXT: Schema = { type: 'string' };

/**
 * Returns the schema of a selector as kro types its fields: a selector that is computed as a whole may be loosely
 * typed.
 */
function selectorSchema(selector: Value): Schema {
  if (typeof selector === 'string') return { type: 'object', additionalProperties: true };
  const expressions = get(selector, 'matchExpressions');
  return {
    type: 'object',
    properties: {
      matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
      // A list of anything: the types of its entries are checked at run time.
      matchExpressions:
        typeof expressions === 'string'
          ? { type: 'array', items: { 'x-kubernetes-int-or-string': true } }
          : { type: 'array' },
    },
  };
}

function isStandalone(text: string): boolean {
  const scanned = scan(text);
  return scanned.ok && scanned.standalone;
}

function isComputed(text: string): boolean {
  const scanned = scan(text);
  // Errors of the scan are reported with templates.
  return !scanned.ok || scanned.parts.some(isExpression);
}

function hasExpression(value: Value): boolean {
  if (typeof value === 'string') return isComputed(value);
  if (Array.isArray(value)) return value.some(hasExpression);
  return isMap(value) && Object.values(value).some(hasExpression);
}

/** Returns the selector with valid replacements for computed values, and for texts that kro checks at run time. */
function withStandIns(selector: Value): Value {
  if (!isMap(selector)) return selector;
  const { matchLabels, matchExpressions, ...rest } = selector;
  const whole: ValueMap = rest;
  if (matchLabels !== undefined) whole.matchLabels = standInFor(matchLabels, {}, validLabels);
  if (matchExpressions !== undefined) {
    whole.matchExpressions = standInFor(matchExpressions, [], (list) =>
      Array.isArray(list) ? list.map((entry) => standInFor(entry, VALID, validRequirement)) : list,
    );
  }
  return whole;
}

const VALID: ValueMap = { key: 'a', operator: 'Exists' };

const standInFor = (value: Value, standIn: Value, inside: (value: Value) => Value): Value =>
  typeof value === 'string' && isStandalone(value) ? standIn : inside(value);

/** Replaces labels, whose syntax is checked with their values. */
function validLabels(labels: Value): Value {
  if (!isMap(labels)) return labels;
  const valid: ValueMap = {};
  Object.keys(labels).forEach((key, index) => {
    const value = labels[key] as Value;
    setKey(valid, typeof value === 'string' ? `a${index}` : key, typeof value === 'string' ? 'a' : value);
  });
  return valid;
}

function validRequirement(entry: Value): Value {
  if (!isMap(entry)) return entry;
  const { key, operator, values, ...rest } = entry;
  const valid: ValueMap = { ...VALID, ...rest };
  if (key !== undefined && key !== null && typeof key !== 'string') valid.key = key;
  if (operator !== undefined && operator !== null && typeof operator !== 'string') valid.operator = operator;
  const isWrong = values !== undefined && values !== null && !isTexts(values);
  if (isWrong) return { ...valid, operator: 'In', values };
  return valid;
}

const isTexts = (values: Value): boolean =>
  typeof values === 'string'
    ? isStandalone(values)
    : Array.isArray(values) && values.every((item) => item === null || typeof item === 'string');
