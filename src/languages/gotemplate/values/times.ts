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

/** The calendar repeats every 400 years, and 2000 is the sixth of their first years. */
const ERA_DAYS = 146_097;
const ERA = BigInt(ERA_DAYS) * 86_400n;
const DAY = 86_400_000;

export type Civil = ReturnType<typeof civilOf>;

/** The parts of a time in its zone; years may be negative. */
export function civilOf({ seconds, zone }: GoTime) {
  const local = seconds + BigInt(zone.offset);
  const rest = ((local % ERA) + ERA) % ERA;
  const date = new Date(Number(rest) * 1000);
  const year = date.getUTCFullYear() + Number((local - rest) / ERA) * 400;
  return {
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
    yearDay: Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / DAY) + 1,
  };
}

/** Returns days since 1970-01-01; months and days out of range carry over. */
export function daysOf(year: number, month: number, day: number): number {
  const months = year * 12 + month - 1;
  const era = Math.floor(months / 4800);
  return Date.UTC(2000, months - era * 4800) / DAY + (era - 5) * ERA_DAYS + day - 1;
}

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
