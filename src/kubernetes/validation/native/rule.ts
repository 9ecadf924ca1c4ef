import { type Message, type Problem, phrase, shown } from '../../../core/diagnostics/index.ts';
import { getAt, isMap, ownValue, type Path, type Value, type ValueMap } from '../../../core/model/value.ts';

export interface Pod {
  spec: ValueMap;
  /** Its volumes, and those that a StatefulSet adds, by name. */
  volumes: ReadonlyMap<string, Value>;
}

/** The current location, and the errors so far. */
export interface Place {
  path: (string | number)[];
  faults: Problem[];
  pod?: Pod | undefined;
  named: (name: string) => Rule | undefined;
  /** The condition of the rule, in words. */
  condition: string;
}

/** A requirement of an API server for a value, in an object or a list. The schema checks the type of the value. */
export type Rule = (value: Value | undefined, place: Place, owner: Value) => void;

/** A value in a table: a text, an integer or a boolean. */
export type Argument = string | bigint | boolean;

/** Requirements by the name of their operator, each for the values of a rule. */
export type Checks = Readonly<Record<string, (...values: readonly Argument[]) => Rule>>;

export const withoutArguments = (rules: Readonly<Record<string, Rule>>): Checks =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, () => rule]));

/** A value in JSON, where integers are numbers. */
type Literal = string | number | boolean;

/** A condition on a field of the object that has the field of the rule, or of its pod. */
interface Condition {
  of?: 'pod';
  field: string;
  operator: 'set' | 'unset' | 'filled' | 'empty' | 'in' | 'notIn' | 'has' | 'lacks';
  values?: readonly Literal[];
}

/** What a value must be: by an operator, by the rules of a part that the table names, by rules of its fields, or all. */
export type Requirement =
  | { operator: string; values?: readonly Literal[] }
  | { part: string }
  | { rules: readonly FieldRule[] }
  | { checks: readonly Requirement[] };

/**
 * A requirement for fields. A field is a path, '' for the value itself, whose steps may end with `[]` (each item) or
 * `{}` (each value of a map). The rule applies if all conditions hold.
 */
export type FieldRule = Requirement & { field: string | readonly string[]; when?: readonly Condition[] };

/** The rules of kinds and of parts by name: see `data/kubernetes-rules.json` and its schema. */
export type RuleTable = Readonly<Record<string, readonly FieldRule[]>>;

type Below = string | number | Path;

/** Reports an error, at a step or a path below the current location. */
export function refuse({ path, faults, condition }: Place, message: Message, below: Below = []): void {
  faults.push({ code: 'rendered-value', message: phrase`${message}${shown(condition)}`, path: path.concat(below) });
}

export function missing({ path, faults, condition }: Place, message?: Message, below: Below = []): void {
  const why = message === undefined ? phrase`` : phrase`: ${message}`;
  const text = phrase`Required value${why}${shown(condition)}`;
  faults.push({ code: 'rendered-required', message: text, path: path.concat(below) });
}

/** Reports whether Go treats a value as absent. */
export const isEmpty = (value: Value | undefined): boolean => !isSet(value) || value === '' || isEmptyList(value);
export const isSet = (value: Value | undefined): boolean => value !== undefined && value !== null;
export const isEmptyList = (value: Value | undefined): boolean => Array.isArray(value) && value.length === 0;

/** @throws Error unless the table has a text here */
export function textArgument(value: Argument | undefined): string {
  if (typeof value !== 'string') throw new Error(`the table of rules has ${String(value)} in place of a text`);
  return value;
}

/** @throws Error unless the table has an integer here */
export function integerArgument(value: Argument | undefined): bigint {
  if (typeof value !== 'bigint') throw new Error(`the table of rules has ${String(value)} in place of an integer`);
  return value;
}

const argumentOf = (value: Literal): Argument => (typeof value === 'number' ? BigInt(value) : value);

const quotedOne = (value: Value): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

export const quoted = (values: readonly Value[]): string => values.map(quotedOne).join(', ');

/** What a condition says of its field, in words before its values. */
const CONDITION_WORDS: Readonly<Record<Condition['operator'], string>> = {
  set: 'is set',
  unset: 'is not set',
  filled: 'is not empty',
  empty: 'is empty',
  in: 'is',
  notIn: 'is not',
  has: 'has',
  lacks: 'has not',
};

/** Reports whether a condition holds for the value of its field; an absent one is like an empty text in a list of values. */
function isMet(operator: Condition['operator'], values: readonly Argument[], found: Value | undefined): boolean {
  switch (operator) {
    case 'set':
      return isSet(found);
    case 'unset':
      return !isSet(found);
    case 'filled':
      return !isEmpty(found);
    case 'empty':
      return isEmpty(found);
    case 'in':
      return values.some((value) => value === (found ?? ''));
    case 'notIn':
      return !values.some((value) => value === (found ?? ''));
    case 'has':
      return Array.isArray(found) && values.some((value) => found.includes(value));
    case 'lacks':
      return !Array.isArray(found) || !values.some((value) => found.includes(value));
  }
}

/** Returns a condition in words: `type is "Pod"`, `type is empty`. */
function wordsOf({ field, operator, values = [] }: Condition): string {
  const isOfEmptyText = values.length === 1 && values[0] === '';
  const what = isOfEmptyText ? 'empty' : values.map((value) => quotedOne(argumentOf(value))).join(' or ');
  return `${field} ${CONDITION_WORDS[operator]}${what === '' ? '' : ` ${what}`}`;
}

/** Conditions that are ready to be tested. */
interface Conditions {
  hold: (owner: Value, place: Place) => boolean;
  words: string;
}

function conditionsOf(conditions: readonly Condition[]): Conditions {
  const tests = conditions.map(({ of, field, operator, values = [] }) => {
    const path = field.split('.');
    const wanted = values.map(argumentOf);
    return (owner: Value, { pod }: Place): boolean =>
      isMet(operator, wanted, getAt(of === 'pod' ? pod?.spec : owner, path));
  });
  return {
    hold: (owner, place) => tests.every((test) => test(owner, place)),
    words: ` if ${conditions.map(wordsOf).join(' and ')}`,
  };
}

/** Runs a rule for each value of a path, whose steps may end with `[]` (each item) or `{}` (each value of a map). */
function along(where: string, rule: Rule, skipsAbsent: boolean): Rule {
  const [, before = where, many, after = ''] = /^(.*?)(\[\]|\{\})\.?(.*)$/.exec(where) ?? [];
  const steps = before === '' ? [] : before.split('.');
  const inner = many === undefined ? rule : along(after, rule, skipsAbsent);
  return (value, place, owner) => {
    if (steps.length > 0 && !isMap(value)) return;
    const found = steps.length === 0 ? value : getAt(value, steps);
    if (found === undefined && (skipsAbsent || many !== undefined)) return;
    for (const step of steps) place.path.push(step);
    if (many === undefined) inner(found, place, steps.length === 0 ? owner : (value as Value));
    else if (many === '[]' ? Array.isArray(found) : isMap(found)) {
      for (const key of Array.isArray(found) ? found.keys() : Object.keys(found as ValueMap)) {
        place.path.push(key);
        inner((found as ValueMap)[key], place, found as Value);
        place.path.pop();
      }
    }
    place.path.length -= steps.length;
  };
}

/** Operators that require something to be there, which also run if there is no value. */
const OF_ABSENT: ReadonlySet<string> = new Set([
  'required',
  'set',
  'missing',
  'aMap',
  'entries',
  'needs',
  'is',
  'one',
  'podClaim',
  'someOf',
]);

/** Returns the rules of a table by name. Each is compiled when it is used. */
export function rulesOf(table: RuleTable, checks: Checks): (name: string) => Rule | undefined {
  const known = new Map<string, Rule>();
  const named = (name: string): Rule | undefined => {
    const before = known.get(name);
    if (before !== undefined || !Object.hasOwn(table, name)) return before;
    let compiled: Rule | undefined;
    const rule: Rule = (value, place, owner) => {
      compiled ??= fieldRules(table[name] ?? []);
      compiled(value, place, owner);
    };
    known.set(name, rule);
    return rule;
  };
  const compile = (requirement: Requirement): Rule[] => {
    if ('checks' in requirement) return requirement.checks.flatMap(compile);
    if ('rules' in requirement) return [fieldRules(requirement.rules)];
    const rule =
      'part' in requirement
        ? named(requirement.part)
        : // allowed: values of the table
          ownValue(checks, requirement.operator)?.(...(requirement.values ?? []).map(argumentOf));
    if (rule === undefined) throw new Error(`the table of rules has an unknown name: ${JSON.stringify(requirement)}`);
    return [rule];
  };
  const fieldRules = (rules: readonly FieldRule[]): Rule => {
    const entries = rules.flatMap((rule) => {
      const conditions = rule.when === undefined ? undefined : conditionsOf(rule.when);
      const skipsAbsent = !runsIfAbsent(rule);
      return [rule.field].flat().map((path) => {
        // Most fields are absent, and then most rules have nothing to check.
        const [first = ''] = skipsAbsent || /[\]}]/.test(path) ? (/^[^.[{]*/.exec(path) ?? []) : [];
        return { first, rule: entryRule(path, conditions, () => compile(rule), skipsAbsent) };
      });
    });
    return (value, place, owner) => {
      for (const { first, rule } of entries)
        if (first === '' || !isMap(value) || ownValue(value, first) !== undefined) rule(value, place, owner);
    };
  };
  return named;
}

const runsIfAbsent = (requirement: Requirement): boolean =>
  'checks' in requirement
    ? requirement.checks.some(runsIfAbsent)
    : 'operator' in requirement && OF_ABSENT.has(requirement.operator);

function entryRule(
  where: string,
  conditions: Conditions | undefined,
  compiled: () => readonly Rule[],
  skipsAbsent: boolean,
): Rule {
  let rules: readonly Rule[] | undefined;
  const run: Rule = (value, place, owner) => {
    rules ??= compiled();
    for (const rule of rules) rule(value, place, owner);
  };
  if (conditions === undefined) return along(where, run, skipsAbsent);
  const conditional: Rule = (owner, place) => {
    if (owner === undefined || !conditions.hold(owner, place)) return;
    const before = place.condition;
    place.condition = conditions.words;
    plain(owner, place, owner);
    place.condition = before;
  };
  // The conditions are about the object in the last list or map of the path.
  const end = Math.max(where.lastIndexOf('[]'), where.lastIndexOf('{}'));
  const plain = along(end < 0 ? where : where.slice(end + 2).replace(/^\./, ''), run, skipsAbsent);
  return end < 0 ? conditional : along(where.slice(0, end + 2), conditional, true);
}
