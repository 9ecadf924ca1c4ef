import words from '../../../data/other-words.json';
import { askFor, type Hint, hint, phrase, quotedHint } from '../../core/diagnostics/index.ts';
import { firstPart } from '../../core/text/ends.ts';
import { DECIMAL, parseInt64 } from '../../core/text/go-numbers.ts';
import { hintsByWord } from '../../core/text/nearest.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import type { FieldProblem, ReportFieldProblem } from './budget.ts';

/** Reads the scalars of SimpleSchema as Go does (packages strconv and unicode). */

const SPACES =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** unicode.IsSpace, of one UTF-16 unit (all white space is in the basic plane). */
export const isSpace = (char: string): boolean => char.length === 1 && SPACES.includes(char);

/** strings.TrimSpace */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start += 1;
  while (end > start && isSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** strconv.ParseFloat for numbers that JSON can represent: decimal and finite. Whole int64 numbers stay exact. */
export function parseNumber(text: string): bigint | number | undefined {
  const whole = parseInt64(text);
  if (whole !== undefined) return whole;
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const SCALARS: Readonly<Record<string, 'string' | 'integer' | 'number' | 'boolean'>> = {
  string: 'string',
  integer: 'integer',
  // The name in OpenAPI (kro: types.Atomic).
  float: 'number',
  boolean: 'boolean',
};

export const builtInTypes: readonly string[] = [...Object.keys(SCALARS), 'object'];

/** kro: maxTypeNestingDepth */
const MAX_TYPE_DEPTH = 16;

/** Returns the schema of a declared type. */
type SchemaOfType = (name: string) => Schema | undefined;

/** Returns the schema of `[]map[string]Part` (kro: parseTypeWithDepth), `undefined` for an unknown or invalid type. */
export function parseType(text: string, custom: SchemaOfType, report: ReportFieldProblem): Schema | undefined {
  if (trimSpace(text) !== '') return parseNested(text, 0, custom, report);
  report(fault('the type is empty', hint('write a type before the |, for example string')));
  return undefined;
}

function parseNested(
  written: string,
  depth: number,
  custom: SchemaOfType,
  report: ReportFieldProblem,
): Schema | undefined {
  const text = trimSpace(written);
  const refuse = (message: string, given: Hint): undefined => void report(fault(message, given));
  const below = (prefix: string): Schema | undefined =>
    parseNested(text.slice(prefix.length), depth + 1, custom, report);
  if (depth > MAX_TYPE_DEPTH)
    return refuse(`the type is nested more than ${MAX_TYPE_DEPTH} deep`, hint('name a part of it under types'));
  const scalar = Object.hasOwn(SCALARS, text) ? SCALARS[text] : undefined;
  if (scalar !== undefined) return { type: scalar };
  if (text === 'object') return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  if (text === '[]')
    return refuse('the list has no element type', hint('write it after the brackets, for example []string'));
  if (text.startsWith('[]')) {
    const items = below('[]');
    return items && { type: 'array', items };
  }
  if (!text.startsWith('map[')) return custom(text);
  if (!text.startsWith(MAP_PREFIX))
    return refuse('the key of a map must be string', writeType(text, text.replace(/^map\[[^\]]*\]?/, MAP_PREFIX)));
  if (text === MAP_PREFIX)
    return refuse('the map has no value type', hint('write it after the brackets, for example map[string]string'));
  const additionalProperties = below(MAP_PREFIX);
  return additionalProperties && { type: 'object', additionalProperties };
}

const MAP_PREFIX = 'map[string]';

const writeType = (text: string, by: string, words = 'write'): Hint =>
  hint(`${words} ${by}`, { kind: 'replace', text, by });

const fault = (message: string, given: Hint): FieldProblem => ({
  code: 'type-expression',
  message: phrase`${message}`,
  hint: quotedHint(given),
  offset: 0,
});

const FOREIGN = hintsByWord(words.types);

/** Texts with a form, which SimpleSchema writes as strings. */
const FORMS =
  /^(?:bytes?|binary|char|date|date-?time|timestamp|time|duration|quantity|uuid|ur[il]|ip|ipv[46]|cidr|email|password)$/i;
const LIST = /^(?:list|array|slice|set|seq)\s*[(<[{](.+)[)>\]}]$/i;
const MAP = /^(?:map|dict|object|record)\s*[(<{]\s*\w+\s*,\s*(.+)[)>}]$/i;

export function foreignTypeHint(name: string): Hint | undefined {
  const element = /^(.+)\[\]$/.exec(name)?.[1];
  if (element !== undefined) return writeType(name, `[]${element}`, 'write the brackets first:');
  const item = LIST.exec(name)?.[1];
  if (item !== undefined) return writeType(name, `[]${item}`);
  const value = MAP.exec(firstPart(name))?.[1];
  if (value !== undefined) return writeType(name, `map[string]${value}`);
  if (FORMS.test(name)) return askFor(['string'], 'use string, with a pattern for its form');
  const lower = withoutArguments(name.toLowerCase());
  return FOREIGN.get(lower) ?? (builtInTypes.includes(lower) ? askFor([lower], `use ${lower}`) : undefined);
}

/** Removes what is in parentheses at the end: `varchar(20)`. */
function withoutArguments(name: string): string {
  const open = name.indexOf('(');
  return open >= 0 && name.endsWith(')') ? name.slice(0, open) : name;
}
