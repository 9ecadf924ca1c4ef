import { type Civil, civilOf, daysOf, monthName, weekdayName, yearText, zoneName, zoneOffset } from './times.ts';
import { GoTime, UTC } from './values.ts';

/** The parts of a layout, which the reference time defines: 2006-01-02 15:04:05 -0700. */
const PART =
  /January|Jan|Monday|Mon|MST|002|01|02|03|04|05|06|2006|15|-07:00:00|-07:00|-070000|-0700|-07|Z07:00:00|Z07:00|Z070000|Z0700|Z07|_2006|__2|_2|[.,]0+(?![0-9])|[.,]9+(?![0-9])|PM|pm|[12345]/g;

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats a time by a layout, as Go's time.Time.Format. */
export function formatLayout(time: GoTime, layout: string): string {
  const civil = civilOf(time);
  return layout.replace(PART, (part) => datePart(civil, part) ?? otherPart(time, part));
}

const halfOf = ({ hour }: Civil): number => (hour % 12 === 0 ? 12 : hour % 12);

/** The number that a part stands for, and how it is written: its width, and what fills it. */
type NumberPart = readonly [field: keyof Civil & keyof ParsedPart, digits: string, width?: number, fill?: string];

const NUMBERS: Readonly<Record<string, NumberPart>> = {
  '06': ['year', '[0-9]{2}', 2],
  '01': ['month', '[0-9]{2}', 2],
  '1': ['month', '[0-9]{1,2}'],
  '02': ['day', '[0-9]{2}', 2],
  _2: ['day', ' ?[0-9]{1,2}', 2, ' '],
  '2': ['day', '[0-9]{1,2}'],
  '002': ['yearDay', '[0-9]{3}', 3],
  __2: ['yearDay', ' {0,2}[0-9]{1,3}', 3, ' '],
  '15': ['hour', '[0-9]{1,2}', 2],
  '03': ['hour', '[0-9]{2}', 2],
  '3': ['hour', '[0-9]{1,2}'],
  '04': ['minute', '[0-9]{2}', 2],
  '4': ['minute', '[0-9]{1,2}'],
  '05': ['second', '[0-9]{2}', 2],
  '5': ['second', '[0-9]{1,2}'],
  '2006': ['year', '[0-9]{4}', 4],
};

/** Formats a part of a date. */
function datePart(at: Civil, part: string): string | undefined {
  const { year, month, weekday, hour } = at;
  if (part.endsWith('2006')) return part.slice(0, -4) + yearText(year);
  if (part.startsWith('Jan')) return monthName(month).slice(0, part === 'Jan' ? 3 : undefined);
  if (part.startsWith('Mon')) return weekdayName(weekday).slice(0, part === 'Mon' ? 3 : undefined);
  if (part === 'PM') return hour >= 12 ? 'PM' : 'AM';
  if (part === 'pm') return hour >= 12 ? 'pm' : 'am';
  const [field, , width = 1, fill = '0'] = NUMBERS[part] ?? [];
  if (field === undefined) return undefined;
  const value = part === '06' ? ((year % 100) + 100) % 100 : /3$/.test(part) ? halfOf(at) : at[field];
  return String(value).padStart(width, fill);
}

/** Formats a zone or a fraction. */
function otherPart(time: GoTime, part: string): string {
  const { zone, nanoseconds } = time;
  if (part === 'MST') return zoneName(time);
  if (/^[.,]/.test(part)) return fraction(part, nanoseconds);
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
const nothingParsed = () => ({
  year: 0,
  month: -1,
  day: -1,
  yearDay: -1,
  hour: 0,
  minute: 0,
  second: 0,
  nanoseconds: 0,
  pm: undefined as boolean | undefined,
  zone: undefined as GoTime['zone'] | undefined,
});
type ParsedPart = ReturnType<typeof nothingParsed>;

/**
 * Parses a time by a layout, as Go's time.Parse with UTC as the default zone; returns `undefined` if it does not match.
 */
export function parseLayout(layout: string, text: string): GoTime | undefined {
  const read = nothingParsed();
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

/** Returns what a part of a layout matches in a text, as a regular expression. */
function patternOf(part: string): string {
  if (NUMBERS[part] !== undefined) return NUMBERS[part][1];
  if (part === 'PM') return '[AP]M';
  if (part === 'pm') return '[ap]m';
  if (/^(?:Jan|Mon)/.test(part)) return namesOf(part).join('|');
  if (part === 'MST') return 'UTC|[A-Z]{3,4}(?![A-Z])|[+-][0-9]{2,4}';
  if (/^[.,]/.test(part)) return part[1] === '0' ? `[.,][0-9]{${part.length - 1}}` : '(?:[.,][0-9]+)?';
  return `${part.startsWith('Z') ? 'Z|' : ''}[+-]${part.slice(1).replace(/[07]/g, '[0-9]')}`;
}

/** Returns the names of months or days, of three letters if the part has three. */
function namesOf(part: string): string[] {
  const names = part.startsWith('Jan')
    ? Array.from({ length: 12 }, (_, index) => monthName(index + 1))
    : Array.from({ length: 7 }, (_, index) => weekdayName(index));
  return part.length === 3 ? names.map((name) => name.slice(0, 3)) : names;
}

/** Returns the end of what a part matches, -1 if it does not. */
function readPart(read: ParsedPart, part: string, text: string, at: number, rest: string): number {
  const pattern = new RegExp(patternOf(part), /^(?:Jan|Mon)/.test(part) ? 'iy' : 'y');
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  if (found === undefined || !storePart(read, part, found)) return -1;
  const end = at + found.length;
  // A fraction may follow seconds, even if the layout has none.
  const isOpen = NUMBERS[part]?.[0] === 'second' && !/^[.,][09]/.test(rest);
  const more = isOpen ? /^[.,][0-9]+/.exec(text.slice(end))?.[0] : undefined;
  if (more === undefined) return end;
  read.nanoseconds = nanosecondsOf(more);
  return end + more.length;
}

const nanosecondsOf = (fraction: string): number => Number(fraction.slice(1, 10).padEnd(9, '0'));

/** Stores what a part matches; returns false for an invalid zone. */
function storePart(read: ParsedPart, part: string, found: string): boolean {
  const [field] = NUMBERS[part] ?? [];
  if (field !== undefined) {
    const value = Number(found);
    read[field] = part === '06' ? value + (value >= 69 ? 1900 : 2000) : value;
  } else if (part === 'PM' || part === 'pm') read.pm = /p/i.test(found);
  else if (part.startsWith('Jan')) {
    read.month = namesOf(part).findIndex((name) => name.toLowerCase() === found.toLowerCase()) + 1;
  } else if (/^[.,]/.test(part)) {
    if (found !== '') read.nanoseconds = nanosecondsOf(found);
  } else if (part === 'MST') read.zone = found === 'UTC' ? UTC : { offset: 0, name: found };
  else if (!part.startsWith('Mon')) return storeOffset(read, found);
  return true;
}

function storeOffset(read: ParsedPart, written: string): boolean {
  const [hours = 0, minutes = 0, seconds = 0] = (written.match(/[0-9]{2}/g) ?? []).map(Number);
  const size = hours * 3600 + minutes * 60 + seconds;
  read.zone = size === 0 ? UTC : { offset: written.startsWith('-') ? -size : size, name: '' };
  return hours <= 24 && minutes <= 60 && seconds <= 60;
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
