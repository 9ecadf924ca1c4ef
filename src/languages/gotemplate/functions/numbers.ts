import { clampedInt64, parseInt64 } from '../../../core/text/go-numbers.ts';
import type { Meter } from '../meter.ts';
import { type GoInt, GoList, type GoValue, int, wrap64 } from '../values/values.ts';
import { countedText, type FunctionTable, fail, fixed, ofDigits, toFloat64, toInt64, variadic } from './define.ts';

const integers = (items: GoInt[]): GoList => new GoList(items, 'int');

/** Returns integers from a start to a stop, which is excluded. */
function untilStep(start: bigint, stop: bigint, step: bigint, meter: Meter): bigint[] {
  const down = stop < start;
  if (down ? step >= 0n : step <= 0n) return [];
  const count = down ? (start - stop - step - 1n) / -step : (stop - start + step - 1n) / step;
  meter.spendItems(Number(count));
  return Array.from({ length: Number(count) }, (_, index) => start + BigInt(index) * step);
}

/** `seq` counts like the command of that name. */
function sequence(params: readonly bigint[], meter: Meter): string {
  const [first = 0n, second = 0n, third = 0n] = params;
  if (params.length === 0 || params.length > 3) return '';
  const [start, step, end]: readonly [bigint, bigint | undefined, bigint] =
    params.length === 1
      ? [1n, undefined, first]
      : params.length === 2
        ? [first, undefined, second]
        : [first, second, third];
  const direction = end < start ? -1n : 1n;
  if (step !== undefined && end < start && step > 0n) return '';
  return untilStep(start, end + direction, step ?? direction, meter).join(' ');
}

/** slim-sprig multiplies by a power of ten, which is not exact for every float. */
/**
 * Go's math.Pow(10, exponent), which squares repeatedly and rounds at each step: 10 ** 100 differs in one bit. Ten is
 * represented as 0.625 times a power of two, so that nothing overflows.
 */
function powerOfTen(exponent: number): number {
  let fraction = 1;
  let power = 0;
  let [base, basePower] = [0.625, 4];
  for (let rest = Math.abs(exponent); rest > 0; rest = Math.floor(rest / 2)) {
    // Far beyond the range of a float, in either direction.
    if (basePower > 4096) {
      power += basePower;
      break;
    }
    if (rest % 2 === 1) {
      fraction *= base;
      power += basePower;
    }
    base *= base;
    basePower *= 2;
    if (base < 0.5) {
      base *= 2;
      basePower--;
    }
  }
  return exponent < 0 ? scaled(1 / fraction, -power) : scaled(fraction, power);
}

/** `fraction * 2 ** power`, rounded once: only the last factor may reach the limits of a float. */
function scaled(fraction: number, power: number): number {
  const most = Math.max(-2000, Math.min(2000, power));
  const first = Math.max(-900, Math.min(900, most));
  return most === first ? fraction * 2 ** first : scaled(fraction * 2 ** first, most - first);
}

function rounded(value: GoValue, places: bigint, roundOn: number): number {
  const power = powerOfTen(Number(places));
  const digit = power * toFloat64(value);
  const fraction = digit - Math.trunc(digit);
  return (fraction >= roundOn ? Math.ceil(digit) : Math.floor(digit)) / power;
}

function divided(a: GoValue, b: GoValue, divide: (a: bigint, b: bigint) => bigint): bigint {
  const divisor = toInt64(b);
  if (divisor === 0n) throw fail('runtime error: integer divide by zero');
  return wrap64(divide(toInt64(a), divisor));
}

const fold = (change: (a: bigint, b: bigint) => bigint) =>
  ofDigits(
    variadic(['any', 'any'], (first, rest) =>
      rest.reduce((a: bigint, b: GoValue) => wrap64(change(a, toInt64(b))), toInt64(first)),
    ),
  );

/** As in Go, the result is NaN if one of them is. */
function extreme(pick: (a: number, b: number) => number) {
  return ofDigits(
    variadic(['any', 'any'], (first, rest) =>
      rest.reduce((a: number, b: GoValue) => pick(a, toFloat64(b)), toFloat64(first)),
    ),
  );
}

const largest = fold((a, b) => (b > a ? b : a));

export const numberFunctions: FunctionTable = {
  atoi: ofDigits(fixed(['string'], (text) => int(clampedInt64(text)))),
  int64: ofDigits(fixed(['any'], toInt64)),
  int: ofDigits(fixed(['any'], (value) => int(toInt64(value)))),
  float64: ofDigits(fixed(['any'], toFloat64)),
  toDecimal: ofDigits(fixed(['any'], (value, meter) => parseInt64(countedText(value, meter), 8) ?? 0n)),
  seq: variadic(['int'], (params: readonly GoInt[], meter) =>
    sequence(
      params.map(({ value }) => value),
      meter,
    ),
  ),
  until: fixed(['int'], ({ value }, meter) => integers(untilStep(0n, value, value < 0n ? -1n : 1n, meter).map(int))),
  untilStep: fixed(['int', 'int', 'int'], (start, stop, step, meter) =>
    integers(untilStep(start.value, stop.value, step.value, meter).map(int)),
  ),
  add1: ofDigits(fixed(['any'], (value) => wrap64(toInt64(value) + 1n))),
  add: ofDigits(
    variadic(['any'], (values: readonly GoValue[]) =>
      values.reduce((sum: bigint, value) => wrap64(sum + toInt64(value)), 0n),
    ),
  ),
  sub: ofDigits(fixed(['any', 'any'], (a, b) => wrap64(toInt64(a) - toInt64(b)))),
  div: ofDigits(fixed(['any', 'any'], (a, b) => divided(a, b, (x, y) => x / y))),
  mod: ofDigits(fixed(['any', 'any'], (a, b) => divided(a, b, (x, y) => x % y))),
  mul: fold((a, b) => a * b),
  max: largest,
  biggest: largest,
  min: fold((a, b) => (b < a ? b : a)),
  maxf: extreme(Math.max),
  minf: extreme(Math.min),
  ceil: ofDigits(fixed(['any'], (value) => Math.ceil(toFloat64(value)))),
  floor: ofDigits(fixed(['any'], (value) => Math.floor(toFloat64(value)))),
  round: ofDigits(
    variadic(['any', 'int', 'float64'], (value, places, roundOn) => rounded(value, places.value, roundOn[0] ?? 0.5)),
  ),
  randInt: fixed(['int', 'int'], onlyInteger),
};

/** Random numbers are not supported: only a range of one number is valid. */
function onlyInteger(least: GoInt, end: GoInt): GoValue {
  const count = end.value - least.value;
  if (count === 1n) return least;
  throw fail(
    count < 1n
      ? 'invalid argument to Intn'
      : 'random numbers are not supported, because a rendering must be reproducible',
  );
}
