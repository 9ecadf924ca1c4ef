import { JsonError, parseJson } from '../encoding/json.ts';
import { attempt } from '../model/attempt.ts';
import { MAX_DOCUMENTS } from '../model/limits.ts';
import { resolvePlain } from './plain-scalar.ts';

/** The part of a stream that contains one document, including its markers and directives. */
export interface DocumentRange {
  start: number;
  end: number;
  /** Why Kubernetes would reject the stream here, or drop a part of it. */
  fault?: { message: string; hint: string; offset: number };
}

// The markers of YAML (YAML 1.2, 9.1.2), and other lines that begin with three dashes.
const MARKER = /(?:^\uFEFF?|[\n\r])(?:---|\.\.\.(?=[ \t\r\n]|$))/g;

/**
 * Splits a stream into documents where Kubernetes does (YAMLReader of k8s.io/apimachinery/pkg/util/yaml, and kyaml): at
 * lines that begin with '---', whatever is open, with only a comment after it. The line break before it belongs to the
 * previous document. Kubernetes reads one document of each part and drops the rest, which is an error here. Consecutive
 * JSON objects at the start of a stream are separate documents.
 */
export function splitDocuments(text: string): DocumentRange[] {
  const ranges: DocumentRange[] = [];
  let start = 0;
  let begun = false;
  let fault: DocumentRange['fault'];
  /** The position where a marker ended the document of this part, without a separator. */
  let closed: { at: number; marker: string } | undefined;
  const finish = (end: number): void => {
    const stray = closed && contentStart(text, closed.at, end);
    if (closed !== undefined && stray !== undefined && stray < end) fault ??= dropped(closed.marker, stray);
    // After '...' nothing may follow, not even comments.
    pushDocument(ranges, text, { start, end: closed?.at ?? end, ...(fault === undefined ? {} : { fault }) });
  };
  for (const match of text.matchAll(MARKER)) {
    const markerEnd = match.index + match[0].length;
    const lineStart = markerEnd - 3;
    const marker = text.slice(lineStart, markerEnd);
    if (marker === '...' || text[match.index] === '\r') {
      const isMarker = marker === '...' || isBlank(text[markerEnd]) || markerEnd === text.length;
      // A '---' that only YAML treats as a marker begins the document if nothing precedes it.
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

/** In YAML '---#' begins a plain scalar, and a byte order mark after a marker is not one. */
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

const isBlank = (char: string | undefined): boolean => char !== undefined && ' \n\r\t\uFEFF'.includes(char);

/** Skips spaces, comments and, before a document, directives. */
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
  // Only a stream that begins with a JSON object contains JSON documents.
  const isStart = start === 0 && /^[ \t\r\n]*\{/.test(text);
  let at = isStart ? contentStart(text, 0, range.end) : 0;
  while (isStart && text[at] === '{') {
    const end = afterBraces(text, at, range.end);
    const next = contentStart(text, end, range.end);
    // In one YAML document nothing can follow a flow map, such as another one.
    if (text[next] !== '{' || next >= range.end || (start === 0 && !isJson(text.slice(at, end)))) break;
    ranges.push({ start, end });
    start = end;
    at = next;
    if (ranges.length > MAX_DOCUMENTS) return;
  }
  ranges.push({ ...range, start });
}

const isJson = (text: string): boolean =>
  attempt(() => parseJson(text, { number: resolvePlain }), JsonError) !== undefined;

/** Returns the end of the map that opens at `start`, or `end`. */
function afterBraces(text: string, start: number, end: number): number {
  let depth = 0;
  let before = '';
  for (let at = start; at < end; at++) {
    const char = text[at] as string;
    if (char === '"' || (char === "'" && '{[,:'.includes(before))) {
      const close = closingQuote(text, at, end);
      at = close < 0 ? end : close;
    } else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
    if (!isBlank(char)) before = char;
  }
  return end;
}

/** Returns the position of the quote that closes the one at `start`; -1 if there is none before `end`. */
export function closingQuote(text: string, start: number, end: number): number {
  const quote = text[start];
  for (let at = start + 1; at < end; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] !== quote) continue;
    else if (quote === "'" && text[at + 1] === quote) at++;
    else return at;
  }
  return -1;
}
