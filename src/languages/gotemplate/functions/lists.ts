import type { Meter } from '../meter.ts';
import {
  compareBytes,
  deepEqual,
  GoList,
  type GoValue,
  kindName,
  list,
  nilList,
  sizeOf,
  strings,
} from '../values/values.ts';
import { both, countedText, type FunctionTable, fail, fixed, isEmpty, toInt64, toTexts, variadic } from './define.ts';

function itemsOf(value: GoValue, what: string): GoValue[] {
  if (value instanceof GoList) return value.items;
  if (value === null) throw fail('runtime error: invalid memory address or nil pointer dereference');
  throw fail(`${what} ${kindName(value)}`);
}

/** Defines a function of a list and other arguments, which counts its items. */
function ofList(what: string, call: (items: GoValue[], meter: Meter) => GoValue) {
  return fixed(['any'], (value, meter) => {
    const items = itemsOf(value, what);
    meter.spendItems(items.length);
    return call(items, meter);
  });
}

function counted(items: GoValue[], meter: Meter): GoValue[] {
  meter.spendItems(items.length + 1);
  return items;
}

const push = fixed(['any', 'any'], (value, item, meter) =>
  list([...counted(itemsOf(value, 'Cannot push on type'), meter), item]),
);
const prepend = fixed(['any', 'any'], (value, item, meter) =>
  list([item, ...counted(itemsOf(value, 'Cannot prepend on type'), meter)]),
);

/** Counts the comparisons of every item with every other. */
function isAmong(haystack: readonly GoValue[], needle: GoValue, meter: Meter): boolean {
  meter.spendSteps(haystack.length / 8);
  return haystack.some((item) => deepEqual(needle, item, meter));
}

function uniq(items: GoValue[], meter: Meter): GoValue {
  const seen: GoValue[] = [];
  for (const item of items) if (!isAmong(seen, item, meter)) seen.push(item);
  return list(seen);
}

function has(needle: GoValue, haystack: GoValue, meter: Meter): boolean {
  return haystack !== null && isAmong(itemsOf(haystack, 'Cannot find has on type'), needle, meter);
}

function slice(value: GoValue, indexes: readonly GoValue[], meter: Meter): GoValue {
  const items = counted(itemsOf(value, 'list should be type of slice or array but'), meter);
  if (items.length === 0) return null;
  const start = indexes.length > 0 ? toInt64(indexes[0] ?? null) : 0n;
  const end = indexes.length > 1 ? toInt64(indexes[1] ?? null) : BigInt(items.length);
  if (start < 0n || end < start || end > BigInt(items.length))
    throw fail('reflect.Value.Slice: slice index out of bounds');
  return new GoList(items.slice(Number(start), Number(end)), (value as GoList).element);
}

function chunk(size: bigint, value: GoValue, meter: Meter): GoValue {
  const items = counted(itemsOf(value, 'Cannot chunk type'), meter);
  const step = Number(size);
  // Go computes the number of chunks with floats, even for an invalid size.
  const count = Math.floor((items.length - 1) / step) + 1;
  const lastLength = items.length % step === 0 ? step : items.length % step;
  if (!(count >= 0) || count === Number.POSITIVE_INFINITY || (count > 0 && lastLength < 0)) {
    throw fail('runtime error: makeslice: len out of range');
  }
  meter.spendItems(4 * count);
  const chunks = Array.from({ length: count }, (_, index) => chunkAt(items, index * step, step));
  return new GoList(chunks, '[]interface {}');
}

/** Go's `items[start : start+step]`, cut off at the end of the list. */
const chunkAt = (items: readonly GoValue[], start: number, step: number): GoValue =>
  list(items.slice(start, start + Math.abs(step)));

/** Sorts by bytes; a list of strings is sorted in place. */
function sortAlpha(value: GoValue, meter: Meter): GoValue {
  if (!(value instanceof GoList)) return strings([countedText(value, meter)]);
  meter.spendBytes(sizeOf(value));
  meter.spendItems(value.items.length);
  meter.spendSteps(value.items.length);
  const sorted = toTexts(value).sort(compareBytes);
  if (value.element !== 'string') return strings(sorted);
  for (const [index, item] of sorted.entries()) value.items[index] = item;
  return value;
}

function concat(lists: readonly GoValue[], meter: Meter): GoValue {
  const all = lists.flatMap((one) => counted(itemsOf(one, 'Cannot concat type'), meter));
  return all.length === 0 ? nilList() : list(all);
}

const restOf = (items: GoValue[]): GoValue => (items.length === 0 ? nilList() : list(items.slice(1)));
const initialOf = (items: GoValue[]): GoValue => (items.length === 0 ? nilList() : list(items.slice(0, -1)));
const create = variadic(['any'], (items, meter) => list([...counted(items as GoValue[], meter)]));

export const listFunctions: FunctionTable = {
  list: create,
  tuple: create,
  ...both({
    append: push,
    push,
    prepend,
    first: ofList('Cannot find first on type', (items) => items[0] ?? null),
    last: ofList('Cannot find last on type', (items) => items.at(-1) ?? null),
    rest: ofList('Cannot find rest on type', restOf),
    initial: ofList('Cannot find initial on type', initialOf),
    reverse: ofList('Cannot find reverse on type', (items) => list(items.toReversed())),
    uniq: ofList('Cannot find uniq on type', uniq),
    compact: ofList('Cannot compact on type', (items) => list(items.filter((item) => !isEmpty(item)))),
    without: variadic(['any', 'any'], (value, omit, meter) =>
      list(counted(itemsOf(value, 'Cannot find without on type'), meter).filter((item) => !isAmong(omit, item, meter))),
    ),
    has: fixed(['any', 'any'], has),
    slice: variadic(['any', 'any'], slice),
    chunk: fixed(['int', 'any'], (size, value, meter) => chunk(size.value, value, meter)),
  }),
  concat: variadic(['any'], concat),
  sortAlpha: fixed(['any'], sortAlpha),
};
