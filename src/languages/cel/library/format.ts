/** The clauses of `string.format` and their syntax, for formatting and for the check of literal calls. */
import data from '../../../../data/cel-format.json';
import { hex } from '../../../core/digest/hashes.ts';
import { fixedFloat, generalFloat, plainFloat, scientificFloat } from '../../../core/text/float.ts';
import { MAX_INT64 } from '../../../core/text/go-numbers.ts';
import { goQuote } from '../../../core/text/go-text.ts';
import { utf8 } from '../../../core/text/utf8.ts';
import { children, type Expr } from '../ast.ts';
import { utf8Text } from '../std/standard.ts';
import { secondsText, timestampText } from '../std/times.ts';
import { type CelType, typeName } from '../types.ts';
import { compareText, mapEntries, writtenSize } from '../value/order.ts';
import {
  type CelValue,
  Duration,
  EvaluationError,
  failure,
  isList,
  isMapValue,
  kindOf,
  outcomeOf,
  Timestamp,
  TypeValue,
  Uint,
} from '../value/values.ts';

export type Clause = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

/** A piece of a format string: text to copy, or a clause for the next argument. */
type FormatPiece = string | { clause: Clause; precision: number };

const DEFAULT_PRECISION = 6;
const MAX_PRECISION = 100;

/** The values that each clause accepts, by run-time type names, and cel-go's message for others. */
export type ClauseRules = Readonly<Record<Clause, { takes: string; only: string }>>;

const LATEST: ClauseRules = data.latest;
const VERSION_2: ClauseRules = data.version2;

/** Before evaluation a text is accepted, because it may be `NaN`. */
const orText = (rule: ClauseRules['f']): ClauseRules['f'] => ({ ...rule, takes: `${rule.takes} string` });
export const VERSION_2_TYPES: ClauseRules = { ...VERSION_2, f: orText(VERSION_2.f), e: orText(VERSION_2.e) };

const isClause = (char: string): char is Clause => Object.hasOwn(LATEST, char);

/** Returns why a clause cannot format a value of the named type; `undefined` if it can. */
function clauseFault(clause: Clause, typeName: string, rules: ClauseRules = LATEST): string | undefined {
  const { takes, only } = rules[clause];
  return takes.split(' ').includes(typeName) ? undefined : `error during formatting: ${only}, was given ${typeName}`;
}

/** Parses a format string piece by piece, so that errors are found in order. @throws EvaluationError (failure) */
function* formatPieces(format: string, count: number): Generator<FormatPiece> {
  let argument = 0;
  for (const [text, digits, clause = ''] of format.matchAll(/[^%]+|%%|%(?:\.([0-9]*))?([\s\S]?)/gu)) {
    if (text === '%%' || !text.startsWith('%')) {
      yield text === '%%' ? '%' : text;
      continue;
    }
    if (argument >= count) throw failure(`index ${argument} out of range`);
    if (text === '%') throw failure('unexpected end of string');
    const precision = digits === undefined ? DEFAULT_PRECISION : readPrecision(digits, clause === '');
    if (!isClause(clause)) {
      // Go reads the first UTF-8 byte of the character.
      const byte = String.fromCharCode(utf8(clause)[0] ?? 0);
      throw failure(`could not parse formatting clause: unrecognized formatting clause "${byte}"`);
    }
    yield { clause, precision };
    argument++;
  }
}

function readPrecision(digits: string, ended: boolean): number {
  const refuse = (message: string): EvaluationError =>
    failure(`could not parse formatting clause: error while parsing precision: ${message}`);
  if (ended) throw refuse('could not find end of precision specifier');
  const problem = digits === '' ? 'invalid syntax' : BigInt(digits) > MAX_INT64 ? 'value out of range' : undefined;
  if (problem !== undefined) {
    throw refuse(`error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${problem}`);
  }
  const precision = Number(digits);
  if (precision > MAX_PRECISION) {
    throw refuse(`precision ${precision} exceeds maximum allowed precision ${MAX_PRECISION}`);
  }
  return precision;
}

/** Checks `format` calls whose format string and argument list are literals, as cel-go's validator does. */

type Problem = { message: string; offset?: number } | undefined;

/** Returns the first error of `format.format([arguments])`, `undefined` if there is none. */
export function checkFormat(
  format: string,
  args: readonly Expr[],
  typeOf: (expr: Expr) => CelType,
  rules?: ClauseRules,
): Problem {
  /** `%s` checks list and map literals recursively. */
  const check = (clause: Clause, argument: Expr): Problem => {
    const type = typeOf(argument);
    const isKnown = type.kind !== 'dyn' && type.kind !== 'param';
    const message = isKnown ? clauseFault(clause, typeName(type), rules) : undefined;
    if (message !== undefined) return { message, offset: argument.offset };
    if (clause !== 's' || (argument.kind !== 'list' && argument.kind !== 'map')) return undefined;
    for (const part of children(argument)) {
      const problem = check(clause, part);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const checked = outcomeOf((): Problem => {
    let next = 0;
    for (const piece of formatPieces(format, args.length)) {
      const problem = typeof piece === 'string' ? undefined : check(piece.clause, args[next++] as Expr);
      if (problem !== undefined) return problem;
    }
    if (args.length === next) return undefined;
    return { message: `too many arguments supplied to string.format (expected ${next}, got ${args.length})` };
  });
  return checked instanceof EvaluationError ? { message: checked.message } : checked;
}

/** `string.format` (https://github.com/google/cel-spec/blob/master/doc/extensions/strings.md#format). */

type WriteClause = (clause: Clause, precision: number, value: CelValue) => string;

export const format = (pattern: string, args: readonly CelValue[]): string => formatWith(formatOne, pattern, args);

function formatWith(write: WriteClause, pattern: string, args: readonly CelValue[]): string {
  let text = '';
  let next = 0;
  for (const piece of formatPieces(pattern, args.length)) {
    text += typeof piece === 'string' ? piece : write(piece.clause, piece.precision, args[next++] as CelValue);
  }
  return text;
}

/** Hexadecimal of a string takes up to six digits per UTF-16 unit. */
export const formatSize = (pattern: string, args: readonly CelValue[]): number =>
  pattern.length * 55 + writtenSize(args) * 6;

const WRITERS: Readonly<Record<Clause, (value: CelValue, precision: number) => string>> = {
  s: (value) => textOf(value, LATEST_TEXTS),
  d: (value) => (typeof value === 'number' ? doubleText(value, plainFloat) : integerOf(value).toString()),
  f: (value, precision) => doubleText(doubleOf(value), (number) => fixedFloat(number, precision)),
  e: (value, precision) => doubleText(doubleOf(value), (number) => scientificFloat(number, precision)),
  b: (value) => (typeof value === 'boolean' ? `${Number(value)}` : integerOf(value).toString(2)),
  o: (value) => integerOf(value).toString(8),
  x: hexText,
  X: (value) => hexText(value).toUpperCase(),
};

function formatOne(clause: Clause, precision: number, value: CelValue): string {
  const fault = clauseFault(clause, kindOf(value));
  if (fault !== undefined) throw failure(fault);
  return WRITERS[clause](value, precision);
}

const integerOf = (value: CelValue): bigint => (value instanceof Uint ? value.value : (value as bigint));
const doubleOf = (value: CelValue): number => (typeof value === 'number' ? value : Number(integerOf(value)));

function doubleText(value: number, write: (finite: number) => string): string {
  return Number.isFinite(value) ? write(value) : String(value);
}

function hexText(value: CelValue): string {
  if (typeof value === 'string') return hex(utf8(value));
  return value instanceof Uint8Array ? hex(value) : integerOf(value).toString(16);
}

/** How a version writes what `%s` formats. */
interface Texts {
  rules?: ClauseRules;
  double(value: number): string;
  bytes(value: Uint8Array): string;
  /** Formats an item of a list, and a key or a value of a map. */
  part(value: CelValue): string;
  /** Between a key and its value. */
  colon: string;
}

/** Formats `%s`. Maps are sorted by the printed keys. */
function textOf(value: CelValue, texts: Texts): string {
  const fault = clauseFault('s', kindOf(value), texts.rules);
  if (fault !== undefined) throw failure(fault);
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return texts.double(value);
  if (value instanceof Uint) return value.value.toString();
  if (value instanceof Uint8Array) return texts.bytes(value);
  if (value instanceof Duration) return secondsText(value.nanos);
  if (value instanceof Timestamp) return timestampText(value.nanos, 'nano');
  if (value instanceof TypeValue) return value.name;
  if (value === null || typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(texts.part).join(', ')}]`;
  if (!isMapValue(value)) return '';
  const entries = mapEntries(value).map(([key, item]) => [texts.part(key), texts.part(item)] as const);
  entries.sort(([one], [other]) => compareText(one, other));
  return `{${entries.map(([key, item]) => `${key}${texts.colon}${item}`).join(', ')}}`;
}

const LATEST_TEXTS: Texts = {
  double: (value) => doubleText(value, plainFloat),
  bytes: (value) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(value),
  part: (value) => textOf(value, LATEST_TEXTS),
  colon: ': ',
};

/** Versions 0 to 3, for validation rules: doubles as in American English, lists and maps as CEL (ext/formatting.go). */

const DIGITS = 6;

export const formatVersion2 = (pattern: string, args: readonly CelValue[]): string => formatWith(write, pattern, args);

/** Doubles inside lists are formatted without an exponent. */
export const formatVersion2Size = (pattern: string, args: readonly CelValue[]): number => formatSize(pattern, args) * 3;

function write(clause: Clause, precision: number, value: CelValue): string {
  if (clause === 's') return textOf(value, TEXTS);
  const isDouble = clause === 'f' || clause === 'e';
  const fault = clauseFault(clause, isDouble && isNamedDouble(value) ? 'double' : kindOf(value), VERSION_2);
  if (fault !== undefined) throw failure(fault);
  if (!isDouble) return formatOne(clause, precision, value);
  const double = Number(value);
  if (clause === 'f') return inEnglish(double, (finite) => grouped(fixedFloat(finite, precision)));
  // The precision is used as a width.
  return inEnglish(double, scientific).padStart(precision);
}

const isNamedDouble = (value: CelValue): boolean => value === 'NaN' || value === 'Infinity' || value === '-Infinity';

function inEnglish(value: number, finite: (value: number) => string): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return finite(value === 0 ? 0 : value);
  return value < 0 ? '-∞' : '∞';
}

const grouped = (text: string): string => {
  const [whole = '', ...fraction] = text.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
};

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(value: number): string {
  const [mantissa = '', exponent = ''] = scientificFloat(value, DIGITS).split('e');
  const raised = exponent.replace('+', '').replace('-', '⁻');
  return `${mantissa}×10${raised.replace(/\d/g, (digit) => SUPERSCRIPTS.charAt(Number(digit)))}`;
}

function bytesText(value: Uint8Array): string {
  const text = utf8Text(value);
  if (text !== undefined) return text;
  const reason = 'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string';
  throw failure(`error during formatting: ${reason}`);
}

function partText(value: CelValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(bytesText(value))}`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? fixedFloat(value, DIGITS) : goQuote(generalFloat(value));
  if (value instanceof Duration) return `duration("${textOf(value, TEXTS)}")`;
  if (value instanceof Timestamp) return `timestamp("${textOf(value, TEXTS)}")`;
  if (clauseFault('s', kindOf(value), VERSION_2) !== undefined)
    throw failure(`error during formatting: no formatting function for ${kindOf(value)}`);
  return textOf(value, TEXTS);
}

const TEXTS: Texts = { rules: VERSION_2, double: generalFloat, bytes: bytesText, part: partText, colon: ':' };
