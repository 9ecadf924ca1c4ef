import type { Schema } from '../../schema/index.ts';
import { checkDefault, readDefault } from './defaults.ts';
import type { Fault, ReportFault } from './fault.ts';
import { parseBool, trimSpace } from './go-text.ts';
import { applyListMapKey, applyListType, applyUniqueItems, listKeyConflict } from './list-markers.ts';
import type { MarkerName } from './marker-names.ts';
import type { Marker } from './markers.ts';
import { notBoolean, type Refusal } from './refusal.ts';
import type { SchemaRoom } from './room.ts';
import { applyBound, applyEnum, applyPattern, applySize } from './value-markers.ts';

/** Keeps a fault of a default for the fields that use its schema. */
export type PostponeFault = (kind: 'unreadDefaults' | 'wrongDefaults', schema: Schema, fault: Fault) => void;

/** Writes a marker into a schema that is still being built. */
type Apply = (draft: Schema, value: string, room: SchemaRoom) => Refusal | undefined;

/**
 * The schema of a field with its markers, in the order written (kro: applyMarkers). `base` is not changed. `require`
 * is called for each `required=true`: the mark belongs to the parent. A default that does not fit is a fault only where
 * the schema is used, so it goes to `postpone`.
 */
export function applyMarkers(
  base: Schema,
  markers: readonly Marker[],
  require: () => void,
  report: ReportFault,
  room: SchemaRoom,
  postpone: PostponeFault,
): Schema {
  const draft: Schema = { ...base };
  let refused = false;
  let unread: Fault | undefined;
  for (const { name, value, offset } of markers) {
    const refusal = name === 'required' ? applyRequired(value, require) : appliers[name](draft, value, room);
    const isJson = name === 'default' && !SCALARS.has(draft.type);
    // kro carries JSON along as text, so only what is used has to be JSON, and the last default wins.
    if (isJson) unread = refusal && { ...refusal, offset };
    if (refusal === undefined || isJson) continue;
    refused = true;
    report({ ...refusal, offset });
  }
  if (refused) return draft;
  const conflict = listKeyConflict(draft);
  if (conflict !== undefined) report(at(conflict, 'listMapKey', markers));
  const fault = conflict === undefined ? checkDefault(draft, room) : undefined;
  if (unread !== undefined) postpone('unreadDefaults', draft, unread);
  else if (fault !== undefined) postpone('wrongDefaults', draft, at(fault, 'default', markers));
  return draft;
}

const SCALARS: ReadonlySet<Schema['type']> = new Set(['string', 'integer', 'number', 'boolean']);

function at(refusal: Refusal, name: MarkerName, markers: readonly Marker[]): Fault {
  const marker = markers.find((one) => one.name === name);
  return marker === undefined ? refusal : { ...refusal, offset: marker.offset };
}

function applyRequired(value: string, require: () => void): Refusal | undefined {
  const required = parseBool(value);
  if (required === undefined) return notBoolean('required', value);
  if (required) require();
  return undefined;
}

const appliers: Readonly<Record<Exclude<MarkerName, 'required'>, Apply>> = {
  default(draft, value) {
    const read = readDefault(draft, value);
    if (!read.ok) return read.refusal;
    // The API server takes null for no default at all.
    if (read.value === null) delete draft.default;
    else draft.default = read.value;
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
    if (trimSpace(value) === '') return { code: 'marker-value', message: 'the validation rule is empty' };
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
