import { attempt } from '../../../core/model/attempt.ts';
import { parseInt64 } from '../../../core/text/go-numbers.ts';
import { ZONE_WORDS } from '../../../core/text/time-zones.ts';
import { EvaluationError, parseDuration } from '../../../languages/cel/index.ts';

interface Field {
  low: number;
  high: number;
  names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Field[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: ['', ...MONTHS] },
  { low: 0, high: 6, names: DAYS },
];
const WORDS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY = '@every ';

/** As github.com/robfig/cron/v3, ParseStandard, parses it; the API server rejects a time zone in it. */
export function isSchedule(schedule: string): boolean {
  if (schedule.includes('TZ')) return false;
  if (schedule.startsWith('@')) return WORDS.includes(schedule) || isEvery(schedule);
  const parts = schedule.split(/\s+/).filter((part) => part !== '');
  return parts.length === FIELDS.length && FIELDS.every((field, index) => isList(parts[index] ?? '', field));
}

/** As Go's time.ParseDuration, which rejects what does not fit in nanoseconds. */
const isEvery = (schedule: string): boolean =>
  schedule.startsWith(EVERY) &&
  attempt(() => parseDuration(schedule.slice(EVERY.length)), EvaluationError) !== undefined;

/** Empty items are ignored, as Go's FieldsFunc does. */
const isList = (text: string, field: Field): boolean =>
  text
    .split(',')
    .filter((one) => one !== '')
    .every((one) => isRange(one, field));

function isRange(text: string, { low, high, names = [] }: Field): boolean {
  const [range = '', step, ...more] = text.split('/');
  const [first = '', last, ...others] = range.split('-');
  if (more.length > 0) return false;
  if (step !== undefined && !((parseInt64(step) ?? 0n) > 0n)) return false;
  if (first === '*' || first === '?') return true;
  if (others.length > 0) return false;
  const start = numberOf(first, names);
  const end = last === undefined ? (step === undefined ? start : high) : numberOf(last, names);
  return start !== undefined && end !== undefined && start >= low && end <= high && start <= end;
}

function numberOf(text: string, names: readonly string[]): number | undefined {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (named >= 0) return named;
  const number = parseInt64(text);
  return number !== undefined && number >= 0n ? Number(number) : undefined;
}

/** The folders of the time zone database. The list of cities changes every year. */
const AREAS =
  'Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe Indian Mexico Pacific US posix right';
const areas = new Set(AREAS.split(' '));
const ZONE_PART = /^(?!-)(?!\.\.?$)[A-Za-z.\-_0-9+]{1,14}$/;

export function isZone(zone: string): boolean {
  const [area = '', ...rest] = zone.split('/');
  if (rest.length === 0) return ZONE_WORDS.has(area) || area === 'UTC' || area === 'Factory';
  return areas.has(area) && rest.every((part) => ZONE_PART.test(part));
}
