import { decodeBase64, isFault } from '../../core/encoding/base64.ts';
import { resolveTagged, type Scalar } from '../../core/text/plain-scalar.ts';

/** A quote that ends its text too early, since more follows. */
interface EarlyQuote {
  offset: number;
  quote: '"' | "'";
}

const OPENS = /(?:^|[:,[{?-])[ \t]*(["'])/g;

/**
 * Finds a quoted text in a line that ends although its line continues: quotes inside quotes. Only the end, a comment,
 * or the end of an item or a key may follow.
 */
export function earlyQuoteIn(line: string): EarlyQuote | undefined {
  OPENS.lastIndex = 0;
  for (let match = OPENS.exec(line); match !== null; match = OPENS.exec(line)) {
    const quote = match[1] as EarlyQuote['quote'];
    const end = endOf(line, OPENS.lastIndex, quote);
    if (end < 0) return undefined;
    const rest = line.slice(end + 1);
    if (!/^[ \t]*(?:$|[,\]}:]|\r)/.test(rest) && !/^[ \t]+#/.test(rest)) return { offset: end, quote };
    OPENS.lastIndex = end + 1;
  }
  return undefined;
}

/**
 * Returns the position of the quote that closes a text that was opened before `start`; -1 if it is not in this line.
 */
function endOf(line: string, start: number, quote: EarlyQuote['quote']): number {
  for (let at = start; at < line.length; at++) {
    if (line[at] === '\\' && quote === '"') at++;
    else if (line[at] !== quote) continue;
    else if (quote === "'" && line[at + 1] === quote) at++;
    else return at;
  }
  return -1;
}

/** How to write the quote inside the text. */
export const quoteHintFor = (quote: EarlyQuote['quote']): string =>
  quote === '"'
    ? 'inside double quotes write \\" for a quote, or put single quotes around the text'
    : "inside single quotes write '' for a quote, or put double quotes around the text";

const TAG = /^tag:yaml\.org,2002:(?:(bool|int|float|null)|binary)$/;

/**
 * Returns the value of a scalar with an explicit tag; `undefined` if it does not match. Tags that go-yaml does not know
 * are strings.
 */
export function resolveWithTag(text: string, tag: string): Scalar | undefined {
  const found = TAG.exec(tag);
  if (found === null) return text;
  if (found[1] !== undefined) return resolveTagged(text, found[1] as 'bool' | 'int' | 'float' | 'null');
  const bytes = decodeBase64(text);
  return isFault(bytes) ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
