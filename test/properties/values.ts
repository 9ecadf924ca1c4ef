import fc from 'fast-check';
import type { KubeObject } from '../../src/core/model/object.ts';
import { isMap, setKey, type Value, type ValueMap } from '../../src/core/model/value.ts';

/** Texts that some reader does not read as strings. */
const tricky = fc.constantFrom(
  ...['\n', '\n\n', ' ', '\t', ':', ': ', ' #', '#', '-', '- ', '---', '...', '"', "'", '\\', '{', '}', '[', ']', ','],
  ...['&', '*', '!', '|', '>', '%', '@', '`', '?', '? ', '=', '<<', '~', 'null', 'yes', 'n', 'True', 'off', '${a}'],
  ...['0', '0x1', '1e3', '1_0', '.5', '.inf', '1:30', '+', '_', '2024-01-01', 'T10:00:00Z', 'a', 'b c', 'é', '😀'],
  ...['\u0085', '\u2028', '\uFEFF', '\u0000', '\u001B', '\r', '\u00A0', '\uFFFE', '__proto__'],
);
/** Numbers of all versions of YAML, and similar texts. */
const numberLike = fc.string({ unit: fc.constantFrom(...'0123456789+-._:eExXobBTZaf, '), minLength: 1, maxLength: 8 });
const word = fc.constantFrom(
  ...['y', 'Y', 'yes', 'NO', 'On', 'oFF', 'tRue', 'FALSE', 'Null', 'NULL', '~', '.NaN', '-.INF', '+.inf', '=', '<<'],
  ...['0o7', '0b1', '-0x1F', '1__0', '1.e+3', '190:20:30', '685.230_15e+03', '2001-12-14t21:59:43.10-05:00', ''],
);
const line = fc.string({ unit: fc.constantFrom('a', ' ', ' ', '\t', '-', ':', '#', '---', '...', '"'), maxLength: 6 });
const lines = fc.array(line, { minLength: 2, maxLength: 6 }).map((texts) => texts.join('\n'));

/** Texts to write and read back: known sources of errors. */
export const strings: fc.Arbitrary<string> = fc.oneof(
  fc.array(tricky, { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  numberLike,
  word,
  lines,
);
const long = fc.integer({ min: 900, max: 1200 }).map((length) => 'long '.repeat(length / 5));

/** Floats with a fraction, or too large for an integer: a whole one is read back as an integer. */
const floats = fc
  .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1e21, 1.5e300, 5e-324, 1e-7, 0.1, -2.5))
  .filter((value) => !Number.isInteger(value) || Math.abs(value) >= 1e21);
const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

const scalars = fc.oneof(
  { weight: 6, arbitrary: strings },
  { weight: 1, arbitrary: fc.constantFrom<Value>(null, true, false) },
  { weight: 1, arbitrary: integers },
  { weight: 1, arbitrary: floats },
);

export const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.oneof({ weight: 20, arbitrary: strings }, long), tie('value')), { maxLength: 4 }).map(mapOf),
  ),
})).value;

function mapOf(entries: readonly [string, Value][]): ValueMap {
  const map: ValueMap = {};
  for (const [key, value] of entries) setKey(map, key, value);
  return map;
}

export const objectWith = (value: Value): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', value });

/**
 * Returns a value as a reader with one kind of number reads it; maps as lists of entries, so that `__proto__` is
 * visible.
 */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return { map: [...value].map(([key, item]) => [key, plain(item)]) };
  if (!isMap(value)) return value;
  return { map: Object.keys(value).map((key) => [key, plain(value[key])]) };
}
