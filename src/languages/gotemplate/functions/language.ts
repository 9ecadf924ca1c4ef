import { ownValue } from '../../../core/model/value.ts';
import { isPrintable } from '../../../core/text/go-text.ts';
import { mapRunes } from '../bytes.ts';
import type { FunctionError } from '../fault.ts';
import { sprint, sprintf, sprintln } from '../format/printf.ts';
import type { Meter } from '../meter.ts';
import {
  GoInt,
  GoList,
  GoMap,
  GoTime,
  type GoValue,
  int,
  integerOf,
  isTrue,
  sizeOf,
  typeName,
} from '../values/values.ts';
import { type FunctionTable, fail, fixed, variadic } from './define.ts';

/** The comparable kinds; Go calls them basic kinds. */
type Kind = 'bool' | 'int' | 'float' | 'string' | 'none';

function kindOf(value: GoValue): Kind {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'string') return 'string';
  return integerOf(value) === undefined ? 'none' : 'int';
}

const incompatible = (a: GoValue, b: GoValue): FunctionError =>
  fail(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`, 'incompatible-kinds');

function areEqual(a: GoValue, b: GoValue): boolean {
  const kind = kindOf(a);
  if (kind !== kindOf(b)) {
    if (a === null || b === null) return false;
    throw incompatible(a, b);
  }
  if (kind === 'int') return integerOf(a) === integerOf(b);
  return kind === 'none' ? areSame(a, b) : a === b;
}

const isNil = (value: GoValue): boolean =>
  value === null || ((value instanceof GoList || value instanceof GoMap) && value.isNil);

/** Lists and maps can only be compared with nil. */
function areSame(a: GoValue, b: GoValue): boolean {
  const sameKind = a instanceof GoList === b instanceof GoList && a instanceof GoMap === b instanceof GoMap;
  if (a !== null && b !== null && !sameKind) throw fail(`non-comparable types ${typeName(a)} and ${typeName(b)}`);
  if (isNil(a) || isNil(b)) return isNil(a) && isNil(b);
  if (a instanceof GoTime && b instanceof GoTime) return a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
  throw fail(`non-comparable type ${typeName(b)}`);
}

function isLess(a: GoValue, b: GoValue): boolean {
  const kind = kindOf(a);
  const other = kindOf(b);
  if (kind === 'none' || other === 'none') throw fail('invalid type for comparison');
  if (kind !== other) throw incompatible(a, b);
  if (kind === 'bool') throw fail('invalid type for comparison');
  if (kind === 'int') return (integerOf(a) ?? 0n) < (integerOf(b) ?? 0n);
  return (a as string) < (b as string);
}

const isAtMost = (a: GoValue, b: GoValue): boolean => isLess(a, b) || areEqual(a, b);

const pair = (compare: (a: GoValue, b: GoValue) => boolean) => fixed(['value', 'value'], compare);

const comparisonFunctions: FunctionTable = {
  eq: variadic(['value', 'value'], (first, others) => {
    if (others.length === 0) throw fail('missing argument for comparison');
    return others.some((other) => areEqual(first, other));
  }),
  ne: pair((a, b) => !areEqual(a, b)),
  lt: pair(isLess),
  le: pair(isAtMost),
  gt: pair((a, b) => !isAtMost(a, b)),
  ge: pair((a, b) => !isLess(a, b)),
};

const HTML: Record<string, string> = {
  '\0': '\xef\xbf\xbd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

const escapeHtml = (text: string): string => text.replace(/[\0"'&<>]/g, (char) => ownValue(HTML, char) ?? char);

const JS: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

const escapeJs = (text: string): string =>
  mapRunes(text, (rune, at, width) => {
    const bytes = text.slice(at, at + width);
    if (rune < 0x80) return ownValue(JS, bytes) ?? (rune < 32 ? `\\u00${upperHex(rune, 2)}` : bytes);
    return isPrintable(String.fromCodePoint(rune)) ? bytes : `\\u${upperHex(rune, 4)}`;
  });

const upperHex = (value: number, width: number): string => value.toString(16).toUpperCase().padStart(width, '0');

/** Escapes for a value in the query of a URL: a space becomes `+`. */
const escapeQuery = (text: string): string =>
  text.replace(/[^A-Za-z0-9\-_.~]/g, (char) => (char === ' ' ? '+' : `%${upperHex(char.charCodeAt(0), 2)}`));

/** Returns the item of a list, a text or a map at an index; a missing key returns the zero value. */
function itemAt(item: GoValue, index: GoValue): GoValue {
  if (item === null) throw fail('index of nil pointer');
  if (item instanceof GoMap) {
    if (index === null) throw fail('value is nil; should be of type string');
    if (typeof index !== 'string') throw fail(`value has type ${typeName(index)}; should be string`);
    return item.entries.get(index) ?? (item.element === 'string' ? '' : null);
  }
  if (typeof item === 'string') {
    return new GoInt(BigInt(item.charCodeAt(position(index, item.length))), 'uint8');
  }
  if (item instanceof GoList) return item.items[position(index, item.items.length)] ?? null;
  throw fail(`can't index item of type ${typeName(item)}`);
}

function position(index: GoValue, length: number): number {
  if (index === null) throw fail('cannot index slice/array with nil');
  const at = integerOf(index);
  if (at === undefined) throw fail(`cannot index slice/array with type ${typeName(index)}`);
  if (at < 0n || at > BigInt(length)) throw fail(`index out of range: ${at}`);
  if (at === BigInt(length)) throw fail('reflect: slice index out of range');
  return Number(at);
}

function lengthOf(item: GoValue): GoValue {
  if (typeof item === 'string') return int(item.length);
  if (item instanceof GoList) return int(item.items.length);
  if (item instanceof GoMap) return int(item.entries.size);
  throw fail(item === null ? 'len of nil pointer' : `len of type ${typeName(item)}`);
}

/** Returns the text of the arguments of `print`, `html` and the like. */
function printed(args: readonly GoValue[], meter: Meter): string {
  for (const arg of args) meter.spendBytes(sizeOf(arg));
  return sprint(args);
}

/** In `html`, `js` and `urlquery` a nil is printed as if it were alone. */
function escapable(args: readonly GoValue[], meter: Meter): string {
  const text = printed(
    args.map((arg) => arg ?? '<no value>'),
    meter,
  );
  meter.spendSteps(text.length);
  return text;
}

export const languageFunctions: FunctionTable = {
  // The caller evaluates these two.
  and: variadic(['value', 'value'], () => null),
  or: variadic(['value', 'value'], () => null),
  not: fixed(['value'], (value) => !isTrue(value)),
  call: variadic(['value', 'value'], (callee) => {
    throw fail(callee === null ? 'call of nil' : `non-function of type ${typeName(callee)}`);
  }),
  html: variadic(['any'], (args, meter) => escapeHtml(escapable(args, meter))),
  index: variadic(['value', 'value'], (item, indexes, meter) => {
    if (item === null) throw fail('index of untyped nil');
    meter.spendSteps(indexes.length);
    return indexes.reduce(itemAt, item);
  }),
  js: variadic(['any'], (args, meter) => escapeJs(escapable(args, meter))),
  len: fixed(['value'], lengthOf),
  print: variadic(['any'], printed),
  printf: variadic(['string', 'any'], (format, args, meter) => {
    for (const arg of args) meter.spendBytes(sizeOf(arg));
    meter.spendBytes(format.length);
    return sprintf(format, args, meter);
  }),
  println: variadic(['any'], (args, meter) => {
    for (const arg of args) meter.spendBytes(sizeOf(arg));
    return sprintln(args);
  }),
  urlquery: variadic(['any'], (args, meter) => escapeQuery(escapable(args, meter))),
  ...comparisonFunctions,
};
