import { Collector, type Report } from '../../../core/diagnostics/index.ts';
import { type Document, isKubeObject, titleOf } from '../../../core/model/object.ts';
import { sameValue, type Value } from '../../../core/model/value.ts';
import { createLineIndex, type LineIndex } from '../../../core/text/line-index.ts';
import { readStreams } from '../../../yaml/parse/index.ts';
import { type DocumentTree, readTrees } from '../../../yaml/tree/index.ts';
import { type Facts, factsOf } from './facts.ts';

/** A position as in the Language Server Protocol: from 0, characters in UTF-16 units. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** The content of a text. */
interface ReadText {
  documents: readonly Document[];
  reports: readonly Report[];
  /** The last valid versions of documents that do not parse, by their index. */
  carried: ReadonlyMap<number, Document>;
  /** The values of valid documents by their texts. */
  values: ReadonlyMap<string, Value>;
}

/** One version of a file. Results are computed on demand and once; unchanged parts share the values of `before`. */
export class SourceFile {
  #lines: LineIndex | undefined;
  #trees: readonly DocumentTree[] | undefined;
  #read: ReadText | undefined;
  #facts: Facts | undefined;
  #before: ReadText | undefined;

  constructor(
    /** Its URI. */
    readonly uri: string,
    readonly text: string,
    /** The version of the editor; undefined for a file that is not open. */
    readonly version: number | undefined,
    before?: SourceFile,
  ) {
    this.#before = before?.text === text ? undefined : before?.read;
    if (before?.text === text) this.#read = before.read;
  }

  get lines(): LineIndex {
    this.#lines ??= createLineIndex(this.text);
    return this.#lines;
  }

  /** Its documents with positions, even if they do not parse. */
  get trees(): readonly DocumentTree[] {
    this.#trees ??= readTrees(this.text);
    return this.#trees;
  }

  /** Its documents as Kubernetes reads them. */
  get read(): ReadText {
    this.#read ??= readText(this.uri, this.text, this.#before);
    this.#before = undefined;
    return this.#read;
  }

  get facts(): Facts {
    this.#facts ??= factsOf(this);
    return this.#facts;
  }

  /** Returns the document at an offset; the last one that starts before it. */
  treeAt(offset: number): DocumentTree | undefined {
    return this.trees.findLast(({ start }) => start <= offset) ?? this.trees[0];
  }

  positionAt(offset: number): Position {
    const { line, column } = this.lines.position(Math.max(0, Math.min(offset, this.text.length)));
    return { line: line - 1, character: column - 1 };
  }

  offsetAt({ line, character }: Position): number {
    const start = this.lines.offset(line + 1);
    return Math.min(start + character, start + this.lines.lineText(line + 1).length);
  }

  rangeOf(start: number, end: number): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) };
  }
}

function readText(file: string, text: string, before: ReadText | undefined): ReadText {
  const reports = new Collector();
  const now = new Map<string, Value>();
  const written = readStreams([{ file, text }], reports, false, { before: before?.values ?? new Map(), now });
  const documents = remembered(written, before?.documents ?? []);
  const read = new Set(documents.map(({ source }) => source?.document));
  const carried = new Map<number, Document>();
  for (const { source } of reports) {
    const index = source?.document;
    const last = index === undefined || read.has(index) ? undefined : lastGood(index, before);
    if (index !== undefined && last !== undefined) carried.set(index, last);
  }
  return { documents, reports: reports.all, carried, values: now };
}

/** Returns documents with their earlier values if nothing changed, so that the core can reuse what it compiled. */
function remembered(documents: readonly Document[], before: readonly Document[]): Document[] {
  const left = new Set(documents.map(({ object }) => object));
  const changed = before.filter(({ object }) => !left.has(object));
  return documents.map((document) => {
    const title = titled(document);
    const at = changed.findIndex((one) => titled(one) === title && sameValue(one.object, document.object));
    const [same] = at < 0 ? [] : changed.splice(at, 1);
    return same === undefined ? document : { ...document, object: same.object };
  });
}

const titled = ({ object }: Document): string => (isKubeObject(object) ? titleOf(object) : '');

function lastGood(index: number, before: ReadText | undefined): Document | undefined {
  const found = before?.documents.find(({ source }) => source?.document === index);
  if (found === undefined) return before?.carried.get(index);
  const { object } = found;
  return { object };
}
