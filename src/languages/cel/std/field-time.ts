/** Durations and timestamps in fields of objects (k8s.io/kube-openapi strfmt), less strict than CEL's own texts. */

import { MAX_INT64 } from '../../../core/text/go-numbers.ts';
import { Duration, EvaluationError, failure, type Timestamp } from '../value/values.ts';
import { parseDuration, parseTimestamp } from './time-text.ts';

const SECOND = 1_000_000_000n;

/** Words match if the unit begins with them, in this order; short forms only match the whole unit. */
const UNITS: readonly (readonly [exact: readonly string[], prefix: string, nanos: bigint])[] = [
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
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
  }
  let nanos: bigint | undefined;
  for (const [, count = '', unit = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-z\u00B5]+)/g)) {
    if (count.length > MAX_DIGITS || BigInt(count) > MAX_INT64) throw noDuration(text);
    const known = unitNanos(unit.toLowerCase());
    if (known !== undefined) nanos = (nanos ?? 0n) + BigInt(count) * known;
  }
  if (nanos === undefined) throw noDuration(text);
  return new Duration(BigInt.asIntN(64, nanos));
}

const MAX_DIGITS = 1000;
const noDuration = (text: string): EvaluationError => failure(`invalid duration: unable to parse ${text} as duration`);

const unitNanos = (unit: string): bigint | undefined =>
  UNITS.find(([exact, prefix]) => exact.includes(unit) || unit.startsWith(prefix))?.[2];

/** Parses a date, or a date and time with an optional zone. */
export function parseFieldTimestamp(text: string): Timestamp {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  return parseTimestamp(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(date) ? `${date}Z` : date);
}
