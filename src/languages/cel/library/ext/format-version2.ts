/**
 * `string.format` of the versions 0 to 3 of cel-go's library, which validation rules use: doubles are formatted as in
 * American English, and lists and maps as CEL (cel-go ext/formatting.go, golang.org/x/text/message).
 */

import { fixedFloat, generalFloat, scientificFloat } from '../../../../core/text/float.ts';
import { utf8Text } from '../../std/conversions.ts';
import { goQuote } from '../../text/quote.ts';
import { kindOf } from '../../value/kind.ts';
import { type CelValue, Duration, failure, Timestamp } from '../../value/values.ts';
import { formatOne, formatSize, formatWith, type Texts, textOf } from './format.ts';
import { type Clause, clauseFault, VERSION_2 } from './format-clause.ts';

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
