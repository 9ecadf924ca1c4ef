import { fixedFloat, generalFloat, plainFloat, scientificFloat } from '../../../core/text/float.ts';

/**
 * Formats as Go's strconv.FormatFloat without `b` and `x`; a precision of -1 means the fewest digits that read back.
 */
export function formatFloat(value: number, verb: 'e' | 'f' | 'g', precision: number): string {
  if (!Number.isFinite(value)) return generalFloat(value);
  if (verb === 'f') return precision < 0 ? plainFloat(value) : fixedFloat(value, precision);
  if (verb === 'e') return precision < 0 ? shortestScientific(value) : scientificFloat(value, precision);
  return precision < 0 ? generalFloat(value) : roundedGeneral(value, precision === 0 ? 1 : precision);
}

function shortestScientific(value: number): string {
  const digits = Math.abs(value).toExponential().split('e')[0]?.replace('.', '') ?? '0';
  return scientificFloat(value, digits.length - 1);
}

/** %.Ng: at most N digits, without zeros at the end. */
function roundedGeneral(value: number, precision: number): string {
  const scientific = scientificFloat(value, precision - 1);
  const [mantissa = '', exponentText = '0'] = scientific.split('e');
  const exponent = Number(exponentText);
  const digits = mantissa.replace(/^-/, '').replace('.', '').replace(/0+$/, '').length;
  // The digits before the point count too.
  const threshold = precision > digits && digits >= exponent + 1 ? Math.max(digits, 1) : precision;
  if (exponent < -4 || exponent >= threshold) {
    const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
    return `${short}e${exponentText}`;
  }
  const fixed = fixedFloat(value, Math.max(precision - 1 - exponent, 0));
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
}

/** %x: a hexadecimal mantissa and an exponent of two. */
export function hexFloat(value: number, precision: number): string {
  if (!Number.isFinite(value)) return generalFloat(value);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  let exponent = Number(bits >> 52n) - 1023;
  let mantissa = bits & 0xfffffffffffffn;
  if (exponent === -1023) {
    if (mantissa === 0n) exponent = 0;
    else {
      exponent = -1022;
      while (mantissa < 1n << 52n) {
        mantissa <<= 1n;
        exponent--;
      }
    }
  } else mantissa |= 1n << 52n;
  ({ mantissa, exponent } = roundedMantissa(mantissa, exponent, precision));
  const lead = mantissa >> 52n;
  const all = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const digits = precision < 0 ? all.replace(/0+$/, '') : all.slice(0, precision).padEnd(precision, '0');
  const exponentSign = exponent < 0 ? '-' : '+';
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}0x${lead}${digits === '' ? '' : `.${digits}`}p${exponentSign}${power}`;
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
