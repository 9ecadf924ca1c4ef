import { compileRegex } from '../cel/regex.ts';
import { EvalError as EvaluationError } from '../cel/values.ts';
import type { Code } from '../diagnostics/codes.ts';
import type { Schema } from '../schema/schema.ts';
import { checkDefault, readDefault } from './defaults.ts';
import type { ReportFault } from './fault.ts';
import { parseBool, parseInt64, parseNumber, trimSpace } from './go-text.ts';
import type { Marker, MarkerName } from './markers.ts';

/** What one marker found wrong. */
interface Refusal {
  code: Code;
  message: string;
  hint?: string;
}

/** Writes a marker into a schema that is still being built. */
type Apply = (draft: Schema, value: string) => Refusal | undefined;

/**
 * The schema of a field with its markers, in the order written (kro: applyMarkers). `base` is not changed. `require`
 * is called for each `required=true`: the mark belongs to the parent.
 */
export function applyMarkers(
  base: Schema,
  markers: readonly Marker[],
  require: () => void,
  report: ReportFault,
): Schema {
  const draft: Schema = { ...base };
  let refused = false;
  for (const { name, value, offset } of markers) {
    const refusal = name === 'required' ? applyRequired(value, require) : appliers[name](draft, value);
    if (refusal === undefined) continue;
    refused = true;
    report({ ...refusal, offset });
  }
  const conflict = refused ? undefined : (listKeyConflict(draft) ?? checkDefault(draft));
  if (conflict !== undefined) {
    const marker = markers.find(({ name }) => name === (conflict.code === 'schema-default' ? 'default' : 'listMapKey'));
    report(marker === undefined ? conflict : { ...conflict, offset: marker.offset });
  }
  return draft;
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
    draft.default = read.value;
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

/** kro takes bounds on any type and Kubernetes then ignores them, so a bound on a string would never hold. */
function applyBound(draft: Schema, name: 'minimum' | 'maximum', value: string): Refusal | undefined {
  if (draft.type !== 'integer' && draft.type !== 'number') {
    const sized = draft.type === 'array' ? 'Items' : 'Length';
    const hint = draft.type === 'string' || draft.type === 'array' ? `use ${name.slice(0, 3)}${sized}` : undefined;
    return notApplicable(name, 'integer and float', draft, hint);
  }
  const bound = parseNumber(value);
  if (bound === undefined) return { code: 'marker-value', message: `${name} must be a number, got: ${value}` };
  draft[name] = bound;
  return undefined;
}

function applySize(
  draft: Schema,
  name: 'minLength' | 'maxLength' | 'minItems' | 'maxItems',
  type: 'string' | 'array',
  value: string,
): Refusal | undefined {
  if (draft.type !== type) return notApplicable(name, type === 'string' ? 'string' : 'list', draft);
  const size = parseInt64(value);
  if (size === undefined) return { code: 'marker-value', message: `${name} must be a whole number, got: ${value}` };
  draft[name] = size;
  return undefined;
}

function applyEnum(draft: Schema, value: string): Refusal | undefined {
  if (draft.type !== 'string' && draft.type !== 'integer') return notApplicable('enum', 'string and integer', draft);
  const values: (string | bigint)[] = [];
  for (const part of value.split(',').map(trimSpace)) {
    if (part === '') return { code: 'marker-value', message: 'empty enum values are not allowed' };
    const read = draft.type === 'string' ? part : parseInt64(part);
    if (read === undefined)
      return { code: 'marker-value', message: `'${part}' is no integer, so it cannot be in the enum` };
    values.push(read);
  }
  draft.enum = values;
  return undefined;
}

function applyPattern(draft: Schema, value: string): Refusal | undefined {
  if (value === '') return { code: 'marker-value', message: 'the pattern is empty' };
  if (draft.type !== 'string') return notApplicable('pattern', 'string', draft);
  try {
    compileRegex(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const hint = /\(\?(<?[=!])/.test(value)
      ? 'RE2 has no look-around; say it with validation="..." instead'
      : undefined;
    return withHint({ code: 'marker-value', message: `invalid pattern: ${error.message}` }, hint);
  }
  draft.pattern = value;
  return undefined;
}

/** kro says uniqueItems with the list type, since the API server forbids `uniqueItems: true` in a CRD. */
function applyUniqueItems(draft: Schema, value: string): Refusal | undefined {
  const unique = parseBool(value);
  if (unique === undefined) return notBoolean('uniqueItems', value);
  if (draft.type !== 'array') return notApplicable('uniqueItems', 'list', draft);
  const listType = draft['x-kubernetes-list-type'];
  if (!unique) return undefined;
  if (listType !== undefined && listType !== 'set') {
    return { code: 'marker-conflict', message: `uniqueItems=true contradicts listType=${listType}` };
  }
  draft['x-kubernetes-list-type'] = 'set';
  return undefined;
}

function applyListType(draft: Schema, value: string): Refusal | undefined {
  if (draft.type !== 'array') return notApplicable('listType', 'list', draft);
  if (value !== 'atomic' && value !== 'set' && value !== 'map') {
    return { code: 'marker-value', message: `listType is atomic, set or map, got: ${value}` };
  }
  const earlier = draft['x-kubernetes-list-type'];
  if (earlier !== undefined && earlier !== value) {
    return {
      code: 'marker-conflict',
      message: `listType=${value} contradicts the list type '${earlier}' it has already`,
    };
  }
  draft['x-kubernetes-list-type'] = value;
  return undefined;
}

function applyListMapKey(draft: Schema, value: string): Refusal | undefined {
  if (draft.type !== 'array') return notApplicable('listMapKey', 'list', draft);
  const keys = draft['x-kubernetes-list-map-keys'] ?? [];
  if (keys.includes(value)) return { code: 'marker-conflict', message: `listMapKey=${value} stands there twice` };
  draft['x-kubernetes-list-map-keys'] = [...keys, value];
  return undefined;
}

/** kro: fieldLevelValidation */
function listKeyConflict(draft: Schema): Refusal | undefined {
  const listType = draft['x-kubernetes-list-type'];
  if (draft['x-kubernetes-list-map-keys'] === undefined || listType === 'map') return undefined;
  const message =
    listType === undefined ? 'listMapKey needs listType=map' : `listMapKey contradicts listType=${listType}`;
  return { code: 'marker-conflict', message, hint: 'add listType=map' };
}

function notBoolean(marker: string, value: string): Refusal {
  return { code: 'marker-value', message: `${marker} is true or false, got: ${value}` };
}

function notApplicable(marker: string, types: string, { type }: Schema, hint?: string): Refusal {
  return withHint(
    { code: 'marker-not-applicable', message: `${marker} is for ${types} only, got type: ${type}` },
    hint,
  );
}

const withHint = (refusal: Refusal, hint: string | undefined): Refusal =>
  hint === undefined ? refusal : { ...refusal, hint };
