import {
  type CelValue,
  EvaluationError,
  isMapValue,
  mapEntries,
  Optional,
  outcomeOf,
} from '../../src/languages/cel/index.ts';
import { isList, kindOf, readable, Uint } from '../../src/languages/cel/value/values.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function bitsOf(value: number): string {
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  return hex(bits);
}

/** Writes a value as `judge partial` does, with the types of its parts; undefined if a part of it is an error. */
export function canonicalText(value: CelValue): string | undefined {
  const text = outcomeOf(() => textOf(value));
  return text instanceof EvaluationError ? undefined : text;
}

function textOf(value: CelValue): string {
  readable(value);
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return `i${value}`;
  if (typeof value === 'number') return `d${bitsOf(value)}`;
  if (typeof value === 'string') return `s${hex(Buffer.from(value))}`;
  if (value instanceof Uint) return `u${value.value}`;
  if (value instanceof Uint8Array) return `b${hex(value)}`;
  if (value instanceof Optional) return value.value === undefined ? 'o()' : `o(${textOf(value.value)})`;
  if (isList(value)) return `[${value.map(textOf).join(',')}]`;
  if (!isMapValue(value)) return `t${kindOf(value)}`;
  const entries = mapEntries(value).map(([key, item]) => `${textOf(key)}:${textOf(item)}`);
  return `{${entries.sort().join(',')}}`;
}
