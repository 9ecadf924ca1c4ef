import { decodeBase64, encodeBase64, isFault } from '../../../core/encoding/base64.ts';
import { generalFloat, jsonFloat } from '../../../core/text/float.ts';
import { goJsonString } from '../../../core/text/go-text.ts';
import { fn, type Library } from '../library.ts';
import { secondsText, zonedText } from '../std/times.ts';
import { BYTES, DYN, STRING } from '../types.ts';
import { characterWork, compareText, fixedWork, mapEntries, writtenSize } from '../value/order.ts';
import {
  type CelKey,
  type CelValue,
  Duration,
  type EvaluationError,
  failure,
  isList,
  isMapValue,
  kindOf,
  Optional,
  Timestamp,
  Uint,
} from '../value/values.ts';

// JSON text exactly as Go's encoding/json writes it: sorted keys, HTML characters escaped, Go's floats.

/** How values without a JSON form are written. */
export interface JsonStyle {
  /** Returns the replacement of a value; `undefined` keeps it. Throws to reject it. */
  scalar(value: CelValue): CelValue | undefined;
  /** Returns the text of a map key. Throws to reject it. */
  key(key: CelKey): string;
  unsupported(value: CelValue): EvaluationError;
}

/** An escape takes up to six characters for one. */
export const jsonSize = (value: CelValue): number => writtenSize(value) * 6;

export function writeJson(value: CelValue, style: JsonStyle): string {
  const replaced = style.scalar(value);
  const scalar = replaced === undefined ? value : replaced;
  if (scalar === null || typeof scalar === 'boolean' || typeof scalar === 'bigint') return `${scalar}`;
  if (typeof scalar === 'string') return goJsonString(scalar);
  if (typeof scalar === 'number') return jsonFloat(scalar);
  if (scalar instanceof Uint) return `${scalar.value}`;
  if (scalar instanceof Uint8Array) return `"${encodeBase64(scalar)}"`;
  if (scalar instanceof Optional) return scalar.value === undefined ? 'null' : writeJson(scalar.value, style);
  if (isList(scalar)) return `[${scalar.map((item) => writeJson(item, style)).join(',')}]`;
  if (!isMapValue(scalar)) throw style.unsupported(scalar);
  const entries = mapEntries(scalar).map(([key, item]) => [style.key(key), item] as const);
  entries.sort(([a], [b]) => compareText(a, b));
  return `{${entries.map(([key, item]) => `${goJsonString(key)}:${writeJson(item, style)}`).join(',')}}`;
}

// cel-go ext.Encoders (https://pkg.go.dev/github.com/google/cel-go/ext#Encoders).

/** Padding may be missing, but must be valid otherwise. */
function decode(text: string): Uint8Array {
  const padded = decodeBase64(text);
  if (!isFault(padded)) return padded;
  const bare = decodeBase64(text, 'none');
  if (isFault(bare)) throw failure(`illegal base64 data at input byte ${bare.offset}`);
  return bare;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const MIN_SAFE = -MAX_SAFE;

/** Integers that a double cannot represent become strings. */
function safeInteger(value: bigint): number | string {
  return value >= MIN_SAFE && value <= MAX_SAFE ? Number(value) : value.toString();
}

/** The JSON format of protobuf for `json.encode`: all numbers are doubles, map keys are strings. */
const PROTO: JsonStyle = {
  scalar(value) {
    if (typeof value === 'bigint') return safeInteger(value);
    if (value instanceof Uint) return safeInteger(value.value);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw failure(`proto: google.protobuf.Value.number_value: invalid ${generalFloat(value)} value`);
    }
    if (value instanceof Duration) return secondsText(value.nanos);
    if (value instanceof Timestamp) return zonedText(value);
    if (value instanceof Optional && value.value === undefined) throw failure('optional.none() dereference');
    return undefined;
  },
  key(key: CelKey) {
    if (typeof key === 'string') return key;
    throw failure(`type conversion error from ${kindOf(key)} to 'string'`);
  },
  unsupported: (value: CelValue) => failure(`cannot convert ${kindOf(value)} to JSON value`),
};

const codeWork = (coded: { readonly length: number }): number => 10 + characterWork(coded);

export const encoders: Library = [
  fn('base64.decode', [STRING], BYTES, decode, { size: (text) => (text.length / 4) * 3, work: codeWork }),
  fn('base64.encode', [BYTES], STRING, encodeBase64, {
    size: (bytes) => (bytes.length / 3) * 4 + 4,
    work: codeWork,
  }),
  fn('json.encode', [DYN], STRING, (value) => writeJson(value, PROTO), {
    size: jsonSize,
    work: fixedWork(30),
  }),
];
