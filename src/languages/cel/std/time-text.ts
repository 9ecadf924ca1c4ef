import { attempt } from '../../../core/model/attempt.ts';
import { plainFloat } from '../../../core/text/float.ts';
import { MAX_INT64 } from '../../../core/text/go-numbers.ts';
import { duration, timestamp } from '../value/ranges.ts';
import { Duration, EvaluationError, failure, type Timestamp } from '../value/values.ts';

// Texts of durations and timestamps as Go writes and parses them (time.ParseDuration, RFC 3339).

const SECOND = 1_000_000_000n;

/** Go's zero time, 0001-01-01T00:00:00Z. */
export const ZERO_TIME = -62_135_596_800_000_000_000n;

/** The seconds of a duration as CEL prints them: `5400s`, `1.5s`. */
export function secondsText(nanos: bigint): string {
  // Go adds whole seconds and the rest as doubles, so very long durations lose their last digits.
  return `${plainFloat(Number(nanos / SECOND) + Number(nanos % SECOND) / 1e9)}s`;
}

/** Formats RFC 3339 in UTC with the existing fraction (`nano`), or without any (`seconds`). */
export function timestampText(nanos: bigint, precision: 'nano' | 'seconds'): string {
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  const seconds = (nanos - rest) / SECOND;
  const date = new Date(Number(seconds) * 1000).toISOString().replace(/\.\d+Z$/, '');
  const fraction = rest.toString().padStart(9, '0').replace(/0+$/, '');
  return `${date}${precision === 'seconds' || fraction === '' ? '' : `.${fraction}`}Z`;
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3_600n * SECOND,
};

const MAX_DIGITS = 20;

const PART = /([0-9]*)(?:\.([0-9]*))?(ns|us|\u00B5s|\u03BCs|ms|s|m|h)/y;

const notATimestamp = (): Error => failure("type conversion error from 'string' to 'google.protobuf.Timestamp'");

const notADuration = (): Error => failure("type conversion error from 'string' to 'google.protobuf.Duration'");

/**
 * `1h30m`, `-1.5s`, `0`.
 * @throws EvaluationError (failure)
 */
export function parseDuration(text: string): Duration {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const body = text.slice(sign.length);
  if (body === '0') return duration(0n);
  if (body === '') throw notADuration();
  let nanos = 0n;
  let position = 0;
  while (position < body.length) {
    PART.lastIndex = position;
    const [whole = '', integer = '', fraction = '', unit = ''] = PART.exec(body) ?? [];
    if (whole === '' || (integer === '' && fraction === '')) throw notADuration();
    nanos += partNanos(integer, fraction, UNITS[unit] ?? 0n);
    position += whole.length;
  }
  // Go parses the size first: one more than the largest int64 only fits with a minus sign.
  if (nanos > 2n ** 63n || (nanos === 2n ** 63n && sign !== '-')) throw notADuration();
  return duration(sign === '-' ? -nanos : nanos);
}

function partNanos(integer: string, fraction: string, unit: bigint): bigint {
  const digits = fraction.slice(0, 18);
  const rest = digits === '' ? 0n : (BigInt(digits) * unit) / 10n ** BigInt(digits.length);
  // Too many digits to fit any unit, or to be parsed quickly.
  if (integer.length > MAX_DIGITS && /^0*[1-9]/.test(integer.slice(0, -MAX_DIGITS))) throw notADuration();
  return BigInt(integer === '' ? '0' : integer.slice(-MAX_DIGITS)) * unit + rest;
}

const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * A timestamp in RFC 3339 with a zone.
 * @throws EvaluationError (failure)
 */
export function parseTimestamp(text: string): Timestamp {
  const found = RFC3339.exec(text);
  if (found === null) throw failure(`invalid RFC 3339 timestamp ${JSON.stringify(text)}`);
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour = '0', zoneMinute = '0'] = found;
  const days = daysSinceEpoch(Number(year), Number(month), Number(day));
  if (days === undefined) throw notATimestamp();
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  const seconds = days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - zone * 60;
  return timestamp(BigInt(seconds) * SECOND + BigInt(fraction.slice(0, 9).padEnd(9, '0')), zone);
}

/** Returns `undefined` for an invalid calendar day. */
export function daysSinceEpoch(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return Math.floor(date.getTime() / 86_400_000);
}

/** Formats RFC 3339 in the zone of the timestamp, as `string()` does. */
export function zonedText(time: Timestamp): string {
  if (time.zone === 0) return timestampText(time.nanos, 'nano');
  const local = timestampText(time.nanos + BigInt(time.zone * 60) * SECOND, 'nano');
  const size = Math.abs(time.zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${local.slice(0, -1)}${time.zone < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

// Durations and timestamps in fields of objects (k8s.io/kube-openapi strfmt), less strict than CEL's own texts.

/** Words match if the unit begins with them, in this order; short forms only match the whole unit. */
const FIELD_UNITS: readonly (readonly [exact: readonly string[], prefix: string, nanos: bigint])[] = [
  [['ns'], 'nano', 1n],
  [['us', 'µs'], 'micro', 1_000n],
  [['ms'], 'milli', 1_000_000n],
  [['s'], 'sec', SECOND],
  [['m'], 'min', 60n * SECOND],
  [['h', 'hr'], 'hour', 3_600n * SECOND],
  [['d'], 'day', 86_400n * SECOND],
  [['w', 'wk'], 'week', 604_800n * SECOND],
];

/**
 * Parses `1h30m`, and the additional forms of fields: `3 days`, `2w`. Sums wrap around as integers of Go do.
 * @throws EvaluationError if it is no duration
 */
export function parseFieldDuration(text: string): Duration {
  const plain = attempt(() => parseDuration(text), EvaluationError);
  if (plain !== undefined) return plain;
  let nanos: bigint | undefined;
  for (const [, count = '', unit = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-z\u00B5]+)/g)) {
    if (count.length > MAX_FIELD_DIGITS || BigInt(count) > MAX_INT64) throw noDuration(text);
    const word = unit.toLowerCase();
    const known = FIELD_UNITS.find(([exact, prefix]) => exact.includes(word) || word.startsWith(prefix))?.[2];
    if (known !== undefined) nanos = (nanos ?? 0n) + BigInt(count) * known;
  }
  if (nanos === undefined) throw noDuration(text);
  return new Duration(BigInt.asIntN(64, nanos));
}

const MAX_FIELD_DIGITS = 1000;
const noDuration = (text: string): EvaluationError => failure(`invalid duration: unable to parse ${text} as duration`);

/** Parses a date, or a date and time with an optional zone. */
export function parseFieldTimestamp(text: string): Timestamp {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  return parseTimestamp(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(date) ? `${date}Z` : date);
}
