/**
 * kro's `runtime`, with which an RGD writes its own status conditions (pkg/cel/library/runtime.go). The macro that
 * checks and quotes the bare keys of `runtime.newCondition({type: ...})` belongs to the language core.
 */
import { type Library, method } from '../../library.ts';
import { goQuote } from '../../text/quote.ts';
import { DYN, mapOf, type ObjectType, STRING } from '../../types.ts';
import { isList, isMapValue, kindOf } from '../../value/kind.ts';
import { mapEntries, mapGet, recordFrom } from '../../value/maps.ts';
import { type CelMap, CelObject, type CelRecord, type CelValue, failure, missing } from '../../value/values.ts';

export const RUNTIME_VARIABLE = 'runtime';
const CONDITION_KEYS = ['type', 'status', 'reason', 'message'] as const;
export const CONDITION_STATUSES: readonly string[] = ['True', 'False', 'Unknown'];

type ConditionKey = (typeof CONDITION_KEYS)[number];
type ConditionFields = Record<ConditionKey, string>;

const isConditionKey = (key: string): key is ConditionKey => (CONDITION_KEYS as readonly string[]).includes(key);

/** The type of `runtime`, which only has two methods. */
export const RUNTIME_TYPE: ObjectType<RuntimeValue> = {
  kind: 'object',
  name: 'kro.run.Runtime',
  field: () => undefined,
  fieldNames: () => [],
  open: false,
};

/** What both methods return: four strings. */
export const CONDITION_TYPE: ObjectType = {
  kind: 'object',
  name: 'kro.run.Condition',
  field: (name) => (isConditionKey(name) ? STRING : undefined),
  fieldNames: () => CONDITION_KEYS,
  open: false,
};

/** The value of `runtime`. */
export class RuntimeValue extends CelObject {
  readonly typeName = RUNTIME_TYPE.name;
  equals(other: CelObject): boolean {
    return other instanceof RuntimeValue;
  }
}

export class Condition extends CelObject {
  readonly typeName = CONDITION_TYPE.name;
  constructor(readonly fields: ConditionFields) {
    super();
  }
  equals(other: CelObject): boolean {
    return other instanceof Condition && CONDITION_KEYS.every((key) => this.fields[key] === other.fields[key]);
  }
  /** Returns a field by name. @throws EvaluationError (missing) */
  get(key: string): string {
    if (!isConditionKey(key)) throw missing(`Condition: no such field ${goQuote(key)}`, { what: 'key', key, on: this });
    return this.fields[key];
  }
  /** Returns the condition as a plain map, for a status. */
  toRecord(): CelRecord {
    return recordFrom(CONDITION_KEYS.map((key) => [key, this.fields[key]] as const));
  }
}

const EMPTY: ConditionFields = { type: '', status: '', reason: '', message: '' };

function newCondition(_runtime: RuntimeValue, given: CelRecord | CelMap): Condition {
  const fields = { ...EMPTY };
  for (const [key, value] of mapEntries(given)) {
    if (typeof key !== 'string' || !isConditionKey(key)) continue;
    if (typeof value !== 'string') throw failure(`runtime.newCondition: ${key} must be a string, got ${kindOf(value)}`);
    fields[key] = value;
  }
  // The macro checks that both exist.
  if (mapGet(given, 'type') === '') throw failure('runtime.newCondition: type must not be empty');
  if (mapGet(given, 'status') !== undefined && !CONDITION_STATUSES.includes(fields.status)) {
    throw failure(
      `runtime.newCondition: status must be one of ${CONDITION_STATUSES.join(', ')} (got ${goQuote(fields.status)})`,
    );
  }
  return new Condition(fields);
}

/** Returns the condition of a type in `status.conditions` of an object, an empty one if there is none. */
function condition(_runtime: RuntimeValue, object: CelValue, type: string): Condition {
  for (const item of conditionsOf(object)) {
    const found = item instanceof Condition ? item : conditionFrom(item);
    if (found.fields.type === type) return found;
  }
  return new Condition(EMPTY);
}

function conditionsOf(object: CelValue): readonly CelValue[] {
  if (!isMapValue(object)) throw failure(`runtime.condition: obj must be an object, got ${kindOf(object)}`);
  const status = mapGet(object, 'status');
  if (status === undefined) return [];
  if (!isMapValue(status)) throw failure('runtime.condition: obj.status must be an object');
  const conditions = mapGet(status, 'conditions');
  if (conditions === undefined) return [];
  if (!isList(conditions)) throw failure('runtime.condition: obj.status.conditions must be a list');
  return conditions;
}

const conditionWork = (_: RuntimeValue, object: CelValue): number => conditionsOf(object).length * 4;

function conditionFrom(item: CelValue): Condition {
  if (!isMapValue(item)) throw failure(`runtime.condition: unexpected condition element type ${kindOf(item)}`);
  const fields = { ...EMPTY };
  for (const key of CONDITION_KEYS) {
    const value = mapGet(item, key);
    if (typeof value === 'string') fields[key] = value;
  }
  return new Condition(fields);
}

export const runtime: Library = {
  name: 'kro runtime',
  overloads: [
    method('newCondition', [RUNTIME_TYPE, mapOf(STRING, STRING)], CONDITION_TYPE, newCondition),
    method('condition', [RUNTIME_TYPE, DYN, STRING], CONDITION_TYPE, condition, { work: conditionWork }),
  ],
};
