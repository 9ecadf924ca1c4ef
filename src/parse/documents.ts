/** The part of a stream that holds one document, its markers and directives included. */
export interface DocumentRange {
  start: number;
  end: number;
}

/** More than any repository or cluster has; a stream is split up to the first document beyond. */
export const MAX_DOCUMENTS = 500_000;

// A marker at the start of a line ends whatever is open (YAML 1.2, 9.1.2), so no tokenizer is needed to find them.
const MARKER = /(?:^|[\n\r])\uFEFF?(---|\.\.\.)(?=[ \t\r\n]|$)/g;

/**
 * Cuts a stream into documents. Each is read on its own, so a broken one does not hide the others, and everybody who
 * counts documents counts alike. JSON objects that follow each other without a marker are documents of their own.
 */
export function splitDocuments(text: string): DocumentRange[] {
  const ranges: DocumentRange[] = [];
  let start = 0;
  let begun = false;
  for (const match of text.matchAll(MARKER)) {
    const isStart = match[1] === '---';
    const lineStart = match.index + (match[0].search(/[\n\r]/) + 1);
    const end = isStart ? lineStart : match.index + match[0].length;
    if (begun || hasContent(text, start, lineStart, isStart)) {
      pushDocument(ranges, text, { start, end: isStart ? lineEndBefore(text, lineStart) : end });
      start = end;
    } else if (!isStart) start = end;
    begun = isStart;
    if (ranges.length > MAX_DOCUMENTS) return ranges;
  }
  if (begun || hasContent(text, start, text.length, false)) pushDocument(ranges, text, { start, end: text.length });
  return ranges;
}

/**
 * Kubernetes splits streams at "\n---" (k8s.io/apimachinery/pkg/util/yaml): the line break before a marker belongs to
 * no document, so a block scalar that ends there has none at its end.
 */
function lineEndBefore(text: string, lineStart: number): number {
  const end = text[lineStart - 1] === '\n' ? lineStart - 1 : lineStart;
  return text[end - 1] === '\r' ? end - 1 : end;
}

const isBlank = (char: string | undefined): boolean =>
  char === ' ' || char === '\n' || char === '\r' || char === '\t' || char === '\uFEFF';

/** Passes over blanks, comments and, where a document may begin, directives. */
function contentStart(text: string, start: number, end: number, directives = false): number {
  let at = start;
  while (at < end) {
    const char = text[at];
    if (char === '#' || (char === '%' && directives)) {
      while (at < end && text[at] !== '\n' && text[at] !== '\r') at++;
    } else if (!isBlank(char)) break;
    at++;
  }
  return Math.min(at, end);
}

const hasContent = (text: string, start: number, end: number, directives: boolean): boolean =>
  contentStart(text, start, end, directives) < end;

function pushDocument(ranges: DocumentRange[], text: string, range: DocumentRange): void {
  let { start } = range;
  let at = contentStart(text, start, range.end, true);
  if (text.startsWith('---', at)) at = contentStart(text, at + 3, range.end);
  while (text[at] === '{') {
    const end = afterBraces(text, at, range.end);
    at = contentStart(text, end, range.end);
    // In one YAML document nothing can follow a flow map, least of all another one.
    if (text[at] !== '{') break;
    ranges.push({ start, end });
    start = end;
    if (ranges.length > MAX_DOCUMENTS) return;
  }
  ranges.push({ start, end: range.end });
}

/** Where the map that opens at `start` is closed, or `end`. */
function afterBraces(text: string, start: number, end: number): number {
  let depth = 0;
  let before = '';
  for (let at = start; at < end; at++) {
    const char = text[at] as string;
    if (char === '"' || (char === "'" && '{[,:'.includes(before))) at = afterQuoted(text, at, end) - 1;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
    if (!isBlank(char)) before = char;
  }
  return end;
}

function afterQuoted(text: string, start: number, end: number): number {
  const quote = text[start];
  let at = start + 1;
  while (at < end && text[at] !== quote) at += text[at] === '\\' && quote === '"' ? 2 : 1;
  return at + 1;
}
