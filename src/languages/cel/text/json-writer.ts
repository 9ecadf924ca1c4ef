/** Writes JSON text exactly as Go's encoding/json does: sorted keys, HTML characters escaped, Go's floats. */
import { encodeBase64 } from '../../../core/encoding/base64.ts';
import { jsonFloat } from '../../../core/text/float.ts';
import { goJsonString } from '../../../core/text/go-text.ts';
import { isList, isMapValue } from '../value/kind.ts';
import { mapEntries } from '../value/maps.ts';
import { compareText } from '../value/order.ts';
import { writtenSize } from '../value/size.ts';
import { type CelKey, type CelValue, Optional, Uint } from '../value/values.ts';

/** How values without a JSON form are written. */
export interface JsonStyle {
  /** Returns the replacement of a value; `undefined` keeps it. Throws to reject it. */
  scalar(value: CelValue): CelValue | undefined;
  /** Returns the text of a map key. Throws to reject it. */
  key(key: CelKey): string;
  unsupported(value: CelValue): Error;
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
