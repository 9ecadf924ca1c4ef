/** `getFullYear` and the like, on timestamps (with an optional time zone) and durations. */

import { attempt } from '../../../core/model/attempt.ts';
import { getOrCompute } from '../../../core/model/lazily.ts';
import { ZONE_WORDS } from '../../../core/text/time-zones.ts';
import { method, type Overload } from '../library.ts';
import { DURATION, INT, STRING, TIMESTAMP } from '../types.ts';
import { fixedWork } from '../value/size.ts';
import { type Duration, failure, type Timestamp } from '../value/values.ts';

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
  const [hours, minutes] = [Number(hourText), Number(minuteText)];
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
  const local = new Date(0);
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  local.setUTCFullYear(year, part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() - Math.floor(millis / 1000) * 1000;
}

const REGION =
  /^(?:Africa|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US|America(?:\/(?:Argentina|Indiana|Kentucky|North_Dakota))?)$/;

/** `Berlin`, `Port-au-Prince`, `DumontDUrville`; `GMT+1`, `ACT`. */
const PLACE = /^(?:[A-Z]{1,3}[+-]?[0-9]*|(?!.*[A-Z]{3})[A-Z][A-Za-z_-]+)$/;

/** A name that Intl keeps and the tz database dropped. */
const DROPPED = 'US/Pacific-New';

/**
 * Reports whether a name is spelled as in the tz database, which is case-sensitive; Intl ignores case, and newer
 * engines accept `+0100` and the like.
 */
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

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / DAY);
}

/** The steps of creating a date, and of a call to `Intl`, which is slowest for an unknown zone. */
const DATE = 6;
const zoneWork = (_: Timestamp, zone: string): number => (zone === '' ? DATE : zone.includes(':') ? 2 * DATE : 1000);

const ofTimestamp = (name: string, read: (date: Date) => number): Overload[] => [
  method(name, [TIMESTAMP], INT, (time) => BigInt(read(localTime(time, 'UTC'))), { work: fixedWork(DATE) }),
  method(name, [TIMESTAMP, STRING], INT, (time, zone) => BigInt(read(localTime(time, zone))), { work: zoneWork }),
];

const ofDuration = (name: string, unit: bigint): Overload =>
  method(name, [DURATION], INT, ({ nanos }: Duration) => nanos / unit);

export const times: readonly Overload[] = [
  ...ofTimestamp('getFullYear', (date) => date.getUTCFullYear()),
  ...ofTimestamp('getMonth', (date) => date.getUTCMonth()),
  ...ofTimestamp('getDayOfYear', dayOfYear),
  ...ofTimestamp('getDayOfMonth', (date) => date.getUTCDate() - 1),
  ...ofTimestamp('getDate', (date) => date.getUTCDate()),
  ...ofTimestamp('getDayOfWeek', (date) => date.getUTCDay()),
  ...ofTimestamp('getHours', (date) => date.getUTCHours()),
  ofDuration('getHours', 3_600_000_000_000n),
  ...ofTimestamp('getMinutes', (date) => date.getUTCMinutes()),
  ofDuration('getMinutes', 60_000_000_000n),
  ...ofTimestamp('getSeconds', (date) => date.getUTCSeconds()),
  ofDuration('getSeconds', 1_000_000_000n),
  ...ofTimestamp('getMilliseconds', (date) => date.getUTCMilliseconds()),
  ofDuration('getMilliseconds', MILLI),
];
