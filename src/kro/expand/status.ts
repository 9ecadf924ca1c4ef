import type { Problem } from '../../core/diagnostics/index.ts';
import { isMap, ownValue, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { compileCheck, startVisit } from '../../kubernetes/validation/index.ts';
import type { Budget } from '../../languages/cel/index.ts';
import type { CompiledExpression, TemplateField } from '../compile/index.ts';

/** The fields of a status that kro writes itself: what an author declares there is never written. */
export const OWN_STATUS_FIELDS: readonly string[] = ['state', 'conditions'];

export interface StatusValues {
  /** Returns the value of an expression, `undefined` if it has none. */
  valueOf(expression: CompiledExpression): Value | undefined;
  /** An element of a list that is an empty list or map is written: kro 0.9 has no value for it. */
  readonly keepsEmptyItems: boolean;
}

/**
 * Returns the value of a status field, as far as there is one (kro: softResolve, UpsertValueAtPath). Only expressions are
 * written, and from kro 0.10 on empty elements of lists. An element of a list keeps its index: those before it without a value are null.
 */
export function writtenField(field: TemplateField, values: StatusValues): Value | undefined {
  switch (field.kind) {
    case 'literal':
      return undefined;
    case 'list':
      return writtenList(field.items, values);
    case 'map':
      return writtenMap(field.entries, values);
    case 'computed': {
      const parts = field.parts.map((part) => (typeof part === 'string' ? part : values.valueOf(part)));
      if (!field.isText) return parts[0];
      return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
    }
  }
}

function writtenList(items: readonly TemplateField[], values: StatusValues): Value | undefined {
  const written = items.map((item) => {
    if (values.keepsEmptyItems && item.kind === 'literal' && isHollow(item.value)) return item.value;
    return writtenField(item, values);
  });
  const last = written.findLastIndex((value) => value !== undefined);
  return last < 0 ? undefined : written.slice(0, last + 1).map((value) => value ?? null);
}

/** Reports whether a value is an empty list or map, or a list of such. */
const isHollow = (value: Value): boolean =>
  Array.isArray(value) ? value.every(isHollow) : isMap(value) && Object.keys(value).length === 0;

function writtenMap(
  entries: readonly (readonly [string, TemplateField])[],
  values: StatusValues,
): ValueMap | undefined {
  const map: ValueMap = {};
  for (const [key, field] of entries) {
    const value = writtenField(field, values);
    if (value !== undefined) setKey(map, key, value);
  }
  return Object.keys(map).length > 0 ? map : undefined;
}

/** A status as an API server stores it, or the reason why it refuses it and keeps the one before. */
export type StoredStatus = { fields: ValueMap } | { refusal: Problem };

/** Does what an API server does to a status: drops unknown fields and nulls of maps, and checks the rest. */
export function storedStatus(written: ValueMap, schema: Schema | undefined, budget: Budget): StoredStatus {
  if (schema === undefined) return { fields: {} };
  const visit = startVisit([], undefined, () => budget);
  visit.hints = false;
  const fields = compileCheck(schema)(written, visit) as ValueMap;
  // kro does not ask for strict validation, so unknown fields are dropped.
  const refusal = visit.problems.find(({ code }) => code !== 'instance-unknown-field');
  return refusal === undefined ? { fields } : { refusal };
}

/** Returns the part of a path whose keys a schema declares: other keys are values. */
export function declaredPart(path: Path, schema: Schema | undefined): Path {
  let at = schema;
  for (const [index, step] of path.entries()) {
    at = typeof step === 'number' ? at?.items : ownValue(at?.properties, step);
    if (at === undefined) return path.slice(0, index);
  }
  return path;
}
