import { type Civil, civilOf, daysOf, monthName, weekdayName, yearText, zoneName, zoneOffset } from './times.ts';
import { GoTime, UTC } from './values.ts';

/** The parts of a layout, which the reference time defines: 2006-01-02 15:04:05 -0700. */
const PART =
  /January|Jan|Monday|Mon|MST|002|01|02|03|04|05|06|2006|15|-07:00:00|-07:00|-070000|-0700|-07|Z07:00:00|Z07:00|Z070000|Z0700|Z07|_2006|__2|_2|[.,]0+(?![0-9])|[.,]9+(?![0-9])|PM|pm|[12345]/g;

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats a time by a layout, as Go's time.Time.Format. */
export function formatLayout(time: GoTime, layout: string): string {
  const civil = civilOf(time);
  return layout.replace(PART, (part) => WRITERS[part]?.(civil) ?? otherPart(time, part) ?? part);
}

const halfOf = ({ hour }: Civil): number => (hour % 12 === 0 ? 12 : hour % 12);

const WRITERS: Readonly<Record<string, (at: Civil) => string>> = {
  '2006': ({ year }) => yearText(year),
  _2006: ({ year }) => `_${yearText(year)}`,
  '06': ({ year }) => two(((year % 100) + 100) % 100),
  January: ({ month }) => monthName(month),
  Jan: ({ month }) => monthName(month).slice(0, 3),
  '01': ({ month }) => two(month),
  '1': ({ month }) => String(month),
  Monday: ({ weekday }) => weekdayName(weekday),
  Mon: ({ weekday }) => weekdayName(weekday).slice(0, 3),
  '02': ({ day }) => two(day),
  _2: ({ day }) => String(day).padStart(2, ' '),
  '2': ({ day }) => String(day),
  '002': ({ yearDay }) => String(yearDay).padStart(3, '0'),
  __2: ({ yearDay }) => String(yearDay).padStart(3, ' '),
  '15': ({ hour }) => two(hour),
  '03': (at) => two(halfOf(at)),
  '3': (at) => String(halfOf(at)),
  '04': ({ minute }) => two(minute),
  '4': ({ minute }) => String(minute),
  '05': ({ second }) => two(second),
  '5': ({ second }) => String(second),
  PM: ({ hour }) => (hour >= 12 ? 'PM' : 'AM'),
  pm: ({ hour }) => (hour >= 12 ? 'pm' : 'am'),
};

/** Formats a zone or a fraction. */
function otherPart(time: GoTime, part: string): string | undefined {
  const { zone, nanoseconds } = time;
  if (part === 'MST') return zoneName(time);
  if (/^[.,]/.test(part)) return fraction(part, nanoseconds);
  if (!/^[-Z]0/.test(part)) return undefined;
  if (part.startsWith('Z') && zone.offset === 0) return 'Z';
  const colon = part.includes(':') ? ':' : '';
  const minutes = zoneOffset(zone.offset, colon);
  const digits = part.replace(/[^0-9]/g, '').length;
  if (digits === 2) return minutes.slice(0, 3);
  return digits === 6 ? `${minutes}${colon}${two(Math.abs(zone.offset) % 60)}` : minutes;
}

function fraction(part: string, nanoseconds: number): string {
  const digits = String(nanoseconds)
    .padStart(9, '0')
    .slice(0, part.length - 1)
    .padEnd(part.length - 1, '0');
  if (part[1] === '0') return part.charAt(0) + digits;
  const short = digits.replace(/0+$/, '');
  return short === '' ? '' : part.charAt(0) + short;
}

/** The parts that were parsed so far. */
interface ParsedPart {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanoseconds: number;
  pm: boolean | undefined;
  zone: { offset: number; name: string } | undefined;
}

const NUMBERS: Record<
  string,
  readonly [keyof ParsedPart & ('year' | 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second'), RegExp]
> = {
  '2006': ['year', /[0-9]{4}/y],
  '06': ['year', /[0-9]{2}/y],
  '01': ['month', /[0-9]{2}/y],
  '1': ['month', /[0-9]{1,2}/y],
  '02': ['day', /[0-9]{2}/y],
  _2: ['day', / ?[0-9]{1,2}/y],
  '2': ['day', /[0-9]{1,2}/y],
  '002': ['yearDay', /[0-9]{3}/y],
  __2: ['yearDay', / {0,2}[0-9]{1,3}/y],
  '15': ['hour', /[0-9]{1,2}/y],
  '03': ['hour', /[0-9]{2}/y],
  '3': ['hour', /[0-9]{1,2}/y],
  '04': ['minute', /[0-9]{2}/y],
  '4': ['minute', /[0-9]{1,2}/y],
  '05': ['second', /[0-9]{2}/y],
  '5': ['second', /[0-9]{1,2}/y],
};

/**
 * Parses a time by a layout, as Go's time.Parse with UTC as the default zone; returns `undefined` if it does not match.
 */
export function parseLayout(layout: string, text: string): GoTime | undefined {
  const read: ParsedPart = {
    year: 0,
    month: -1,
    day: -1,
    yearDay: -1,
    hour: 0,
    minute: 0,
    second: 0,
    nanoseconds: 0,
    pm: undefined,
    zone: undefined,
  };
  let at = 0;
  let last = 0;
  for (const match of layout.matchAll(PART)) {
    const [part] = match;
    at = literal(text, at, layout.slice(last, match.index));
    if (at < 0) return undefined;
    at = readPart(read, part, text, at, layout.slice(match.index + part.length));
    if (at < 0) return undefined;
    last = match.index + part.length;
  }
  at = literal(text, at, layout.slice(last));
  return at === text.length ? momentOf(read) : undefined;
}

/** Skips text of the layout; a space of it matches any number of spaces. */
function literal(text: string, start: number, expected: string): number {
  let at = start;
  for (const char of expected) {
    if (char === ' ') {
      if (at < text.length && text[at] !== ' ') return -1;
      while (text[at] === ' ') at++;
    } else if (text[at] === char) at++;
    else return -1;
  }
  return at;
}

function readPart(read: ParsedPart, part: string, text: string, at: number, rest: string): number {
  const number = NUMBERS[part];
  if (number !== undefined) return readNumber(read, part, number, text, at, rest);
  if (part === 'PM' || part === 'pm') {
    const word = text.slice(at, at + 2);
    if (word !== (part === 'PM' ? word.toUpperCase() : word.toLowerCase()) || !/^[ap]m$/i.test(word)) return -1;
    read.pm = word.toLowerCase() === 'pm';
    return at + 2;
  }
  if (/^(?:Jan|Mon)/.test(part)) return readName(read, part, text, at);
  if (/^[.,]/.test(part)) return readFraction(read, part, text, at);
  return part === 'MST' ? readZoneName(read, text, at) : readZone(read, part, text, at);
}

function readNumber(
  read: ParsedPart,
  part: string,
  [field, pattern]: (typeof NUMBERS)[string],
  text: string,
  at: number,
  rest: string,
): number {
  pattern.lastIndex = at;
  const digits = pattern.exec(text)?.[0];
  if (digits === undefined) return -1;
  const value = Number(digits);
  read[field] = part === '06' ? value + (value >= 69 ? 1900 : 2000) : value;
  let end = at + digits.length;
  // A fraction may follow seconds, even if the layout has none.
  if (field === 'second' && /^[.,]$/.test(text.charAt(end)) && !/^[.,][09]/.test(rest)) {
    const more = /^[.,][0-9]+/.exec(text.slice(end))?.[0];
    if (more !== undefined) {
      read.nanoseconds = Number(more.slice(1, 10).padEnd(9, '0'));
      end += more.length;
    }
  }
  return end;
}

function readName(read: ParsedPart, part: string, text: string, at: number): number {
  const isMonth = part.startsWith('Jan');
  const count = isMonth ? 12 : 7;
  for (let index = 0; index < count; index++) {
    const long = isMonth ? monthName(index + 1) : weekdayName(index);
    const name = part.length === 3 ? long.slice(0, 3) : long;
    if (text.slice(at, at + name.length).toLowerCase() !== name.toLowerCase()) continue;
    if (isMonth) read.month = index + 1;
    return at + name.length;
  }
  return -1;
}

function readFraction(read: ParsedPart, part: string, text: string, at: number): number {
  const digits = /^[.,]([0-9]+)/.exec(text.slice(at));
  if (part[1] === '9' && digits === null) return at;
  if (digits === null || (part[1] === '0' && digits[0].length < part.length)) return -1;
  const used = part[1] === '0' ? digits[0].slice(0, part.length) : digits[0];
  read.nanoseconds = Number(used.slice(1, 10).padEnd(9, '0'));
  return at + used.length;
}

function readZoneName(read: ParsedPart, text: string, at: number): number {
  if (text.startsWith('UTC', at)) {
    read.zone = UTC;
    return at + 3;
  }
  const name = /^(?:[A-Z]{3,4}(?![A-Z])|[+-][0-9]{2,4})/.exec(text.slice(at))?.[0];
  if (name === undefined) return -1;
  read.zone = { offset: 0, name };
  return at + name.length;
}

function readZone(read: ParsedPart, part: string, text: string, at: number): number {
  if (part.startsWith('Z') && text[at] === 'Z') {
    read.zone = UTC;
    return at + 1;
  }
  const pattern = part.slice(1).replace(/0/g, '[0-9]').replace(/7/g, '[0-9]');
  const written = new RegExp(`^[+-]${pattern}`).exec(text.slice(at))?.[0];
  if (written === undefined) return -1;
  const [hours = 0, minutes = 0, seconds = 0] = (written.match(/[0-9]{2}/g) ?? []).map(Number);
  if (hours > 24 || minutes > 60 || seconds > 60) return -1;
  const size = hours * 3600 + minutes * 60 + seconds;
  const offset = written.startsWith('-') ? -size : size;
  read.zone = offset === 0 ? UTC : { offset, name: '' };
  return at + written.length;
}

function momentOf(read: ParsedPart): GoTime | undefined {
  const { year, yearDay, minute, second, nanoseconds, zone = UTC } = read;
  const hour = hourOf(read);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const month = read.month < 0 && yearDay < 0 ? 1 : read.month;
  const day = read.day < 0 ? 1 : read.day;
  const days = yearDay >= 0 ? dayOfYear(read) : isDate(year, month, day) ? daysOf(year, month, day) : undefined;
  if (days === undefined) return undefined;
  const seconds = BigInt(days) * 86_400n + BigInt(hour * 3600 + minute * 60 + second - zone.offset);
  return new GoTime(seconds, nanoseconds, zone);
}

function hourOf({ hour, pm }: ParsedPart): number {
  if (pm === true && hour < 12) return hour + 12;
  return pm === false && hour === 12 ? 0 : hour;
}

function dayOfYear({ year, month, day, yearDay }: ParsedPart): number | undefined {
  const days = daysOf(year, 1, 1) + yearDay - 1;
  if (yearDay < 1 || days >= daysOf(year + 1, 1, 1)) return undefined;
  const date = civilOf(new GoTime(BigInt(days) * 86_400n));
  const same = (month < 0 || month === date.month) && (day < 0 || day === date.day);
  return same ? days : undefined;
}

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return daysOf(year, month, day) < daysOf(year, month + 1, 1);
}
