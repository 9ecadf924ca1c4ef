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
function sequence(params: readonly GoInt[], meter: Meter): string {
  if (params.length === 0 || params.length > 3) return '';
  const [first = 0n, second] = params.map(({ value }) => value);
  const end = params.at(-1)?.value ?? 0n;
  const start = params.length === 1 ? 1n : first;
  const step = params.length === 3 ? second : undefined;
  const direction = end < start ? -1n : 1n;
  if (step !== undefined && end < start && step > 0n) return '';
  return untilStep(start, end + direction, step ?? direction, meter).join(' ');
}

/** Go's math.Pow(10, exponent) rounds at each step. Ten is 0.625 times a power of two, so that nothing overflows. */
function powerOfTen(exponent: number): number {
  let fraction = 1;
  let power = 0;
  let base = 0.625;
  let basePower = 4;
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

/** Defines a function of one number and any more. As in Go, a float is NaN if one of them is. */
const fold = <T extends GoValue>(read: (value: GoValue) => T, change: (a: T, b: T) => T) =>
  variadic(['any', 'any'], (first, rest: readonly GoValue[]) =>
    rest.reduce<T>((sum, value) => change(sum, read(value)), read(first)),
  );

const largest = fold(toInt64, (a, b) => (b > a ? b : a));

export const numberFunctions: FunctionTable = ofDigits({
  atoi: fixed(['string'], (text) => int(clampedInt64(text))),
  int64: fixed(['any'], toInt64),
  int: fixed(['any'], (value) => int(toInt64(value))),
  float64: fixed(['any'], toFloat64),
  toDecimal: fixed(['any'], (value, meter) => parseInt64(countedText(value, meter), 8) ?? 0n),
  seq: variadic(['int'], sequence),
  until: fixed(['int'], ({ value }, meter) => integers(untilStep(0n, value, value < 0n ? -1n : 1n, meter).map(int))),
  untilStep: fixed(['int', 'int', 'int'], (start, stop, step, meter) =>
    integers(untilStep(start.value, stop.value, step.value, meter).map(int)),
  ),
  add1: fixed(['any'], (value) => wrap64(toInt64(value) + 1n)),
  add: variadic(['any'], (values: readonly GoValue[]) =>
    values.reduce((sum: bigint, value) => wrap64(sum + toInt64(value)), 0n),
  ),
  sub: fixed(['any', 'any'], (a, b) => wrap64(toInt64(a) - toInt64(b))),
  div: fixed(['any', 'any'], (a, b) => divided(a, b, (x, y) => x / y)),
  mod: fixed(['any', 'any'], (a, b) => divided(a, b, (x, y) => x % y)),
  mul: fold(toInt64, (a, b) => wrap64(a * b)),
  max: largest,
  biggest: largest,
  min: fold(toInt64, (a, b) => (b < a ? b : a)),
  maxf: fold(toFloat64, Math.max),
  minf: fold(toFloat64, Math.min),
  ceil: fixed(['any'], (value) => Math.ceil(toFloat64(value))),
  floor: fixed(['any'], (value) => Math.floor(toFloat64(value))),
  round: variadic(['any', 'int', 'float64'], (value, { value: places }, [roundOn = 0.5]) =>
    rounded(value, places, roundOn),
  ),
  randInt: fixed(['int', 'int'], onlyInteger),
});

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
