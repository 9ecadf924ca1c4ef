import { counted, type Message, type Problem, phrase, shown, shownHint } from '../../core/diagnostics/index.ts';
import { closingQuote } from '../../core/text/documents.ts';
import { oddCharacterAt, oddCharacterHint } from '../../core/text/odd-character.ts';
import type { SyntaxProblem } from '../tree/index.ts';

const QUOTE = phrase`a value that holds ': ' or ' #', or that starts with a sign YAML gives a meaning to, needs quotes`;
/** A line of git that separates the versions of a conflict. */
const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/m;
const RESOLVE = phrase`keep one of the two versions, and remove the lines with <<<<<<<, ======= and >>>>>>>`;
const TABS = phrase`YAML is indented with spaces, never with tabs`;

interface PlacedProblem extends Problem {
  offset: number;
}

const problemAt = (offset: number, message: Message, hint?: Message): PlacedProblem => ({
  code: 'yaml-syntax',
  message,
  path: [],
  offset,
  ...(hint && { hint }),
});

/** Returns the probable cause of an error of the parser, with its position. */
export function syntaxProblem({ message: found, offset }: SyntaxProblem, document: string): PlacedProblem {
  const message = phrase`${found}`;
  const [own, previous] = linesBefore(document, offset);
  const odd = oddCharacterAt(upToLineEnd(document, previous, offset));
  if (odd >= 0) return problemAt(previous + odd, message, shownHint(oddCharacterHint(document[previous + odd] ?? '')));
  const conflict = document.search(CONFLICT);
  if (conflict >= 0) return problemAt(conflict, phrase`a merge conflict`, RESOLVE);
  const early = earlyQuoteIn(document, own) ?? earlyQuoteIn(document, previous);
  if (early !== undefined) return early;
  const line = upToLineEnd(document, own, offset);
  if (/^ *\t/.test(line)) return problemAt(offset, message, TABS);
  const aligned = alignment(document, offset, line);
  if (aligned !== undefined) return problemAt(offset, message, aligned);
  const marker = markerIn(line);
  if (marker !== undefined) return problemAt(offset, message, phrase`a marker is written with =: ${marker}=...`);
  return problemAt(offset, message, /: .*(?:: | #)|[:-] +[@`%*&!{[]|\$\{/.test(line) ? QUOTE : undefined);
}

/** Returns the last marker of a line that is written like a key, as in `a: string | default: x`. */
function markerIn(line: string): string | undefined {
  const value = line.indexOf(': ');
  if (value < 0) return undefined;
  const [, name] = [...line.slice(value).matchAll(/\|\s*(\w+): /g)].at(-1) ?? [];
  return name;
}

const KEY = /^( *(?:- +)*)([\w.$/-]+) *:(?: |$)/;

/** Returns the indentation that a key needs, if no key above it has the same one: of the levels that are open there. */
function alignment(document: string, offset: number, line: string): Message | undefined {
  const own = KEY.exec(line)?.[1]?.length;
  if (own === undefined) return undefined;
  const levels: { indent: number; key: string }[] = [];
  const before = document.slice(0, offset).split('\n').slice(0, -1).reverse();
  // Below a key without a value any indentation starts a map.
  if (/:\s*$/.test(before[0] ?? '')) return undefined;
  for (const above of before) {
    const [, { length: indent } = '', key = ''] = KEY.exec(above) ?? [];
    if (key !== '' && indent < (levels.at(-1)?.indent ?? Number.POSITIVE_INFINITY)) levels.push({ indent, key });
    if (key !== '' && indent === 0) break;
  }
  if (levels.some(({ indent }) => indent === own)) return undefined;
  const deeper = levels.findLast(({ indent }) => indent > own);
  const outer = levels.find(({ indent }) => indent < own);
  const nearest = [deeper, outer].filter((one) => one !== undefined);
  const [first, second] = nearest.map(
    ({ indent, key }) => phrase`with '${key}' above (${shown(counted(indent, 'space'))})`,
  );
  if (first === undefined) return undefined;
  return second === undefined ? phrase`align it ${first}` : phrase`align it ${first}, or ${second}`;
}

/** Returns the starts of the line of an error and of the previous one. */
function linesBefore(document: string, offset: number): [own: number, previous: number] {
  const start = document.lastIndexOf('\n', offset - 1) + 1;
  return [start, start === 0 ? 0 : document.lastIndexOf('\n', start - 2) + 1];
}

/** Returns the text up to the end of the line of an offset. */
function upToLineEnd(document: string, from: number, offset: number): string {
  const end = document.indexOf('\n', offset);
  return document.slice(from, end < 0 ? document.length : end);
}

const OPENS = /(?:^|[:,[{?-])[ \t]*["']/g;
/** What may follow a quoted text: the end of the line, of an item or of a key, or a comment. */
const MAY_FOLLOW = /^[ \t]*(?:$|[,\]}:]|\r)|^[ \t]+#/;

/** Finds a quoted text that ends although its line continues: quotes inside quotes. The parser reports what follows. */
function earlyQuoteIn(document: string, start: number): PlacedProblem | undefined {
  const line = upToLineEnd(document, start, start);
  OPENS.lastIndex = 0;
  while (OPENS.test(line)) {
    const end = closingQuote(line, OPENS.lastIndex - 1, line.length);
    if (end < 0) return undefined;
    const quote = line.charAt(end);
    if (!MAY_FOLLOW.test(line.slice(end + 1))) {
      const message = phrase`the quoted text ends at this ${shown(quote)}, and more follows`;
      return problemAt(start + end, message, phrase`${quote === '"' ? INSIDE_DOUBLE : INSIDE_SINGLE}`);
    }
    OPENS.lastIndex = end + 1;
  }
  return undefined;
}

const INSIDE_DOUBLE = 'inside double quotes write \\" for a quote, or put single quotes around the text';
const INSIDE_SINGLE = "inside single quotes write '' for a quote, or put double quotes around the text";
