/** cel-go ext.Encoders (https://pkg.go.dev/github.com/google/cel-go/ext#Encoders). */
import { decodeBase64, encodeBase64, isFault } from '../../../../core/encoding/base64.ts';
import { generalFloat } from '../../../../core/text/float.ts';
import { fn, type Library } from '../../library.ts';
import { zonedText } from '../../std/time-text.ts';
import { type JsonStyle, jsonSize, writeJson } from '../../text/json-writer.ts';
import { secondsText } from '../../text/time.ts';
import { BYTES, DYN, STRING } from '../../types.ts';
import { kindOf } from '../../value/kind.ts';
import { characterWork, fixedWork } from '../../value/size.ts';
import { type CelKey, type CelValue, Duration, failure, Optional, Timestamp, Uint } from '../../value/values.ts';

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

export const encoders: Library = {
  name: 'cel-go ext.Encoders',
  overloads: [
    fn('base64.decode', [STRING], BYTES, decode, { size: (text) => (text.length / 4) * 3, work: codeWork }),
    fn('base64.encode', [BYTES], STRING, encodeBase64, {
      size: (bytes) => (bytes.length / 3) * 4 + 4,
      work: codeWork,
    }),
    fn('json.encode', [DYN], STRING, (value) => writeJson(value, PROTO), {
      size: jsonSize,
      work: fixedWork(30),
    }),
  ],
};
