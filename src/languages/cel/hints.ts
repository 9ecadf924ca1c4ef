import names from '../../../data/cel-aliases.json';
import words from '../../../data/other-words.json';
import { firstPart, lastPart } from '../../core/text/ends.ts';
import { askFor, type Hint, hint, type Remedy } from '../../core/text/hint.ts';
import { meaningsByWord, nearestHint } from '../../core/text/nearest.ts';
import { oddCharacterHint } from '../../core/text/odd-character.ts';
import { type Expr, qualifiedName, type Select } from './ast.ts';
import type { Environment } from './environment.ts';
import type { Overload } from './library.ts';
import { MACRO_FORMS } from './macros/index.ts';
import { type CelType, describeType, type ObjectType } from './types.ts';

/** Formats a call of an overload, `string.replace(string, string)`; without a name `(int, string)`, `string.(int)`. */
export function describeCall({ name = '', params, member }: Partial<Overload> & Pick<Overload, 'params'>): string {
  const texts = params.map(describeType);
  return member ? `${texts[0]}.${name}(${texts.slice(1).join(', ')})` : `${name}(${texts.join(', ')})`;
}

/** Returns how a macro with other arguments is called, or the function that was probably intended. */
export function functionHint(name: string, isMember: boolean, known: readonly string[]): Hint | undefined {
  if (name === 'exists' && !isMember) return hint(`write ${MACRO_FORMS.get('has')}`);
  const form = MACRO_FORMS.get(name);
  if (form !== undefined) return hint(`write ${form}`);
  const absent = functionWithout(name);
  if (absent !== undefined) return hint(absent);
  const alias = aliases.get(name.toLowerCase());
  if (alias === 'orValue') return hint('write OBJECT.?FIELD.orValue(OTHER)');
  return alias !== undefined && known.includes(alias) ? askFor([alias]) : nearestHint(name, known);
}

const MOST_FORMS = 3;

/** Returns how a function with other arguments is called, or how to convert the operands of an operator. */
export function callHint(name: string, types: readonly CelType[], overloads: readonly Overload[]): Hint | undefined {
  const [first, second] = types;
  if (name === 'contains' && first?.kind === 'list') return hint('write VALUE in LIST');
  if (name === '@in' && second?.kind === 'string') return hint('write TEXT.contains(PART)');
  if (name === '_[_]' && first?.kind === 'object') return hint('select a field with a dot: OBJECT.FIELD');
  if (name === 'string' && first !== undefined && ['object', 'list', 'map'].includes(first.kind))
    return hint('write json.marshal(...)');
  if (first?.kind !== 'optional' && overloads.every(({ params }) => params[0]?.kind === 'optional'))
    return hint('only an optional has this function: read the field as OBJECT.?FIELD');
  if (!/^[A-Za-z]/.test(name)) return operandHint(name, types);
  const isLikely = ({ params }: Overload): number => (params[0]?.kind === first?.kind ? 0 : 1);
  const checked = overloads.filter(({ unchecked }) => unchecked !== true).sort((a, b) => isLikely(a) - isLikely(b));
  const forms = [...new Set(checked.map(describeCall))];
  if (forms.length === 0) return undefined;
  const more = forms.length > MOST_FORMS ? [`${forms.length - MOST_FORMS} other forms`] : [];
  return hint(`write ${[...forms.slice(0, MOST_FORMS), ...more].join(', or ')}`);
}

/** Returns how to call a function that is written like a field, `name.length`, or how to read the value or an item. */
export function methodHint(
  { field, operand }: Select,
  type: CelType,
  functions: Environment['functions'],
): Hint | undefined {
  const accepts = ({ member, params: [receiver] }: Overload): boolean =>
    member && (receiver?.kind === type.kind || receiver?.kind === 'param');
  const name = [field, aliases.get(field.toLowerCase())].find((one) => one && functions(one).some(accepts));
  if (name !== undefined) return hint(`call the function: .${name}(...)`);
  const written = qualifiedName(operand);
  if (written === undefined) return undefined;
  const text =
    type.kind === 'list'
      ? `it is a list: pick an item, ${written}[0].${field}, or write ${written}.map(item, item.${field})`
      : `${written} has no fields: write ${written}`;
  return hint(text);
}

/** Returns how to write a default in place of `||`. */
export const fallbackHint = (operand: Expr): Hint =>
  hint(`|| joins booleans; for a default, write ${withFallback(qualifiedName(operand), '...')}`);

/** The parents of fields that users expect directly in an object. */
const PARTS = ['spec', 'metadata', 'status', 'data'];

/** Returns the intended field: one with a similar name, or of this name in the spec or the metadata. */
export function fieldHint(operand: Expr, type: ObjectType, field: string): Hint | undefined {
  const name = qualifiedName(operand);
  if (name === 'schema' && field === 'status')
    return hint('an instance has no status here: read the node that its status is computed from');
  const part = name === undefined ? undefined : PARTS.find((one) => declares(type.field(one), field));
  return part === undefined ? nearestHint(field, type.fieldNames()) : askFor([`${name}.${part}.${field}`]);
}

const declares = (type: CelType | undefined, field: string): boolean =>
  type?.kind === 'object' && type.field(field) !== undefined;

const SCALARS = new Set(['int', 'uint', 'double', 'bool']);
const NUMBERS = new Set(['int', 'uint', 'double']);

const LEAVE_OUT =
  'null does not leave a field out: create its map in one expression, ' +
  '{?"field": CONDITION ? optional.of(VALUE) : optional.none()}';

function operandHint(name: string, types: readonly CelType[]): Hint | undefined {
  const kinds = types.map(({ kind }) => kind as string);
  const has = (kind: string): boolean => kinds.includes(kind);
  const scalar = kinds.find((kind) => SCALARS.has(kind));
  if (has('optional') && /^_|^!_|^-_/.test(name)) return hint('add a fallback: .orValue(...)');
  if (name === '_?_:_') {
    if (kinds[0] !== 'bool' && kinds[0] !== 'dyn') return hint('the condition before ? must be a bool: compare it');
    return hint(kinds.includes('null') ? LEAVE_OUT : 'both arms must have one type: convert one of them');
  }
  if (name === '!_' || name === '_&&_' || name === '_||_') return hint('compare it: only a bool is true or false');
  if (has('string') && scalar !== undefined) {
    if (name === '_+_') return hint(`convert the ${scalar} to join it to a string: string(...)`, TO_STRING);
    if (/^_[<>=!]+_$/.test(name)) {
      return hint(
        `convert one of them: string(...) around the ${scalar}, or ${scalar}(...) around the string`,
        TO_STRING,
      );
    }
  }
  const numbers = kinds.filter((kind) => NUMBERS.has(kind));
  if (!/^_/.test(name) || numbers.length !== 2 || numbers[0] === numbers[1]) return undefined;
  const other = numbers.find((kind) => kind !== 'double');
  return hint(`convert one of them: double(...), or ${other}(...)`, { kind: 'convert-operand', function: 'double' });
}

const TO_STRING: Remedy = { kind: 'convert-operand', function: 'string' };

/** The names of CEL's functions, by their names in other languages. */
const aliases: ReadonlyMap<string, string> = meaningsByWord(names);

/** Functions of other languages that CEL has no counterpart of. */
const ABSENT = meaningsByWord(words.cel);

/** Returns what to do without a function of other languages; `undefined` if CEL has one or the name is unknown. */
const functionWithout = (name: string): string | undefined => ABSENT.get(name.toLowerCase());

/** Returns a read with a fallback: `schema.spec.?image.orValue(FALLBACK)`. */
const withFallback = (read: string | undefined, fallback: string): string =>
  `${read?.includes('.') === true ? read.replace(/\.(?=[^.]*$)/, '.?') : 'OBJECT.?FIELD'}.orValue(${fallback})`;

/** Returns how to call a function that is written after a pipe, as in templates of Go: `image | default "x"`. */
function pipeHint(before: string, rest: string): Hint | undefined {
  const [, piped, argument] = /^\|\s*([A-Za-z_]\w*)\s*\(?\s*("[^"]*"|'[^']*'|[\w.]+)?/.exec(rest) ?? [];
  if (piped === undefined) return undefined;
  const alias = aliases.get(piped.toLowerCase());
  const read = /(?:^|\s)([A-Za-z_]\w*(?:\.\w+)+)\s*$/.exec(before)?.[1];
  if (alias === 'orValue') return hint(`write ${withFallback(read, argument ?? 'OTHER')}`);
  const absent = functionWithout(piped);
  if (absent !== undefined) return hint(absent);
  return hint(`write || for a logical or; functions are called: ${alias ?? piped}(...)`, doubled('||'));
}

/** Operators of other languages, with those of CEL. */
const OPERATORS = new Map(Object.entries({ and: '&&', or: '||', not: '!', is: '==', eq: '==', ne: '!=', mod: '%' }));

const TERNARY = 'write CONDITION ? VALUE : OTHER';
const LAMBDA = 'write LIST.map(ITEM, VALUE), or LIST.filter(ITEM, CONDITION)';

/** Writes an operator of two equal characters in place of one of them. */
const doubled = (operator: string): Remedy => ({ kind: 'replace', text: operator.slice(1), by: operator });

const inPlaceOf = (text: string, by: string): Hint =>
  hint(`write ${by} in place of ${text}`, { kind: 'replace', text, by });

/** What is meant by a text that does not parse, with the position of the error at `@`, which CEL does not have. */
const SYNTAX: readonly (readonly [RegExp, Hint])[] = [
  [/@=>|-@>/, hint(LAMBDA)],
  [/==@=(?!=)/, hint('write ==: CEL has no ===')],
  [/!=@=(?!=)/, hint('write !=: CEL has no !==')],
  [/@=(?!=)/, hint('write == to compare', doubled('=='))],
  [/@&(?!&)/, hint('write && for a logical and', doubled('&&'))],
  [/@\|(?!\|)/, hint('write || for a logical or', doubled('||'))],
  [/<@>/, inPlaceOf('<>', '!=')],
  [/\?@\?/, hint('write OBJECT.?FIELD.orValue(OTHER) in place of ??')],
  [/\w\?\.[A-Za-z_][\s\S]*@/, hint('write OBJECT.?FIELD in place of OBJECT?.FIELD')],
  [/\?\s*@[?:]/, hint(TERNARY)],
  [/\?(?!.*:)[\s\S]*@\s*$/, hint(TERNARY)],
  [/\[@\*\]/, hint('write LIST.map(item, item.FIELD)')],
  [/@`/, hint('write a text in double quotes')],
];

/** Returns a replacement for text that does not parse; `undefined` if none is obvious. */
export function syntaxHint(source: string, offset: number): Hint | undefined {
  const odd = oddCharacterHint(source[offset] ?? '');
  if (odd !== undefined) return odd;
  const before = lastPart(source, offset);
  const rest = firstPart(source, offset);
  for (const found of [/^[A-Za-z_]\w*/.exec(rest), /[A-Za-z_]\w*(?=\s*$)/.exec(before)]) {
    const word = found?.[0] ?? '';
    const operator = OPERATORS.get(word.toLowerCase());
    if (operator !== undefined) {
      return hint(`write ${operator} in place of '${word}'`, { kind: 'replace', text: word, by: operator });
    }
    if (['if', 'then', 'else', 'elif'].includes(word.toLowerCase())) return hint(TERNARY);
    if (word.toLowerCase() === 'for') return hint(LAMBDA);
  }
  if (/^\s*\{/.test(source) && rest.startsWith('}')) return hint('write one pair of braces: ${...}');
  const around = [before, rest].map((part) => part.replaceAll('@', '#')).join('@');
  return pipeHint(before, rest) ?? SYNTAX.find(([pattern]) => pattern.test(around))?.[1];
}
