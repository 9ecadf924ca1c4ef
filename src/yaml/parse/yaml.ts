import {
  type Collector,
  type Message,
  type Problem,
  phrase,
  type Report,
  redact,
  redactSecrets,
  shown,
  toReport,
} from '../../core/diagnostics/index.ts';
import { JsonError, parseJson } from '../../core/encoding/json.ts';
import { attempt } from '../../core/model/attempt.ts';
import { lazily } from '../../core/model/lazily.ts';
import { allowance, MAX_ALIASED, MAX_DOCUMENTS, MAX_ERRORS } from '../../core/model/limits.ts';
import type { Document, Source } from '../../core/model/object.ts';
import { get, isMap, type Value } from '../../core/model/value.ts';
import { type DocumentRange, splitDocuments } from '../../core/text/documents.ts';
import { createLineIndex, type LineIndex, type Position } from '../../core/text/line-index.ts';
import { resolvePlain } from '../../core/text/plain-scalar.ts';
import { isSyntaxProblem, parseTree, readJsonTree, type SyntaxTree } from '../tree/index.ts';
import { constructDocument, type StreamBudget, type ValueProblem } from './construct.ts';
import { readPlainDocument } from './plain-document.ts';
import { mayHoldSecret, secretRanges, showsSecret, tornOffIn } from './secret-ranges.ts';
import { syntaxProblem } from './syntax.ts';

export interface StreamDocument {
  index: number;
  value: Value;
}

interface StreamProblem extends Problem, Position {
  document: number;
  /** The probable object of a document that does not parse: `Kind/name`. */
  object?: string | undefined;
}

interface Stream {
  documents: StreamDocument[];
  problems: StreamProblem[];
  /** The number of duplicate keys that were not reported. */
  moreTwice?: number;
}

/** Documents by their texts, those without reports. */
interface ReadDocuments {
  /** Those of an earlier version of the stream, whose values are reused. */
  before: ReadonlyMap<string, Value>;
  /** Those of this version. */
  now: Map<string, Value>;
}

/** Returns the value of a text that is one plain document, as most rendered templates are. */
function readOnlyDocument(text: string): Value | undefined {
  if (/^[ \n]*[[{]/.test(text) || text.includes('---') || text.includes('...')) return undefined;
  return readPlainDocument(withLastBreak(text)) ?? undefined;
}

/**
 * Reads a stream of YAML or JSON documents as Kubernetes does; empty ones are omitted. A broken document is omitted and
 * reported; one with a recoverable error is returned and reported, at most `limit` ones with a duplicate key.
 */
export function readStream(
  text: string,
  { limit = MAX_ERRORS, read }: { limit?: number; read?: ReadDocuments | undefined } = {},
): Stream {
  const only = read === undefined ? readOnlyDocument(text) : undefined;
  if (only !== undefined) return { documents: [{ index: 0, value: only }], problems: [] };
  return new StreamReader(text, limit, read).stream();
}

/** Reads the documents of one text. */
class StreamReader {
  readonly #text: string;
  readonly #read: ReadDocuments | undefined;
  readonly #budget: StreamBudget;
  readonly #documents: StreamDocument[] = [];
  readonly #problems: StreamProblem[] = [];
  readonly #lines: () => LineIndex;

  constructor(text: string, limit: number, read: ReadDocuments | undefined) {
    this.#text = text;
    this.#read = read;
    // One error beyond the printed ones shows that there are more.
    this.#budget = {
      aliased: allowance(MAX_ALIASED),
      errors: MAX_ERRORS + 1,
      twice: { limit, counted: 0 },
    };
    this.#lines = lazily(() => createLineIndex(text));
  }

  stream(): Stream {
    const text = this.#text;
    // Bytes are decoded strictly before; a text of a program may have any character units.
    const half = text.isWellFormed() ? -1 : text.search(/\p{Surrogate}/u);
    if (half >= 0) return this.#refuse(0, phrase`the text contains half of a character; write the whole one`, half);
    const ranges = splitDocuments(text);
    if (ranges.length > MAX_DOCUMENTS) {
      const message = phrase`a stream of more than ${{ limit: shown(MAX_DOCUMENTS) }} documents is not read`;
      return this.#refuse(MAX_DOCUMENTS, message, ranges.at(-1)?.start ?? 0);
    }
    // Computed for a broken document only, so that others are not slowed down.
    const tornOff = lazily(() => tornOffIn(text, ranges));
    for (const [index, range] of ranges.entries()) {
      if (this.#budget.errors <= 0) break;
      this.#readDocument(index, range, () => tornOff()(index));
    }
    const { counted } = this.#budget.twice;
    return {
      documents: this.#documents,
      problems: this.#problems,
      ...(counted > 0 && { moreTwice: counted }),
    };
  }

  /** Returns the stream so far, with an error that ends it. */
  #refuse(index: number, message: Message, offset: number): Stream {
    this.#report(index, { code: 'yaml-syntax', message, path: [] }, offset);
    return { documents: this.#documents, problems: this.#problems };
  }

  #report(
    document: number,
    { missing, ...problem }: Problem & Pick<ValueProblem, 'missing'>,
    offset: number,
    object?: string,
  ): void {
    const position = this.#lines().position(offset);
    const asked =
      missing && phrase`${problem.message}: is a '${shown(missing)}' missing before line ${shown(position.line)}?`;
    this.#problems.push({ ...problem, ...(asked && { message: asked }), document, object, ...position });
  }

  /** @param isTornOff reports whether the document may be a part of a Secret that is before it */
  #readDocument(index: number, range: DocumentRange, isTornOff: () => boolean): void {
    if (range.fault !== undefined) {
      this.#budget.errors -= 1;
      const { message, hint, offset } = range.fault;
      this.#report(index, { code: 'yaml-syntax', message: shown(message), path: [], hint: shown(hint) }, offset);
      return;
    }
    const document = withLastBreak(this.#text.slice(range.start, range.end));
    if (isEmpty(document) || this.#readPlain(index, document)) return;
    const tree = parseTree(document);
    if (isSyntaxProblem(tree)) {
      this.#budget.errors -= 1;
      // Positions are at most at the last character that is not blank.
      const { offset, ...problem } = syntaxProblem(tree, document);
      // Among the messages of the parser only those about tags quote the text.
      const quotes = document.includes('!') && (mayHoldSecret(document) || isTornOff());
      const at = range.start + Math.min(offset, document.trimEnd().length);
      this.#report(index, quotes ? redact(problem) : problem, at, titleIn(document));
      return;
    }
    this.#construct(index, document, tree, range.start, isTornOff);
  }

  /** Reads a document that is known, JSON, or plain; reports whether it is one of them. */
  #readPlain(index: number, document: string): boolean {
    // The same document twice has two values.
    const before = this.#read?.now.has(document) ? undefined : this.#read?.before.get(document);
    const plain = before ?? readJson(document) ?? readPlainDocument(document);
    if (plain === undefined) return false;
    if (plain === null) return true;
    this.#documents.push({ index, value: plain });
    this.#read?.now.set(document, plain);
    return true;
  }

  #construct(index: number, document: string, tree: SyntaxTree, start: number, isTornOff: () => boolean): void {
    const budget = this.#budget;
    const spent = budget.aliased.left + budget.twice.counted;
    const { value, faults } = constructDocument(document, tree, budget);
    if (value !== null) this.#documents.push({ index, value });
    if (faults.length === 0) {
      const isAlone = spent === budget.aliased.left + budget.twice.counted;
      if (value !== null && isAlone) this.#read?.now.set(document, value);
      return;
    }
    const isKnown = isMap(value) && typeof get(value, 'kind') === 'string';
    const secrets = isTornOff() || (!isKnown && mayHoldSecret(document)) ? 'all' : secretRanges(document, tree);
    for (const { offset: at, ...problem } of faults) {
      const shown = redactSecrets(problem, value);
      const isSecret =
        secrets === 'all' ||
        showsSecret(document, at, at + 1, secrets) ||
        // Invalid text after a Secret may be a part of it that lost its indentation.
        (problem.code !== 'duplicate-key' && secrets.some((range) => range.start < at));
      this.#report(index, isSecret && shown === problem ? redact(problem, []) : shown, start + at);
    }
  }
}

/** Returns the tree of a document that `readStream` returned, with its positions in the stream. */
export function treeIn(text: string, index: number): SyntaxTree {
  const { start, end } = splitDocuments(text)[index] ?? { start: 0, end: text.length };
  const document = withLastBreak(text.slice(start, end));
  if (readJson(document) !== undefined) return readJsonTree(text, start);
  const tree = parseTree(document, text, start);
  if (isSyntaxProblem(tree)) throw new TypeError(`the document ${index} is not valid: ${tree.message}`);
  return tree;
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

/** Returns the value of a JSON document as YAML would read it; events of its parts could fill the memory. */
function readJson(document: string): Value | undefined {
  if (!/^[ \n]*[[{]/.test(document)) return undefined;
  return attempt(() => parseJson(document, { number: resolvePlain, halves: false }), JsonError);
}

/** Returns the value of a valid document, as far as it has one; its faults are not reported. */
export function constructAlone(document: string, tree: SyntaxTree): Value {
  const budget: StreamBudget = {
    aliased: allowance(MAX_ALIASED),
    errors: MAX_ERRORS + 1,
    twice: { limit: MAX_ERRORS, counted: 0 },
  };
  return constructDocument(document, tree, budget).value;
}

/** A text of YAML or JSON documents, and its displayed name. */
export interface TextStream {
  file: string;
  text: string;
}

/** Returns the documents of texts, and reports syntax errors. With `strict` a duplicate key is an error. */
export function readStreams(
  streams: readonly TextStream[],
  reports: Collector,
  strict = false,
  read?: ReadDocuments,
): Document[] {
  return streams.flatMap(({ file, text }) => {
    const sourceOf = (document: number): Source => ({ file, text, document, path: [] });
    const limit = reports.remainingFor('duplicate-key', 'warning');
    const { documents, problems, moreTwice = 0 } = readStream(text, { limit, read });
    for (const { document, line, column, ...problem } of problems) {
      const report = { ...toReport(problem), source: sourceOf(document), position: { line, column } };
      reports.add(strict ? rejectDuplicateKey(report) : report);
    }
    // With `strict` the reported ones are errors, and there is nothing to count.
    if (moreTwice > 0 && !strict) reports.count('duplicate-key', 'warning', moreTwice);
    return documents.map(({ index, value }) => ({ object: value, source: sourceOf(index) }));
  });
}

/** kro and Argo CD use the last of two equal keys, which is probably not intended. */
export const rejectDuplicateKey = (report: Report): Report =>
  report.code === 'duplicate-key' ? { ...report, severity: 'error' } : report;

type ReadStreams = (streams: readonly TextStream[], reports: Collector, strict?: boolean) => Document[];

/**
 * Returns two readers, for two versions of a package: unchanged documents have the same values in both, so that nothing
 * is parsed or computed twice. No value is used for two documents of one version.
 */
export function createSharedReaders(): { first: ReadStreams; second: ReadStreams } {
  const older = new Map<string, Value>();
  const newer = new Map<string, Value>();
  return {
    first: (streams, reports, strict) => readStreams(streams, reports, strict, { before: newer, now: older }),
    second: (streams, reports, strict) => readStreams(streams, reports, strict, { before: older, now: newer }),
  };
}
