/** kro's JSON functions (pkg/cel/library/json.go): Go's encoding/json over the plain form of a CEL value. */

import { GO } from '../../../../core/encoding/go-json.ts';
import { JsonError, parseJson } from '../../../../core/encoding/json.ts';
import { generalFloat } from '../../../../core/text/float.ts';
import { durationText } from '../../../../core/text/go-text.ts';
import { fn, type Library } from '../../library.ts';
import { timestampText, ZERO_TIME } from '../../std/time-text.ts';
import { storedForm } from '../../stored.ts';
import { DYN, STRING } from '../../types.ts';
import { isMapValue, keyKind, kindOf } from '../../value/kind.ts';
import { characterWork, fixedWork } from '../../value/size.ts';
import { type CelKey, type CelValue, Duration, failure, Timestamp } from '../../value/values.ts';
import { type JsonStyle, jsonSize, writeJson } from '../ext/encoders.ts';

const unsupported = (why: string): Error => failure(`json.marshal failed to convert value: ${why}`);

/** Timestamps and durations print as Kubernetes' Time and Duration do. */
const KUBERNETES: JsonStyle = {
  scalar(value) {
    if (value instanceof Duration) return durationText(value.nanos);
    if (value instanceof Timestamp) return value.nanos === ZERO_TIME ? null : timestampText(value.nanos, 'seconds');
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw failure(`json.marshal failed to encode value: json: unsupported value: ${generalFloat(value)}`);
    }
    // Maps and objects that were read are written in their stored form.
    const form = isMapValue(value) ? storedForm(value) : value;
    return form === value ? undefined : form;
  },
  key(key: CelKey) {
    if (typeof key !== 'string') throw unsupported(`map key must be string, got ${keyKind(key)}`);
    return key;
  },
  unsupported: (value: CelValue) => unsupported(`unsupported type: ${kindOf(value)}`),
};

function unmarshal(text: string): CelValue {
  try {
    return parseJson(text, GO) as CelValue;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw failure(`json.unmarshal failed to parse JSON: ${error.message}`);
  }
}

export const json: Library = {
  name: 'kro JSON',
  overloads: [
    fn('json.marshal', [DYN], STRING, (value) => writeJson(value, KUBERNETES), {
      size: jsonSize,
      work: fixedWork(30),
    }),
    fn('json.unmarshal', [STRING], DYN, unmarshal, {
      size: (text) => text.length,
      work: (text) => 15 + characterWork(text),
    }),
  ],
};
