import {
  advise,
  askFor,
  type Message,
  type Problem,
  phrase,
  quote,
  quotedHint,
  shown,
} from '../../core/diagnostics/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import { lazily } from '../../core/model/lazily.ts';
import {
  type Allowance,
  allowance,
  MATCHING_STEPS,
  MAX_ERRORS,
  MAX_PATTERNS,
  MAX_VALUES,
  spend,
} from '../../core/model/limits.ts';
import { formatPath, ownValue, type Path, type Value } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { nearest } from '../../core/text/nearest.ts';
import {
  type Budget,
  compileRegex,
  createBudget,
  EvaluationError,
  isExhausted,
  matchesWhile,
  patternSize,
  type Regex,
  spendMatching,
} from '../../languages/cel/index.ts';
import type { Schema } from '../schema/index.ts';

/** The errors of values; the code of a report has what is validated before them. */
export type Fault = 'type' | 'required' | 'value' | 'unknown-field' | 'duplicate';

/** The remaining budget of patterns: their characters and the steps of matching them. */
export interface PatternBudget {
  characters: Allowance;
  steps: Allowance;
  known: Set<string>;
}

export const createPatternBudget = (): PatternBudget => ({
  characters: allowance(MAX_PATTERNS),
  steps: allowance(MATCHING_STEPS),
  known: new Set(),
});

export interface Visit {
  /** Changes during the walk, so it is copied into reports. */
  path: (string | number)[];
  problems: Problem[];
  /** What is validated: an instance, or an object that is rendered. */
  of: 'instance' | 'rendered';
  /** The remaining number of values, including defaults. Several walks may share it. */
  values: Allowance;
  most: number;
  hints: boolean;
  /** Nothing is filled in and no null dropped, as an API server checks the default of a schema. */
  bare?: boolean;
  /** Fields without a schema are allowed: something else checks them. */
  isOpen?: boolean;
  /** The alternatives around the value, which is complete: `anyOf` and the like. */
  alternatives?: number;
  /** Cached results of alternatives: each pair is checked once, however many schemas share it. */
  fitting?: Map<Schema, Map<Value, boolean>>;
  /** The budget of matching patterns and of validation rules. */
  budget: () => Budget;
  /** That of matching patterns of rendered objects. */
  patterns?: PatternBudget;
}

export const isFull = ({ problems, values, most }: Visit): boolean => values.left < 0 || problems.length >= most;

export type Check = (value: Value, visit: Visit) => Value;

export const startVisit = (
  path: Path = [],
  values: Allowance = allowance(MAX_VALUES),
  budget: () => Budget = lazily(createBudget),
): Visit => ({
  path: [...path],
  problems: [],
  of: 'instance',
  values,
  most: MAX_ERRORS,
  hints: true,
  budget,
});

/** A pattern of a schema, which is compiled when it is used. */
export interface Pattern {
  text: string;
  regex?: Regex | undefined;
}

/** Reports whether a text matches a pattern; without budget it matches, and the budget error is reported. */
export function matchesIn(visit: Visit, pattern: Pattern, text: string): boolean {
  const { patterns } = visit;
  if (patterns !== undefined) return matchesObject(patterns, pattern, text);
  pattern.regex ??= compileRegex(pattern.text);
  const budget = visit.budget();
  const matches = isExhausted(budget)
    ? undefined
    : matchesWhile(pattern.regex, text, (steps) => spendMatching(budget, steps));
  if (matches === undefined) reportExhausted(visit);
  return matches ?? true;
}

/** A pattern that is not RE2 is ignored: a cluster does not have such a CRD. */
function matchesObject(budget: PatternBudget, pattern: Pattern, text: string): boolean {
  if (budget.characters.left < 0) return true;
  if (!budget.known.has(pattern.text) && !spend(budget.characters, patternSize(pattern.text))) return true;
  budget.known.add(pattern.text);
  pattern.regex ??= attempt(() => compileRegex(pattern.text), EvaluationError);
  const { regex } = pattern;
  return regex === undefined || (matchesWhile(regex, text, (steps) => spend(budget.steps, steps)) ?? true);
}

export function reportExhausted({ problems, path }: Visit): void {
  if (problems.some(({ code }) => code === 'budget-exceeded' || code === 'rule-violated')) return;
  problems.push({
    code: 'budget-exceeded',
    message: phrase`the instance takes more than its budget before all of its patterns and validation rules have run`,
    path: [...path],
    hint: phrase`make its lists and texts shorter, or raise --max-steps or --max-size`,
  });
}

export function fault(visit: Visit, kind: Fault, message: Message, hint?: Message): void {
  if (isFull(visit)) return;
  visit.problems.push({ code: `${visit.of}-${kind}`, message, path: [...visit.path], hint });
}

/** Returns the subject of a message about a schema, with which the API server begins those of an instance. */
export const subjectOf = ({ of, path }: Visit): Message =>
  of === 'rendered' ? phrase`` : quote(`${formatPath(path)} in body `, 'the value ');

/** Reports a value that violates its schema: `should match '^a$'`. */
export const breaks = (visit: Visit, rule: string): void =>
  fault(visit, 'value', phrase`${subjectOf(visit)}${{ rule: shown(rule) }}`);

export function checkAt(check: Check, step: string | number, value: Value, visit: Visit): Value {
  if (isFull(visit)) return value;
  visit.path.push(step);
  if (visit.values.left === 0) reportTooLarge(visit);
  visit.values.left -= 1;
  const checked = check(value, visit);
  visit.path.pop();
  return checked;
}

function reportTooLarge({ problems, values, path, most }: Visit): void {
  if (problems.length >= most) return;
  const message = phrase`more than ${{ limit: values.of }} values, defaults included: no API server stores so large an object`;
  const hint = phrase`make the list shorter, or let its items have fewer defaults`;
  problems.push({ code: 'instance-too-large', message, path: [...path], hint });
}

export function faultAt(visit: Visit, step: string | number, kind: Fault, message: Message, hint?: Message): void {
  visit.path.push(step);
  fault(visit, kind, message, hint);
  visit.path.pop();
}

const addField = (key: string, example: string): Message =>
  advise(phrase`add ${key}: ${example}`, { kind: 'add-field', field: phrase`${key}` });

export function missingField(key: string, { properties }: Schema, visit: Visit): void {
  const hint = visit.hints ? addField(key, exampleOf(ownValue(properties, key))) : undefined;
  faultAt(visit, key, 'required', phrase`Required value`, hint);
}

const EXAMPLES: Readonly<Record<string, string>> = { array: '[...]', object: '{...}', integer: '1', boolean: 'true' };

/** Returns a value for a hint: the first of an enum, or the form of the type. */
const exampleOf = ({ type, enum: [first] = [] }: Schema = {}): string =>
  typeof first === 'string' ? first : ((type && EXAMPLES[type]) ?? '...');

export function unknownField(key: string, { properties = {} }: Schema, visit: Visit): void {
  if (isFull(visit)) return;
  const names = Object.keys(properties);
  const close = visit.hints ? nearest(key, names) : [];
  const below = visit.hints ? names.filter((name) => Object.hasOwn(properties[name]?.properties ?? {}, key)) : [];
  const intended = close.length > 0 ? close : below.slice(0, 2).map((name) => `${name}.${key}`);
  const hint =
    intended.length > 0
      ? quotedHint(askFor(intended, `did you mean ${intended.join(' or ')}?`))
      : phrase`${fieldsHint(names)}`;
  const field = formatPath([...visit.path, key]);
  faultAt(visit, key, 'unknown-field', phrase`unknown field "${{ key: field }}"`, visit.hints ? hint : undefined);
}

const fieldsHint = (names: readonly string[]): string =>
  names.length === 0 ? 'no fields are declared here' : `the fields here are ${enumerated(names)}`;
