import type { Problem } from '../../core/diagnostics/index.ts';
import { DECIMAL, parseInt64 } from '../../core/text/go-numbers.ts';

/** Reads the scalars of SimpleSchema as Go does (packages strconv and unicode). */

const SPACES =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** unicode.IsSpace, of one UTF-16 unit (all white space is in the basic plane). */
export const isSpace = (char: string): boolean => char.length === 1 && SPACES.includes(char);

/** strings.TrimSpace */
export function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charAt(start))) start += 1;
  while (end > start && isSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** strconv.ParseFloat for numbers that JSON can represent: decimal and finite. Whole int64 numbers stay exact. */
export function parseNumber(text: string): bigint | number | undefined {
  const whole = parseInt64(text);
  if (whole !== undefined) return whole;
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** An error in the text of one field, or of one of its markers. `offset` counts UTF-16 units from its start. */
export type FieldProblem = Omit<Problem, 'path'>;

export type ReportFieldProblem = (fault: FieldProblem) => void;
