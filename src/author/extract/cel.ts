import type { Value } from '../../core/model/value.ts';
import { isMap } from '../../core/model/value.ts';
import { yamlNumber } from '../../yaml/emit/index.ts';
import type { Condition, Each, Field, ListItem, ListPattern, MapEntry, MapPattern, Pattern, Term } from './model.ts';
import { OWN } from './texts.ts';

/** The width up to which a map or a list is on one line. */
const WIDTH = 90;

/** Returns a pattern as the value of a template: expressions only where the pattern needs them. */
export function toTemplate(pattern: Pattern): Value {
  if (pattern.type === 'literal') {
    if (pattern.terms !== undefined) return textOfTerms(pattern.terms);
    return typeof pattern.value === 'string' ? escapeText(pattern.value) : pattern.value;
  }
  if (pattern.type === 'hole') return textOfTerms(pattern.terms ?? []);
  if (pattern.type === 'lines') return pattern.lines.map((line) => String(toTemplate(line))).join('\n');
  if (pattern.type === 'map' && pattern.rest === undefined && pattern.entries.every(isFixed)) {
    return Object.fromEntries(pattern.entries.map(({ key, pattern: inner }) => [key, toTemplate(inner)]));
  }
  if (pattern.type === 'list' && pattern.middle === undefined && [...pattern.first, ...pattern.last].every(isAlways)) {
    return [...pattern.first, ...pattern.last].map(({ pattern: inner }) => toTemplate(inner));
  }
  return `\${${toCel(pattern, true)}}`;
}

const isAlways = ({ condition }: MapEntry | ListItem): boolean => condition === undefined;

/** Reports whether an entry is always there, and its key is the same in all instances. */
const isFixed = (entry: MapEntry): boolean => isAlways(entry) && entry.isOwn !== true;

/** Writes a text so that kro renders it as it is. */
const escapeText = (text: string): string => text.replaceAll('${', '${"$"}{');

/** Returns a text with expressions; one expression alone keeps its type. */
const textOfTerms = (terms: readonly Term[]): string =>
  terms.map((term) => (term.type === 'text' ? escapeText(term.text) : `\${${termOf(term)}}`)).join('');

/**
 * Returns a pattern as a CEL expression, over several lines if it is long. `isTyped` marks one whose type is compared
 * with that of a field.
 */
function toCel(pattern: Pattern, isTyped = false): string {
  if (pattern.type === 'literal') return pattern.terms === undefined ? celValue(pattern.value) : sumOf(pattern.terms);
  if (pattern.type === 'hole') return sumOf(pattern.terms ?? []);
  if (pattern.type === 'lines') return sumOf(linesTerms(pattern.lines));
  if (pattern.type === 'map') return isTyped ? typedMap(pattern) : celMap(pattern);
  return pattern.type === 'list' ? celList(pattern, isTyped) : celEach(pattern, isTyped);
}

function linesTerms(lines: readonly Pattern[]): Term[] {
  const terms: Term[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) terms.push({ type: 'text', text: '\n' });
    if (line.type === 'literal' && line.terms === undefined) terms.push({ type: 'text', text: String(line.value) });
    else if (line.type === 'literal' || line.type === 'hole') for (const term of line.terms ?? []) terms.push(term);
  }
  return joined(terms);
}

/** Joins texts that follow each other. */
function joined(terms: readonly Term[]): Term[] {
  const result: Term[] = [];
  for (const term of terms) {
    const before = result.at(-1);
    if (term.type === 'text' && before?.type === 'text') {
      result.pop();
      result.push({ type: 'text', text: before.text + term.text });
    } else result.push(term);
  }
  return result;
}

const sumOf = (terms: readonly Term[]): string =>
  terms.map((term) => (term.type === 'text' ? celString(term.text) : termOf(term))).join(' + ');

/** Returns the expression of a part of a text. */
function termOf(term: Exclude<Term, { type: 'text' }>): string {
  if (term.type === 'name') return 'schema.metadata.name';
  if (term.type === 'namespace') return 'schema.metadata.namespace';
  if (term.type === 'node') return `${term.node}.metadata.name`;
  const read = fieldText(term.field);
  return term.converts === undefined ? read : `${term.converts}(${read})`;
}

/** Returns the expression that reads a field; a plain item is its variable. */
export const fieldText = ({ rows, name, sameAs, isItem }: Field): string => {
  if (sameAs !== undefined) return fieldText(sameAs);
  return isItem ? rows.prefix : `${rows.prefix}.${name}`;
};

/** Returns the expression of a condition. */
export function conditionText({ decided }: Condition): string {
  if (decided === undefined) return 'true';
  const asked = decided.how === 'has' ? `has(${fieldText(decided.field)})` : fieldText(decided.field);
  return decided.negated ? `!${asked}` : asked;
}

/** Returns a map for an object: values of one type would have to be those of all its fields, unless it is dynamic. */
function typedMap(pattern: MapPattern): string {
  const { properties } = pattern.place.schema ?? {};
  const types = new Set(pattern.entries.map((entry) => valueType(entry.pattern)));
  if (properties === undefined || types.size !== 1 || pattern.rest !== undefined) return celMap(pattern);
  const isOfAll = Object.values(properties).every(({ type }) => types.has(type ?? 'object'));
  return isOfAll && !types.has('object') ? celMap(pattern) : `dyn(${celMap(pattern)})`;
}

/** Returns the type of a value as a schema names it. */
function valueType(pattern: Pattern): string {
  if (pattern.type === 'map') return 'object';
  if (pattern.type === 'list' || pattern.type === 'each') return 'array';
  if (pattern.type === 'lines') return 'string';
  const value = pattern.type === 'literal' ? pattern.value : pattern.cells.find((cell) => cell !== undefined);
  if (Array.isArray(value)) return 'array';
  if (isMap(value)) return 'object';
  return typeof value === 'bigint' ? 'integer' : typeof value;
}

function celMap({ entries, rest }: MapPattern): string {
  const lines = entries.map(({ key, isOwn, pattern, condition }) => {
    if (isOwn) return `${ownKeyCel(key)}: ${toCel(pattern)}`;
    if (condition === undefined) return `${celString(key)}: ${toCel(pattern)}`;
    return `?${celString(key)}: ${optionalCel(pattern, condition)}`;
  });
  const map = bracketed('{', lines, '}');
  return rest === undefined ? map : `${map}.merge(${toCel(rest)})`;
}

/** Returns the expression of a key with marks for the name of the instance. */
function ownKeyCel(key: string): string {
  const terms: Term[] = [];
  for (const [index, text] of key.split(OWN).entries()) {
    if (index > 0) terms.push({ type: 'name' });
    if (text !== '') terms.push({ type: 'text', text });
  }
  return sumOf(terms);
}

/** Returns a value that may be absent. A field that is absent itself needs no condition. */
function optionalCel(pattern: Pattern, condition: Condition, isTyped = false): string {
  const { decided } = condition;
  if (decided?.how === 'has' && !decided.negated && isFieldAlone(pattern, decided.field)) {
    return fieldText(decided.field).replace(/\.(?=\w+$)/, '.?');
  }
  return `${conditionText(condition)} ? optional.of(${toCel(pattern, isTyped)}) : optional.none()`;
}

function isFieldAlone(pattern: Pattern, field: Field): boolean {
  if (pattern.type === 'each') return pattern.field === field && field.shape !== undefined;
  if (pattern.type === 'list') {
    const { first, middle, last } = pattern;
    return first.length + last.length === 0 && middle !== undefined && isFieldAlone(middle, field);
  }
  if (pattern.type !== 'hole' || pattern.terms?.length !== 1) return false;
  const [term] = pattern.terms;
  return term?.type === 'field' && term.field === field && term.converts === undefined;
}

function celList({ first, middle, last }: ListPattern, isTyped: boolean): string {
  const items = (own: readonly ListItem[]): string =>
    bracketed(
      '[',
      own.map(({ pattern, condition }) =>
        condition === undefined
          ? toCel(pattern, isTyped)
          : `?${bracketedOptional(optionalCel(pattern, condition, isTyped))}`,
      ),
      ']',
    );
  const parts: string[] = [];
  if (first.length > 0 || middle === undefined) parts.push(items(first));
  if (middle !== undefined) parts.push(toCel(middle, isTyped));
  if (last.length > 0) parts.push(items(last));
  return parts.join(' + ');
}

const bracketedOptional = (text: string): string => (text.includes(' ? ') ? `(${text})` : text);

function celEach({ field, head, inner, item }: Each, isTyped: boolean): string {
  if (field === undefined) return '[]';
  if (field.shape !== undefined) return fieldText(field);
  const items = head === undefined ? fieldText(field) : `([${fieldText(head)}] + ${fieldText(field)})`;
  return `${items}.map(${inner.prefix}, ${toCel(item, isTyped)})`;
}

/** Returns parts in brackets, on one line if there is room. */
function bracketed(open: string, parts: readonly string[], close: string): string {
  const line = `${open}${parts.join(', ')}${close}`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const indented = parts.map((part) => `  ${part.replaceAll('\n', '\n  ')}`);
  return `${open}\n${indented.join(',\n')}\n${close}`;
}

function celValue(value: Value): string {
  if (typeof value === 'string') return celString(value);
  if (Array.isArray(value)) return bracketed('[', value.map(celValue), ']');
  if (isMap(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${celString(key)}: ${celValue(inner)}`);
    return bracketed('{', entries, '}');
  }
  if (typeof value !== 'number') return String(value);
  const text = yamlNumber(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Returns a CEL string; `${` is escaped, because it begins an expression wherever it is. */
const celString = (text: string): string => JSON.stringify(text).replaceAll('${', '\\u0024{');
