import names from '../../../data/cel-aliases.json';
import words from '../../../data/other-words.json';
import { didYouMean, hintsByWord } from '../../core/text/nearest.ts';
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

type Hint = { hint?: string };

const hintOf = (hint: string | undefined): Hint => (hint === undefined ? {} : { hint });

/** Returns a hint with the names closest to a misspelled one; empty if there are none. */
export const hintAt = (name: string, candidates: Iterable<string>): Hint => hintOf(didYouMean(name, candidates));

/**
 * Returns how a macro is called that has other arguments, or the function that was probably intended, which may have
 * another name in other languages.
 */
export function functionHint(name: string, isMember: boolean, known: readonly string[]): Hint {
  if (name === 'exists' && !isMember) return { hint: `write ${MACRO_FORMS.get('has')}` };
  const form = MACRO_FORMS.get(name);
  if (form !== undefined) return { hint: `write ${form}` };
  const absent = functionWithout(name);
  if (absent !== undefined) return { hint: absent };
  const alias = aliases.get(name.toLowerCase());
  if (alias === 'orValue') return { hint: 'write OBJECT.?FIELD.orValue(OTHER)' };
  return alias !== undefined && known.includes(alias) ? { hint: `did you mean '${alias}'?` } : hintAt(name, known);
}

/** The maximum number of forms of a function in a hint. */
const MOST_FORMS = 3;

/** Returns how a function with other arguments is called, or how to convert the operands of an operator. */
export function callHint(name: string, types: readonly CelType[], overloads: readonly Overload[]): Hint {
  const [first, second] = types;
  if (name === 'contains' && first?.kind === 'list') return { hint: 'write VALUE in LIST' };
  if (name === '@in' && second?.kind === 'string') return { hint: 'write TEXT.contains(PART)' };
  if (name === '_[_]' && first?.kind === 'object') return { hint: 'select a field with a dot: OBJECT.FIELD' };
  if (name === 'string' && first !== undefined && ['object', 'list', 'map'].includes(first.kind))
    return { hint: 'write json.marshal(...)' };
  if (first?.kind !== 'optional' && overloads.every(({ params }) => params[0]?.kind === 'optional'))
    return { hint: 'only an optional has this function: read the field as OBJECT.?FIELD' };
  if (!/^[A-Za-z]/.test(name)) return operandHint(name, types);
  const isLikely = ({ params }: Overload): number => (params[0]?.kind === first?.kind ? 0 : 1);
  const checked = overloads.filter(({ unchecked }) => unchecked !== true).sort((a, b) => isLikely(a) - isLikely(b));
  const forms = [...new Set(checked.map(describeCall))];
  if (forms.length === 0) return {};
  const more = forms.length > MOST_FORMS ? [`${forms.length - MOST_FORMS} other forms`] : [];
  return { hint: `write ${[...forms.slice(0, MOST_FORMS), ...more].join(', or ')}` };
}

/** Returns how to call a function that is written like a field, `name.length`, or how to read the value or an item. */
export function methodHint({ field, operand }: Select, type: CelType, functions: Environment['functions']): Hint {
  const accepts = ({ member, params: [receiver] }: Overload): boolean =>
    member && (receiver?.kind === type.kind || receiver?.kind === 'param');
  const name = [field, aliases.get(field.toLowerCase())].find((one) => one && functions(one).some(accepts));
  if (name !== undefined) return { hint: `call the function: .${name}(...)` };
  const written = qualifiedName(operand);
  if (written === undefined) return {};
  return type.kind === 'list'
    ? { hint: `it is a list: pick an item, ${written}[0].${field}, or write ${written}.map(item, item.${field})` }
    : { hint: `${written} has no fields: write ${written}` };
}

/** Returns how to write a default in place of `||`. */
export const fallbackHint = (operand: Expr): Hint => ({
  hint: `|| joins booleans; for a default, write ${withFallback(qualifiedName(operand), '...')}`,
});

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

const declares = (type: CelType | undefined, field: string): boolean =>
  type?.kind === 'object' && type.field(field) !== undefined;

const SCALARS = new Set(['int', 'uint', 'double', 'bool']);
const NUMBERS = new Set(['int', 'uint', 'double']);
const COMPARISONS = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

const LEAVE_OUT =
  'null does not leave a field out: create its map in one expression, ' +
  '{?"field": CONDITION ? optional.of(VALUE) : optional.none()}';

/** Returns how to convert the operands of an operator. */
function operandHint(name: string, types: readonly CelType[]): Hint {
  const kinds = types.map(({ kind }) => kind as string);
  const has = (kind: string): boolean => kinds.includes(kind);
  const scalar = kinds.find((kind) => SCALARS.has(kind));
  if (has('optional') && /^_|^!_|^-_/.test(name)) return { hint: 'add a fallback: .orValue(...)' };
  if (name === '_?_:_') {
    return kinds[0] === 'bool' || kinds[0] === 'dyn'
      ? { hint: kinds.includes('null') ? LEAVE_OUT : 'both arms must have one type: convert one of them' }
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

/** The names of CEL's functions, by their names in other languages. */
const aliases: ReadonlyMap<string, string> = hintsByWord(names);

/** Functions of other languages that CEL has no counterpart of. */
const ABSENT = hintsByWord(words.cel);

/** Returns what to do without a function of other languages; `undefined` if CEL has one or the name is unknown. */
const functionWithout = (name: string): string | undefined => ABSENT.get(name.toLowerCase());

/** Returns a read with a fallback: `schema.spec.?image.orValue(FALLBACK)`. */
const withFallback = (read: string | undefined, fallback: string): string =>
  `${read?.includes('.') === true ? read.replace(/\.(?=[^.]*$)/, '.?') : 'OBJECT.?FIELD'}.orValue(${fallback})`;

/** Returns how to call a function that is written after a pipe, as in templates of Go: `image | default "x"`. */
export function pipeHint(before: string, rest: string): string | undefined {
  const [, piped, argument] = /^\|\s*([A-Za-z_]\w*)\s*\(?\s*("[^"]*"|'[^']*'|[\w.]+)?/.exec(rest) ?? [];
  if (piped === undefined) return undefined;
  const alias = aliases.get(piped.toLowerCase());
  const read = /(?:^|\s)([A-Za-z_]\w*(?:\.\w+)+)\s*$/.exec(before)?.[1];
  if (alias === 'orValue') return `write ${withFallback(read, argument ?? 'OTHER')}`;
  return functionWithout(piped) ?? `write || for a logical or; functions are called: ${alias ?? piped}(...)`;
}
