import { clipped } from '../text/clip.ts';
import type { Problem, Report } from './diagnostic.ts';
import { format, type Message, publicText, type Text } from './message.ts';

/** The maximum length of a message: it may quote expressions, rules and values of any length. */
const MAX_MESSAGE = 2000;
const MAX_HINT = 4000;

/**
 * Converts a problem to a report, with texts of limited length. They are cut at once, because there may be many. Values
 * of Secrets are redacted before (`redact`).
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
