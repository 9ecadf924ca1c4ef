import type { Position, Range } from 'vscode-languageserver';
import { isPolicy } from '../../check/policies/index.ts';
import { Collector, type Report } from '../../core/diagnostics/index.ts';
import { type Document, groupKindOf, isKubeObject, type KubeObject, titleOf } from '../../core/model/object.ts';
import { get, getAt, listAt, sameValue, type Value } from '../../core/model/value.ts';
import { createLineIndex, type LineIndex } from '../../core/text/line-index.ts';
import { isInputProvider, isResourceSet } from '../../flux/index.ts';
import { definedKind, isRgd } from '../../kro/definition/index.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { isFunctionConfig } from '../../render/options/index.ts';
import { flattenObjects, readStreams } from '../../yaml/parse/index.ts';
import { type DocumentTree, readTrees, treeValue } from '../../yaml/tree/index.ts';
import { type DefinitionOverride, definitionOverridesOf } from './definition-overrides.ts';

export type { Position, Range };

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
    if (index === undefined || read.has(index)) continue;
    const last = before?.documents.find((one) => one.source?.document === index) ?? before?.carried.get(index);
    if (last !== undefined) carried.set(index, { object: last.object });
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

/** The relation of a file to its workspace. */
export interface Facts {
  /** The kinds that its objects define. */
  defines: ReadonlySet<string>;
  /** The kinds of its objects, and those that its RGDs render and read. */
  uses: ReadonlySet<string>;
  /** The kinds of its objects. */
  kinds: ReadonlySet<string>;
  /** The kinds of its RGDs, also of incomplete ones, with the indexes of their documents. */
  rgds: readonly { kind: string; document: number }[];
  /** It is for render-rgd, whatever kinds the workspace defines. */
  isOurs: boolean;
  /** It contains only the expectation or the settings of a golden test. */
  isTest: boolean;
  overrides: readonly DefinitionOverride[];
}

/** Matches the probable kind of a document that does not parse. */
const OURS =
  /^[ \t]*["']?(?:kind["']?: *["']?(?:ResourceGraphDefinition|ValidatingAdmissionPolicy(?:Binding)?|ResourceSet|ResourceSetInputProvider|RenderRGD)\b|apiVersion["']?: *["']?(?:kro\.run|fluxcd\.controlplane\.io)\/)/m;

function factsOf(file: SourceFile): Facts {
  const { documents, carried } = file.read;
  const objects = flattenObjects([...documents, ...carried.values()], new Collector()).map(({ object }) => object);
  const defines = new Set(objects.flatMap(definedBy));
  const kinds = new Set(objects.map(groupKindOf));
  const uses = new Set([...kinds, ...objects.flatMap(usedBy)]);
  return {
    defines,
    uses,
    kinds,
    rgds: OURS.test(file.text) ? rgdsIn(file) : [],
    isOurs: OURS.test(file.text) || objects.some(isOurs),
    isTest: /\/(?:test|expected|expected-diagnostics|observed)\.yaml$/.test(file.uri),
    overrides: definitionOverridesOf(file.uri, documents, objects),
  };
}

/** Those of valid documents, and of others as far as possible. */
function rgdsIn({ text, trees, read }: SourceFile): { kind: string; document: number }[] {
  const good = new Map(read.documents.map(({ object, source }) => [source?.document, object]));
  return trees.flatMap((tree) => {
    const object = good.get(tree.index) ?? rgdIn(text, tree);
    return isKubeObject(object) && isRgd(object) ? [{ kind: definedKind(object), document: tree.index }] : [];
  });
}

/** Returns the RGD in a document, complete or not. Others, which may be long, are not read. */
export function rgdIn(text: string, tree: DocumentTree): KubeObject | undefined {
  if (!text.slice(tree.start, tree.end).includes('ResourceGraphDefinition')) return undefined;
  const value = treeValue(text, tree.root);
  return isKubeObject(value) && isRgd(value) ? value : undefined;
}

const isOurs = (object: KubeObject): boolean =>
  isRgd(object) || isPolicy({ object }) || isResourceSet(object) || isInputProvider(object) || isFunctionConfig(object);

function definedBy(object: KubeObject): string[] {
  if (isRgd(object)) return [definedKind(object)];
  if (roleOf(object) !== 'crd') return [];
  const kind = getAt(object, ['spec', 'names', 'kind']);
  const group = getAt(object, ['spec', 'group']);
  return typeof kind === 'string' && typeof group === 'string'
    ? [groupKindOf({ apiVersion: `${group}/v1`, kind })]
    : [];
}

/** Returns the kinds of the templates and references of an RGD, and those of the templates of a ResourceSet. */
function usedBy(object: KubeObject): string[] {
  const resources = isRgd(object) || isResourceSet(object) ? listAt(object.spec, 'resources') : [];
  const templates = isResourceSet(object)
    ? resources
    : resources.flatMap((resource) => [get(resource, 'template'), get(resource, 'externalRef')]);
  return templates.flatMap((template) => (isKubeObject(template) ? groupKindOf(template) : []));
}
