import { conceal, concealSecrets, MAX_ERRORS, type Problem } from '../diagnostics/index.ts';
import { JsonError, parseJson } from '../encoding/json.ts';
import { get, isMap, type Value } from '../model/value.ts';
import { MAX_DOCUMENTS, splitDocuments } from '../text/documents.ts';
import { createLineIndex, type LineIndex, type Position } from '../text/line-index.ts';
import { resolvePlain } from '../text/plain-scalar.ts';
import { constructDocument, type StreamBudget } from './construct.ts';
import { isSyntaxFault, type ParsedDocument, parseDocument, type SyntaxFault } from './events.ts';
import { readPlainDocument } from './plain-document.ts';
import { earlyQuoteIn, quoteHintFor } from './quotes.ts';
import { mayHoldSecret, secretRanges, showsSecret, tornOffIn } from './secret-ranges.ts';

export interface StreamDocument {
  /** Which document of the stream, from 0; empty documents count. */
  index: number;
  value: Value;
  /** Where it stands, if that was asked for: offsets of the parts count from its start. JSON has none of them. */
  written?: { start: number; parsed: ParsedDocument | undefined };
}

/** A problem of one document, with its place in the stream. */
export interface StreamProblem extends Problem, Position {
  document: number;
  /** What a document that does not parse seems to be: `Kind/name`. */
  object?: string;
}

/** Far more than people write, far less than what hurts. */
const ALIAS_BUDGET = 500_000;

/**
 * Reads a stream of YAML or JSON documents as Kubernetes does. Empty documents are left out. A document that is
 * broken is left out too and reported; one with a fault that does not hide the rest (a duplicate key) is both. Behind
 * more errors than are told nothing is read. With `keep` documents keep where their parts stand, which takes more memory
 * than the parts.
 */
export function readStream(text: string, keep = false): { documents: StreamDocument[]; problems: StreamProblem[] } {
  const documents: StreamDocument[] = [];
  const problems: StreamProblem[] = [];
  // One error beyond those that are shown says that there are more.
  const budget: StreamBudget = { aliased: ALIAS_BUDGET, errors: MAX_ERRORS + 1 };
  let lines: LineIndex | undefined;
  const report = (document: number, problem: Problem, offset: number, object?: string): void => {
    lines ??= createLineIndex(text);
    const named = object === undefined ? {} : { object };
    problems.push({ ...problem, document, ...named, ...lines.position(offset) });
  };
  const push = (index: number, value: Value, start: number, parsed: ParsedDocument | undefined): void => {
    documents.push(keep ? { index, value, written: { start, parsed } } : { index, value });
  };
  const ranges = splitDocuments(text);
  if (ranges.length > MAX_DOCUMENTS) {
    const message = `a stream of more than ${MAX_DOCUMENTS} documents is not read`;
    report(MAX_DOCUMENTS, { code: 'yaml-syntax', message, path: [] }, ranges.at(-1)?.start ?? 0);
    return { documents, problems };
  }
  // Asked for a broken document only, so that others do not wait for it.
  let tornOff: ReturnType<typeof tornOffIn> | undefined;
  const isTornOff = (index: number): boolean => {
    tornOff ??= tornOffIn(text, ranges);
    return tornOff(index);
  };
  ranges.forEach((range, index) => {
    if (budget.errors <= 0) return;
    if (range.fault !== undefined) {
      budget.errors -= 1;
      const { message, hint, offset } = range.fault;
      report(index, { code: 'yaml-syntax', message, path: [], hint }, offset);
      return;
    }
    const document = withLastBreak(text.slice(range.start, range.end));
    if (isEmpty(document)) return;
    const json = readJson(document);
    if (json !== undefined) {
      push(index, json, range.start, undefined);
      return;
    }
    const plain = keep ? undefined : readPlainDocument(document);
    if (plain !== undefined) {
      push(index, plain, range.start, undefined);
      return;
    }
    const parsed = parseDocument(document);
    if (isSyntaxFault(parsed)) {
      budget.errors -= 1;
      // Nothing is shown behind the last character that somebody wrote.
      const { offset, ...problem } = syntaxProblem(parsed, document);
      // Of all that the parser says only what it says of tags quotes the text.
      const quotes = document.includes('!') && (mayHoldSecret(document) || isTornOff(index));
      const at = range.start + Math.min(offset, document.trimEnd().length);
      report(index, quotes ? conceal(problem) : problem, at, titleIn(document));
      return;
    }
    const { value, faults } = constructDocument(parsed.source, parsed.events, budget);
    if (value !== null) push(index, value, range.start, parsed);
    if (faults.length === 0) return;
    const isKnown = isMap(value) && typeof get(value, 'kind') === 'string';
    const secrets = isTornOff(index) || (!isKnown && mayHoldSecret(document)) ? 'all' : secretRanges(document, parsed);
    for (const { offset, ...problem } of faults) {
      const at = parsed.original(offset);
      const shown = concealSecrets(problem, value);
      const isSecret =
        secrets === 'all' ||
        showsSecret(document, at, at + 1, secrets) ||
        // What makes no sense behind a Secret may be a part of it that lost its indentation.
        (problem.code !== 'duplicate-key' && secrets.some(({ start }) => start < at));
      report(index, isSecret && shown === problem ? conceal(problem, []) : shown, range.start + at);
    }
  });
  return { documents, problems };
}

const KIND = /^kind: *["']?([A-Z][A-Za-z]*)["']?[ \t]*(?:#.*)?$/m;
/** The name stands as deep as the first field of the metadata; deeper ones are names of something else. */
const NAME =
  /^metadata:(?:[ \t]*#.*)?\n( +)(?:(?! ).*\n(?:\1 .*\n)*\1)*?name: *["']?([A-Za-z0-9.-]+)["']?[ \t]*(?:#.*)?$/m;

/** `Kind/name` of a document that does not parse, where its lines say so. */
function titleIn(document: string): string | undefined {
  const kind = KIND.exec(document)?.[1];
  const name = NAME.exec(document)?.[2];
  return kind === undefined || name === undefined ? undefined : `${kind}/${name}`;
}

/** Kubernetes reads line by line and ends each one, the last one too: a block scalar there keeps its line break. */
const withLastBreak = (document: string): string => (document.endsWith('\n') ? document : `${document}\n`);

const EMPTY_LINE = /[ \t]*(?:#[^\0\r\n]*)?\r?\n/y;

/** Whether a document holds nothing but its marker, blanks and comments. */
function isEmpty(document: string): boolean {
  let at = /^---\s/.test(document) ? 3 : 0;
  do {
    EMPTY_LINE.lastIndex = at;
    if (!EMPTY_LINE.test(document)) return false;
    at = EMPTY_LINE.lastIndex;
  } while (at < document.length);
  return true;
}

/**
 * What a document of JSON holds, as YAML would read it. `undefined` for any other: YAML says what is wrong with it, if
 * anything is. Dumps of a cluster are JSON of millions of parts, and an event for each would fill the memory.
 */
function readJson(document: string): Value | undefined {
  if (!/^[ \n]*[[{]/.test(document)) return undefined;
  try {
    return parseJson(document, { number: resolvePlain });
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

const QUOTE = "a value that holds ': ' or ' #', or that starts with a sign YAML gives a meaning to, needs quotes";
const TABS = 'YAML is indented with spaces, never with tabs';

function syntaxProblem({ message, offset }: SyntaxFault, document: string): Problem & { offset: number } {
  const early = earlyQuoteAt(document, offset);
  if (early !== undefined) return early;
  const lineEnd = document.indexOf('\n', offset);
  const line = document.slice(document.lastIndexOf('\n', offset - 1) + 1, lineEnd < 0 ? document.length : lineEnd);
  const problem: Problem & { offset: number } = { code: 'yaml-syntax', message, path: [], offset };
  if (/^ *\t/.test(line)) return { ...problem, hint: TABS };
  return /: .*(?:: | #)|[:-] +[@`%*&!{[]|\$\{/.test(line) ? { ...problem, hint: QUOTE } : problem;
}

/** The parser stumbles over what follows a quote that ends a text too early, in that line or at the next one. */
function earlyQuoteAt(document: string, offset: number): (Problem & { offset: number }) | undefined {
  const start = document.lastIndexOf('\n', offset - 1) + 1;
  const before = start === 0 ? 0 : document.lastIndexOf('\n', start - 2) + 1;
  for (const from of new Set([start, before])) {
    const end = document.indexOf('\n', from);
    const early = earlyQuoteIn(document.slice(from, end < 0 ? document.length : end));
    if (early === undefined) continue;
    const message = `the quoted text ends at this ${early.quote}, and more follows`;
    return { code: 'yaml-syntax', message, path: [], hint: quoteHintFor(early.quote), offset: from + early.offset };
  }
  return undefined;
}
