import { isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { fromBytes, toBytes } from './bytes.ts';
import { standardFunctions } from './functions/index.ts';
import { Meter } from './meter.ts';
import { executeNodes } from './run/execute.ts';
import type { Functions, MissingKey } from './run/state.ts';
import type { Delimiters } from './syntax/lexer.ts';
import type { Templates } from './syntax/nodes.ts';
import { parseTemplate } from './syntax/parser.ts';
import { timeJson } from './values/times.ts';
import { GoInt, GoList, GoMap, GoTime, type GoValue, list, NilInterface } from './values/values.ts';

export { fromBytes, isUtf8, toBytes } from './bytes.ts';
export { FunctionError, TemplateError, type TemplateErrorReason } from './fault.ts';
export { fixed, ofCharacters } from './functions/define.ts';
export { standardNames } from './functions/index.ts';
export { Meter, type TemplateCost } from './meter.ts';
export { readsOf } from './reads.ts';
export type { Functions, GoFunction, MissingKey } from './run/state.ts';
export { GoMap, type GoValue, NIL_MAP, sizeOf } from './values/values.ts';

/** A parsed template that can be executed any number of times. */
export interface Template {
  /** The source text, well-formed; positions count its UTF-16 units. */
  source: string;
  templates: Templates;
}

const NONE: Functions = () => undefined;

/** Parses a template; `functions` may replace those of the language and of slim-sprig. @throws TemplateError (syntax) */
export function compileTemplate(text: string, delimiters: Delimiters, functions = NONE): Template {
  const source = text.toWellFormed();
  const known = (name: string): boolean => (functions(name) ?? standardFunctions(name)) !== undefined;
  return { source, templates: parseTemplate(source, delimiters, known) };
}

/**
 * Executes a template; `dot` is what `.` stands for at the top, and a meter may serve many executions. Returns the bytes
 * of the output, of which functions such as trunc may have cut a character.
 * @throws TemplateError (missing-key, execution, budget)
 */
export function executeTemplateBytes(
  { templates }: Template,
  dot: GoValue,
  functions = NONE,
  meter = new Meter(),
  missingKey: MissingKey = 'error',
): string {
  const all: Functions = (name) => functions(name) ?? standardFunctions(name);
  const execution = { templates, functions: all, meter, missingKey, output: '', depth: 0 };
  executeNodes(execution, templates.get('') ?? [], dot);
  return execution.output;
}

/** Does the same, and returns text: U+FFFD for a part of a character. */
export function executeTemplate(
  template: Template,
  dot: GoValue,
  functions = NONE,
  meter = new Meter(),
  missingKey: MissingKey = 'error',
): string {
  return fromBytes(executeTemplateBytes(template, dot, functions, meter, missingKey));
}

/** Converts a value of Kubernetes for templates: an integer is an int64. */
export function toGoValue(value: Value): GoValue {
  if (typeof value === 'string') return toBytes(value);
  if (Array.isArray(value)) return list(value.map(toGoValue));
  return isMap(value) ? toGoMap(value) : value;
}

export function toGoMap(value: ValueMap): GoMap {
  const entries = new Map<string, GoValue>();
  for (const key of Object.keys(value)) entries.set(toBytes(key), toGoValue(value[key] ?? null));
  return new GoMap(entries);
}

/** Converts a value to JSON; numbers that JSON cannot represent are unchanged. */
export function fromGoValue(value: GoValue): Value {
  if (value === null || value instanceof NilInterface) return null;
  if (typeof value === 'string') return fromBytes(value);
  if (value instanceof GoInt) return value.value;
  if (value instanceof GoTime) return timeJson(value);
  if (value instanceof GoList) return value.isNil ? null : value.items.map(fromGoValue);
  return value instanceof GoMap ? fromGoMap(value) : value;
}

function fromGoMap({ entries, isNil }: GoMap): Value {
  if (isNil) return null;
  const map: ValueMap = {};
  for (const [key, item] of entries) setKey(map, fromBytes(key), fromGoValue(item));
  return map;
}
