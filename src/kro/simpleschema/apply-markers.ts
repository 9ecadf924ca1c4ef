import { type Message, phrase, phraseIf, shown } from '../../core/diagnostics/index.ts';
import { JsonError, parseJson } from '../../core/encoding/json.ts';
import { spend } from '../../core/model/limits.ts';
import { formatPath, isMap, ownValue, type Path, type Value } from '../../core/model/value.ts';
import { jsonFloat } from '../../core/text/float.ts';
import { parseBool, parseInt64 } from '../../core/text/go-numbers.ts';
import { goJsonString } from '../../core/text/go-text.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { compileCheck, startVisit } from '../../kubernetes/validation/index.ts';
import { compareText, compileRegex, EvaluationError, outcomeOf, patternSize } from '../../languages/cel/index.ts';
import { type FieldProblem, type ReportFieldProblem, type SchemaBudget, tooManyPatterns } from './budget.ts';
import type { Marker, MarkerName } from './markers.ts';
import { parseNumber, trimSpace } from './type-expression.ts';

const invalid = (message: Message, hint?: Message): FieldProblem => ({ code: 'marker-value', message, hint });
const conflict = (message: Message, hint?: Message): FieldProblem => ({ code: 'marker-conflict', message, hint });

type Apply = (draft: Schema, value: string, budget: SchemaBudget) => FieldProblem | undefined;

const NAMES: Readonly<Record<string, string>> = { number: 'float', array: 'list' };
const SIZES: Readonly<Record<string, string>> = { string: 'Length', array: 'Items' };

const only =
  (name: MarkerName, types: readonly string[], apply: Apply): Apply =>
  (draft, value, budget) => {
    const { type = '' } = draft;
    if (types.includes(type)) return apply(draft, value, budget);
    const wanted = types.map((one) => ownValue(NAMES, one) ?? one).join(' and ');
    const sized = SIZES[type];
    const isBound = name === 'minimum' || name === 'maximum';
    return {
      code: 'marker-not-applicable',
      message: phrase`${{ marker: name }} is for ${{ expected: wanted }} only, got type: ${{ got: shown(type) }}`,
      hint: isBound && sized !== undefined ? phrase`use ${name.slice(0, 3)}${shown(sized)}` : undefined,
    };
  };

const flag =
  (name: MarkerName, apply: (draft: Schema, isSet: boolean) => FieldProblem | undefined): Apply =>
  (draft, value) => {
    const isSet = parseBool(value);
    return isSet === undefined
      ? invalid(phrase`${{ marker: name }} is true or false, got: ${{ value }}`)
      : apply(draft, isSet);
  };

/** kro accepts bounds on any type and Kubernetes then ignores them, so a bound on a string would have no effect. */
const bound = (name: 'minimum' | 'maximum'): Apply =>
  only(name, ['integer', 'number'], (draft, value) => {
    const number = parseNumber(/^[+-]?\d+(_\d+)+$/.test(value) ? value.replaceAll('_', '') : value);
    if (number === undefined) return invalid(phrase`${{ marker: shown(name) }} must be a number, got: ${{ value }}`);
    // Bounds are doubles in a CRD, whatever the digits of the marker are.
    draft[name] = typeof number === 'bigint' ? BigInt(Number(number)) : number;
    return undefined;
  });

const size = (name: 'minLength' | 'maxLength' | 'minItems' | 'maxItems'): Apply =>
  only(name, [name.endsWith('Items') ? 'array' : 'string'], (draft, value) => {
    const count = parseInt64(value);
    if (count === undefined)
      return invalid(phrase`${{ marker: shown(name) }} must be a whole number, got: ${{ value }}`);
    draft[name] = count;
    return undefined;
  });

const applyEnum: Apply = (draft, value) => {
  const values: (string | bigint)[] = [];
  for (const part of value.split(',').map(trimSpace)) {
    if (part === '') return invalid(phrase`empty enum values are not allowed`);
    const read = draft.type === 'string' ? part : parseInt64(part);
    if (read === undefined) return invalid(phrase`'${{ value: part }}' is not an integer, so it cannot be in the enum`);
    values.push(read);
  }
  draft.enum = values;
  return undefined;
};

const applyPattern: Apply = (draft, value, budget) => {
  if (value === '') return invalid(phrase`the pattern is empty`);
  if (!spend(budget.patterns, patternSize(value))) return tooManyPatterns;
  const compiled = outcomeOf(() => compileRegex(value));
  if (compiled instanceof EvaluationError) {
    const isLookAround = /\(\?(<?[=!])/.test(value);
    const hint = isLookAround ? phrase`RE2 has no look-around; say it with validation="..." instead` : undefined;
    return invalid(phrase`invalid pattern: ${{ reason: compiled.message }}`, hint);
  }
  draft.pattern = value;
  return undefined;
};

const applyListType: Apply = (draft, value) => {
  if (value !== 'atomic' && value !== 'set' && value !== 'map')
    return invalid(phrase`listType is atomic, set or map, got: ${{ value }}`);
  const earlier = draft['x-kubernetes-list-type'];
  if (earlier !== undefined && earlier !== value)
    return conflict(
      phrase`listType=${{ value: shown(value) }} contradicts the list type '${{ other: shown(earlier) }}' it has already`,
    );
  draft['x-kubernetes-list-type'] = value;
  return undefined;
};

const applyListMapKey: Apply = (draft, value) => {
  const keys = draft['x-kubernetes-list-map-keys'] ?? [];
  if (keys.includes(value)) return conflict(phrase`duplicate listMapKey=${{ value }}`);
  draft['x-kubernetes-list-map-keys'] = [...keys, value];
  return undefined;
};

/** kro: fieldLevelValidation */
function listKeyConflict(draft: Schema): FieldProblem | undefined {
  const listType = draft['x-kubernetes-list-type'];
  if (draft['x-kubernetes-list-map-keys'] === undefined || listType === 'map') return undefined;
  const message =
    listType === undefined
      ? phrase`listMapKey needs listType=map`
      : phrase`listMapKey contradicts listType=${{ value: shown(listType) }}`;
  return conflict(message, phrase`add listType=map`);
}

/** Marks a schema whose default is null, and its copies. */
const NULL_DEFAULT = Symbol('null default');

/** Reports whether an author or kro set a default, including null: the struct then gets the default `{}`. */
export const hasDefaultMarker = (schema: Schema): boolean => schema.default !== undefined || NULL_DEFAULT in schema;

/** The texts of defaults, as kro writes them to the CRD. */
const DEFAULT_TEXTS = new WeakMap<Schema, string>();

/**
 * Reports whether an API server returns another text for a default than kro writes: kro compares the texts, so it finds
 * a change each time (0.9.4: defaultsEqual in pkg/graph/crd/compat/schema.go).
 */
export function isRewrittenDefault(schema: Schema): boolean {
  if (NULL_DEFAULT in schema) return true;
  const text = DEFAULT_TEXTS.get(schema);
  if (schema.default === undefined || text === undefined) return false;
  return storedJson(schema.default) !== (schema.type === 'string' ? `"${text}"` : text);
}

/** Writes a value as an API server stores it (Go's encoding/json). */
function storedJson(value: Value): string {
  if (typeof value === 'string') return goJsonString(value);
  if (typeof value === 'number') return jsonFloat(value);
  if (Array.isArray(value)) return `[${value.map(storedJson).join(',')}]`;
  if (!isMap(value)) return String(value);
  const entries = Object.keys(value).sort(compareText);
  return `{${entries.map((key) => `${goJsonString(key)}:${storedJson(value[key] as Value)}`).join(',')}}`;
}

/** Applies markers to a copy of a schema, in the order written (kro: applyMarkers); `require` is for `required`. */
export function applyMarkers(
  base: Schema,
  markers: readonly Marker[],
  require: () => void,
  report: ReportFieldProblem,
  budget: SchemaBudget,
  path: Path,
): Schema {
  const draft: Schema = { ...base };
  const inherited = DEFAULT_TEXTS.get(base);
  if (inherited !== undefined) DEFAULT_TEXTS.set(draft, inherited);
  const required = flag('required', (_, isSet) => {
    if (isSet) require();
    return undefined;
  });
  let refused = false;
  let unread: FieldProblem | undefined;
  for (const { name, value, offset } of markers) {
    const problem = (name === 'required' ? required : appliers[name])(draft, value, budget);
    const isJson = name === 'default' && !SCALARS.has(draft.type);
    // kro treats JSON as text, so only used defaults must be JSON, and the last default wins.
    if (isJson) unread = problem && { ...problem, offset };
    if (problem === undefined || isJson) continue;
    refused = true;
    report({ ...problem, offset });
  }
  if (refused) return draft;
  const ofKeys = listKeyConflict(draft);
  if (ofKeys !== undefined) report(at(ofKeys, 'listMapKey', markers));
  const fault = ofKeys === undefined ? checkDefault(draft, budget) : undefined;
  if (unread !== undefined) budget.unreadDefaults.set(draft, { ...unread, path });
  else if (fault !== undefined) budget.wrongDefaults.set(draft, { ...at(fault, 'default', markers), path });
  return draft;
}

const SCALARS: ReadonlySet<Schema['type']> = new Set(['string', 'integer', 'number', 'boolean']);

const at = (problem: FieldProblem, name: MarkerName, markers: readonly Marker[]): FieldProblem => ({
  ...problem,
  offset: markers.find((one) => one.name === name)?.offset,
});

const appliers: Readonly<Record<Exclude<MarkerName, 'required'>, Apply>> = {
  default(draft, value) {
    const read = readDefault(draft, value);
    if (!read.ok) return read.problem;
    // The API server treats null as no default; kro treats it as one.
    if (read.value !== null) {
      draft.default = read.value;
      DEFAULT_TEXTS.set(draft, value);
    } else {
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
  minimum: bound('minimum'),
  maximum: bound('maximum'),
  validation(draft, value) {
    if (trimSpace(value) === '') return invalid(phrase`the validation rule is empty`);
    return addRule(draft, value, 'validation failed');
  },
  immutable: flag('immutable', (draft, isSet) =>
    isSet ? addRule(draft, 'self == oldSelf', 'field is immutable') : undefined,
  ),
  enum: only('enum', ['string', 'integer'], applyEnum),
  pattern: only('pattern', ['string'], applyPattern),
  minLength: size('minLength'),
  maxLength: size('maxLength'),
  minItems: size('minItems'),
  maxItems: size('maxItems'),
  /** kro implements uniqueItems with the list type, because the API server forbids `uniqueItems: true` in a CRD. */
  uniqueItems: only(
    'uniqueItems',
    ['array'],
    flag('uniqueItems', (draft, isSet) => {
      const listType = draft['x-kubernetes-list-type'];
      if (!isSet) return undefined;
      if (listType !== undefined && listType !== 'set')
        return conflict(phrase`uniqueItems=true contradicts listType=${{ value: shown(listType) }}`);
      draft['x-kubernetes-list-type'] = 'set';
      return undefined;
    }),
  ),
  listType: only('listType', ['array'], applyListType),
  listMapKey: only('listMapKey', ['array'], applyListMapKey),
};

function addRule(draft: Schema, rule: string, message: string): undefined {
  draft['x-kubernetes-validations'] = [...(draft['x-kubernetes-validations'] ?? []), { rule, message }];
}

type ParsedDefault = { ok: true; value: Value } | { ok: false; problem: FieldProblem };

/** kro: applyDefaultMarker, which pastes the text into JSON; here quotes and backslashes in a string are literal. */
function readDefault(schema: Schema, text: string): ParsedDefault {
  switch (schema.type) {
    case 'string':
      return { ok: true, value: text };
    case 'integer':
      return readScalar(parseInt64(text), 'integer', text, /^[0-9.]+$/.test(text) ? undefined : 'write digits only');
    case 'number':
      return readScalar(parseNumber(text), 'number', text, undefined);
    case 'boolean':
      return readScalar(parseBool(text), 'boolean', text, 'write true or false');
    default:
      return readComposite(schema, text);
  }
}

function readScalar(value: Value | undefined, type: string, text: string, hint: string | undefined): ParsedDefault {
  if (value !== undefined) return { ok: true, value };
  const message = phrase`the default must be a valid ${{ expected: type }}, got: ${{ value: text }}`;
  return { ok: false, problem: { code: 'schema-default', message, hint: phraseIf(hint) } };
}

/** Reads the JSON of lists, maps, structs and objects; kro writes null for an empty text. */
function readComposite(schema: Schema, text: string): ParsedDefault {
  if (trimSpace(text) === '') return { ok: true, value: null };
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const message = phrase`the default is not valid JSON: ${{ reason: error.message }}, got: ${{ value: text }}`;
    const example = schema.type === 'array' ? '["a", "b"]' : '{"a": "b"}';
    return {
      ok: false,
      problem: { code: 'schema-default', message, hint: phrase`write JSON: default=${shown(example)}` },
    };
  }
}

/**
 * Checks a default as the API server does, without other defaults (k8s.io/apiextensions-apiserver
 * defaulting.ValidateDefaults): a required member must be set even if it has a default.
 */
function checkDefault(schema: Schema, budget: SchemaBudget): FieldProblem | undefined {
  if (schema.default === undefined) return undefined;
  const large = budget.faultOf(schema);
  if (large !== undefined) return large;
  const visit = { ...startVisit(['default'], budget.values), bare: true };
  compileCheck(schema)(schema.default, visit);
  // A CRD may have a default with duplicates: instances that use it are rejected.
  const refused = visit.problems.find(({ code }) => code !== 'instance-duplicate');
  const first = refused ?? visit.problems[0];
  if (first === undefined) return undefined;
  const verdict = refused === undefined ? 'no instance accepts the default' : 'the default is rejected';
  const message = phrase`${shown(verdict)}: ${{ field: formatPath(first.path) }}: ${first.message}`;
  const hint = first.hint ?? phrase`give a default that the other markers of the field accept, or change them`;
  return { code: 'schema-default', message, severity: refused ? undefined : 'warning', hint };
}
