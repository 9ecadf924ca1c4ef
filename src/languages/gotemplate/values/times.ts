import { attempt } from '../../../core/model/attempt.ts';
import { ownValue } from '../../../core/model/value.ts';
import { durationText as textOfDuration } from '../../../core/text/go-text.ts';
import { EvaluationError, parseDuration as parseGoDuration } from '../../cel/index.ts';
import { fromBytes, toBytes } from '../bytes.ts';
import { type GoInt, GoTime, UTC, type Zone } from './values.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns the text of an integer that Go prints as a word: a month, a weekday, a duration. */
export function wordOf({ kind, value }: GoInt): string | undefined {
  if (kind === 'time.Month') return MONTHS[Number(value) - 1] ?? `%!Month(${value})`;
  if (kind === 'time.Weekday') return WEEKDAYS[Number(value)] ?? `%!Weekday(${value})`;
  return kind === 'time.Duration' ? durationText(value) : undefined;
}

/** Go's time.Duration.String, in bytes. */
export const durationText = (nanoseconds: bigint): string => toBytes(textOfDuration(nanoseconds));

/** Parses a text like `1h15m30.5s` to nanoseconds, as Go's time.ParseDuration does; returns `undefined` for others. */
export const parseDuration = (text: string): bigint | undefined =>
  attempt(() => parseGoDuration(fromBytes(text)).nanos, EvaluationError);

/** The calendar repeats every 400 years, and 2000 is the sixth of their first years. */
const ERA_DAYS = 146_097;
const ERA = BigInt(ERA_DAYS) * 86_400n;
const DAY = 86_400_000;

/** The parts of a time in its zone. */
export interface CivilTime {
  /** May be negative. */
  year: number;
  /** From 1, as days are. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** 0 is Sunday. */
  weekday: number;
  yearDay: number;
  nanoseconds: number;
  zone: Zone;
}

/** Returns the parts of a time in its zone. */
export function civilOf({ seconds, nanoseconds, zone }: GoTime): CivilTime {
  const local = seconds + BigInt(zone.offset);
  const rest = ((local % ERA) + ERA) % ERA;
  const date = new Date(Number(rest) * 1000);
  return {
    year: date.getUTCFullYear() + Number((local - rest) / ERA) * 400,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
    yearDay: Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / DAY) + 1,
    nanoseconds,
    zone,
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

/** Go's time.Time.String. */
export const timeText = (time: GoTime): string => formatLayout(time, '2006-01-02 15:04:05.999999999 -0700 MST');

/** Formats RFC 3339 with the existing fraction, as in JSON. */
export const timeJson = (time: GoTime): string => formatLayout(time, '2006-01-02T15:04:05.999999999Z07:00');

/** What is parsed so far; -1 stands for a part that the text does not have. */
interface ParsedTime {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  weekday: number;
  hour: number;
  minute: number;
  second: number;
  nanoseconds: number;
  pm: boolean | undefined;
  zone: Zone;
  isValid: boolean;
}

const nothingParsed = (): ParsedTime => ({
  year: 0,
  month: -1,
  day: -1,
  yearDay: -1,
  weekday: -1,
  hour: 0,
  minute: 0,
  second: 0,
  nanoseconds: 0,
  pm: undefined,
  zone: UTC,
  isValid: true,
});

/** A part of a layout: what it matches, and how a time is written and read. */
interface Part {
  pattern: RegExp;
  write(at: CivilTime): string;
  read(found: string, into: ParsedTime): void;
}

const padded = (value: number, width: number, fill = '0'): string => String(value).padStart(width, fill);

type NumberField = 'year' | 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second';

const number = (field: NumberField, pattern: RegExp, width = 1, fill = '0'): Part => ({
  pattern,
  write: (at) => padded(at[field], width, fill),
  read(found, into) {
    into[field] = Number(found);
  },
});

const name = (field: 'month' | 'weekday', names: readonly string[], first: 0 | 1): Part => ({
  pattern: new RegExp(names.join('|'), 'iy'),
  write: (at) => names[at[field] - first] ?? '',
  read(found, into) {
    into[field] = names.findIndex((one) => one.toLowerCase() === found.toLowerCase()) + first;
  },
});

const half = (before: string, after: string): Part => ({
  pattern: new RegExp(`${before}|${after}`, 'y'),
  write: ({ hour }) => (hour >= 12 ? after : before),
  read(found, into) {
    into.pm = found === after;
  },
});

const short = (names: readonly string[]): string[] => names.map((one) => one.slice(0, 3));
const ONE = /[0-9]{1,2}/y;
const TWO = /[0-9]{2}/y;

/** The parts of a layout, which the reference time defines: 2006-01-02 15:04:05 -0700. */
const PARTS: Readonly<Record<string, Part>> = {
  January: name('month', MONTHS, 1),
  Jan: name('month', short(MONTHS), 1),
  Monday: name('weekday', WEEKDAYS, 0),
  Mon: name('weekday', short(WEEKDAYS), 0),
  '2006': {
    ...number('year', /[0-9]{4}/y),
    write: ({ year }) => (year < 0 ? `-${padded(-year, 4)}` : padded(year, 4)),
  },
  '06': {
    pattern: TWO,
    write: ({ year }) => padded(((year % 100) + 100) % 100, 2),
    read(found, into) {
      into.year = Number(found) + (Number(found) >= 69 ? 1900 : 2000);
    },
  },
  '01': number('month', TWO, 2),
  '1': number('month', ONE),
  '02': number('day', TWO, 2),
  _2: number('day', / ?[0-9]{1,2}/y, 2, ' '),
  '2': number('day', ONE),
  '002': number('yearDay', /[0-9]{3}/y, 3),
  __2: number('yearDay', / {0,2}[0-9]{1,3}/y, 3, ' '),
  '15': number('hour', ONE, 2),
  '03': { ...number('hour', TWO), write: ({ hour }) => padded(hour % 12 || 12, 2) },
  '3': { ...number('hour', ONE), write: ({ hour }) => padded(hour % 12 || 12, 1) },
  '04': number('minute', TWO, 2),
  '4': number('minute', ONE),
  '05': number('second', TWO, 2),
  '5': number('second', ONE),
  PM: half('AM', 'PM'),
  pm: half('am', 'pm'),
  MST: {
    pattern: /UTC|[A-Z]{3,4}(?![A-Z])|[+-][0-9]{2,4}/y,
    write: ({ zone }) => (zone.name === '' ? offsetText(zone.offset, '', 2) : zone.name),
    read(found, into) {
      into.zone = found === 'UTC' ? UTC : { offset: 0, name: found };
    },
  },
};

const PART =
  /January|Jan|Monday|Mon|MST|002|0[1-6]|2006|15|[-Z]07(?::00:00|:00|0000|00)?|__2|_2(?!006)|[.,]0+(?![0-9])|[.,]9+(?![0-9])|PM|pm|[12345]/g;

const partOf = (part: string): Part => ownValue(PARTS, part) ?? (/^[.,]/.test(part) ? fraction(part) : offset(part));

/** Zeros are all written, nines without zeros at the end. */
function fraction(part: string): Part {
  const length = part.length - 1;
  const isWhole = part[1] === '0';
  return {
    pattern: isWhole ? new RegExp(`[.,][0-9]{${length}}`, 'y') : /(?:[.,][0-9]+)?/y,
    write({ nanoseconds }) {
      const digits = padded(nanoseconds, 9).slice(0, length).padEnd(length, '0');
      const shown = isWhole ? digits : digits.replace(/(?<!0)0+$/, '');
      return shown === '' ? '' : part.charAt(0) + shown;
    },
    read(found, into) {
      if (found !== '') into.nanoseconds = Number(found.slice(1, 10).padEnd(9, '0'));
    },
  };
}

const offset = (part: string): Part => ({
  pattern: new RegExp(`${part.startsWith('Z') ? 'Z|' : ''}[+-]${part.slice(1).replace(/[07]/g, '[0-9]')}`, 'y'),
  write({ zone }) {
    if (part.startsWith('Z') && zone.offset === 0) return 'Z';
    return offsetText(zone.offset, part.includes(':') ? ':' : '', part.replace(/[^0-9]/g, '').length / 2);
  },
  read(found, into) {
    const [hours = 0, minutes = 0, seconds = 0] = (found.match(/[0-9]{2}/g) ?? []).map(Number);
    const size = hours * 3600 + minutes * 60 + seconds;
    into.zone = size === 0 ? UTC : { offset: found.startsWith('-') ? -size : size, name: '' };
    into.isValid &&= hours <= 24 && minutes <= 60 && seconds <= 60;
  },
});

function offsetText(seconds: number, separator: string, fields: number): string {
  const size = Math.abs(seconds);
  const all = [size / 3600, (size / 60) % 60, size % 60].map((one) => padded(Math.floor(one), 2));
  return (seconds < 0 ? '-' : '+') + all.slice(0, fields).join(separator);
}

/** Formats a time by a layout, as Go's time.Time.Format. */
export function formatLayout(time: GoTime, layout: string): string {
  const civil = civilOf(time);
  return layout.replace(PART, (part) => partOf(part).write(civil));
}

/** Parses a time by a layout, as Go's time.Parse with UTC by default; returns `undefined` if it does not match. */
export function parseLayout(layout: string, text: string): GoTime | undefined {
  const parsed = nothingParsed();
  let at = 0;
  let last = 0;
  for (const { 0: part, index } of layout.matchAll(PART)) {
    at = literal(text, at, layout.slice(last, index));
    if (at < 0) return undefined;
    last = index + part.length;
    // A fraction may follow seconds, even if the layout has none.
    const isOpen = /^0?5$/.test(part) && !/^[.,][09]/.test(layout.slice(last));
    for (const { pattern, read } of (isOpen ? [part, '.9'] : [part]).map(partOf)) {
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0];
      if (found === undefined) return undefined;
      read(found, parsed);
      at += found.length;
    }
  }
  return literal(text, at, layout.slice(last)) === text.length ? momentOf(parsed) : undefined;
}

/** Skips text of the layout, of which spaces match any number of spaces; returns -1 if it is not there. */
function literal(text: string, start: number, expected: string): number {
  let at = start;
  for (const char of expected.replace(/ +/g, ' ')) {
    if (char === ' ') {
      if (at < text.length && text[at] !== ' ') return -1;
      while (text[at] === ' ') at++;
    } else if (text[at] === char) at++;
    else return -1;
  }
  return at;
}

function momentOf({ isValid, zone, pm, hour: written, ...date }: ParsedTime): GoTime | undefined {
  const { minute, second, nanoseconds } = date;
  const hour = pm === true && written < 12 ? written + 12 : pm === false && written === 12 ? 0 : written;
  const days = dayOf(date);
  if (!isValid || hour > 23 || minute > 59 || second > 59 || days === undefined) return undefined;
  const seconds = BigInt(days) * 86_400n + BigInt(hour * 3600 + minute * 60 + second - zone.offset);
  return new GoTime(seconds, nanoseconds, zone);
}

function dayOf({
  year,
  month,
  day,
  yearDay,
}: Pick<ParsedTime, 'year' | 'month' | 'day' | 'yearDay'>): number | undefined {
  if (yearDay < 0) {
    const inMonth = day < 0 ? 1 : day;
    const inYear = month < 0 ? 1 : month;
    const days = daysOf(year, inYear, inMonth);
    return inYear >= 1 && inYear <= 12 && inMonth >= 1 && days < daysOf(year, inYear + 1, 1) ? days : undefined;
  }
  const days = daysOf(year, 1, 1) + yearDay - 1;
  if (yearDay < 1 || days >= daysOf(year + 1, 1, 1)) return undefined;
  const date = civilOf(new GoTime(BigInt(days) * 86_400n));
  return (month < 0 || month === date.month) && (day < 0 || day === date.day) ? days : undefined;
}
