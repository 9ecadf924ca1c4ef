import ofKinds from '../../../data/kubernetes-rules.json';
import ofMetadata from '../../../data/metadata-rules.json';
import { groupVersionKind, type KubeObject } from '../../../src/core/model/object.ts';
import { formatPath } from '../../../src/core/model/value.ts';
import { checks } from '../../../src/kubernetes/validation/native/index.ts';
import { type Checks, type Place, type RuleTable, rulesOf } from '../../../src/kubernetes/validation/native/rule.ts';

export const ruleTable = { ...ofMetadata, ...ofKinds } as RuleTable;

/** A requirement of the tables by itself: an operator, or the rules of a part. */
export interface Requirement {
  operator?: string;
  part?: string;
  values?: unknown[];
}

/** Returns the rules of a table, those of nested ones included, and each requirement of a rule by itself. */
export function* requirementsIn(rules: readonly object[]): Iterable<Requirement> {
  for (const rule of rules) {
    const { checks: all, rules: inner } = rule as { checks?: object[]; rules?: object[] };
    if (all !== undefined) yield* requirementsIn(all);
    else if (inner !== undefined) yield* requirementsIn(inner);
    else yield rule as Requirement;
  }
}

/** The requirements with an operator, each with the name of the kind or part that it belongs to. */
export const requirements: readonly { of: string; requirement: Requirement }[] = Object.entries(ruleTable).flatMap(
  ([of, rules]) =>
    [...requirementsIn(rules)]
      .filter(({ operator }) => operator !== undefined)
      .map((requirement) => ({ of, requirement })),
);

/** What the requirements of the tables say of one object, by their index in `requirements`. */
export interface Verdict {
  /** Those that were checked. */
  reached: ReadonlySet<number>;
  /** Those that reject the object, with the fields that they report. */
  refused: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Returns a function that checks an object, and records which requirements reject it. */
export function requirementRecorder(): (object: KubeObject) => Verdict {
  let reached = new Set<number>();
  let refused = new Map<number, Set<string>>();
  const numbered = structuredClone(ruleTable);
  const all = Object.values(numbered)
    .flatMap((rules) => [...requirementsIn(rules)])
    .filter(({ operator }) => operator !== undefined);
  // The name of an operator also says whether it runs without a value, so the number is its first value.
  for (const [index, requirement] of all.entries()) requirement.values = [index, ...(requirement.values ?? [])];
  const observed: Checks = Object.fromEntries(
    Object.entries(checks).map(([operator, ruleFor]) => [
      operator,
      (first, ...values) => {
        const index = Number(first);
        const rule = ruleFor(...values);
        return (value, place, owner) => {
          reached.add(index);
          const before = place.faults.length;
          rule(value, place, owner);
          for (const { path } of place.faults.slice(before)) {
            const fields = refused.get(index) ?? new Set<string>();
            refused.set(index, fields.add(formatPath(path)));
          }
        };
      },
    ]),
  );
  const named = rulesOf(numbered, observed);
  return (object) => {
    reached = new Set();
    refused = new Map();
    const { group, kind } = groupVersionKind(object);
    const place = (path: string[]): Place => ({ path, faults: [], condition: '', named });
    named('ObjectMeta')?.(object.metadata, place(['metadata']), object);
    named(`${group}/${kind}`)?.(object, place([]), object);
    return { reached, refused };
  };
}

/**
 * Returns the requirements that an API server confirms by rejecting an object: it names the same field, or no other
 * field has an error by the tables.
 */
export function confirmedBy({ refused }: Verdict, theirs: readonly string[]): readonly number[] {
  const isOnly = new Set([...refused.values()].flatMap((ours) => [...ours])).size === 1;
  return [...refused].filter(([, ours]) => isOnly || isSameField([...ours], theirs)).map(([index]) => index);
}

const namesOf = (field: string): readonly string[] =>
  stepsOf(field.toLowerCase()).filter((step) => !/^\d+$/.test(step));

/**
 * Reports whether one of our fields is one of an API server. It names an invalid key or item at the map or list, a
 * field that a missing one contains, and some fields without the indices before them.
 */
export function isSameField(ours: readonly string[], theirs: readonly string[]): boolean {
  const others = theirs.map((field) => namesOf(field));
  return ours.some((field) => others.some((other) => isNear(namesOf(field), other, 2)));
}

/** An API server writes keys of maps in brackets, without quotes. */
const stepsOf = (field: string): readonly string[] => field.split(/[.[\]'"]+/).filter((step) => step !== '');

/** Reports whether the fields are equal, but for so many more steps in one of them. */
function isNear(one: readonly string[], other: readonly string[], more: number): boolean {
  const length = Math.min(one.length, other.length);
  const start = (steps: readonly string[]): string => steps.slice(0, length).join('\n');
  return Math.abs(one.length - other.length) <= more && start(one) === start(other);
}
