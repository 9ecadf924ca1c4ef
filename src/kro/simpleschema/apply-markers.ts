import { phrase, shown } from '../../core/diagnostics/index.ts';
import { spend } from '../../core/model/limits.ts';
import { parseBool, parseInt64 } from '../../core/text/go-numbers.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { compileRegex, EvaluationError, outcomeOf, patternSize } from '../../languages/cel/index.ts';
import { type SchemaBudget, tooManyPatterns } from './budget.ts';
import { checkDefault, readDefault } from './defaults.ts';
import {
  type FieldProblem,
  notApplicable,
  notBoolean,
  parseNumber,
  type ReportFieldProblem,
  trimSpace,
} from './go-text.ts';
import type { MarkerName } from './marker-hints.ts';
import type { Marker } from './markers.ts';

/** kro accepts bounds on any type and Kubernetes then ignores them, so a bound on a string would have no effect. */
function applyBound(draft: Schema, name: 'minimum' | 'maximum', value: string): FieldProblem | undefined {
  if (draft.type !== 'integer' && draft.type !== 'number') {
    const sized = draft.type === 'array' ? 'Items' : 'Length';
    const hint =
      draft.type === 'string' || draft.type === 'array' ? phrase`use ${name.slice(0, 3)}${shown(sized)}` : undefined;
    return notApplicable(name, 'integer and float', draft, hint);
  }
  const bound = parseNumber(/^[+-]?\d+(_\d+)+$/.test(value) ? value.replaceAll('_', '') : value);
  if (bound === undefined)
    return { code: 'marker-value', message: phrase`${shown(name)} must be a number, got: ${value}` };
  // Bounds are doubles in a CRD, whatever the digits of the marker are.
  draft[name] = typeof bound === 'bigint' ? BigInt(Number(bound)) : bound;
  return undefined;
}

function applySize(
  draft: Schema,
  name: 'minLength' | 'maxLength' | 'minItems' | 'maxItems',
  type: 'string' | 'array',
  value: string,
): FieldProblem | undefined {
  if (draft.type !== type) return notApplicable(name, type === 'string' ? 'string' : 'list', draft);
  const size = parseInt64(value);
  if (size === undefined)
    return { code: 'marker-value', message: phrase`${shown(name)} must be a whole number, got: ${value}` };
  draft[name] = size;
  return undefined;
}

function applyEnum(draft: Schema, value: string): FieldProblem | undefined {
  if (draft.type !== 'string' && draft.type !== 'integer') return notApplicable('enum', 'string and integer', draft);
  const values: (string | bigint)[] = [];
  for (const part of value.split(',').map(trimSpace)) {
    if (part === '') return { code: 'marker-value', message: phrase`empty enum values are not allowed` };
    const read = draft.type === 'string' ? part : parseInt64(part);
    if (read === undefined)
      return { code: 'marker-value', message: phrase`'${part}' is not an integer, so it cannot be in the enum` };
    values.push(read);
  }
  draft.enum = values;
  return undefined;
}

function applyPattern(draft: Schema, value: string, budget: SchemaBudget): FieldProblem | undefined {
  if (value === '') return { code: 'marker-value', message: phrase`the pattern is empty` };
  if (draft.type !== 'string') return notApplicable('pattern', 'string', draft);
  if (!spend(budget.patterns, patternSize(value))) return tooManyPatterns;
  const compiled = outcomeOf(() => compileRegex(value));
  if (compiled instanceof EvaluationError) {
    const isLookAround = /\(\?(<?[=!])/.test(value);
    const hint = isLookAround ? phrase`RE2 has no look-around; say it with validation="..." instead` : undefined;
    return { code: 'marker-value', message: phrase`invalid pattern: ${compiled.message}`, hint };
  }
  draft.pattern = value;
  return undefined;
}

/** kro implements uniqueItems with the list type, because the API server forbids `uniqueItems: true` in a CRD. */
function applyUniqueItems(draft: Schema, value: string): FieldProblem | undefined {
  const unique = parseBool(value);
  if (unique === undefined) return notBoolean('uniqueItems', value);
  if (draft.type !== 'array') return notApplicable('uniqueItems', 'list', draft);
  const listType = draft['x-kubernetes-list-type'];
  if (!unique) return undefined;
  if (listType !== undefined && listType !== 'set') {
    return { code: 'marker-conflict', message: phrase`uniqueItems=true contradicts listType=${shown(listType)}` };
  }
  draft['x-kubernetes-list-type'] = 'set';
  return undefined;
}

function applyListType(draft: Schema, value: string): FieldProblem | undefined {
  if (draft.type !== 'array') return notApplicable('listType', 'list', draft);
  if (value !== 'atomic' && value !== 'set' && value !== 'map') {
    return { code: 'marker-value', message: phrase`listType is atomic, set or map, got: ${value}` };
  }
  const earlier = draft['x-kubernetes-list-type'];
  if (earlier !== undefined && earlier !== value) {
    return {
      code: 'marker-conflict',
      message: phrase`listType=${shown(value)} contradicts the list type '${shown(earlier)}' it has already`,
    };
  }
  draft['x-kubernetes-list-type'] = value;
  return undefined;
}

function applyListMapKey(draft: Schema, value: string): FieldProblem | undefined {
  if (draft.type !== 'array') return notApplicable('listMapKey', 'list', draft);
  const keys = draft['x-kubernetes-list-map-keys'] ?? [];
  if (keys.includes(value)) return { code: 'marker-conflict', message: phrase`duplicate listMapKey=${value}` };
  draft['x-kubernetes-list-map-keys'] = [...keys, value];
  return undefined;
}

/** kro: fieldLevelValidation */
function listKeyConflict(draft: Schema): FieldProblem | undefined {
  const listType = draft['x-kubernetes-list-type'];
  if (draft['x-kubernetes-list-map-keys'] === undefined || listType === 'map') return undefined;
  const message =
    listType === undefined
      ? phrase`listMapKey needs listType=map`
      : phrase`listMapKey contradicts listType=${shown(listType)}`;
  return { code: 'marker-conflict', message, hint: phrase`add listType=map` };
}

/** Marks a schema whose default is null, and its copies. */
const NULL_DEFAULT = Symbol('null default');

/** Reports whether an author or kro set a default, including null: the struct then gets the default `{}`. */
export const hasDefaultMarker = (schema: Schema): boolean => schema.default !== undefined || NULL_DEFAULT in schema;

/** Records an error of a default for the fields that use its schema. */
export type PostponeProblem = (kind: 'unreadDefaults' | 'wrongDefaults', schema: Schema, fault: FieldProblem) => void;

type Apply = (draft: Schema, value: string, budget: SchemaBudget) => FieldProblem | undefined;

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

const at = (problem: FieldProblem, name: MarkerName, markers: readonly Marker[]): FieldProblem => ({
  ...problem,
  offset: markers.find((one) => one.name === name)?.offset,
});

function applyRequired(value: string, require: () => void): FieldProblem | undefined {
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
