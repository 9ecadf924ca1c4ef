import { isMap, type Path, type Value } from '../../core/model/value.ts';
import { countUpTo } from '../../core/text/ascending.ts';
import { generalFloat, jsonFloat } from '../../core/text/float.ts';
import { type Emitted, Emitter, type Mark } from './emitter.ts';
import { compareNaturally } from './natural-order.ts';

/**
 * Returns a value as sigs.k8s.io/yaml writes it: the text of an entry of a ResourceSet before it is parsed as a
 * template, and the result of `toYaml`. Keys are sorted, lists not indented, long lines folded, and ambiguous strings
 * quoted.
 */
export const canonicalYaml = (value: Value): string => new Emitter().document(emitted(value));

/**
 * Returns the same as the text of a template: lines are not folded where that could break a string inside an action.
 */
export const templateYaml = (value: Value): string => new Emitter(true).document(emitted(value));

/** A position in a value: `offset` counts UTF-16 units of the string. */
export interface Place {
  path: Path;
  offset?: number;
}

/** Returns the source of a character in the canonical text of a value. */
export const canonicalSource = (value: Value, at: number): Place => canonicalSources(value)(at);

/** Returns the sources of any number of characters. */
export function canonicalSources(value: Value): (at: number) => Place {
  const marks: Mark[] = [];
  new Emitter(true, marks).document(emitted(value));
  return (at) => {
    const mark = marks[countUpTo(at, marks.length, (index) => (marks[index] as Mark).at) - 1];
    if (mark === undefined) return { path: [] };
    return mark.offset === undefined ? { path: mark.path } : { path: mark.path, offset: mark.offset };
  };
}

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

/** A float is converted through JSON, where a whole one becomes an integer, and is then written as Go writes floats. */
function numberText(value: number): string {
  const json = jsonFloat(value);
  if (!/^-?[0-9]+$/.test(json)) return generalFloat(value);
  const whole = BigInt(json);
  return whole < MAX_UINT64 && whole >= -(MAX_UINT64 / 2n) ? String(whole) : generalFloat(value);
}
