import {
  counted,
  type Message,
  type Problem,
  phrase,
  redact,
  redactSecrets,
  shown,
  shownIf,
} from '../../core/diagnostics/index.ts';
import { JsonError, parseJson } from '../../core/encoding/json.ts';
import { attempt } from '../../core/model/attempt.ts';
import { lazily } from '../../core/model/lazily.ts';
import { allowance, MAX_ALIASED, MAX_DOCUMENTS, MAX_ERRORS } from '../../core/model/limits.ts';
import { get, isMap, type Value } from '../../core/model/value.ts';
import { splitDocuments } from '../../core/text/documents.ts';
import { createLineIndex, type Position } from '../../core/text/line-index.ts';
import { oddCharacterAt, oddCharacterHint } from '../../core/text/odd-character.ts';
import { resolvePlain } from '../../core/text/plain-scalar.ts';
import {
  isSyntaxProblem,
  parseDocument,
  readJsonTree,
  type SyntaxProblem,
  type SyntaxTree,
  treeOf,
} from '../tree/index.ts';
import { constructDocument, type StreamBudget, type ValueProblem } from './construct.ts';
import { readPlainDocument } from './plain-document.ts';
import { earlyQuoteIn, quoteHintFor } from './quotes.ts';
import { mayHoldSecret, secretRanges, showsSecret, tornOffIn } from './secret-ranges.ts';

export interface StreamDocument {
  /** The index in the stream; empty documents count. */
  index: number;
  value: Value;
  /** Its start in the text, and its tree with positions in it, if requested. */
  written?: { start: number; tree: () => SyntaxTree };
}

interface StreamProblem extends Problem, Position {
  document: number;
  /** The probable object of a document that does not parse: `Kind/name`. */
  object?: string | undefined;
}

export interface Stream {
  documents: StreamDocument[];
  problems: StreamProblem[];
  /** The number of duplicate keys that were not reported. */
  moreTwice?: number;
}

/** Documents by their texts, those without reports. */
export interface ReadDocuments {
  /** Those of an earlier version of the stream, whose values are reused. */
  before: ReadonlyMap<string, Value>;
  /** Those of this version. */
  now: Map<string, Value>;
}

function halfIn(text: string): StreamProblem {
  const position = createLineIndex(text).position(text.search(/\p{Surrogate}/u));
  const message = phrase`the text contains half of a character; write the whole one`;
  return { code: 'yaml-syntax', message, path: [], document: 0, ...position };
}

/**
 * Returns the value of a text that is one plain document, as most rendered templates are; `undefined` for any other.
 */
function readOnlyDocument(text: string): Value | undefined {
  if (/^[ \n]*[[{]/.test(text) || text.includes('---') || text.includes('...')) return undefined;
  return readPlainDocument(withLastBreak(text)) ?? undefined;
}

/**
 * Reads a stream of YAML or JSON documents as Kubernetes does. Empty documents are omitted. A broken document is
 * omitted and reported; one with a recoverable error (a duplicate key) is returned and reported. Reading stops after
 * the maximum number of errors. With `keep` documents keep the positions of their parts, which take more memory than
 * the parts. At most `limit` duplicate keys are reported.
 */
export function readStream(
  text: string,
  { keep = false, limit = MAX_ERRORS, read }: { keep?: boolean; limit?: number; read?: ReadDocuments | undefined } = {},
): Stream {
  // Bytes are decoded strictly before; a text of a program may have any character units.
  if (!text.isWellFormed()) return { documents: [], problems: [halfIn(text)] };
  const only = keep || read !== undefined ? undefined : readOnlyDocument(text);
  if (only !== undefined) return { documents: [{ index: 0, value: only }], problems: [] };
  const documents: StreamDocument[] = [];
  const problems: StreamProblem[] = [];
  // One error beyond the printed ones shows that there are more.
  const budget: StreamBudget = {
    aliased: allowance(MAX_ALIASED),
    errors: MAX_ERRORS + 1,
    twice: { limit, counted: 0 },
  };
  const lines = lazily(() => createLineIndex(text));
  const report = (
    document: number,
    { missing, ...problem }: Problem & Pick<ValueProblem, 'missing'>,
    offset: number,
    object?: string,
  ): void => {
    const position = lines().position(offset);
    const asked =
      missing && phrase`${problem.message}: is a '${shown(missing)}' missing before line ${shown(position.line)}?`;
    problems.push({ ...problem, ...(asked && { message: asked }), document, object, ...position });
  };
  const push = (index: number, value: Value, start: number, tree: () => SyntaxTree): void => {
    documents.push(keep ? { index, value, written: { start, tree } } : { index, value });
  };
  const ranges = splitDocuments(text);
  if (ranges.length > MAX_DOCUMENTS) {
    const message = phrase`a stream of more than ${shown(MAX_DOCUMENTS)} documents is not read`;
    report(MAX_DOCUMENTS, { code: 'yaml-syntax', message, path: [] }, ranges.at(-1)?.start ?? 0);
    return { documents, problems };
  }
  // Computed for a broken document only, so that others are not slowed down.
  const tornOff = lazily(() => tornOffIn(text, ranges));
  const isTornOff = (index: number): boolean => tornOff()(index);
  ranges.forEach((range, index) => {
    if (budget.errors <= 0) return;
    if (range.fault !== undefined) {
      budget.errors -= 1;
      const { message, hint, offset } = range.fault;
      report(index, { code: 'yaml-syntax', message: shown(message), path: [], hint: shown(hint) }, offset);
      return;
    }
    const document = withLastBreak(text.slice(range.start, range.end));
    if (isEmpty(document)) return;
    // The same document twice has two values.
    const before = read?.now.has(document) ? undefined : read?.before.get(document);
    const plain = before ?? readJson(document) ?? (keep ? undefined : readPlainDocument(document));
    if (plain !== undefined) {
      if (plain === null) return;
      push(index, plain, range.start, () => readJsonTree(text, range.start));
      read?.now.set(document, plain);
      return;
    }
    const parsed = parseDocument(document);
    if (isSyntaxProblem(parsed)) {
      budget.errors -= 1;
      // Positions are at most at the last character that is not blank.
      const { offset, ...problem } = syntaxProblem(parsed, document);
      // Among the messages of the parser only those about tags quote the text.
      const quotes = document.includes('!') && (mayHoldSecret(document) || isTornOff(index));
      const at = range.start + Math.min(offset, document.trimEnd().length);
      report(index, quotes ? redact(problem) : problem, at, titleIn(document));
      return;
    }
    const spent = budget.aliased.left + budget.twice.counted;
    const tree = treeOf(parsed);
    const { value, faults } = constructDocument(document, tree, budget);
    const original = (offset: number): number => Math.min(range.start + parsed.original(offset), text.length);
    if (value !== null) push(index, value, range.start, () => treeOf({ ...parsed, original }));
    if (faults.length === 0) {
      if (value !== null && spent === budget.aliased.left + budget.twice.counted) read?.now.set(document, value);
      return;
    }
    const isKnown = isMap(value) && typeof get(value, 'kind') === 'string';
    const secrets = isTornOff(index) || (!isKnown && mayHoldSecret(document)) ? 'all' : secretRanges(document, tree);
    for (const { offset: at, ...problem } of faults) {
      const shown = redactSecrets(problem, value);
      const isSecret =
        secrets === 'all' ||
        showsSecret(document, at, at + 1, secrets) ||
        // Invalid text after a Secret may be a part of it that lost its indentation.
        (problem.code !== 'duplicate-key' && secrets.some(({ start }) => start < at));
      report(index, isSecret && shown === problem ? redact(problem, []) : shown, range.start + at);
    }
  });
  const { counted } = budget.twice;
  return { documents, problems, ...(counted > 0 && { moreTwice: counted }) };
}

const KIND = /^kind: *["']?([A-Z][A-Za-z]*)["']?[ \t]*(?:#.*)?$/m;
/** The name is indented as the first field of the metadata; deeper names belong to other fields. */
const NAME =
  /^metadata:(?:[ \t]*#.*)?\n( +)(?:(?! ).*\n(?:\1 .*\n)*\1)*?name: *["']?([A-Za-z0-9.-]+)["']?[ \t]*(?:#.*)?$/m;

/** Returns `Kind/name` of a document that does not parse, if its lines contain them. */
function titleIn(document: string): string | undefined {
  const kind = KIND.exec(document)?.[1];
  const name = NAME.exec(document)?.[2];
  return kind === undefined || name === undefined ? undefined : `${kind}/${name}`;
}

/** Kubernetes ends each line with a break, including the last one: a block scalar there keeps it. */
const withLastBreak = (document: string): string => (document.endsWith('\n') ? document : `${document}\n`);

const EMPTY_LINE = /[ \t]*(?:#[^\0\r\n]*)?\r?\n/y;

/** Reports whether a document has only its marker, spaces and comments. */
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
 * Returns the value of a JSON document as YAML would read it. Returns `undefined` for any other: the YAML parser
 * reports its errors. Dumps of a cluster are JSON of millions of parts, and an event for each would fill the memory.
 */
function readJson(document: string): Value | undefined {
  if (!/^[ \n]*[[{]/.test(document)) return undefined;
  return attempt(() => parseJson(document, { number: resolvePlain, halves: false }), JsonError);
}

const QUOTE = phrase`a value that holds ': ' or ' #', or that starts with a sign YAML gives a meaning to, needs quotes`;
/** A line of git that separates the versions of a conflict. */
const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/m;
const TABS = phrase`YAML is indented with spaces, never with tabs`;

function syntaxProblem({ message, offset }: SyntaxProblem, document: string): Problem & { offset: number } {
  const odd = oddCharacterBefore(document, offset);
  if (odd !== undefined) {
    const hint = shownIf(oddCharacterHint(document[odd] ?? ''));
    return { code: 'yaml-syntax', message: phrase`${message}`, path: [], offset: odd, hint };
  }
  const conflict = document.search(CONFLICT);
  if (conflict >= 0) {
    const resolve = phrase`keep one of the two versions, and remove the lines with <<<<<<<, ======= and >>>>>>>`;
    return { code: 'yaml-syntax', message: phrase`a merge conflict`, path: [], offset: conflict, hint: resolve };
  }
  const early = earlyQuoteAt(document, offset);
  if (early !== undefined) return early;
  const line = upToLineEnd(document, linesBefore(document, offset)[0], offset);
  const problem: Problem & { offset: number } = { code: 'yaml-syntax', message: phrase`${message}`, path: [], offset };
  if (/^ *\t/.test(line)) return { ...problem, hint: TABS };
  const aligned = alignment(document, offset, line);
  if (aligned !== undefined) return { ...problem, hint: aligned };
  const [, marker] = /: .*\|\s*(\w+): /.exec(line) ?? [];
  if (marker !== undefined) return { ...problem, hint: phrase`a marker is written with =: ${marker}=...` };
  return /: .*(?:: | #)|[:-] +[@`%*&!{[]|\$\{/.test(line) ? { ...problem, hint: QUOTE } : problem;
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
  const [deeper, outer] = [levels.findLast(({ indent }) => indent > own), levels.find(({ indent }) => indent < own)];
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

/** Returns a character that looks like a space, in the line of an error or in the previous one. */
function oddCharacterBefore(document: string, offset: number): number | undefined {
  const [, before] = linesBefore(document, offset);
  const at = oddCharacterAt(upToLineEnd(document, before, offset));
  return at < 0 ? undefined : before + at;
}

/** The parser reports an error at the text after a quote that ends a text too early, in that line or the next one. */
function earlyQuoteAt(document: string, offset: number): (Problem & { offset: number }) | undefined {
  for (const from of linesBefore(document, offset)) {
    const early = earlyQuoteIn(upToLineEnd(document, from, from));
    if (early === undefined) continue;
    const message = phrase`the quoted text ends at this ${shown(early.quote)}, and more follows`;
    const hint = phrase`${quoteHintFor(early.quote)}`;
    return { code: 'yaml-syntax', message, path: [], hint, offset: from + early.offset };
  }
  return undefined;
}
