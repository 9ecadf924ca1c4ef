import { equal, formatPath, getAt, ownValue, type Path, type Value } from '../../core/model/value.ts';
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
 * Compares two schemas by the rules of kro for updates of an RGD (0.9.4: pkg/graph/crd/compat). With `conservative`
 * everything that may reject an instance is breaking, as in kro 0.10 (gate ConservativeCRDComparison).
 */
export function compareSchemas(before: Schema, after: Schema, conservative: boolean): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const add: Walk['add'] = (change, path, breaking, values = {}) => changes.push({ change, path, breaking, ...values });
  compare(before, after, [], { conservative, add });
  return changes;
}

interface Walk {
  conservative: boolean;
  add: (change: string, path: Path, breaking: boolean, values?: Pick<SchemaChange, 'before' | 'after'>) => void;
}

function compare(before: Schema, after: Schema, path: Path, walk: Walk): void {
  if (before === after) return;
  const { add, conservative } = walk;
  const was = before.description ?? '';
  const is = after.description ?? '';
  if (was !== is) add('description-changed', path, false, { before: was, after: is });
  if (!equal(before.default, after.default))
    add('default-changed', path, false, { before: before.default, after: after.default });
  if (before.type !== after.type) {
    add('type-changed', path, true, { before: before.type, after: after.type });
    return;
  }
  // An empty pattern is absent.
  const patterns = { before: before.pattern || undefined, after: after.pattern || undefined };
  const how = patterns.before === undefined ? 'added' : patterns.after === undefined ? 'removed' : 'changed';
  if (patterns.before !== patterns.after) add(`pattern-${how}`, path, how !== 'removed', patterns);
  for (const [name, isLower] of BOUNDS) compareBound(dashed(name), isLower, before[name], after[name], path, add);
  compareProperties(before, after, path, walk);
  compareRequired(before, after, path, add);
  compareEnum(before, after, path, walk);
  if (before.type === 'array') compareBelow(before.items, after.items, [...path, 'items'], walk);
  if (conservative) compareRest(before, after, path, walk);
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

function compareBound(name: string, isLower: boolean, before: Bound, after: Bound, path: Path, add: Walk['add']): void {
  if (before === undefined && after === undefined) return;
  if (before === undefined) add(`${name}-added`, path, true, { after });
  else if (after === undefined) add(`${name}-removed`, path, false, { before });
  else if (before < after) add(`${name}-increased`, path, isLower, { before, after });
  else if (before > after) add(`${name}-decreased`, path, !isLower, { before, after });
}

function compareProperties(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const { properties: old = {} } = before;
  const { properties: current = {} } = after;
  for (const [name, property] of Object.entries(old)) {
    const now = Object.hasOwn(current, name) ? current[name] : undefined;
    if (now === undefined) walk.add('property-removed', [...path, name], true);
    else compare(property, now, [...path, name], walk);
  }
  for (const [name, property] of Object.entries(current)) {
    if (Object.hasOwn(old, name)) continue;
    const isNeeded = after.required?.includes(name) === true && property.default === undefined;
    walk.add(isNeeded ? 'required-property-added' : 'property-added', [...path, name], isNeeded);
  }
}

/** Compares required fields that existed before. */
function compareRequired(before: Schema, after: Schema, path: Path, add: Walk['add']): void {
  const old = new Set(before.required);
  const current = new Set(after.required);
  for (const name of current) {
    const was = ownValue(before.properties, name);
    if (was === undefined) continue;
    if (!old.has(name)) add('required-added', [...path, name], true);
    else if (was.default !== undefined && ownValue(after.properties, name)?.default === undefined)
      add('required-default-removed', [...path, name], true, { before: was.default });
  }
  for (const name of old) if (!current.has(name)) add('required-removed', [...path, name], false);
}

function compareEnum(one: Schema, other: Schema, path: Path, { add, conservative }: Walk): void {
  const { enum: old = [] } = one;
  const { enum: current = [] } = other;
  // kro 0.9.4 compares only enums that exist on both sides.
  if (old.length === 0) {
    if (current.length > 0) add('enum-added', path, conservative, { after: [...current] });
  } else if (current.length === 0) add('enum-removed', path, false, { before: [...old] });
  else {
    for (const before of added(current, old)) add('enum-restricted', path, true, { before });
    for (const after of added(old, current)) add('enum-expanded', path, false, { after });
  }
}

/** Returns the values of the second list that the first one does not have. */
function added<T>(before: readonly T[], after: readonly T[]): T[] {
  const known = new Set(before);
  return after.filter((value) => !known.has(value));
}

function compareBelow(before: Schema | undefined, after: Schema | undefined, path: Path, walk: Walk): void {
  if (before !== undefined && after !== undefined) compare(before, after, path, walk);
  else if (before !== undefined) walk.add('property-removed', path, true);
  else if (after !== undefined) walk.add('property-added', path, walk.conservative);
}

/** Compares what only the gate of kro 0.10 covers. */
function compareRest(before: Schema, after: Schema, path: Path, walk: Walk): void {
  const { add } = walk;
  compareBelow(valueSchema(before), valueSchema(after), [...path, 'values'], walk);
  if (before.nullable === true && after.nullable !== true) add('nullable-removed', path, true);
  const open = 'x-kubernetes-preserve-unknown-fields';
  if (before[open] === true && after[open] !== true) add('unknown-fields-pruned', path, true);
  const [old, current] = [before, after].map((schema) =>
    (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule),
  ) as [string[], string[]];
  for (const rule of added(old, current)) add('rule-added', path, true, { after: rule });
  for (const rule of added(current, old)) add('rule-removed', path, false, { before: rule });
  for (const key of UNCLASSIFIED) {
    const values = { before: before[key] as Value | undefined, after: after[key] as Value | undefined };
    if (!equal(values.before, values.after)) add(`${dashed(key)}-changed`, path, true, values);
  }
}

/** Keywords for which kro does not define whether a change is breaking. */
const UNCLASSIFIED = [
  ...(['format', 'multipleOf', 'uniqueItems', 'minProperties', 'maxProperties', 'exclusiveMinimum'] as const),
  ...(['exclusiveMaximum', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'] as const),
  ...(['x-kubernetes-int-or-string', 'x-kubernetes-embedded-resource'] as const),
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
  'unknown-fields-pruned': 'unknown fields are no longer kept',
};

export const FIELD_CHANGES: readonly string[] = [
  ...Object.keys(SENTENCES),
  'default-changed',
  'type-changed',
  'rule-added',
  'rule-removed',
  ...['added', 'changed', 'removed'].map((how) => `pattern-${how}`),
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
