/** Parses durations and timestamps as Go does (time.ParseDuration, RFC 3339). */
import { timestampText } from '../text/time.ts';
import { duration, timestamp } from '../value/ranges.ts';
import { type Duration, failure, type Timestamp } from '../value/values.ts';

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
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
  return timestamp(BigInt(seconds) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0')), zone);
}

/** Returns `undefined` for an invalid calendar day. */
function daysSinceEpoch(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return Math.floor(date.getTime() / 86_400_000);
}

/** Formats RFC 3339 in the zone of the timestamp, as `string()` does. */
export function zonedText(time: Timestamp): string {
  if (time.zone === 0) return timestampText(time.nanos, 'nano');
  const local = timestampText(time.nanos + BigInt(time.zone) * 60_000_000_000n, 'nano');
  const size = Math.abs(time.zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${local.slice(0, -1)}${time.zone < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
