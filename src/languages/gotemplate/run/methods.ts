import { MAX_INT64, MIN_INT64 } from '../../../core/text/go-numbers.ts';
import { civilOf, daysOf, formatLayout, timeText, wordOf, ZERO_TIME } from '../values/times.ts';
import { GoInt, GoTime, type GoValue, int } from '../values/values.ts';
import type { GoFunction, ParameterType } from './state.ts';

type Method<T> = readonly [readonly ParameterType[], (receiver: T, ...args: never[]) => GoValue];

const ofTime = (call: (receiver: GoTime) => GoValue): Method<GoTime> => [[], call];
const ofTimes = (call: (receiver: GoTime, other: GoTime) => GoValue): Method<GoTime> => [['time'], call];

/** The methods of time.Time that need no clock and no other zone. */
const TIME_METHODS = new Map<string, Method<GoTime>>([
  ['AddDate', [['int', 'int', 'int'], addDate]],
  ['After', ofTimes((at, other) => compare(at, other) > 0)],
  ['Before', ofTimes((at, other) => compare(at, other) < 0)],
  ['Compare', ofTimes((at, other) => int(compare(at, other)))],
  ['Day', ofTime((at) => int(civilOf(at).day))],
  ['Equal', ofTimes((at, other) => compare(at, other) === 0)],
  ['Format', [['string'], formatLayout]],
  ['Hour', ofTime((at) => int(civilOf(at).hour))],
  ['IsZero', ofTime((at) => compare(at, ZERO_TIME) === 0)],
  ['Minute', ofTime((at) => int(civilOf(at).minute))],
  ['Month', ofTime((at) => new GoInt(BigInt(civilOf(at).month), 'time.Month'))],
  ['Nanosecond', ofTime((at) => int(at.nanoseconds))],
  ['Second', ofTime((at) => int(civilOf(at).second))],
  ['String', ofTime(timeText)],
  ['Sub', ofTimes((at, other) => new GoInt(between(at, other), 'time.Duration'))],
  ['UTC', ofTime((at) => new GoTime(at.seconds, at.nanoseconds))],
  ['Unix', ofTime((at) => at.seconds)],
  ['UnixMilli', ofTime((at) => at.seconds * 1000n + BigInt(Math.floor(at.nanoseconds / 1e6)))],
  ['UnixNano', ofTime((at) => BigInt.asIntN(64, at.seconds * 1_000_000_000n + BigInt(at.nanoseconds)))],
  ['Weekday', ofTime((at) => new GoInt(BigInt(civilOf(at).weekday), 'time.Weekday'))],
  ['Year', ofTime((at) => int(civilOf(at).year))],
  ['YearDay', ofTime((at) => int(civilOf(at).yearDay))],
]);

const SECOND = 1_000_000_000;

const DURATION_METHODS = new Map<string, Method<GoInt>>([
  ['Hours', [[], ({ value }) => Number(value) / (3600 * SECOND)]],
  ['Microseconds', [[], ({ value }) => value / 1000n]],
  ['Milliseconds', [[], ({ value }) => value / 1_000_000n]],
  ['Minutes', [[], ({ value }) => Number(value) / (60 * SECOND)]],
  ['Nanoseconds', [[], ({ value }) => value]],
  ['Seconds', [[], ({ value }) => Number(value) / SECOND]],
]);

/** Returns a method of a value, `undefined` if it has none of that name. */
export function methodOf(receiver: GoTime | GoInt, name: string): GoFunction | undefined {
  if (receiver instanceof GoTime) return bound(receiver, TIME_METHODS.get(name));
  const word = wordOf(receiver);
  if (word !== undefined && name === 'String') return bound(receiver, [[], () => word]);
  return receiver.kind === 'time.Duration' ? bound(receiver, DURATION_METHODS.get(name)) : undefined;
}

function bound<T>(receiver: T, method: Method<T> | undefined): GoFunction | undefined {
  if (method === undefined) return undefined;
  const [parameters, call] = method;
  return {
    parameters,
    variadic: false,
    call(args, meter) {
      for (const layout of args) if (typeof layout === 'string') meter.spendSteps(layout.length);
      // allowed: as many as the method has parameters
      return call(receiver, ...(args as never[]));
    },
  };
}

const compare = (a: GoTime, b: GoTime): number =>
  a.seconds === b.seconds ? Math.sign(a.nanoseconds - b.nanoseconds) : a.seconds < b.seconds ? -1 : 1;

function between(a: GoTime, b: GoTime): bigint {
  const exact = (a.seconds - b.seconds) * 1_000_000_000n + BigInt(a.nanoseconds - b.nanoseconds);
  return exact > MAX_INT64 ? MAX_INT64 : exact < MIN_INT64 ? MIN_INT64 : exact;
}

function addDate(at: GoTime, years: GoInt, months: GoInt, days: GoInt): GoValue {
  const { year, month, day } = civilOf(at);
  const moved = daysOf(year + Number(years.value), month + Number(months.value), day + Number(days.value));
  return new GoTime(at.seconds + BigInt(moved - daysOf(year, month, day)) * 86_400n, at.nanoseconds, at.zone);
}
