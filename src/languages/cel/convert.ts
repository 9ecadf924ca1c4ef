import { encodeBase64 } from '../../core/encoding/base64.ts';
import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { isInt64 } from '../../core/text/go-numbers.ts';
import { durationText } from '../../core/text/go-text.ts';
import { type Budget, spendWritten, writableIn } from './budget.ts';
import { isOmitted } from './library/kro.ts';
import { timestampText, ZERO_TIME } from './std/times.ts';
import { storedForm } from './stored.ts';
import { type CelType, DYN, partType } from './types.ts';
import { mapEntries } from './value/order.ts';
import {
  CelMap,
  type CelRecord,
  type CelValue,
  Duration,
  failure,
  isRecord,
  kindOf,
  Optional,
  overBudget,
  Timestamp,
  Uint,
  Unreadable,
} from './value/values.ts';

/** The maximum size of one written result; repeated parts count each time. */
const MAX_WRITTEN = 50_000_000;

/** The cost of a part besides its own characters: a YAML line has a key or a dash, and an indentation. */
const PART = 16;

interface Conversion {
  left: number;
  indent: number;
  onBytes: (() => void) | undefined;
}

/**
 * Converts a result to JSON for an object (kro: pkg/cel/conversion): durations and timestamps as strings, an empty
 * optional as null, bytes as base64 if the field expects bytes. Lists and maps without such parts are shared. The size
 * of the written result counts against `budget`. `onBytes` is called for bytes that are written.
 * @throws EvaluationError (failure) for a value that an object cannot contain
 */
export function toJson(value: CelValue, expected: CelType = DYN, budget?: Budget, onBytes?: () => void): Value {
  if (budget === undefined) return convert({ left: MAX_WRITTEN, indent: 0, onBytes }, value, expected);
  const limit = Math.min(MAX_WRITTEN, writableIn(budget));
  const conversion = { left: limit, indent: 0, onBytes };
  const json = convert(conversion, value, expected);
  spendWritten(budget, limit - conversion.left);
  return json;
}

function convert(c: Conversion, value: CelValue, expected: CelType): Value {
  c.left -= PART + c.indent + (typeof value === 'string' ? value.length : 0);
  if (c.left < 0) throw overBudget('the result is too large to be written out');
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'string')
    return value;
  if (typeof value === 'number') return finite(value);
  if (Array.isArray(value)) return convertList(c, value, expected.kind === 'list' ? expected.element : DYN);
  // Maps and objects that were read are written in their stored form.
  if (isRecord(value)) return convertRecord(c, storedForm(value) as CelRecord, expected);
  // The first of its keys is not a string, because those come last.
  if (value instanceof CelMap) throw failure(`map key must be string, got ${kindOf(mapEntries(value)[0]?.[0] ?? '')}`);
  if (value instanceof Optional)
    return value.value === undefined
      ? null
      : convert(c, value.value, expected.kind === 'optional' ? expected.value : expected);
  if (value instanceof Uint) return uint(value.value);
  // Its field is left out by the template.
  if (isOmitted(value)) return null;
  if (value instanceof Uint8Array) return bytes(c, value, expected);
  if (value instanceof Duration) return durationText(value.nanos);
  // metav1.Time: whole seconds in UTC, and null for its zero.
  if (value instanceof Timestamp) return value.nanos === ZERO_TIME ? null : timestampText(value.nanos, 'seconds');
  if (value instanceof Unreadable) throw value.reason.again();
  throw failure(`unsupported type: ${kindOf(value)}`);
}

/** An API server stores a negative zero as the integer 0. */
function finite(value: number): number {
  if (value === 0) return 0;
  if (Number.isFinite(value)) return value;
  throw failure(`unsupported type: ${value} has no place in an object`);
}

function uint(value: bigint): bigint {
  if (isInt64(value)) return value;
  throw failure(`unsupported type: uint value ${value} overflows int64; convert it explicitly, e.g. string(...)`);
}

function bytes({ onBytes }: Conversion, value: Uint8Array, expected: CelType): string {
  if (expected.kind === 'bytes') {
    onBytes?.();
    return encodeBase64(value);
  }
  throw failure('unsupported type: bytes value cannot be used directly; encode it explicitly, e.g. base64.encode(...)');
}

function convertList(c: Conversion, list: readonly CelValue[], element: CelType): Value {
  c.indent += 2;
  // Unchanged parts are shared, because values are immutable.
  let converted: Value[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const item = list[at] as CelValue;
    if (isOmitted(item)) {
      converted ??= list.slice(0, at) as Value[];
      continue;
    }
    const json = convert(c, item, element);
    if (!Object.is(json, item)) converted ??= list.slice(0, at) as Value[];
    converted?.push(json);
  }
  c.indent -= 2;
  return converted ?? (list as Value[]);
}

function convertRecord(c: Conversion, record: CelRecord, expected: CelType): Value {
  const keys = Object.keys(record);
  let converted: ValueMap | undefined;
  c.indent += 2;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string;
    const value = record[key] as CelValue;
    if (isOmitted(value)) {
      converted ??= Object.fromEntries(Object.entries(record).slice(0, at)) as ValueMap;
      continue;
    }
    c.left -= key.length;
    const json = convert(c, value, expected.kind === 'list' ? DYN : partType(expected, key));
    // The entries before the first changed one.
    if (!Object.is(json, value)) converted ??= Object.fromEntries(Object.entries(record).slice(0, at)) as ValueMap;
    if (converted !== undefined) setKey(converted, key, json);
  }
  c.indent -= 2;
  return converted ?? (record as ValueMap);
}
