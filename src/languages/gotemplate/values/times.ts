import { attempt } from '../../../core/model/attempt.ts';
import { durationText as textOfDuration } from '../../../core/text/go-text.ts';
import { EvaluationError, parseDuration as parseGoDuration } from '../../cel/index.ts';
import { fromBytes, toBytes } from '../bytes.ts';
import { type GoInt, GoTime, UTC } from './values.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns the text of an integer that Go prints as a word: a month, a weekday, a duration. */
export function wordOf({ kind, value }: GoInt): string | undefined {
  if (kind === 'time.Month') return MONTHS[Number(value) - 1] ?? `%!Month(${value})`;
  if (kind === 'time.Weekday') return WEEKDAYS[Number(value)] ?? `%!Weekday(${value})`;
  return kind === 'time.Duration' ? durationText(value) : undefined;
}

export const monthName = (month: number): string => MONTHS[month - 1] ?? '';
export const weekdayName = (day: number): string => WEEKDAYS[day] ?? '';

/** Go's time.Duration.String, in bytes. */
export const durationText = (nanoseconds: bigint): string => toBytes(textOfDuration(nanoseconds));

/** The parts of a time in its zone; years may be negative. */
export interface Civil {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  weekday: number;
  yearDay: number;
}

const DAY = 86_400n;

export function civilOf({ seconds, zone }: GoTime): Civil {
  const local = seconds + BigInt(zone.offset);
  const days = floorDiv(local, DAY);
  const rest = Number(local - days * DAY);
  const { year, month, day } = dateOfDays(Number(days));
  return {
    year,
    month,
    day,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    weekday: (((Number(days) + 4) % 7) + 7) % 7,
    yearDay: Number(days) - daysOf(year, 1, 1) + 1,
  };
}

/** Returns days since 1970-01-01; months and days out of range carry over. */
export function daysOf(year: number, month: number, day: number): number {
  const months = year * 12 + month - 1;
  const y = Math.floor(months / 12);
  const m = ((months % 12) + 12) % 12;
  // Years start in March, so that the leap day is last.
  const shifted = m < 2 ? y - 1 : y;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((m + 10) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function dateOfDays(days: number): { year: number; month: number; day: number } {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const doe = z - era * 146_097;
  const yoe = Math.floor((doe - Math.floor(doe / 1460) + Math.floor(doe / 36_524) - Math.floor(doe / 146_096)) / 365);
  const doy = doe - (365 * yoe + Math.floor(yoe / 4) - Math.floor(yoe / 100));
  const mp = Math.floor((5 * doy + 2) / 153);
  const month = mp < 10 ? mp + 3 : mp - 9;
  return { year: yoe + era * 400 + (month <= 2 ? 1 : 0), month, day: doy - Math.floor((153 * mp + 2) / 5) + 1 };
}

const floorDiv = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((-a + b - 1n) / b));

/** Go's zero time: the first second of the year 1. */
export const ZERO_TIME = new GoTime(-62_135_596_800n, 0, UTC);

const two = (value: number): string => String(value).padStart(2, '0');

export function zoneOffset(offset: number, separator: string): string {
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}${separator}${two(Math.floor(size / 60) % 60)}`;
}

export const yearText = (year: number): string =>
  year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');

const fractionText = (nanoseconds: number): string =>
  nanoseconds === 0 ? '' : `.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}`;

/** Returns the name of a zone, by default its offset. */
export const zoneName = ({ zone }: GoTime): string => (zone.name === '' ? zoneOffset(zone.offset, '') : zone.name);

/** Go's time.Time.String. */
export function timeText(time: GoTime): string {
  const { year, month, day, hour, minute, second } = civilOf(time);
  const clock = `${two(hour)}:${two(minute)}:${two(second)}${fractionText(time.nanoseconds)}`;
  return `${yearText(year)}-${two(month)}-${two(day)} ${clock} ${zoneOffset(time.zone.offset, '')} ${zoneName(time)}`;
}

/** Formats RFC 3339 with the existing fraction, as in JSON. */
export function timeJson(time: GoTime): string {
  const { year, month, day, hour, minute, second } = civilOf(time);
  const clock = `${two(hour)}:${two(minute)}:${two(second)}${fractionText(time.nanoseconds)}`;
  const zone = time.zone.offset === 0 ? 'Z' : zoneOffset(time.zone.offset, ':');
  return `${yearText(year)}-${two(month)}-${two(day)}T${clock}${zone}`;
}

/** Parses a text like `1h15m30.5s` to nanoseconds, as Go's time.ParseDuration does; returns `undefined` for others. */
export const parseDuration = (text: string): bigint | undefined =>
  attempt(() => parseGoDuration(fromBytes(text)).nanos, EvaluationError);
