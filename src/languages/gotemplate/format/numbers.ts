import {
  exponentText,
  fixedFloat,
  floatParts,
  generalFloat,
  plainFloat,
  scientificFloat,
  shortestScientific,
  signOf,
} from '../../../core/text/float.ts';
import { goEscaped, isPrintable } from '../../../core/text/go-text.ts';
import { isUtf8, mapRunes, REPLACEMENT, runeAt, runeBytes, runeCount, toBytes } from '../bytes.ts';

/** %.Ng: at most N digits, without zeros at the end. */
function roundedGeneral(value: number, precision: number): string {
  const scientific = scientificFloat(value, precision - 1);
  const [mantissa = '', exponentText = '0'] = scientific.split('e');
  const exponent = Number(exponentText);
  const digits = mantissa
    .replace(/^-/, '')
    .replace('.', '')
    .replace(/(?<!0)0+$/, '').length;
  // The digits before the point count too.
  const threshold = precision > digits && digits >= exponent + 1 ? Math.max(digits, 1) : precision;
  if (exponent < -4 || exponent >= threshold) {
    const short = mantissa.includes('.') ? mantissa.replace(/(?:\.|(?<![.0]))0+$/, '') : mantissa;
    return `${short}e${exponentText}`;
  }
  const fixed = fixedFloat(value, Math.max(precision - 1 - exponent, 0));
  return fixed.includes('.') ? fixed.replace(/(?:\.|(?<![.0]))0+$/, '') : fixed;
}

/** %x: a hexadecimal mantissa and an exponent of two. */
function hexFloat(value: number, precision: number): string {
  let { mantissa, exponent } = floatParts(value);
  exponent = mantissa === 0n ? 0 : exponent + 52;
  for (; mantissa > 0n && mantissa < 1n << 52n; exponent--) mantissa <<= 1n;
  ({ mantissa, exponent } = roundedMantissa(mantissa, exponent, precision));
  const lead = mantissa >> 52n;
  const all = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const digits = precision < 0 ? all.replace(/(?<!0)0+$/, '') : all.slice(0, precision).padEnd(precision, '0');
  return `${signOf(value)}0x${lead}${digits === '' ? '' : `.${digits}`}p${exponentText(exponent)}`;
}

function roundedMantissa(mantissa: bigint, exponent: number, precision: number) {
  if (precision < 0 || precision >= 13) return { mantissa, exponent };
  const shift = BigInt((13 - precision) * 4);
  const rest = mantissa & ((1n << shift) - 1n);
  const half = 1n << (shift - 1n);
  let digits = mantissa >> shift;
  if (rest > half || (rest === half && (digits & 1n) === 1n)) digits++;
  const rounded = digits << shift;
  return rounded >> 53n > 0n ? { mantissa: rounded >> 1n, exponent: exponent + 1 } : { mantissa: rounded, exponent };
}

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
  const shown = flags.sharp && value >= 0n && value <= 0x10ffffn && isPrintable(String.fromCodePoint(rune));
  return pad(shown ? `${code} '${runeBytes(rune)}'` : code, { ...flags, zero: false });
}

const asRune = (value: bigint): number => (value < 0n || value > 0x10ffffn ? 0xfffd : Number(value));

export const formatCharacter = (value: bigint, flags: Flags): string => pad(runeBytes(asRune(value)), flags);

export function formatQuotedCharacter(value: bigint, flags: Flags): string {
  const rune = asRune(value);
  return pad(`'${escaped(rune >= 0xd800 && rune < 0xe000 ? 0xfffd : rune, "'", flags.plus)}'`, flags);
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

/** As Go's strconv.FormatFloat: a precision of -1 means the fewest digits that read back. */
const DIGITS: Readonly<Record<'e' | 'f' | 'g', (value: number, precision: number) => string>> = {
  e: (value, precision) => (precision < 0 ? shortestScientific(value) : scientificFloat(value, precision)),
  f: (value, precision) => (precision < 0 ? plainFloat(value) : fixedFloat(value, precision)),
  g: (value, precision) => (precision < 0 ? generalFloat(value) : roundedGeneral(value, Math.max(precision, 1))),
};

const digitsOf = (verb: string, value: number, precision: number): string => {
  if (verb === 'e') return DIGITS.e(value, precision);
  return verb === 'f' ? DIGITS.f(value, precision) : DIGITS.g(value, precision);
};

function floatText(value: number, verb: string, flags: Flags): string {
  const { mantissa, exponent } = floatParts(value);
  // The mantissa as an integer and an exponent of two.
  if (verb === 'b') return `${signOf(value)}${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
  const lower = verb === 'v' ? 'g' : verb.toLowerCase();
  const precision = flags.precision ?? (lower === 'e' || lower === 'f' ? 6 : -1);
  const plain = lower === 'x' ? hexFloat(value, precision) : digitsOf(lower, value, precision);
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

/** What is written between % and the verb. */
export interface Flags {
  plus: boolean;
  minus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  width: number | undefined;
  precision: number | undefined;
  /** `%+v` and `%#v`: stored separately, because they differ inside values. */
  plusV: boolean;
  sharpV: boolean;
}

export const noFlags = (): Flags => ({
  plus: false,
  minus: false,
  sharp: false,
  space: false,
  zero: false,
  width: undefined,
  precision: undefined,
  plusV: false,
  sharpV: false,
});

/** Pads a text to the width, which counts code points. */
export function pad(text: string, flags: Flags): string {
  const missing = (flags.width ?? 0) - runeCount(text);
  if (missing <= 0) return text;
  if (flags.minus) return text + ' '.repeat(missing);
  return (flags.zero ? '0' : ' ').repeat(missing) + text;
}

/** Truncates a text to the precision in code points. */
export function truncate(text: string, { precision }: Flags): string {
  if (precision === undefined) return text;
  let at = 0;
  for (let count = 0; at < text.length && count < precision; count++) at += runeAt(text, at).width;
  return text.slice(0, at);
}

const UNSAFE = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/;

/** Reports whether a text needs only quotes. */
export const isQuotedAsItIs = (text: string): boolean => !UNSAFE.test(text);

/** Go's strconv.Quote: a literal in `"`; `ascii` escapes all that is not ASCII. */
export function quote(text: string, ascii = false): string {
  if (isQuotedAsItIs(text)) return `"${text}"`;
  const written = mapRunes(text, (rune, at, width) =>
    rune === REPLACEMENT && width === 1 ? `\\x${text.charCodeAt(at).toString(16)}` : escaped(rune, '"', ascii),
  );
  return `"${written}"`;
}

const escaped = (rune: number, quoteMark: '"' | "'", ascii: boolean): string =>
  toBytes(goEscaped(String.fromCodePoint(rune), quoteMark, ascii));

/** Reports whether a text can be a literal in `` ` ``. */
export function canBackquote(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be found
  return !/[\x00-\x08\x0a-\x1f\x7f`]/.test(text) && isUtf8(text) && !text.includes('\xef\xbb\xbf');
}
