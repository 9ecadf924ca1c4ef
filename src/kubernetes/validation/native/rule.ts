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

/** Rules by name: of the table, or a function of the arguments in parentheses. */
export type Checks = Readonly<Record<string, (...args: readonly string[]) => Rule>>;

export const withoutArguments = (rules: Readonly<Record<string, Rule>>): Checks =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, () => rule]));

/** Paths with rules; see `data/kubernetes-rules.json`. */
export interface Shape {
  readonly [where: string]: string | Shape | readonly (string | Shape)[];
}

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

/** Returns a value of the table: `''` stands for an empty text and an absent field. */
const literal = (text: string): Value => {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === "''") return '';
  return /^-?\d+$/.test(text) ? BigInt(text) : text;
};
export const literals = (args: readonly string[]): Value[] => args.map(literal);

export const quoted = (values: readonly Value[]): string =>
  values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(', ');

interface Condition {
  holds: (owner: Value, place: Place) => boolean;
  words: string;
}

/**
 * Reads a condition: `a` is set, `!a` is not, `a+` is not empty, `!a+` is, `a=x|y`, `a!=x|y`, `a~x` (the list `a` has
 * `x`), and `&`. The fields are those of the object that contains the value, and after `pod.` those of its pod.
 */
function conditionOf(text: string): Condition {
  const terms = text.split(' & ').map((term): Condition => {
    const [, not = '', where = '', sign = '', right = ''] = /^(!?)([^+=!~]+)(\+|!?=|~|)(.*)$/.exec(term) ?? [];
    const isOfPod = where.startsWith('pod.');
    const name = isOfPod ? where.slice('pod.'.length) : where;
    const path = name.split('.');
    const values = literals(right.split('|'));
    const fits = (found: Value | undefined): boolean => {
      if (sign === '') return isSet(found);
      if (sign === '+') return !isEmpty(found);
      if (sign === '~') return Array.isArray(found) && values.some((value) => found.includes(value));
      return values.includes(found ?? '') === (sign === '=');
    };
    const is = sign === '' ? 'is set' : sign === '+' ? 'is not empty' : sign === '~' ? 'has' : 'is';
    const what = right === '' && sign.endsWith('=') ? ' empty' : right && ` ${quoted(values).replaceAll(',', ' or')}`;
    const isNegative = not === '!' || sign === '!=';
    return {
      holds: (owner, place) => fits(getAt(isOfPod ? place.pod?.spec : owner, path)) !== (not === '!'),
      words: `${name} ${isNegative ? `${is} not`.replace('is set not', 'is not set').replace('is not empty not', 'is empty') : is}${what}`,
    };
  });
  return {
    holds: (owner, place) => terms.every(({ holds }) => holds(owner, place)),
    words: ` if ${terms.map(({ words }) => words).join(' and ')}`,
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

/** Rules that something must be there, which also run if there is no value. */
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
export function rulesOf(table: Readonly<Record<string, Shape>>, checks: Checks): (name: string) => Rule | undefined {
  const known = new Map<string, Rule>();
  const named = (name: string): Rule | undefined => {
    const before = known.get(name);
    if (before !== undefined || !Object.hasOwn(table, name)) return before;
    let compiled: Rule | undefined;
    const rule: Rule = (value, place, owner) => {
      compiled ??= shapeRule(table[name] ?? {});
      compiled(value, place, owner);
    };
    known.set(name, rule);
    return rule;
  };
  const rulesIn = (words: Shape[string]): Rule[] => {
    if (typeof words !== 'string') return Array.isArray(words) ? words.flatMap(rulesIn) : [shapeRule(words as Shape)];
    return [...words.matchAll(/([\w.]+!?)(?:\(([^)]*)\))?/g)].map(([word, name = '', args = '']) => {
      // biome-ignore lint/plugin: arguments of the table
      const rule = named(name) ?? ownValue(checks, name)?.(...args.split(' ').filter((one) => one !== ''));
      if (rule === undefined) throw new Error(`no rule is called ${word}`);
      return rule;
    });
  };
  const shapeRule = (shape: Shape): Rule => {
    const entries = Object.entries(shape).flatMap(([key, words]) => {
      const [where = '', when] = key.split(' if ');
      const condition = when === undefined ? undefined : conditionOf(when);
      const [, around = '', names = ''] = /^(.*[\]}.]|)([^\]}.]*(?:\[\]|\{\})?)$/.exec(where) ?? [];
      const texts = [words].flat().filter((one) => typeof one === 'string');
      const skipsAbsent = !texts.some((text) => text.split(/[ (]/).some((word) => OF_ABSENT.has(word)));
      return names.split(',').map((name) => {
        const path = `${around}${name}`;
        // Most fields are absent, and then most rules have nothing to check.
        const [first = ''] = skipsAbsent || /[\]}]/.test(path) ? (/^[^.[{]*/.exec(path) ?? []) : [];
        return { first, rule: entryRule(path, condition, () => rulesIn(words), skipsAbsent) };
      });
    });
    return (value, place, owner) => {
      for (const { first, rule } of entries)
        if (first === '' || !isMap(value) || ownValue(value, first) !== undefined) rule(value, place, owner);
    };
  };
  return named;
}

function entryRule(
  where: string,
  condition: Condition | undefined,
  compiled: () => readonly Rule[],
  skipsAbsent: boolean,
): Rule {
  let rules: readonly Rule[] | undefined;
  const run: Rule = (value, place, owner) => {
    rules ??= compiled();
    for (const rule of rules) rule(value, place, owner);
  };
  if (condition === undefined) return along(where, run, skipsAbsent);
  const conditional: Rule = (owner, place) => {
    if (owner === undefined || !condition.holds(owner, place)) return;
    const before = place.condition;
    place.condition = condition.words;
    plain(owner, place, owner);
    place.condition = before;
  };
  const end = Math.max(where.lastIndexOf('[]'), where.lastIndexOf('{}'));
  const plain = along(end < 0 ? where : where.slice(end + 2).replace(/^\./, ''), run, skipsAbsent);
  return end < 0 ? conditional : along(where.slice(0, end + 2), conditional, true);
}
