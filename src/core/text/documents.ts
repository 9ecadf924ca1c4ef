import { JsonError, parseJson } from '../encoding/json.ts';
import { resolvePlain } from './plain-scalar.ts';

/** The part of a stream that holds one document, its markers and directives included. */
export interface DocumentRange {
  start: number;
  end: number;
  /** Why Kubernetes would refuse the stream here, or drop a part of it. */
  fault?: { message: string; hint: string; offset: number };
}

/** More than any repository or cluster has; a stream is split up to the first document beyond. */
export const MAX_DOCUMENTS = 500_000;

// What YAML takes for a marker (YAML 1.2, 9.1.2), and everything else that begins a line with three dashes.
const MARKER = /(?:^\uFEFF?|[\n\r])(?:---|\.\.\.(?=[ \t\r\n]|$))/g;

/**
 * Cuts a stream into documents at the lines where Kubernetes does (YAMLReader of k8s.io/apimachinery/pkg/util/yaml,
 * and kyaml alike): at those that begin with '---', whatever is open. Only a comment may follow on such a line. The
 * line break before it belongs to the document that ends there. Kubernetes reads one document of each part and drops
 * what follows it; here that is a fault. Each document is read on its own, so a broken one does not hide the others,
 * and everybody who counts documents counts alike. JSON objects that follow each other from the start of a stream on
 * are documents of their own.
 */
export function splitDocuments(text: string): DocumentRange[] {
  const ranges: DocumentRange[] = [];
  let start = 0;
  let begun = false;
  let fault: DocumentRange['fault'];
  /** Where a marker ended the document of this part, although no separator did. */
  let closed: { at: number; marker: string } | undefined;
  const finish = (end: number): void => {
    const stray = closed && contentStart(text, closed.at, end);
    if (closed !== undefined && stray !== undefined && stray < end) fault ??= dropped(closed.marker, stray);
    // Whoever ends a document with '...' leaves nothing behind it, not even comments.
    pushDocument(ranges, text, { start, end: closed?.at ?? end, ...(fault === undefined ? {} : { fault }) });
  };
  for (const match of text.matchAll(MARKER)) {
    const markerEnd = match.index + match[0].length;
    const lineStart = markerEnd - 3;
    const marker = text.slice(lineStart, markerEnd);
    if (marker === '...' || text[match.index] === '\r') {
      const isMarker = marker === '...' || isBlank(text[markerEnd]) || markerEnd === text.length;
      // A '---' that only YAML takes for a marker begins the document where nothing came before it.
      const ends = (): boolean => marker === '...' || begun || hasContent(text, start, lineStart, true);
      if (closed === undefined && isMarker && ends()) {
        closed = { at: marker === '...' ? markerEnd : lineStart, marker };
      }
      continue;
    }
    const isFirst = !begun && closed === undefined && !hasContent(text, start, lineStart, true);
    if (!isFirst) {
      finish(lineStart);
      start = lineStart;
    }
    closed = undefined;
    fault = separatorFault(text, markerEnd);
    start = withoutMarker(text, start, markerEnd);
    begun = true;
    if (ranges.length > MAX_DOCUMENTS) return ranges;
  }
  if (begun || closed !== undefined || hasContent(text, start, text.length, false)) finish(text.length);
  return ranges;
}

/** To YAML '---#' begins a plain scalar, and a byte order mark is none behind a marker. */
function withoutMarker(text: string, start: number, markerEnd: number): number {
  const next = text.indexOf('\n', markerEnd) + 1;
  if (next > 0 && text[next] === '\uFEFF') return next;
  return text[markerEnd] === '#' ? markerEnd : start;
}

function separatorFault(text: string, markerEnd: number): DocumentRange['fault'] {
  let at = markerEnd;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at++;
  if (at >= text.length || text[at] === '\n' || text[at] === '#') return undefined;
  const message = "a line that begins with '---' separates documents: Kubernetes accepts only a comment after it";
  return { message, hint: 'put it on the next line, or indent it if it is part of a text', offset: at };
}

function dropped(marker: string, offset: number): DocumentRange['fault'] {
  const after =
    marker === '...' ? "the text after '...'" : "the text after a '---' that follows a lone carriage return";
  const message = `Kubernetes reads one document up to the next '---' line: ${after} would be dropped`;
  return { message, hint: "start the next document with a line '---'", offset };
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
  // Only a stream that begins with a JSON object is one of JSON objects.
  const isStart = start === 0 && /^[ \t\r\n]*\{/.test(text);
  let at = isStart ? contentStart(text, 0, range.end) : 0;
  while (isStart && text[at] === '{') {
    const end = afterBraces(text, at, range.end);
    const next = contentStart(text, end, range.end);
    // In one YAML document nothing can follow a flow map, least of all another one.
    if (text[next] !== '{' || next >= range.end || (start === 0 && !isJson(text.slice(at, end)))) break;
    ranges.push({ start, end });
    start = end;
    at = next;
    if (ranges.length > MAX_DOCUMENTS) return;
  }
  ranges.push({ ...range, start });
}

function isJson(text: string): boolean {
  try {
    parseJson(text, { number: resolvePlain });
    return true;
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
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
