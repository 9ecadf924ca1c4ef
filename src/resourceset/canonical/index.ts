import { isMap, type Value } from '../../model/value.ts';
import { generalFloat, jsonFloat } from '../../text/float.ts';
import { type Emitted, Emitter } from './emitter.ts';
import { compareNaturally } from './natural-order.ts';

/**
 * A value as sigs.k8s.io/yaml writes it: the text that the entries of a ResourceSet become before they are templates, and
 * what `toYaml` gives. Keys are sorted, lists not indented, long lines folded, and what looks like no string is quoted.
 */
export const canonicalYaml = (value: Value): string => new Emitter().document(emitted(value));

function emitted(value: Value): Emitted {
  if (typeof value === 'string') return { type: 'string', text: value };
  if (Array.isArray(value)) return { type: 'list', items: value.map(emitted) };
  if (isMap(value)) {
    const keys = Object.keys(value).sort(compareNaturally);
    return { type: 'map', entries: keys.map((key) => [key, emitted(value[key] ?? null)]) };
  }
  return { type: 'plain', text: typeof value === 'number' ? numberText(value) : String(value) };
}

const MAX_UINT64 = 2n ** 64n;

/** A float goes through JSON, where a whole one becomes an integer, and is then written as Go writes floats. */
function numberText(value: number): string {
  const json = jsonFloat(value);
  if (!/^-?[0-9]+$/.test(json)) return generalFloat(value);
  const whole = BigInt(json);
  return whole < MAX_UINT64 && whole >= -(MAX_UINT64 / 2n) ? String(whole) : generalFloat(value);
}
