import { isMap, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { compileTemplate, executeTemplate, TemplateError, toGoMap } from '../../../languages/gotemplate/index.ts';

const DELIMITERS = { left: '{{', right: '}}' };

/**
 * Substitutes the parameters of an ApplicationSet in a text: `{{path.basename}}`, or with `goTemplate` a Go template.
 * An unknown parameter stays unchanged, as in Argo CD.
 * @throws TemplateError if a Go template fails
 */
export function templated(text: string, parameters: ValueMap, goTemplate: boolean): string {
  if (!text.includes('{{')) return text;
  if (goTemplate) return executeTemplate(compileTemplate(text, DELIMITERS), toGoMap(parameters));
  const flat = flattened(parameters);
  return text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (whole, name: string) => flat.get(name) ?? whole);
}

/** Substitutes the parameters in every text of a value, including keys. */
export function fill(value: Value, parameters: ValueMap, goTemplate: boolean): Value {
  if (typeof value === 'string') return templated(value, parameters, goTemplate);
  if (Array.isArray(value)) return value.map((item) => fill(item, parameters, goTemplate));
  if (!isMap(value)) return value;
  const filled: ValueMap = {};
  for (const [key, item] of Object.entries(value)) {
    setKey(filled, templated(key, parameters, goTemplate), fill(item, parameters, goTemplate));
  }
  return filled;
}

/** Returns `path.basename`, `path[0]` and `path` itself as texts; with a `pathParamPrefix` below that and a dot. */
export function flattened(parameters: ValueMap): Map<string, string> {
  const flat = new Map<string, string>();
  const visit = (value: Value, name: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${name}[${index}]`);
    else if (!isMap(value)) flat.set(name, String(value));
    else if (/(^|\.)path$/.test(name) && typeof value.path === 'string') {
      const { path = '', segments = [], ...rest } = value;
      visit(path, name);
      visit(segments, name);
      visit(rest, name);
    } else for (const [key, item] of Object.entries(value)) visit(item, name === '' ? key : `${name}.${key}`);
  };
  visit(parameters, '');
  return flat;
}

export { TemplateError };
