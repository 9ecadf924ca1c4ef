import { addTo } from '../../core/model/group-by.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import type { Document } from '../../core/model/object.ts';
import { nearest } from '../../core/text/nearest.ts';
import { type DocumentFacts, documentFacts } from './facts.ts';

/** A document of a package. */
export interface PackageDocument {
  readonly document: Document;
  readonly facts: DocumentFacts;
  /** It is read for its definitions, and not applied. */
  readonly isDefinition: boolean;
}

/** Documents that are validated together, by their indexes in the package, in ascending order. */
export interface DocumentGroup {
  readonly members: readonly number[];
  /** The members that belong to other groups, whose diagnostics those supply. */
  readonly context: ReadonlySet<number>;
}

/** Documents that have to be validated together, by their indexes: a validation has shown it. */
export interface Relations {
  /** Pairs of documents of one group. */
  readonly joined: readonly (readonly [number, number])[];
  /** Pairs of a reader and a plain object that it reads. */
  readonly read: readonly (readonly [number, number])[];
}

/** The number of unknown kinds of templates up to which the compiler suggests others. */
const MAX_SUGGESTED = 50;

/** The division of a package: what can have an effect on each other is in one group. */
export class Division {
  readonly documents: readonly PackageDocument[];
  /** Reports whether the package cannot be divided. */
  readonly isWhole: boolean;
  /** The kinds of which an RGD of the package, or a trace, is known, with the documents of these. */
  readonly #anchors = new Map<string, number[]>();
  /** The kinds that an RGD of the package defines. */
  readonly #defined = new Set<string>();
  readonly #described = new Map<string, number[]>();
  readonly #byGroup = new Map<string, number[]>();
  readonly #byKind = new Map<string, number[]>();
  #parents: number[];
  /** The parents by what the documents themselves say. */
  readonly #written: readonly number[];
  #groups: readonly DocumentGroup[] | undefined;
  readonly #suggested = new Map<string, readonly number[]>();

  constructor(documents: readonly PackageDocument[]) {
    this.documents = documents;
    this.#parents = documents.map((_, index) => index);
    for (const [index, { facts }] of documents.entries()) {
      for (const kind of [...facts.defines, ...facts.traces]) addTo(this.#anchors, kind, index);
      for (const kind of facts.defines) this.#defined.add(kind);
      for (const kind of facts.describes) addTo(this.#described, kind, index);
      for (const name of [...facts.defines, ...facts.describes]) {
        const { kind, group } = readGroupKind(name);
        addTo(this.#byKind, kind, index);
        addTo(this.#byGroup, group, index);
      }
    }
    this.isWhole = documents.some(({ facts }) => facts.isForAll) || this.#unknownTemplates() > MAX_SUGGESTED;
    if (!this.isWhole) this.#joinAll();
    this.#written = [...this.#parents];
  }

  /** Reports whether other documents have the same division. */
  fits(documents: readonly PackageDocument[]): boolean {
    return (
      documents.length === this.documents.length &&
      this.documents.every((one, index) => {
        const other = documents[index];
        return (
          one.facts.key === other?.facts.key &&
          one.isDefinition === other.isDefinition &&
          one.document.source?.file === other.document.source?.file
        );
      })
    );
  }

  /** Returns the groups of the package, with the relations that validations have shown. */
  groups({ joined, read }: Relations): readonly DocumentGroup[] {
    if (joined.length === 0 && read.length === 0) {
      this.#groups ??= this.#groupsWith(joined, read);
      return this.#groups;
    }
    return this.#groupsWith(joined, read);
  }

  #groupsWith(joined: Relations['joined'], read: Relations['read']): readonly DocumentGroup[] {
    this.#parents = [...this.#written];
    for (const [one, other] of joined) this.#join(one, other);
    const own = new Map<number, number[]>();
    for (const index of this.documents.keys()) addTo(own, this.#rootOf(index), index);
    const readBy = new Map<number, number[]>();
    for (const [reader, index] of read) addTo(readBy, this.#rootOf(reader), index);
    return [...own].map(([root, all]) => {
      const context = this.#contextOf(root, own, readBy.get(root) ?? []);
      const members = context.size === 0 ? all : [...all, ...context].sort((a, b) => a - b);
      return { members, context };
    });
  }

  #joinAll(): void {
    const byName = new Map<string, number>();
    const byKind = new Map<string, number>();
    const byFile = new Map<string, number>();
    const outputs = new Map<string, number>();
    const joinBy = (known: Map<string, number>, key: string, index: number): void => {
      const first = known.get(key);
      if (first === undefined) known.set(key, index);
      else this.#join(first, index);
    };
    for (const crds of this.#described.values()) for (const one of crds) this.#join(crds[0] ?? one, one);
    for (const [index, { document, facts }] of this.documents.entries()) {
      for (const name of facts.names) joinBy(byName, name, index);
      for (const kind of facts.kinds) if (this.#anchors.has(kind)) joinBy(byKind, kind, index);
      // An unknown kind is reported for the first of its objects.
      for (const kind of facts.foreignObjects) if (this.#isUnknown(kind)) joinBy(byKind, kind, index);
      const file = document.source?.file;
      if (file === undefined) continue;
      if (facts.isOutput) joinBy(outputs, file, index);
      if (isPlain(facts, this.#anchors)) joinBy(byFile, file, index);
    }
  }

  #unknownTemplates(): number {
    const kinds = new Set<string>();
    for (const { facts } of this.documents) {
      for (const kind of facts.foreignTemplates) if (this.#isUnknown(kind)) kinds.add(kind);
    }
    return kinds.size;
  }

  /** Reports whether nothing in the package says anything about a kind that Kubernetes does not have. */
  #isUnknown(kind: string): boolean {
    return !this.#anchors.has(kind) && !this.#described.has(kind);
  }

  /** Returns the documents that a group reads: plain objects, CRDs, and the RGDs whose kinds may be suggested to it. */
  #contextOf(
    root: number,
    groups: ReadonlyMap<number, readonly number[]>,
    read: readonly number[],
  ): ReadonlySet<number> {
    const context = new Set(read);
    for (const index of groups.get(root) ?? []) {
      const { facts } = this.documents[index] as PackageDocument;
      this.#addDescribed(facts, context);
      for (const kind of [...facts.foreignTemplates, ...facts.foreignObjects]) {
        if (this.#defined.has(kind)) continue;
        for (const one of this.#suggestedFor(kind)) {
          // An RGD is compiled with those whose kinds it uses.
          for (const beside of groups.get(this.#rootOf(one)) ?? []) if (this.#isDefinition(beside)) context.add(beside);
        }
      }
    }
    for (const index of context) this.#addDescribed((this.documents[index] as PackageDocument).facts, context);
    return new Set([...context].filter((index) => this.#rootOf(index) !== root));
  }

  #addDescribed({ templates, objects }: DocumentFacts, context: Set<number>): void {
    if (this.#described.size === 0) return;
    for (const kinds of [templates, objects]) {
      for (const kind of kinds) for (const crd of this.#described.get(kind) ?? []) context.add(crd);
    }
  }

  #isDefinition(index: number): boolean {
    const facts = this.documents[index]?.facts;
    return facts !== undefined && (facts.defines.length > 0 || facts.describes.length > 0);
  }

  /** Returns the documents that define kinds of the same name, of the same group, or of a group with similar spelling. */
  #suggestedFor(unknown: string): readonly number[] {
    return getOrCompute(this.#suggested, unknown, () => {
      const { kind, group } = readGroupKind(unknown);
      const groups = [...this.#byGroup.keys()].filter((one) => one === group || nearest(group, [one]).length > 0);
      return [...(this.#byKind.get(kind) ?? []), ...groups.flatMap((one) => this.#byGroup.get(one) ?? [])];
    });
  }

  #rootOf(index: number): number {
    let root = index;
    while (this.#parents[root] !== root) root = this.#parents[root] as number;
    for (let at = index; at !== root; ) {
      const next = this.#parents[at] as number;
      this.#parents[at] = root;
      at = next;
    }
    return root;
  }

  #join(one: number, other: number): void {
    const first = this.#rootOf(one);
    const second = this.#rootOf(other);
    this.#parents[Math.max(first, second)] = Math.min(first, second);
  }
}

export const packageDocuments = (
  objects: readonly Document[],
  definitions: readonly Document[],
): readonly PackageDocument[] => [
  ...objects.map((document) => ({ document, facts: documentFacts(document), isDefinition: false })),
  ...definitions.map((document) => ({ document, facts: documentFacts(document), isDefinition: true })),
];

function readGroupKind(name: string): { kind: string; group: string } {
  const dot = name.indexOf('.');
  return { kind: name.slice(0, dot), group: name.slice(dot + 1) };
}

/** Reports whether a document has only objects that no RGD defines. */
const isPlain = (facts: DocumentFacts, anchors: ReadonlyMap<string, unknown>): boolean =>
  facts.names.length === 0 && facts.describes.length === 0 && !facts.kinds.some((kind) => anchors.has(kind));
