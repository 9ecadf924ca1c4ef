import { didYouMean } from '../../../core/text/nearest.ts';
import { type Expr, qualifiedName } from '../ast.ts';
import type { CelType, ObjectType } from '../types.ts';

type Hint = { hint?: string };

const hintOf = (hint: string | undefined): Hint => (hint === undefined ? {} : { hint });

/** Returns a hint with the names closest to a misspelled one; empty if there are none. */
export const hintAt = (name: string, candidates: Iterable<string>): Hint => hintOf(didYouMean(name, candidates));

/** Names of the functions and macros of CEL in other languages. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  size: ['len', 'length', 'count', 'strlen'],
  lowerAscii: ['tolower', 'tolowercase', 'lower', 'lowercase', 'downcase'],
  upperAscii: ['toupper', 'touppercase', 'upper', 'uppercase', 'upcase'],
  contains: ['includes', 'include', 'has_key', 'haskey', 'containskey'],
  substring: ['substr', 'slice', 'mid'],
  trim: ['strip', 'trimspace', 'chomp'],
  replace: ['replaceall', 'gsub', 'sub', 'regexreplaceall'],
  matches: ['match', 'regexmatch', 'regex', 'test'],
  string: ['str', 'tostring', 'stringify'],
  int: ['toint', 'parseint', 'integer', 'number', 'tonumber', 'atoi'],
  double: ['tofloat', 'parsefloat', 'float', 'todouble'],
  bool: ['tobool', 'parsebool', 'boolean'],
  orValue: ['default', 'ordefault', 'coalesce', 'orelse', 'getordefault'],
  format: ['printf', 'sprintf', 'fmt'],
  exists: ['any', 'some'],
  all: ['every'],
  filter: ['where', 'find', 'select'],
  map: ['foreach', 'collect'],
  join: ['implode'],
  split: ['explode'],
  'json.marshal': ['tojson', 'jsonencode', 'json_encode', 'jsonstringify'],
  'json.unmarshal': ['fromjson', 'jsondecode', 'json_decode', 'parsejson'],
  'base64.encode': ['b64enc', 'base64encode', 'tobase64'],
  'base64.decode': ['b64dec', 'base64decode', 'frombase64'],
};

const aliases = new Map(
  Object.entries(FUNCTIONS).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

/** Returns the function that was probably intended, which may have another name in other languages. */
export function functionHint(name: string, known: readonly string[]): Hint {
  const alias = aliases.get(name.toLowerCase());
  return alias !== undefined && known.includes(alias) ? { hint: `did you mean '${alias}'?` } : hintAt(name, known);
}

/** The parents of fields that users expect directly in an object. */
const PARTS = ['spec', 'metadata', 'status', 'data'];

/**
 * Returns the field that was probably intended: one with a similar name, or of this name in the spec or the metadata.
 */
export function fieldHint(operand: Expr, type: ObjectType, field: string): Hint {
  const name = qualifiedName(operand);
  const part = name === undefined ? undefined : PARTS.find((one) => declares(type.field(one), field));
  return part === undefined ? hintAt(field, type.fieldNames()) : { hint: `did you mean '${name}.${part}.${field}'?` };
}

export const declares = (type: CelType | undefined, field: string): boolean =>
  type?.kind === 'object' && type.field(field) !== undefined;

const SCALARS = new Set(['int', 'uint', 'double', 'bool']);
const NUMBERS = new Set(['int', 'uint', 'double']);
const COMPARISONS = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

/** Returns how to convert the operands of an operator. */
export function operandHint(name: string, types: readonly CelType[]): Hint {
  const kinds = types.map(({ kind }) => kind as string);
  const has = (kind: string): boolean => kinds.includes(kind);
  const scalar = kinds.find((kind) => SCALARS.has(kind));
  if (has('optional') && /^_|^!_|^-_/.test(name)) return { hint: 'add a fallback: .orValue(...)' };
  if (name === '_?_:_') {
    return kinds[0] === 'bool' || kinds[0] === 'dyn'
      ? { hint: 'both arms must have one type: convert one of them' }
      : { hint: 'the condition before ? must be a bool: compare it' };
  }
  if (name === '!_' || name === '_&&_' || name === '_||_') return { hint: 'compare it: only a bool is true or false' };
  if (name === '_+_' && has('string') && scalar !== undefined) {
    return { hint: `convert the ${scalar} to join it to a string: string(...)` };
  }
  if (COMPARISONS.has(name) && has('string') && scalar !== undefined) {
    return { hint: `convert one of them: string(...) around the ${scalar}, or ${scalar}(...) around the string` };
  }
  const numbers = kinds.filter((kind) => NUMBERS.has(kind));
  if (/^_/.test(name) && numbers.length === 2 && numbers[0] !== numbers[1]) {
    return { hint: `convert one of them: double(...), or ${numbers.find((kind) => kind !== 'double')}(...)` };
  }
  return {};
}
