/** `getFullYear` and the like, on timestamps (with an optional time zone) and durations. */
import { attempt } from '../../../core/model/attempt.ts';
import { getOrCompute } from '../../../core/model/lazily.ts';
import { ownValue } from '../../../core/model/value.ts';
import { plainFloat } from '../../../core/text/float.ts';
import { MAX_INT64 } from '../../../core/text/go-numbers.ts';
import { ZONE_WORDS } from '../../../core/text/time-zones.ts';
import { type Library, method } from '../library.ts';
import { DURATION, INT, STRING, TIMESTAMP } from '../types.ts';
import { fixedWork } from '../value/order.ts';
import { Duration, duration, EvaluationError, failure, type Timestamp, timestamp } from '../value/values.ts';

const MILLI = 1_000_000n;
const DAY = 86_400_000;

/** Returns the local date and time as if it were UTC. */
function localTime(time: Timestamp, zone: string): Date {
  const millis = Number((time.nanos - (((time.nanos % MILLI) + MILLI) % MILLI)) / MILLI);
  return new Date(millis + zoneOffset(zone, millis));
}

/** Returns milliseconds east of UTC, of a fixed offset (`+02:00`) or of an IANA zone at a time. */
function zoneOffset(zone: string, millis: number): number {
  if (zone === '' || zone === 'UTC') return 0;
  const colon = zone.indexOf(':');
  if (colon >= 0) return fixedOffset(zone, zone.slice(0, colon), zone.slice(colon + 1));
  return namedOffset(zone, millis);
}

function fixedOffset(zone: string, hourText: string, minuteText: string): number {
  for (const text of [hourText, minuteText]) {
    if (!/^[+-]?[0-9]+$/.test(text)) throw failure(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const hours = Number(hourText);
  const minutes = Number(minuteText);
  if (hours < -23 || hours > 23) throw failure(`timezone offset hours out of range [-23, 23]: ${zone}`);
  if (minutes < 0 || minutes > 59) throw failure(`timezone offset minutes out of range [0, 59]: ${zone}`);
  return (hours * 60 + (zone.startsWith('-') ? -minutes : minutes)) * 60_000;
}

/** Cached, because a format takes tens of KiB. */
const formats = new Map<string, Intl.DateTimeFormat>();

function namedOffset(zone: string, millis: number): number {
  const format = getOrCompute(formats, zone, () => zoneFormat(zone));
  const parts = new Map(format.formatToParts(millis).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name) ?? 0);
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const days = daysSinceEpoch(year, part('month'), part('day')) ?? 0;
  const seconds = (part('hour') * 60 + part('minute')) * 60 + part('second');
  return days * DAY + (seconds - Math.floor(millis / 1000)) * 1000;
}

const REGION =
  /^(?:Africa|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US|America(?:\/(?:Argentina|Indiana|Kentucky|North_Dakota))?)$/;

/** `Berlin`, `Port-au-Prince`, `DumontDUrville`; `GMT+1`, `ACT`. */
const PLACE = /^(?:[A-Z]{1,3}[+-]?[0-9]*|(?!.*[A-Z]{3})[A-Z][A-Za-z_-]+)$/;

/** A name that Intl keeps and the tz database dropped. */
const DROPPED = 'US/Pacific-New';

/** Reports whether a name is spelled as in the tz database; Intl ignores case, and accepts `+0100` and the like. */
function isZoneName(zone: string): boolean {
  const slash = zone.lastIndexOf('/');
  if (slash < 0) return ZONE_WORDS.has(zone);
  return REGION.test(zone.slice(0, slash)) && PLACE.test(zone.slice(slash + 1)) && zone !== DROPPED;
}

function zoneFormat(zone: string): Intl.DateTimeFormat {
  if (!isZoneName(zone)) throw failure(`unknown time zone ${zone}`);
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const options = { timeZone: zone, hourCycle: 'h23', era: 'short', ...numeric, second: 'numeric' } as const;
  const format = attempt(() => new Intl.DateTimeFormat('en-US', options), RangeError);
  const timeZone = format?.resolvedOptions().timeZone;
  if (format !== undefined && (timeZone === zone || timeZone?.toLowerCase() !== zone.toLowerCase())) return format;
  throw failure(`unknown time zone ${zone}`);
}

const dayOfYear = (date: Date): number =>
  Math.floor(date.getTime() / DAY) - (daysSinceEpoch(date.getUTCFullYear(), 1, 1) ?? 0);

/** The steps of creating a date, and of a call to `Intl`, which is slowest for an unknown zone. */
const DATE = 6;
const zoneWork = (_: Timestamp, zone: string): number => (zone === '' ? DATE : zone.includes(':') ? 2 * DATE : 1000);

/** Returns a part of a timestamp, and of a duration if that is counted in units too. */
const part = (name: string, read: (date: Date) => number, unit?: bigint): Library => [
  method(name, [TIMESTAMP], INT, (time) => BigInt(read(localTime(time, 'UTC'))), { work: fixedWork(DATE) }),
  method(name, [TIMESTAMP, STRING], INT, (time, zone) => BigInt(read(localTime(time, zone))), { work: zoneWork }),
  ...(unit === undefined ? [] : [method(name, [DURATION], INT, ({ nanos }) => nanos / unit)]),
];

export const times: Library = [
  ...part('getFullYear', (date) => date.getUTCFullYear()),
  ...part('getMonth', (date) => date.getUTCMonth()),
  ...part('getDayOfYear', dayOfYear),
  ...part('getDayOfMonth', (date) => date.getUTCDate() - 1),
  ...part('getDate', (date) => date.getUTCDate()),
  ...part('getDayOfWeek', (date) => date.getUTCDay()),
  ...part('getHours', (date) => date.getUTCHours(), 3_600_000_000_000n),
  ...part('getMinutes', (date) => date.getUTCMinutes(), 60_000_000_000n),
  ...part('getSeconds', (date) => date.getUTCSeconds(), 1_000_000_000n),
  ...part('getMilliseconds', (date) => date.getUTCMilliseconds(), MILLI),
];

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
  const fraction = rest
    .toString()
    .padStart(9, '0')
    .replace(/(?<!0)0+$/, '');
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

const notATimestamp = (): EvaluationError =>
  failure("type conversion error from 'string' to 'google.protobuf.Timestamp'");

const notADuration = (): EvaluationError =>
  failure("type conversion error from 'string' to 'google.protobuf.Duration'");

/** Parses `1h30m`, `-1.5s`, `0`. @throws EvaluationError (failure) */
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
    nanos += partNanos(integer, fraction, ownValue(UNITS, unit) ?? 0n);
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

/** Parses a timestamp in RFC 3339 with a zone. @throws EvaluationError (failure) */
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

/** Parses also `3 days` and `2w`, as in fields. Sums wrap around as integers of Go do. @throws EvaluationError */
export function parseFieldDuration(text: string): Duration {
  const plain = attempt(() => parseDuration(text), EvaluationError);
  if (plain !== undefined) return plain;
  let nanos: bigint | undefined;
  for (const [, count = '', unit = ''] of text.matchAll(/(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-z\u00B5]+)/g)) {
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
