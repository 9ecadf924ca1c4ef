import { isMap, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { generalFloat } from '../../../core/text/float.ts';
import {
  compileTemplate,
  executeTemplate,
  type GoValue,
  Meter,
  type MissingKey,
  TemplateError,
  toGoValue,
} from '../../../languages/gotemplate/index.ts';
import { argocdFunctions, withFloats } from './template-functions.ts';

const DELIMITERS = { left: '{{', right: '}}' };

/** How an ApplicationSet writes its templates: in Go's language with `goTemplate`, and otherwise `{{path.basename}}`. */
export interface TemplateLanguage {
  goTemplate: boolean;
  missingKey: MissingKey;
}

/**
 * Substitutes the parameters of an ApplicationSet in a text. An unknown parameter stays unchanged, as in Argo CD.
 * @throws TemplateError if the template fails
 * @throws NotRendered for functions that are not supported
 */
export function templated(text: string, parameters: ValueMap, { goTemplate, missingKey }: TemplateLanguage): string {
  if (!text.includes('{{')) return text;
  if (!goTemplate) return substituted(text, flattened(parameters));
  const functions = argocdFunctions((inner, dot, meter) => execute(inner, dot, meter));
  const execute = (source: string, dot: GoValue, meter: Meter): string =>
    executeTemplate(compileTemplate(source, DELIMITERS, functions), dot, functions, meter, missingKey);
  return execute(text, toGoValue(withFloats(parameters)), new Meter());
}

/** What is between `{{` and the next `}}` is the name of a parameter. */
function substituted(text: string, flat: ReadonlyMap<string, string>): string {
  if (!/\{\{.*\}\}/.test(text)) return text;
  let out = '';
  let from = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', from)) {
    const close = text.indexOf('}}', open + 2);
    if (close < 0) throw new TemplateError('syntax', `no end of the tag ${text.slice(open)}`, open);
    const name = text.slice(open + 2, close);
    out += text.slice(from, open) + (flat.get(name.trim()) ?? `{{${name}}}`);
    from = close + 2;
  }
  return out + text.slice(from);
}

/** Substitutes the parameters in every text of a value, including keys. */
export function fill(value: Value, parameters: ValueMap, language: TemplateLanguage): Value {
  if (typeof value === 'string') return templated(value, parameters, language);
  if (Array.isArray(value)) return value.map((item) => fill(item, parameters, language));
  if (!isMap(value)) return value;
  const filled: ValueMap = {};
  for (const [key, item] of Object.entries(value)) {
    setKey(filled, templated(key, parameters, language), fill(item, parameters, language));
  }
  return filled;
}

/**
 * Returns parameters as texts by their names: `path.basename`, `path[0]` and `path` itself, with a `pathParamPrefix`
 * before that and a dot, and `ports.0.name` of other values. Numbers are floats of Go.
 */
export function flattened(parameters: ValueMap): Map<string, string> {
  const flat = new Map<string, string>();
  const visit = (value: Value, name: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${name}.${index}`);
    else if (!isMap(value)) flat.set(name, textOfScalar(value));
    else if (/(^|\.)path$/.test(name) && typeof value.path === 'string') {
      const { path = '', segments = [], ...rest } = value;
      visit(path, name);
      if (Array.isArray(segments)) for (const [index, item] of segments.entries()) visit(item, `${name}[${index}]`);
      visit(rest, name);
    } else for (const [key, item] of Object.entries(value)) visit(item, name === '' ? key : `${name}.${key}`);
  };
  visit(parameters, '');
  return flat;
}

function textOfScalar(value: Value): string {
  if (value === null) return '<nil>';
  return typeof value === 'bigint' || typeof value === 'number' ? generalFloat(Number(value)) : String(value);
}

export { TemplateError };
