import { runeBytes } from '../bytes.ts';
import { isPrintable } from '../syntax/characters.ts';
import type { Flags } from './flags.ts';
import { formatFloat, hexFloat } from './floats.ts';
import { pad } from './pad.ts';
import { quoteRune } from './quote.ts';

const PREFIXES: Record<number, string> = { 2: '0b', 8: '0', 16: '0x' };

/** Formats an integer as %d, %b, %o, %O, %x and %X. */
export function formatInteger(value: bigint, base: number, verb: string, flags: Flags, upper = false): string {
  const negative = value < 0n;
  let digits = (negative ? -value : value).toString(base);
  if (upper) digits = digits.toUpperCase();
  const { precision, width } = flags;
  if (precision !== undefined) {
    if (precision === 0 && value === 0n) return ' '.repeat(width ?? 0);
    digits = digits.padStart(precision, '0');
  } else if (flags.zero && !flags.minus && width !== undefined) {
    digits = digits.padStart(width - (negative || flags.plus || flags.space ? 1 : 0), '0');
  }
  if (flags.sharp) digits = sharpened(digits, base, upper);
  if (verb === 'O') digits = `0o${digits}`;
  const sign = negative ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  return pad(sign + digits, { ...flags, zero: false });
}

function sharpened(digits: string, base: number, upper: boolean): string {
  const prefix = PREFIXES[base] ?? '';
  if (base === 8) return digits.startsWith('0') ? digits : `0${digits}`;
  return `${upper ? prefix.toUpperCase() : prefix}${digits}`;
}

/** %U: `U+0040`, with # followed by the character. */
export function formatUnicode(value: bigint, flags: Flags): string {
  const digits = BigInt.asUintN(64, value).toString(16).toUpperCase();
  const code = `U+${digits.padStart(Math.max(4, flags.precision ?? 4), '0')}`;
  const rune = Number(value);
  const shown = flags.sharp && value >= 0n && value <= 0x10ffffn && isPrintable(rune);
  return pad(shown ? `${code} '${runeBytes(rune)}'` : code, { ...flags, zero: false });
}

const asRune = (value: bigint): number => (value < 0n || value > 0x10ffffn ? 0xfffd : Number(value));

export const formatCharacter = (value: bigint, flags: Flags): string => pad(runeBytes(asRune(value)), flags);

export function formatQuotedCharacter(value: bigint, flags: Flags): string {
  const rune = asRune(value);
  return pad(quoteRune(rune >= 0xd800 && rune < 0xe000 ? 0xfffd : rune, flags.plus), flags);
}

/** Formats a float as %v, %e, %f, %g, %b, %x and their capitals. */
export function formatFloatVerb(value: number, verb: string, flags: Flags): string {
  if (!Number.isFinite(value)) return notFinite(value, flags);
  const text = floatText(value, verb, flags);
  const digits = text.replace(/^-/, '');
  const sign = text.startsWith('-') ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  if (flags.zero && !flags.minus && flags.width !== undefined) {
    return sign + digits.padStart(flags.width - sign.length, '0');
  }
  return pad(sign + digits, { ...flags, zero: false });
}

function floatText(value: number, verb: string, flags: Flags): string {
  if (verb === 'b') return binaryFloat(value);
  const lower = verb === 'v' ? 'g' : verb.toLowerCase();
  const precision = flags.precision ?? (lower === 'e' || lower === 'f' ? 6 : -1);
  const plain = lower === 'x' ? hexFloat(value, precision) : formatFloat(value, lower as 'e' | 'f' | 'g', precision);
  const text = verb === lower || verb === 'v' ? plain : plain.toUpperCase();
  if (!flags.sharp) return text;
  const sign = text.startsWith('-') ? '-' : '';
  return sign + sharpDigits(text.slice(sign.length), verb, flags.precision);
}

function notFinite(value: number, flags: Flags): string {
  const bare = Number.isNaN(value) && !flags.space && !flags.plus;
  const sign = value < 0 ? '-' : bare ? '' : flags.space && !flags.plus ? ' ' : '+';
  return pad(sign + (Number.isNaN(value) ? 'NaN' : 'Inf'), { ...flags, zero: false });
}

/** `#` keeps the point, and for %g and %x the final zeros. */
function sharpDigits(text: string, verb: string, precision: number | undefined): string {
  const at = text.search(/^x$/i.test(verb) ? /p/i : /e/i);
  const mantissa = at < 0 ? text : text.slice(0, at);
  const tail = at < 0 ? '' : text.slice(at);
  const counted = mantissa.replace('.', '').replace(/^0+/, '').length;
  const lone = mantissa === '0' ? 1 : 0;
  const wanted = /^[vgGx]$/.test(verb) ? (precision ?? 6) - counted - lone : 0;
  return `${mantissa}${mantissa.includes('.') ? '' : '.'}${'0'.repeat(Math.max(wanted, 0))}${tail}`;
}

/** %b: the mantissa as an integer and an exponent of two. */
function binaryFloat(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const exponent = Math.max(biased, 1) - 1075;
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return `${sign}${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
}
