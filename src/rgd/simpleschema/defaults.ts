import { JsonError, parseJson } from '../../encoding/json.ts';
import { formatPath } from '../../model/path.ts';
import type { Value } from '../../model/value.ts';
import type { Schema } from '../../schema/index.ts';
import { compileCheck, startVisit } from '../../validation/index.ts';
import { parseBool, parseInt64, parseNumber, trimSpace } from './go-text.ts';
import { type Refusal, withHint } from './refusal.ts';
import type { SchemaRoom } from './room.ts';

type Read = { ok: true; value: Value } | { ok: false; refusal: Refusal };

/**
 * The value of a `default` marker (kro: applyDefaultMarker). kro pastes the text into the JSON of the CRD; here it is
 * a value, so quotes and backslashes in a string are themselves and `True` is true.
 */
export function readDefault(schema: Schema, text: string): Read {
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

function readScalar(value: Value | undefined, type: string, text: string, hint: string | undefined): Read {
  if (value !== undefined) return { ok: true, value };
  const message = `the default must be a valid ${type}, got: ${text}`;
  return { ok: false, refusal: withHint({ code: 'schema-default', message }, hint) };
}

/** Lists, maps, structs and object take JSON; kro writes null where there is no text. */
function readComposite(schema: Schema, text: string): Read {
  if (trimSpace(text) === '') return { ok: true, value: null };
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const message = `the default is not valid JSON: ${error.message}, got: ${text}`;
    const example = schema.type === 'array' ? '["a", "b"]' : '{"a": "b"}';
    return { ok: false, refusal: { code: 'schema-default', message, hint: `write JSON: default=${example}` } };
  }
}

/**
 * A default must be a value that the field takes: the API server refuses the CRD otherwise (k8s.io/apiextensions-apiserver
 * defaulting.ValidateDefaults). It looks at the default as it is, so a required member has to be there although it has a
 * default of its own.
 */
export function checkDefault(schema: Schema, room: SchemaRoom): Refusal | undefined {
  if (schema.default === undefined) return undefined;
  const large = room.faultOf(schema);
  if (large !== undefined) return large;
  const visit = { ...startVisit(['default'], room.values), bare: true };
  compileCheck(schema)(schema.default, visit);
  const [first] = visit.problems;
  if (first === undefined) return undefined;
  const message = `the default is refused: ${formatPath(first.path)}: ${first.message}`;
  return withHint({ code: 'schema-default', message }, first.hint);
}
