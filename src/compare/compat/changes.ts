import { equal, formatPath, getAt, ownValue, type Path, type Value } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';

/**
 * What kro compares when an RGD is updated, each more than the one before it: kro 0.9 (0.9.4: pkg/graph/crd/compat),
 * kro 0.10, and kro 0.10 with the feature gate ConservativeCRDComparison (pull request 1430).
 */
const CHECKS = ['0.9', '0.10', 'conservative'] as const;
export type Checks = (typeof CHECKS)[number];

/** One difference between two schemas of instances. */
export interface SchemaChange {
  /** The kind of change, as kro names it: `property-removed`, `minimum-increased`. */
  change: string;
  /** The field in an instance; `items` and `values` stand for the content of a list or a map. */
  path: Path;
  /** Whether an instance that was valid may be invalid now. */
  narrows: boolean;
  /** Whether kro compares it: it refuses what narrows, and writes anything else to the CRD. */
  isCompared: boolean;
  /** The earlier and the current value; undefined if absent. */
  before?: Value | undefined;
  after?: Value | undefined;
}

/** Reports whether kro refuses a change. */
export const isBreaking = ({ narrows, isCompared }: SchemaChange): boolean => narrows && isCompared;

/** Compares two schemas: returns every difference, also those that kro does not compare. */
export function compareSchemas(before: Schema, after: Schema, checks: Checks): SchemaChange[] {
  const changes: SchemaChange[] = [];
  compare(before, after, [], { checks, isInMap: false, changes });
  return changes;
}

interface Walk {
  checks: Checks;
  /** Whether the schemas are those of the values of a map, or below them. */
  isInMap: boolean;
  changes: SchemaChange[];
}

/** The first checks that compare what kro 0.9 does not. */
const COMPARED_SINCE: Readonly<Record<string, Checks>> = {
  'enum-added': '0.10',
  'enum-removed': '0.10',
  'nullable-added': '0.10',
  'nullable-removed': '0.10',
  'unknown-fields-kept': '0.10',
  'unknown-fields-pruned': '0.10',
  'format-added': 'conservative',
  'format-changed': 'conservative',
  'format-removed': 'conservative',
  'rule-added': 'conservative',
  'rule-removed': 'conservative',
  'values-added': 'conservative',
  'values-removed': 'conservative',
};

type Values = Pick<SchemaChange, 'before' | 'after'>;

function add(walk: Walk, change: string, path: Path, narrows: boolean, values: Values = {}): void {
  const since = walk.isInMap ? 'conservative' : (ownValue(COMPARED_SINCE, change) ?? '0.9');
  addSince(walk, since, { change, path, narrows, ...values });
}

function addSince({ checks, changes }: Walk, since: Checks, change: Omit<SchemaChange, 'isCompared'>): void {
  changes.push({ ...change, isCompared: CHECKS.indexOf(since) <= CHECKS.indexOf(checks) });
}

function compare(before: Schema, after: Schema, path: Path, walk: Walk): void {
  if (before === after) return;
  const [was, is] = [before.description ?? '', after.description ?? ''];
  if (was !== is) add(walk, 'description-changed', path, false, { before: was, after: is });
  if (!equal(before.default, after.default))
    add(walk, 'default-changed', path, false, { before: before.default, after: after.default });
  if (before.type !== after.type) {
    add(walk, 'type-changed', path, true, { before: before.type, after: after.type });
    return;
  }
  compareText('pattern', before.pattern, after.pattern, path, walk);
  for (const [name, isLower] of BOUNDS) compareBound(dashed(name), isLower, before[name], after[name], path, walk);
  compareProperties(before, after, path, walk);
  compareRequired(before, after, path, walk);
  compareEnum(before, after, path, walk);
  if (before.type === 'array') compareItems(before.items, after.items, [...path, 'items'], walk);
  compareMapValues(before, after, path, walk);
  compareText('format', before.format, after.format, path, walk);
  compareFlags(before, after, path, walk);
  compareRules(before, after, path, walk);
  compareTopology(before, after, path, walk);
  compareUnclassified(before, after, path, walk);
}

/** Compares a keyword that accepts every value if it is absent or empty. */
function compareText(name: string, old: string | undefined, current: string | undefined, path: Path, walk: Walk): void {
  const values = { before: old || undefined, after: current || undefined };
  if (values.before === values.after) return;
  const how = values.before === undefined ? 'added' : values.after === undefined ? 'removed' : 'changed';
  add(walk, `${name}-${how}`, path, how !== 'removed', values);
}

/** Each with whether it excludes small values, and its words. */
const BOUNDS = [
  ['minimum', true, 'minimum'],
  ['maximum', false, 'maximum'],
  ['minLength', true, 'minimum length'],
  ['maxLength', false, 'maximum length'],
  ['minItems', true, 'minimum number of items'],
  ['maxItems', false, 'maximum number of items'],
] as const;

type Bound = bigint | number | undefined;

function compareBound(name: string, isLower: boolean, before: Bound, after: Bound, path: Path, walk: Walk): void {
  if (before === undefined && after === undefined) return;
  if (before === undefined) add(walk, `${name}-added`, path, true, { after });
  else if (after === undefined) add(walk, `${name}-removed`, path, false, { before });
  else if (before < after) add(walk, `${name}-increased`, path, isLower, { before, after });
  else if (before > after) add(walk, `${name}-decreased`, path, !isLower, { before, after });
}

function compareProperties(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const { properties: old = {} } = before;
  const { properties: current = {} } = after;
  for (const [name, property] of Object.entries(old)) {
    const now = Object.hasOwn(current, name) ? current[name] : undefined;
    if (now === undefined) add(walk, 'property-removed', [...path, name], true);
    else compare(property, now, [...path, name], walk);
  }
  for (const [name, property] of Object.entries(current)) {
    if (Object.hasOwn(old, name)) continue;
    const isNeeded = after.required?.includes(name) === true && property.default === undefined;
    add(walk, isNeeded ? 'required-property-added' : 'property-added', [...path, name], isNeeded);
  }
}

/** Compares required fields that existed before. */
function compareRequired(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const [old, current] = [new Set(before.required), new Set(after.required)];
  for (const name of current) {
    const was = ownValue(before.properties, name);
    if (was === undefined) continue;
    if (!old.has(name)) add(walk, 'required-added', [...path, name], true);
    else if (was.default !== undefined && ownValue(after.properties, name)?.default === undefined)
      add(walk, 'required-default-removed', [...path, name], true, { before: was.default });
  }
  for (const name of old) if (!current.has(name)) add(walk, 'required-removed', [...path, name], false);
}

function compareEnum(one: Schema, other: Schema, path: Path, walk: Walk): void {
  const { enum: old = [] } = one;
  const { enum: current = [] } = other;
  if (old.length === 0) {
    if (current.length > 0) add(walk, 'enum-added', path, true, { after: [...current] });
  } else if (current.length === 0) add(walk, 'enum-removed', path, false, { before: [...old] });
  else {
    for (const before of added(current, old)) add(walk, 'enum-restricted', path, true, { before });
    for (const after of added(old, current)) add(walk, 'enum-expanded', path, false, { after });
  }
}

/** Returns the values of the second list that the first one does not have. */
function added<T>(before: readonly T[], after: readonly T[]): T[] {
  const known = new Set(before);
  return after.filter((value) => !known.has(value));
}

function compareItems(before: Schema | undefined, after: Schema | undefined, path: Path, walk: Walk): void {
  if (before !== undefined && after !== undefined) compare(before, after, path, walk);
  else if (before !== undefined) add(walk, 'property-removed', path, true);
  else if (after !== undefined) add(walk, 'property-added', path, false);
}

function compareMapValues(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const [old, current] = [valueSchema(before), valueSchema(after)];
  const at = [...path, 'values'];
  if (old !== undefined && current !== undefined) compare(old, current, at, { ...walk, isInMap: true });
  else if (old !== undefined) add(walk, 'values-removed', at, true);
  else if (current !== undefined) add(walk, 'values-added', at, false);
}

const OPEN = 'x-kubernetes-preserve-unknown-fields';

function compareFlags(before: Schema, after: Schema, path: Path, walk: Walk): void {
  if (before.nullable === true && after.nullable !== true) add(walk, 'nullable-removed', path, true);
  if (before.nullable !== true && after.nullable === true) add(walk, 'nullable-added', path, false);
  if (before[OPEN] === true && after[OPEN] !== true) add(walk, 'unknown-fields-pruned', path, true);
  if (before[OPEN] !== true && after[OPEN] === true) add(walk, 'unknown-fields-kept', path, false);
}

function compareRules(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const rulesOf = (schema: Schema): string[] => (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
  const [old, current] = [rulesOf(before), rulesOf(after)];
  for (const rule of added(old, current)) add(walk, 'rule-added', path, true, { after: rule });
  for (const rule of added(current, old)) add(walk, 'rule-removed', path, false, { before: rule });
}

/** Compares how lists and maps are merged: a list is atomic by default, and its keys have no order. */
function compareTopology(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const facets = {
    'list-type': (schema: Schema): Value => schema['x-kubernetes-list-type'] ?? 'atomic',
    'list-map-keys': (schema: Schema): Value => [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort(),
    'map-type': (schema: Schema): Value => schema['x-kubernetes-map-type'] ?? '',
  };
  for (const [name, facetOf] of Object.entries(facets)) {
    const [old, current] = [facetOf(before), facetOf(after)];
    if (equal(old, current)) continue;
    const change = { change: `${name}-changed`, path, narrows: true, before: old, after: current };
    addSince(walk, 'conservative', change);
  }
}

/** The keywords that the functions above compare. */
const CLASSIFIED: ReadonlySet<string> = new Set([
  'type',
  'description',
  'default',
  'pattern',
  'format',
  'properties',
  'required',
  'enum',
  'items',
  'additionalProperties',
  'nullable',
  OPEN,
  'x-kubernetes-validations',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  ...BOUNDS.map(([name]) => name),
]);

/** Compares keywords of which kro does not say whether a change is breaking. */
function compareUnclassified(before: Schema, after: Schema, path: Path, walk: Walk): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (CLASSIFIED.has(key)) continue;
    const [old, current] = [before, after].map((schema) => ownValue(schema as Record<string, Value | undefined>, key));
    // `false` is absent.
    if (equal(old || undefined, current || undefined)) continue;
    const change = { change: `${dashed(key)}-changed`, path, narrows: true, before: old, after: current };
    addSince(walk, 'conservative', change);
  }
}

/** The keywords of `compareUnclassified` that a schema of a CRD may have. */
const UNCLASSIFIED = [
  'multipleOf',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
] satisfies (keyof Schema)[];

const dashed = (key: string): string =>
  key.replace('x-kubernetes-', '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What the changes mean that need words of their own, with the earlier (`WAS`) and the current value (`IS`). */
const SENTENCES: Readonly<Record<string, string>> = {
  'description-changed': 'the description changed',
  'property-removed': 'the field was removed',
  'property-added': 'the field was added',
  'required-property-added': 'a required field without a default was added',
  'required-added': 'the field became required',
  'required-removed': 'the field is no longer required',
  'required-default-removed': 'the required field lost its default WAS',
  'enum-added': 'only these values are allowed now: IS',
  'enum-removed': 'any value is allowed now',
  'enum-restricted': 'the value WAS is no longer allowed',
  'enum-expanded': 'the value IS is allowed now',
  'nullable-removed': 'null is no longer allowed',
  'nullable-added': 'null is allowed now',
  'unknown-fields-pruned': 'unknown fields are no longer kept',
  'unknown-fields-kept': 'unknown fields are kept now',
  'values-removed': 'the schema of the values was removed',
  'values-added': 'the values have a schema now',
};

export const FIELD_CHANGES: readonly string[] = [
  ...Object.keys(SENTENCES),
  'default-changed',
  'type-changed',
  'rule-added',
  'rule-removed',
  ...['list-type', 'list-map-keys', 'map-type'].map((facet) => `${facet}-changed`),
  ...['pattern', 'format'].flatMap((name) => ['added', 'changed', 'removed'].map((how) => `${name}-${how}`)),
  ...BOUNDS.flatMap(([name]) => ['added', 'decreased', 'increased', 'removed'].map((how) => `${dashed(name)}-${how}`)),
  ...UNCLASSIFIED.map((key) => `${dashed(key)}-changed`),
];

/** Describes a change without its field: `the minimum rose from 1 to 3 (minimum-increased)`. */
export function sentenceOf({ change, before, after }: SchemaChange): string {
  const was = shown(before);
  const is = shown(after);
  const [, what = change, verb] = /^(.*)-(added|removed|increased|decreased|changed)$/.exec(change) ?? [];
  const words = what === 'rule' ? 'validation rule' : what.replaceAll('-', ' ');
  const name = BOUNDS.find(([bound]) => dashed(bound) === what)?.[2] ?? words;
  const generic = (): string => {
    if (verb === 'increased') return `the ${name} rose from WAS to IS`;
    if (verb === 'decreased') return `the ${name} fell from WAS to IS`;
    if (verb === 'added' || before === undefined) return `the ${name} IS was added`;
    if (verb === 'removed' || after === undefined) return `the ${name} WAS was removed`;
    return `the ${name} changed from WAS to IS`;
  };
  const sentence = (ownValue(SENTENCES, change) ?? generic()).replace(/WAS|IS/g, (which) =>
    which === 'IS' ? is : was,
  );
  return `${sentence} (${change})`;
}

const shown = (value: Value | undefined): string =>
  value === undefined ? 'nothing' : clipped(typeof value === 'string' ? value : toJsonText(value), 100);

/** The edits of a field (`AT`), with what the newer schema expects there, and with the earlier and current value. */
const EDITS: Readonly<Record<string, string>> = {
  'property-removed': 'remove AT',
  'unknown-fields-pruned': 'remove AT',
  'required-default-removed': 'add AT: WAS',
  'required-property': 'add AT_EXPECTED',
  required: 'add AT_EXPECTED',
  minimum: 'set AT to IS or more',
  maximum: 'set AT to IS or less',
  'min-length': 'give AT at least IS characters',
  'max-length': 'give AT at most IS characters',
  'min-items': 'give AT at least IS items',
  'max-items': 'give AT at most IS items',
  enum: 'set AT to_VALUES',
  'enum-restricted': 'set AT to_VALUES',
  pattern: 'set AT to a text that matches TEXT',
  'pattern-changed': 'set AT to a text that matches TEXT',
  'nullable-removed': 'remove AT, or give it a value',
};

/** Returns the edit of an instance that makes it valid for the newer schema; undefined if there is no obvious one. */
export function fixOf(
  { change, before, after, path: field }: SchemaChange,
  instance: Value,
  path: Path,
  schema: Schema,
): string | undefined {
  const at = formatPath(path);
  if (change === 'type-changed') return retyped(at, getAt(instance, path), after);
  const words: Readonly<Record<string, () => string>> = {
    AT: () => at,
    WAS: () => toJsonText(before ?? null),
    IS: () => toJsonText(after ?? null),
    TEXT: () => String(after),
    _EXPECTED: () => describeExpected(schemaAt(schema, field)),
    _VALUES: () => oneOf(schemaAt(schema, field)),
  };
  const edit = ownValue(EDITS, change.replace(/-(added|increased|decreased)$/, ''));
  return edit?.replace(/_?[A-Z]+/g, (word) => ownValue(words, word)?.() ?? word);
}

/** Returns the schema at a path of a change, in which `items` and `values` are steps. */
function schemaAt(schema: Schema, path: Path): Schema | undefined {
  return path.reduce<Schema | undefined>((at, step) => {
    if (at?.properties !== undefined && Object.hasOwn(at.properties, step)) return at.properties[step];
    if (step === 'items') return at?.items;
    return typeof at?.additionalProperties === 'object' ? at.additionalProperties : undefined;
  }, schema);
}

const describeExpected = (schema: Schema | undefined): string => {
  if (schema?.enum !== undefined) return `:${oneOf(schema)}`;
  return schema?.type === undefined ? '' : `, ${/^[aio]/.test(schema.type) ? 'an' : 'a'} ${schema.type}`;
};

const oneOf = (schema: Schema | undefined): string => {
  const values = (schema?.enum ?? []).map((value) => toJsonText(value));
  return values.length === 1 ? ` ${values[0]}` : ` one of ${values.join(', ')}`;
};

function retyped(at: string, value: Value | undefined, type: Value | undefined): string | undefined {
  if (type === 'string' && value !== undefined && (typeof value !== 'object' || value === null)) {
    return `write ${at} as ${toJsonText(String(value))}`;
  }
  const text = typeof value === 'string' ? value : undefined;
  if (type === 'integer' && text !== undefined && /^-?\d+$/.test(text)) return `write ${at} as ${text}`;
  if (type === 'number' && text !== undefined && /^-?\d+(\.\d+)?$/.test(text)) return `write ${at} as ${text}`;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return `write ${at} as ${text}`;
  return undefined;
}
