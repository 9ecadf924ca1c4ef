import { sprint, sprintf, sprintln } from '../format/printf.ts';
import type { Meter } from '../meter.ts';
import { sizeOf } from '../values/size.ts';
import { GoInt, GoList, GoMap, type GoValue, int, integerOf, isTrue, typeName } from '../values/values.ts';
import { comparisonFunctions } from './comparison.ts';
import { type FunctionTable, fail, fixed, variadic } from './define.ts';
import { escapeHtml, escapeJs, escapeQuery } from './escape.ts';

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
  meter.spendCharacters(text.length);
  return text;
}

export const languageFunctions: FunctionTable = [
  // The caller evaluates these two.
  ['and', variadic(['value', 'value'], () => null)],
  ['or', variadic(['value', 'value'], () => null)],
  ['not', fixed(['value'], ([value]) => !isTrue(value))],
  [
    'call',
    variadic(['value', 'value'], ([callee]) => {
      throw fail(callee === null ? 'call of nil' : `non-function of type ${typeName(callee)}`);
    }),
  ],
  ['html', variadic(['any'], (args, meter) => escapeHtml(escapable(args, meter)))],
  [
    'index',
    variadic(['value', 'value'], ([item, ...indexes], meter) => {
      if (item === null) throw fail('index of untyped nil');
      meter.spendSteps(indexes.length);
      return indexes.reduce(itemAt, item);
    }),
  ],
  ['js', variadic(['any'], (args, meter) => escapeJs(escapable(args, meter)))],
  ['len', fixed(['value'], ([item]) => lengthOf(item))],
  ['print', variadic(['any'], printed)],
  [
    'printf',
    variadic(['string', 'any'], ([format, ...args], meter) => {
      for (const arg of args) meter.spendBytes(sizeOf(arg));
      meter.spendBytes(format.length);
      return sprintf(format, args, meter);
    }),
  ],
  [
    'println',
    variadic(['any'], (args, meter) => {
      for (const arg of args) meter.spendBytes(sizeOf(arg));
      return sprintln(args);
    }),
  ],
  ['urlquery', variadic(['any'], (args, meter) => escapeQuery(escapable(args, meter)))],
  ...comparisonFunctions,
];
