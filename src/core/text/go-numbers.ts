/** Parses numbers as Go's strconv does. */

/** The digits of each base, and the prefix of BigInt. */
const BASES = {
  2: { digits: /^[01]+$/, prefix: '0b' },
  8: { digits: /^[0-7]+$/, prefix: '0o' },
  10: { digits: /^[0-9]+$/, prefix: '' },
  16: { digits: /^[0-9a-fA-F]+$/, prefix: '0x' },
};
type Base = keyof typeof BASES;
const RADIX = new Map<string, Base>([
  ['0x', 16],
  ['0b', 2],
  ['0o', 8],
  ['0', 8],
]);
/** With base 0, a single `_` is allowed between digits and after the prefix. */
const UNDERSCORES = /^[+-]?(?:0[bBoOxX]_?|0_?)?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*$/;

/** Parses an integer of any size; base 0 supports prefixes and underscores. */
export function parseIntText(text: string, base: 0 | Base): bigint | undefined {
  let digits = /^[+-]/.test(text) ? text.slice(1) : text;
  let radix: Base = base === 0 ? 10 : base;
  if (base === 0) {
    if (digits.includes('_') && !UNDERSCORES.test(digits)) return undefined;
    const [prefix = ''] = /^0[bBoOxX]|^0(?=.)/.exec(digits) ?? [];
    radix = RADIX.get(prefix.toLowerCase()) ?? 10;
    digits = digits.slice(prefix.length).replaceAll('_', '');
  }
  if (!BASES[radix].digits.test(digits)) return undefined;
  const value = BigInt(BASES[radix].prefix + digits);
  return text.startsWith('-') ? -value : value;
}

export const MAX_INT64 = 2n ** 63n - 1n;
export const MIN_INT64 = -(2n ** 63n);
export const MAX_UINT64 = 2n ** 64n - 1n;

export const isInt64 = (value: bigint): boolean => value >= MIN_INT64 && value <= MAX_INT64;

/** Parses an int64, `undefined` if it is invalid or too large. Converting very long numbers would take long. */
export function parseInt64(text: string, base: 0 | Base = 10): bigint | undefined {
  const value = base === 10 && !/^[+-]?0*[0-9]{1,20}$/.test(text) ? undefined : parseIntText(text, base);
  return value !== undefined && isInt64(value) ? value : undefined;
}

export function parseBool(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : undefined;
}

/** Returns what Go's ParseInt returns besides an error: the nearest int64 if it is too large, 0 if it is invalid. */
export function clampedInt64(text: string, base: 8 | 10 = 10): bigint {
  const [digits = ''] = (base === 8 ? /^[+-]?[0-7]+/ : /^[+-]?[0-9]+/).exec(text) ?? [];
  const read = parseIntText(digits, base) ?? 0n;
  const isTooLarge = read > MAX_UINT64 || read < -MAX_UINT64;
  const value = digits.length === text.length || isTooLarge ? read : 0n;
  return value > MAX_INT64 ? MAX_INT64 : value < MIN_INT64 ? MIN_INT64 : value;
}

export const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)$/;
const SPECIAL = /^([+-]?)(?:(inf|infinity)|nan)$/i;

/** Parses a float64 as Go's ParseFloat does; infinite if it is too large. A single `_` is allowed between digits. */
export function parseFloatText(text: string): number | undefined {
  const special = SPECIAL.exec(text);
  if (special !== null) {
    if (special[2] === undefined) return special[1] === '' ? Number.NaN : undefined;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  const isHexadecimal = /^[+-]?0[xX]/.test(text);
  const plain = withoutUnderscores(text, isHexadecimal ? LONE_OF_HEXADECIMAL : LONE);
  if (!isHexadecimal) return DECIMAL.test(plain) ? Number(plain) : undefined;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = HEXADECIMAL.exec(plain) ?? [];
  if (whole + fraction === '') return undefined;
  const value = scaled(BigInt(`0x${whole}${fraction}`), Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

/** An underscore that is not between two digits, or between the prefix and one. */
const LONE = /(?<![0-9])_|_(?![0-9])/;
const LONE_OF_HEXADECIMAL = /(?<!^[+-]?0[xX]|[0-9a-fA-F])_|_(?![0-9a-fA-F])/;
const withoutUnderscores = (text: string, lone: RegExp): string => (lone.test(text) ? '' : text.replaceAll('_', ''));

/** `mantissa * 2 ** exponent`, rounded once: to even, and to the remaining bits of a subnormal number. */
function scaled(mantissa: bigint, exponent: number): number {
  const bits = mantissa.toString(2).length;
  const precision = Math.min(53, bits + exponent + 1074);
  if (mantissa === 0n || precision < 0) return 0;
  const dropped = bits - precision;
  if (dropped <= 0) return Number(mantissa) * 2 ** exponent;
  const one = 1n << BigInt(dropped);
  const half = 1n << BigInt(dropped - 1);
  const whole = mantissa / one;
  const rest = mantissa % one;
  const up = rest > half || (rest === half && whole % 2n === 1n);
  return Number(up ? whole + 1n : whole) * 2 ** (exponent + dropped);
}
