import { clipped } from '../text/clip.ts';
import type { Problem, Report } from './diagnostic.ts';
import { format, type Message, publicText, type Text } from './message.ts';

/** Messages quote expressions, rules and values, which may be as long as an input is. */
const MAX_MESSAGE = 2000;
const MAX_HINT = 4000;

/**
 * The problem as a report, with texts of a length that people read. They are cut as soon as they are reported: there
 * may be many. Values of Secrets are hidden before (`redact`).
 */
export function toReport({ message, hint, ...problem }: Problem): Report {
  const report: Report = { ...problem, message: formatBriefly(message, MAX_MESSAGE) };
  if (hint !== undefined) report.hint = formatBriefly(hint, MAX_HINT);
  return report;
}

function formatBriefly(message: Message, most: number): Text {
  const whole = format(message);
  return whole.length <= most ? whole : publicText`${clipped(whole, most)}`;
}
