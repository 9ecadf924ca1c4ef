import { isMap, type Path, type Value } from '../../core/model/value.ts';
import { generalFloat, jsonFloat } from '../../core/text/float.ts';
import { MAX_UINT64, MIN_INT64 } from '../../core/text/go-numbers.ts';
import { countUpTo } from '../../core/text/line-index.ts';
import { type CharacterSource, type Emitted, Emitter } from './emitter.ts';

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/**
 * Compares keys as go-yaml sorts them (https://github.com/go-yaml/yaml/blob/v2/sorter.go): `a2` before `a10`, letters
 * after everything else. The order is not transitive for every set of keys; a stable sort decides then.
 */
function compareNaturally(a: string, b: string): number {
  return isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0;
}

function isBefore(a: string, b: string): boolean {
  const [left, right] = [[...a], [...b]];
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const [l, r] = [left[at] as string, right[at] as string];
    if (l === r) continue;
    const letters = [LETTER.test(l), LETTER.test(r)];
    if (letters[0] && letters[1]) return codeOf(l) < codeOf(r);
    if (letters[0] || letters[1]) return letters[1] === true;
    return isNumberBefore(left, right, at);
  }
  return left.length < right.length;
}

/** Compares the digits at a position as numbers. */
function isNumberBefore(left: readonly string[], right: readonly string[], at: number): boolean {
  const start = left[at] === '0' || right[at] === '0' ? leadingNumber(left, at) : 0n;
  const a = numberAt(left, at, start);
  const b = numberAt(right, at, start);
  if (a.value !== b.value) return a.value < b.value;
  if (a.end !== b.end) return a.end < b.end;
  return codeOf(left[at] as string) < codeOf(right[at] as string);
}

/** Zeros count as digits if other digits precede them. */
function leadingNumber(chars: readonly string[], at: number): bigint {
  for (let i = at - 1; i >= 0 && DIGIT.test(chars[i] as string); i--) if (chars[i] !== '0') return 1n;
  return 0n;
}

function numberAt(chars: readonly string[], at: number, start: bigint): { value: bigint; end: number } {
  let value = start;
  let end = at;
  for (; end < chars.length && DIGIT.test(chars[end] as string); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(chars[end] as string) - 48));
  }
  return { value, end };
}

const codeOf = (char: string): number => char.codePointAt(0) ?? 0;

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
interface FieldPosition {
  path: Path;
  offset?: number;
}

/** Returns the source of a character in the canonical text of a value. */
export const canonicalSource = (value: Value, at: number): FieldPosition => canonicalSources(value)(at);

/** Returns the sources of any number of characters. */
export function canonicalSources(value: Value): (at: number) => FieldPosition {
  const marks: CharacterSource[] = [];
  new Emitter(true, marks).document(emitted(value));
  return (at) => {
    const mark = marks[countUpTo(at, marks.length, (index) => (marks[index] as CharacterSource).at) - 1];
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

/** A float is converted through JSON, where a whole one becomes an integer, and is then written as Go writes floats. */
function numberText(value: number): string {
  const json = jsonFloat(value);
  if (!/^-?[0-9]+$/.test(json)) return generalFloat(value);
  const whole = BigInt(json);
  return whole <= MAX_UINT64 && whole >= MIN_INT64 ? String(whole) : generalFloat(value);
}
