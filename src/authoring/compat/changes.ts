import { equal, type Path, type Value } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';

/** One difference between two schemas of instances. */
export interface SchemaChange {
  /** The kind of change, as kro names it: `property-removed`, `minimum-increased`. */
  change: string;
  /** The field in an instance; `items` and `values` stand for the content of a list or a map. */
  path: Path;
  breaking: boolean;
  /** The earlier and the current value; undefined if absent. */
  before?: Value | undefined;
  after?: Value | undefined;
}

/**
 * Compares two schemas by the rules by which kro accepts an update of an RGD (0.9.4: pkg/graph/crd/compat). With
 * `conservative`, by the wider rules of kro 0.10 (gate ConservativeCRDComparison): everything that may reject an
 * instance is breaking, and so is every unclassified change.
 */
export function compareSchemas(before: Schema, after: Schema, conservative: boolean): SchemaChange[] {
  const walk: Walk = { conservative, changes: [] };
  compare(before, after, [], walk);
  return walk.changes;
}

interface Walk {
  conservative: boolean;
  changes: SchemaChange[];
}

function compare(before: Schema, after: Schema, path: Path, walk: Walk): void {
  if (before === after) return;
  const [was, is] = [before.description ?? '', after.description ?? ''];
  if (was !== is) walk.changes.push({ change: 'description-changed', path, breaking: false, before: was, after: is });
  if (!equal(before.default, after.default))
    walk.changes.push({
      change: 'default-changed',
      path,
      breaking: false,
      before: before.default,
      after: after.default,
    });
  if (before.type !== after.type) {
    walk.changes.push({ change: 'type-changed', path, breaking: true, before: before.type, after: after.type });
    return;
  }
  comparePattern(before, after, path, walk);
  for (const [name, isLower] of BOUNDS) compareBound(name, isLower, before[name], after[name], path, walk);
  compareProperties(before, after, path, walk);
  compareRequired(before, after, path, walk);
  compareEnum(before, after, path, walk);
  if (before.type === 'array') compareBelow(before.items, after.items, [...path, 'items'], walk);
  if (walk.conservative) compareRest(before, after, path, walk);
}

function comparePattern(before: Schema, after: Schema, path: Path, walk: Walk): void {
  // An empty pattern is absent.
  const [old, current] = [before.pattern || undefined, after.pattern || undefined];
  if (old === current) return;
  const change = old === undefined ? 'added' : current === undefined ? 'removed' : 'changed';
  walk.changes.push({ change: `pattern-${change}`, path, breaking: change !== 'removed', before: old, after: current });
}

/** Each with whether it excludes small values. */
const BOUNDS = [
  ['minimum', true],
  ['maximum', false],
  ['minLength', true],
  ['maxLength', false],
  ['minItems', true],
  ['maxItems', false],
] as const;

type Bound = bigint | number | undefined;

function compareBound(name: string, isLower: boolean, before: Bound, after: Bound, path: Path, walk: Walk): void {
  const named = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
  if (before === undefined && after === undefined) return;
  if (before === undefined) walk.changes.push({ change: `${named}-added`, path, breaking: true, after });
  else if (after === undefined) walk.changes.push({ change: `${named}-removed`, path, breaking: false, before });
  else if (before < after) walk.changes.push({ change: `${named}-increased`, path, breaking: isLower, before, after });
  else if (before > after) walk.changes.push({ change: `${named}-decreased`, path, breaking: !isLower, before, after });
}

function compareProperties(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const { properties: old = {} } = before;
  const { properties: current = {} } = after;
  for (const [name, property] of Object.entries(old)) {
    const now = Object.hasOwn(current, name) ? current[name] : undefined;
    if (now === undefined) walk.changes.push({ change: 'property-removed', path: [...path, name], breaking: true });
    else compare(property, now, [...path, name], walk);
  }
  const required = new Set(after.required ?? []);
  for (const [name, property] of Object.entries(current)) {
    if (Object.hasOwn(old, name)) continue;
    const isNeeded = required.has(name) && property.default === undefined;
    walk.changes.push({
      change: isNeeded ? 'required-property-added' : 'property-added',
      path: [...path, name],
      breaking: isNeeded,
    });
  }
}

/** Compares required fields that existed before. */
function compareRequired(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const old = new Set(before.required ?? []);
  const current = new Set(after.required ?? []);
  for (const name of current) {
    const was = before.properties?.[name];
    if (was === undefined) continue;
    if (!old.has(name)) walk.changes.push({ change: 'required-added', path: [...path, name], breaking: true });
    else if (was.default !== undefined && after.properties?.[name]?.default === undefined) {
      walk.changes.push({
        change: 'required-default-removed',
        path: [...path, name],
        breaking: true,
        before: was.default,
      });
    }
  }
  for (const name of old)
    if (!current.has(name)) walk.changes.push({ change: 'required-removed', path: [...path, name], breaking: false });
}

function compareEnum(one: Schema, other: Schema, path: Path, walk: Walk): void {
  const { enum: old = [] } = one;
  const { enum: current = [] } = other;
  if (old.length === 0 && current.length === 0) return;
  // kro 0.9.4 compares only enums that exist on both sides.
  if (old.length === 0)
    walk.changes.push({ change: 'enum-added', path, breaking: walk.conservative, after: [...current] });
  else if (current.length === 0) walk.changes.push({ change: 'enum-removed', path, breaking: false, before: [...old] });
  else {
    const [before, after] = [new Set(old), new Set(current)];
    for (const value of old)
      if (!after.has(value)) walk.changes.push({ change: 'enum-restricted', path, breaking: true, before: value });
    for (const value of current)
      if (!before.has(value)) walk.changes.push({ change: 'enum-expanded', path, breaking: false, after: value });
  }
}

function compareBelow(before: Schema | undefined, after: Schema | undefined, path: Path, walk: Walk): void {
  if (before !== undefined && after !== undefined) compare(before, after, path, walk);
  else if (before !== undefined) walk.changes.push({ change: 'property-removed', path, breaking: true });
  else if (after !== undefined) walk.changes.push({ change: 'property-added', path, breaking: walk.conservative });
}

/** Compares what only the gate of kro 0.10 covers. */
function compareRest(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const [values, valuesAfter] = [valueSchema(before), valueSchema(after)];
  if (values !== undefined || valuesAfter !== undefined) {
    compareBelow(values, valuesAfter, [...path, 'values'], walk);
  }
  if (before.nullable === true && after.nullable !== true)
    walk.changes.push({ change: 'nullable-removed', path, breaking: true });
  const open = 'x-kubernetes-preserve-unknown-fields';
  if (before[open] === true && after[open] !== true)
    walk.changes.push({ change: 'unknown-fields-pruned', path, breaking: true });
  compareRules(before, after, path, walk);
  for (const key of UNCLASSIFIED) {
    const [old, current] = [before[key] as Value | undefined, after[key] as Value | undefined];
    if (!equal(old, current))
      walk.changes.push({ change: `${dashed(key)}-changed`, path, breaking: true, before: old, after: current });
  }
}

function compareRules(one: Schema, other: Schema, path: Path, walk: Walk): void {
  const rulesOf = (schema: Schema): string[] => (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
  const [old, current] = [rulesOf(one), rulesOf(other)];
  const [before, after] = [new Set(old), new Set(current)];
  for (const rule of current)
    if (!before.has(rule)) walk.changes.push({ change: 'rule-added', path, breaking: true, after: rule });
  for (const rule of old)
    if (!after.has(rule)) walk.changes.push({ change: 'rule-removed', path, breaking: false, before: rule });
}

/** Keywords for which kro does not define whether a change is breaking. */
const UNCLASSIFIED = [
  ...(['format', 'multipleOf', 'uniqueItems', 'minProperties', 'maxProperties', 'exclusiveMinimum'] as const),
  ...(['exclusiveMaximum', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'] as const),
  ...(['x-kubernetes-int-or-string', 'x-kubernetes-embedded-resource'] as const),
] satisfies (keyof Schema)[];

const dashed = (key: string): string =>
  key.replace('x-kubernetes-', '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Describes a change without its field: `the minimum rose from 1 to 3 (minimum-increased)`. */
export function sentenceOf(change: SchemaChange): string {
  return `${whatChanged(change)} (${change.change})`;
}

const FIXED: Readonly<Record<string, string>> = {
  'description-changed': 'the description changed',
  'property-removed': 'the field was removed',
  'property-added': 'the field was added',
  'required-property-added': 'a required field without a default was added',
  'required-added': 'the field became required',
  'required-removed': 'the field is no longer required',
  'enum-removed': 'any value is allowed now',
  'nullable-removed': 'null is no longer allowed',
  'unknown-fields-pruned': 'unknown fields are no longer kept',
};

const WORDS: Readonly<Record<string, string>> = {
  'min-length': 'minimum length',
  'max-length': 'maximum length',
  'min-items': 'minimum number of items',
  'max-items': 'maximum number of items',
};

function whatChanged({ change, before, after }: SchemaChange): string {
  const fixed = FIXED[change];
  if (fixed !== undefined) return fixed;
  const [was, is] = [shown(before), shown(after)];
  if (change === 'required-default-removed') return `the required field lost its default ${was}`;
  if (change === 'enum-added') return `only these values are allowed now: ${is}`;
  if (change === 'enum-restricted') return `the value ${was} is no longer allowed`;
  if (change === 'enum-expanded') return `the value ${is} is allowed now`;
  const [, what = change, verb] = /^(.*)-(added|removed|increased|decreased|changed)$/.exec(change) ?? [];
  const name = what === 'rule' ? 'validation rule' : (WORDS[what] ?? what.replaceAll('-', ' '));
  if (verb === 'increased') return `the ${name} rose from ${was} to ${is}`;
  if (verb === 'decreased') return `the ${name} fell from ${was} to ${is}`;
  if (verb === 'added' || before === undefined) return `the ${name} ${is} was added`;
  if (verb === 'removed' || after === undefined) return `the ${name} ${was} was removed`;
  return `the ${name} changed from ${was} to ${is}`;
}

const shown = (value: Value | undefined): string =>
  value === undefined ? 'nothing' : clipped(typeof value === 'string' ? value : toJsonText(value), 100);
