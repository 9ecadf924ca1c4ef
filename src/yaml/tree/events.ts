import { type Event, parseEvents, YAMLException } from 'js-yaml';
import { MAX_VALUE_DEPTH } from '../../core/model/limits.ts';
import { breaksIn } from './scalar.ts';

/** The start of a line before a flow collection: list markers, perhaps a key. */
const HEAD = /^ *(?:[-?] +)*(?:(?:[\w./-]+|"[^"\\\t]*"|'[^'\t]*'):[ \t]+)?(?=[[{])/;
/** Spaces around separators of a flow collection, or at its end so far. */
const SEPARATING = /(?<=[[{,:])[ \t]+|(?<![ \t])[ \t]+(?=[\]},:]|$)/g;

/** Replaces tabs that only separate with spaces: before a flow collection the parser takes them for indentation. */
function withSeparatingSpaces(line: string): string {
  const head = HEAD.exec(line)?.[0];
  if (head === undefined) return line;
  const flow = line.slice(head.length);
  return blanks(head) + (/["']/.test(flow) ? flow : flow.replace(SEPARATING, blanks));
}

const blanks = (text: string): string => text.replaceAll('\t', ' ');

/** One document as parser events. Their offsets count in `source`, which may have more blanks than the text. */
export interface ParsedDocument {
  source: string;
  events: readonly Event[];
  /** Converts an offset to one in the original text. */
  original(offset: number): number;
}

export interface SyntaxProblem {
  message: string;
  offset: number;
}

/** A text, which the parser takes for the start of a document if no line precedes it. */
const INDENTED_MARKER = /^[ \t]+---(?=[ \t\r\n]|$)/;

/**
 * Parses the text of one document. YAML requires the lines of a flow collection or a quoted scalar to be deeper than
 * their parent; go-yaml does not, and a `]` under its key is common, so such lines are indented here.
 */
export function parseDocument(text: string): ParsedDocument | SyntaxProblem {
  const shift = INDENTED_MARKER.test(text) ? 1 : 0;
  let source = '\n'.repeat(shift) + text;
  let indentation = '';
  const inserted: number[] = [];
  let rereads = 0;
  let work = 0;
  const original = (offset: number): number =>
    Math.max(originalOffset(offset, inserted, indentation.length) - shift, 0);
  for (;;) {
    try {
      const events = parseEvents(source, { maxDepth: MAX_VALUE_DEPTH });
      const anchor = strangeAnchor(events, source);
      if (anchor !== undefined) return { message: ANCHOR, offset: original(anchor) };
      return { source, events, original };
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      const at = error.mark?.position ?? 0;
      const separated = withSeparatedComment(source, at);
      if (separated !== undefined && mayReread(text.length, rereads++)) {
        source = separated;
        continue;
      }
      work ||= Math.max(text.length, LINE * breaksIn(text));
      if (error.reason !== DEFICIENT || !mayReread(work, rereads++)) {
        return { message: error.reason, offset: original(at) };
      }
      const lineStart = Math.max(source.lastIndexOf('\n', at - 1), source.lastIndexOf('\r', at - 1)) + 1;
      const before = source.slice(lineStart, at);
      if (/[^ \t]/.test(before)) {
        const spaced = withSeparatingSpaces(before);
        if (spaced === before) return { message: TAB, offset: original(at) };
        source = source.slice(0, lineStart) + spaced + source.slice(at);
        continue;
      }
      indentation ||= ' '.repeat(deepestIndentation(text) + 1);
      source = source.slice(0, lineStart) + indentation + source.slice(lineStart);
      inserted.push(lineStart);
    }
  }
}

/** go-yaml accepts a comment directly after a quote or a bracket. The `#` replaces the character after it. */
function withSeparatedComment(source: string, at: number): string | undefined {
  if (source[at] !== '#' || !/[\]}"']/.test(source[at - 1] ?? '')) return undefined;
  const next = /^[^\r\n]?/u.exec(source.slice(at + 1, at + 3))?.[0] ?? '';
  return `${source.slice(0, at)} ${'#'.repeat(next.length)}${source.slice(at + 1 + next.length)}`;
}

const ANCHOR = 'the name of an anchor is made of letters, digits, - and _, and a blank follows';

/** Returns the offset of an anchor that go-yaml rejects. */
function strangeAnchor(events: readonly Event[], source: string): number | undefined {
  for (const event of events) {
    if (!('anchorStart' in event) || event.anchorStart < 0) continue;
    const { anchorStart, anchorEnd } = event;
    if (!/^[\w-]+$/.test(source.slice(anchorStart, anchorEnd)) || /[[{]/.test(source[anchorEnd] ?? ''))
      return anchorStart;
  }
  return undefined;
}

/** The parser has no codes; a test pins the message. */
const DEFICIENT = 'deficient indentation';
const TAB = 'a tab stands before a flow collection, or in it; use spaces';
/** The cost of an error in characters: the parser scans the lines of the whole document for it. */
const LINE = 60;
/** Each repair scans the whole document again, so long documents have fewer repairs. */
const mayReread = (work: number, times: number): boolean => times < 500 && times * work < 100_000_000;

/** Returns the maximum indentation of a node: before the first key of a line. */
function deepestIndentation(text: string): number {
  let deepest = 0;
  for (const match of text.matchAll(/(?:^|[\n\r])([ \t?:-]+)/g))
    deepest = Math.max(deepest, (match[1] as string).length);
  return deepest;
}

/** The parser reads a text once, so insertions are in ascending order. */
function originalOffset(offset: number, inserted: readonly number[], length: number): number {
  let before = 0;
  for (const start of inserted) {
    if (offset <= start) break;
    before += Math.min(length, offset - start);
  }
  return offset - before;
}

export const isSyntaxProblem = (parsed: object): parsed is SyntaxProblem => 'message' in parsed;
