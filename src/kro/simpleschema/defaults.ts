import { phrase, phraseIf, shown } from '../../core/diagnostics/index.ts';
import { JsonError, parseJson } from '../../core/encoding/json.ts';
import { formatPath, type Value } from '../../core/model/value.ts';
import { parseBool, parseInt64 } from '../../core/text/go-numbers.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { compileCheck, startVisit } from '../../kubernetes/validation/index.ts';
import type { SchemaBudget } from './budget.ts';
import { type FieldProblem, parseNumber, trimSpace } from './go-text.ts';

type ParsedDefault = { ok: true; value: Value } | { ok: false; problem: FieldProblem };

/**
 * Returns the value of a `default` marker (kro: applyDefaultMarker). kro pastes the text into the JSON of the CRD; here
 * it is a value, so quotes and backslashes in a string are literal and `True` is true.
 */
export function readDefault(schema: Schema, text: string): ParsedDefault {
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
  const message = phrase`the default must be a valid ${type}, got: ${text}`;
  return { ok: false, problem: { code: 'schema-default', message, hint: phraseIf(hint) } };
}

/** Reads the JSON of lists, maps, structs and objects; kro writes null for an empty text. */
function readComposite(schema: Schema, text: string): ParsedDefault {
  if (trimSpace(text) === '') return { ok: true, value: null };
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const message = phrase`the default is not valid JSON: ${error.message}, got: ${text}`;
    const example = schema.type === 'array' ? '["a", "b"]' : '{"a": "b"}';
    return {
      ok: false,
      problem: { code: 'schema-default', message, hint: phrase`write JSON: default=${shown(example)}` },
    };
  }
}

/**
 * Checks that a default is valid in its field: otherwise the API server rejects the CRD (k8s.io/apiextensions-apiserver
 * defaulting.ValidateDefaults). It does not apply other defaults, so a required member must be set even if it has a
 * default.
 */
export function checkDefault(schema: Schema, budget: SchemaBudget): FieldProblem | undefined {
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
  const message = phrase`${shown(verdict)}: ${formatPath(first.path)}: ${first.message}`;
  return { code: 'schema-default', message, severity: refused ? undefined : 'warning', hint: first.hint };
}
