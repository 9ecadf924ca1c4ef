/** Formats doubles exactly as Go's strconv and fmt do, which CEL and kro results contain. */

const special = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');
export const signOf = (value: number): string => (value < 0 || Object.is(value, -0) ? '-' : '');

/** Returns the shortest digits that read back as the value, and the decimal point: 0.DIGITS times 10 to the `point`. */
function shortestDigits(value: number): { digits: string; point: number } {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

/** Go's `%f` with the fewest digits that read back exactly: never an exponent. */
export function plainFloat(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const { digits, point } = shortestDigits(value);
  if (value === 0) return `${signOf(value)}0`;
  if (point <= 0) return `${signOf(value)}0.${'0'.repeat(-point)}${digits}`;
  const whole = digits.slice(0, point).padEnd(point, '0');
  const fraction = digits.slice(point);
  return signOf(value) + whole + (fraction === '' ? '' : `.${fraction}`);
}

/** Go's `%e` with the fewest digits, the exponent at least two digits wide: `1e-07`. */
export function shortestScientific(value: number): string {
  const { digits, point } = shortestDigits(value);
  const fraction = digits.slice(1);
  return `${signOf(value)}${digits[0]}${fraction === '' ? '' : `.${fraction}`}e${exponentText(point - 1)}`;
}

/** Go's `%g` with the fewest digits, as `string(double)` gives: `1e+06`, but `100000`. */
export function generalFloat(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const exponent = shortestDigits(value).point - 1;
  return exponent < -4 || exponent >= 6 ? shortestScientific(value) : plainFloat(value);
}

/** Formats a finite number as encoding/json does, which differs from ECMAScript only in the sign of zero. */
export const jsonFloat = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

export function exponentText(exponent: number): string {
  return (exponent < 0 ? '-' : '+') + String(Math.abs(exponent)).padStart(2, '0');
}

/** Returns a finite double without its sign, as mantissa times 2 to the exponent, exactly. */
export function floatParts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

/** Returns the value times 10 to the power, rounded to an integer, halves to even. */
function scaled(value: number, power: number): bigint {
  const { mantissa, exponent } = floatParts(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** Go's `%.Nf`: exact, halves to even. The value must be finite. */
export function fixedFloat(value: number, precision: number): string {
  const digits = scaled(value, precision)
    .toString()
    .padStart(precision + 1, '0');
  const whole = digits.slice(0, digits.length - precision);
  return signOf(value) + whole + (precision === 0 ? '' : `.${digits.slice(-precision)}`);
}

/** Go's `%.Ne`: exact, halves to even. The value must be finite. */
export function scientificFloat(value: number, precision: number): string {
  let exponent = value === 0 ? 0 : shortestDigits(value).point - 1;
  let digits = scaled(value, precision - exponent).toString();
  if (digits.length > precision + 1) {
    // Rounding reached the next power of ten.
    exponent++;
    digits = digits.slice(0, -1);
  } else if (digits.length <= precision && value !== 0) {
    // The shortest digits round up to a power of ten just above the value.
    exponent--;
    digits = scaled(value, precision - exponent).toString();
  }
  digits = digits.padStart(precision + 1, '0');
  const fraction = digits.slice(1);
  return `${signOf(value)}${digits[0]}${fraction === '' ? '' : `.${fraction}`}e${exponentText(exponent)}`;
}
