import { phrase } from '../../core/diagnostics/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import type { SchemaBudget } from './budget.ts';
import { checkDefault, readDefault } from './defaults.ts';
import type { FieldProblem, ReportFieldProblem } from './field-problem.ts';
import { parseBool, trimSpace } from './go-text.ts';
import { applyListMapKey, applyListType, applyUniqueItems, listKeyConflict } from './list-markers.ts';
import type { MarkerName } from './marker-names.ts';
import { type MarkerProblem, notBoolean } from './marker-problem.ts';
import type { Marker } from './markers.ts';
import { applyBound, applyEnum, applyPattern, applySize } from './value-markers.ts';

/** Marks a schema whose default is null, and its copies. */
const NULL_DEFAULT = Symbol('null default');

/** Reports whether an author or kro set a default, including null: the struct then gets the default `{}`. */
export const hasDefaultMarker = (schema: Schema): boolean => schema.default !== undefined || NULL_DEFAULT in schema;

/** Records an error of a default for the fields that use its schema. */
export type PostponeProblem = (kind: 'unreadDefaults' | 'wrongDefaults', schema: Schema, fault: FieldProblem) => void;

/** Writes a marker into a schema under construction. */
type Apply = (draft: Schema, value: string, budget: SchemaBudget) => MarkerProblem | undefined;

/**
 * Returns the schema of a field with its markers, in the order written (kro: applyMarkers). `base` is not changed.
 * `require` is called for each `required=true`, which belongs to the parent. A default that does not match is an error
 * only if the schema is used, so it goes to `postpone`.
 */
export function applyMarkers(
  base: Schema,
  markers: readonly Marker[],
  require: () => void,
  report: ReportFieldProblem,
  budget: SchemaBudget,
  postpone: PostponeProblem,
): Schema {
  const draft: Schema = { ...base };
  let refused = false;
  let unread: FieldProblem | undefined;
  for (const { name, value, offset } of markers) {
    const problem = name === 'required' ? applyRequired(value, require) : appliers[name](draft, value, budget);
    const isJson = name === 'default' && !SCALARS.has(draft.type);
    // kro treats JSON as text, so only used defaults must be JSON, and the last default wins.
    if (isJson) unread = problem && { ...problem, offset };
    if (problem === undefined || isJson) continue;
    refused = true;
    report({ ...problem, offset });
  }
  if (refused) return draft;
  const conflict = listKeyConflict(draft);
  if (conflict !== undefined) report(at(conflict, 'listMapKey', markers));
  const fault = conflict === undefined ? checkDefault(draft, budget) : undefined;
  if (unread !== undefined) postpone('unreadDefaults', draft, unread);
  else if (fault !== undefined) postpone('wrongDefaults', draft, at(fault, 'default', markers));
  return draft;
}

const SCALARS: ReadonlySet<Schema['type']> = new Set(['string', 'integer', 'number', 'boolean']);

function at(problem: MarkerProblem, name: MarkerName, markers: readonly Marker[]): FieldProblem {
  const marker = markers.find((one) => one.name === name);
  return marker === undefined ? problem : { ...problem, offset: marker.offset };
}

function applyRequired(value: string, require: () => void): MarkerProblem | undefined {
  const required = parseBool(value);
  if (required === undefined) return notBoolean('required', value);
  if (required) require();
  return undefined;
}

const appliers: Readonly<Record<Exclude<MarkerName, 'required'>, Apply>> = {
  default(draft, value) {
    const read = readDefault(draft, value);
    if (!read.ok) return read.problem;
    // The API server treats null as no default; kro treats it as one.
    if (read.value !== null) draft.default = read.value;
    else {
      delete draft.default;
      Object.assign(draft, { [NULL_DEFAULT]: true });
    }
    return undefined;
  },
  description(draft, value) {
    if (value === '') delete draft.description;
    else draft.description = value;
    return undefined;
  },
  minimum: (draft, value) => applyBound(draft, 'minimum', value),
  maximum: (draft, value) => applyBound(draft, 'maximum', value),
  validation(draft, value) {
    if (trimSpace(value) === '') return { code: 'marker-value', message: phrase`the validation rule is empty` };
    addRule(draft, value, 'validation failed');
    return undefined;
  },
  immutable(draft, value) {
    const immutable = parseBool(value);
    if (immutable === undefined) return notBoolean('immutable', value);
    if (immutable) addRule(draft, 'self == oldSelf', 'field is immutable');
    return undefined;
  },
  enum: applyEnum,
  pattern: applyPattern,
  minLength: (draft, value) => applySize(draft, 'minLength', 'string', value),
  maxLength: (draft, value) => applySize(draft, 'maxLength', 'string', value),
  minItems: (draft, value) => applySize(draft, 'minItems', 'array', value),
  maxItems: (draft, value) => applySize(draft, 'maxItems', 'array', value),
  uniqueItems: applyUniqueItems,
  listType: applyListType,
  listMapKey: applyListMapKey,
};

function addRule(draft: Schema, rule: string, message: string): void {
  draft['x-kubernetes-validations'] = [...(draft['x-kubernetes-validations'] ?? []), { rule, message }];
}
