import words from '../../../data/other-words.json';
import { phrase } from '../../core/diagnostics/index.ts';
import { hintsByWord } from '../../core/text/nearest.ts';
import { type FieldProblem, type ReportFieldProblem, trimSpace } from './go-text.ts';

/** The part of a field before the first `|`. */
export type TypeExpression =
  | { kind: 'scalar'; type: 'string' | 'integer' | 'number' | 'boolean' }
  | { kind: 'object' }
  | { kind: 'list'; element: TypeExpression }
  | { kind: 'map'; value: TypeExpression }
  | { kind: 'custom'; name: string };

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

/** Parses `[]map[string]Part` (kro: parseTypeWithDepth). White space around every part is allowed. */
export function parseType(text: string, report: ReportFieldProblem): TypeExpression | undefined {
  if (trimSpace(text) === '') {
    report(fault('the type is empty', 'write a type before the |, for example string'));
    return undefined;
  }
  return parseNested(text, 0, report);
}

function parseNested(written: string, depth: number, report: ReportFieldProblem): TypeExpression | undefined {
  const text = trimSpace(written);
  if (depth > MAX_TYPE_DEPTH) {
    report(fault(`the type is nested more than ${MAX_TYPE_DEPTH} deep`, 'name a part of it under types'));
    return undefined;
  }
  const scalar = Object.hasOwn(SCALARS, text) ? SCALARS[text] : undefined;
  if (scalar !== undefined) return { kind: 'scalar', type: scalar };
  if (text === 'object') return { kind: 'object' };
  if (text === '[]') {
    report(fault('the list has no element type', 'write it after the brackets, for example []string'));
    return undefined;
  }
  if (text.startsWith('[]')) {
    const element = parseNested(text.slice(2), depth + 1, report);
    return element && { kind: 'list', element };
  }
  return text.startsWith('map[') ? parseMap(text, depth, report) : { kind: 'custom', name: text };
}

function parseMap(text: string, depth: number, report: ReportFieldProblem): TypeExpression | undefined {
  const prefix = 'map[string]';
  if (!text.startsWith(prefix)) {
    report(fault('the key of a map must be string', `write ${text.replace(/^map\[[^\]]*\]?/, prefix)}`));
    return undefined;
  }
  if (text === prefix) {
    report(fault('the map has no value type', 'write it after the brackets, for example map[string]string'));
    return undefined;
  }
  const value = parseNested(text.slice(prefix.length), depth + 1, report);
  return value && { kind: 'map', value };
}

const fault = (message: string, hint: string): FieldProblem => ({
  code: 'type-expression',
  message: phrase`${message}`,
  hint: phrase`${hint}`,
  offset: 0,
});

/** Type names of other languages. */
const FOREIGN = hintsByWord(words.types);

/** Texts with a form, which SimpleSchema writes as strings. */
const FORMS =
  /^(?:bytes?|binary|char|date|date-?time|timestamp|time|duration|quantity|uuid|ur[il]|ip|ipv[46]|cidr|email|password)$/i;
const LIST = /^(?:list|array|slice|set|seq)\s*[(<[{](.+)[)>\]}]$/i;
const MAP = /^(?:map|dict|object|record)\s*[(<{]\s*\w+\s*,\s*(.+)[)>}]$/i;

export function foreignTypeHint(name: string): string | undefined {
  const element = /^(.+)\[\]$/.exec(name)?.[1];
  if (element !== undefined) return `write the brackets first: []${element}`;
  const item = LIST.exec(name)?.[1];
  if (item !== undefined) return `write []${item}`;
  const value = MAP.exec(name)?.[1];
  if (value !== undefined) return `write map[string]${value}`;
  if (FORMS.test(name)) return 'use string, with a pattern for its form';
  const lower = name.toLowerCase().replace(/\(.*\)$/, '');
  return FOREIGN.get(lower) ?? (builtInTypes.includes(lower) ? `use ${lower}` : undefined);
}
