/** `string.format` (https://github.com/google/cel-spec/blob/master/doc/extensions/strings.md#format). */
import { hex } from '../../../../core/digest/hex.ts';
import { fixedFloat, plainFloat, scientificFloat } from '../../../../core/text/float.ts';
import { utf8 } from '../../../../core/text/utf8.ts';
import { secondsText, timestampText } from '../../text/time.ts';
import { isList, isMapValue, kindOf } from '../../value/kind.ts';
import { mapEntries } from '../../value/maps.ts';
import { compareText } from '../../value/order.ts';
import { writtenSize } from '../../value/size.ts';
import { type CelValue, Duration, failure, Timestamp, TypeValue, Uint } from '../../value/values.ts';
import { type Clause, type ClauseRules, clauseFault, formatPieces } from './format-clause.ts';

/** Formats one argument of a clause. */
type WriteClause = (clause: Clause, precision: number, value: CelValue) => string;

export const format = (pattern: string, args: readonly CelValue[]): string => formatWith(formatOne, pattern, args);

export function formatWith(write: WriteClause, pattern: string, args: readonly CelValue[]): string {
  let text = '';
  let next = 0;
  for (const piece of formatPieces(pattern, args.length, failure)) {
    text += typeof piece === 'string' ? piece : write(piece.clause, piece.precision, args[next++] as CelValue);
  }
  return text;
}

/** Hexadecimal of a string takes up to six digits per UTF-16 unit. */
export const formatSize = (pattern: string, args: readonly CelValue[]): number =>
  pattern.length * 55 + writtenSize(args) * 6;

export function formatOne(clause: Clause, precision: number, value: CelValue): string {
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
export interface Texts {
  rules?: ClauseRules;
  double(value: number): string;
  bytes(value: Uint8Array): string;
  /** Formats an item of a list, and a key or a value of a map. */
  part(value: CelValue): string;
  /** Between a key and its value. */
  colon: string;
}

/** Formats `%s`. Maps are sorted by the printed keys. */
export function textOf(value: CelValue, texts: Texts): string {
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
