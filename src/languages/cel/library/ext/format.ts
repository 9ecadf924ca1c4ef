import { hex } from '../../../../core/digest/hashes.ts';
import { fixedFloat, generalFloat, plainFloat, scientificFloat } from '../../../../core/text/float.ts';
import { utf8 } from '../../../../core/text/utf8.ts';
import { utf8Text } from '../../std/conversions.ts';
import { secondsText, timestampText } from '../../std/time-text.ts';
import { goQuote } from '../../text/quote.ts';
import { isList, isMapValue, kindOf } from '../../value/kind.ts';
import { mapEntries } from '../../value/maps.ts';
import { compareText } from '../../value/order.ts';
import { writtenSize } from '../../value/size.ts';
import { type CelValue, Duration, failure, Timestamp, TypeValue, Uint } from '../../value/values.ts';
import { type Clause, type ClauseRules, clauseFault, formatPieces, VERSION_2 } from './format-clause.ts';

/** `string.format` (https://github.com/google/cel-spec/blob/master/doc/extensions/strings.md#format). */

/** Formats one argument of a clause. */
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

function formatOne(clause: Clause, precision: number, value: CelValue): string {
  const fault = clauseFault(clause, kindOf(value));
  if (fault !== undefined) throw failure(fault);
  switch (clause) {
    case 's':
      return textOf(value, LATEST);
    case 'd':
      return typeof value === 'number' ? doubleText(value, plainFloat) : integerOf(value).toString();
    case 'f':
      return doubleText(doubleOf(value), (number) => fixedFloat(number, precision));
    case 'e':
      return doubleText(doubleOf(value), (number) => scientificFloat(number, precision));
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : integerOf(value).toString(2);
    case 'o':
      return integerOf(value).toString(8);
    case 'x':
      return hexText(value);
    case 'X':
      return hexText(value).toUpperCase();
  }
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

const LATEST: Texts = {
  double: (value) => doubleText(value, plainFloat),
  bytes: (value) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(value),
  part: (value) => textOf(value, LATEST),
  colon: ': ',
};

/**
 * `string.format` of the versions 0 to 3 of cel-go's library, which validation rules use: doubles are formatted as in
 * American English, and lists and maps as CEL (cel-go ext/formatting.go, golang.org/x/text/message).
 */

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

/** Formats a part of a list or a map. */
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
