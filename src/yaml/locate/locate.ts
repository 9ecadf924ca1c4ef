import { SCALAR_STYLE } from 'js-yaml';
import type { Path } from '../../core/model/value.ts';
import { type DocumentRange, splitDocuments } from '../../core/text/documents.ts';
import { createLineIndex, type LineIndex, type Position } from '../../core/text/line-index.ts';
import { isSyntaxProblem, type ParsedDocument, parseDocument, quoteLength } from '../parse/index.ts';
import { type Outline, outlineDocument } from './outline.ts';
import { sourceOffset } from './scalar-offset.ts';

export interface Pointer {
  /** The whole stream. */
  text: string;
  /** The index of the document. */
  document: number;
  path: Path;
  /** The offset in the scalar's value at `path`, in UTF-16 units. */
  offset?: number;
  /** The target of the position; for a map or a list it is always the key. Defaults to 'value'. */
  target?: 'key' | 'value';
}

export interface Location extends Position {
  /** One past the last column, if the whole range is on the line. */
  endColumn?: number;
  lineText: string;
}

export interface Locator {
  /** Returns the position of a path, or of its deepest existing part. */
  locate(place: Pointer): Location | undefined;
}

interface TextIndex {
  lines: LineIndex;
  ranges: DocumentRange[];
  documents: Map<number, OutlinedDocument | undefined>;
}

interface OutlinedDocument {
  parsed: ParsedDocument;
  outline: Outline;
}

const MAX_TEXTS = 8;
const MAX_DOCUMENTS = 64;

/**
 * Caches the last texts and documents, so that many requests for few files are fast. A document that is in several
 * texts, as in the versions of a file, is parsed once.
 */
export function createLocator(): Locator {
  const texts = new Map<string, TextIndex>();
  const outlines = new Map<string, OutlinedDocument | undefined>();
  const indexOf = (text: string): TextIndex => {
    let index = texts.get(text);
    if (index === undefined) {
      index = { lines: createLineIndex(text), ranges: splitDocuments(text), documents: new Map() };
      dropOldest(texts, MAX_TEXTS);
      texts.set(text, index);
    }
    return index;
  };
  const outlineOf = (document: string): OutlinedDocument | undefined => {
    if (!outlines.has(document)) {
      dropOldest(outlines, MAX_DOCUMENTS);
      outlines.set(document, outlined(document));
    }
    return outlines.get(document);
  };
  return { locate: (place) => locateIn(indexOf(place.text), place, outlineOf) };
}

function dropOldest<Key>(cache: Map<Key, unknown>, limit: number): void {
  if (cache.size < limit) return;
  for (const key of cache.keys()) {
    cache.delete(key);
    return;
  }
}

function locateIn(
  index: TextIndex,
  place: Pointer,
  outlineOf: (document: string) => OutlinedDocument | undefined,
): Location | undefined {
  const range = index.ranges[place.document];
  if (range === undefined) return undefined;
  if (!index.documents.has(place.document)) {
    dropOldest(index.documents, MAX_DOCUMENTS);
    index.documents.set(place.document, outlineOf(place.text.slice(range.start, range.end)));
  }
  const document = index.documents.get(place.document);
  if (document === undefined) return undefined;
  const { original, source } = document.parsed;
  const span = findSpan(document.outline, place, source);
  const position = index.lines.position(range.start + original(span.start));
  const location: Location = { ...position, lineText: index.lines.lineText(position.line) };
  const end = index.lines.position(range.start + original(span.end));
  if (span.end > span.start && end.line === position.line) location.endColumn = end.column;
  return location;
}

function outlined(text: string): OutlinedDocument | undefined {
  const parsed = parseDocument(text);
  return isSyntaxProblem(parsed) ? undefined : { parsed, outline: outlineDocument(parsed.source, parsed.events) };
}

interface Span {
  start: number;
  end: number;
}

function findSpan(root: Outline, place: Pointer, source: string): Span {
  let outline = root;
  /** The nearest ancestor with a position, for values without text. */
  let above = pointAt(Math.max(root.start, 0));
  let key: Span | undefined;
  let isWhole = true;
  for (const step of place.path) {
    const next =
      typeof step === 'number' ? { value: outline.items?.[step], key: undefined } : outline.entries?.get(step);
    if (next?.value === undefined) {
      isWhole = false;
      break;
    }
    above = key ?? above;
    key = next.key === undefined ? undefined : scalarSpan(next.key);
    outline = next.value;
  }
  if (isWhole && place.target === 'key' && key !== undefined) return key;
  const offset = isWhole ? place.offset : undefined;
  return valueSpan(outline, source, offset) ?? key ?? (outline.start < 0 ? above : pointAt(outline.start));
}

const pointAt = (start: number): Span => ({ start, end: start });

/** Returns the range of a scalar's text; `undefined` for maps, lists and values without text. */
function valueSpan(outline: Outline, source: string, offset: number | undefined): Span | undefined {
  const { scalar } = outline;
  if (scalar === undefined) return undefined;
  if (offset !== undefined) return pointAt(sourceOffset(source, scalar, offset));
  const isBlock = scalar.style === SCALAR_STYLE.LITERAL_BLOCK || scalar.style === SCALAR_STYLE.FOLDED_BLOCK;
  return isBlock ? pointAt(sourceOffset(source, scalar, 0)) : scalarSpan(scalar);
}

function scalarSpan(scalar: NonNullable<Outline['scalar']>): Span {
  const quote = quoteLength(scalar);
  return { start: scalar.valueStart - quote, end: scalar.valueEnd + quote };
}
