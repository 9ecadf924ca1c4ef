import type { Text } from '../diagnostics/index.ts';
import { groupBy } from '../model/group-by.ts';

/** What is accounted for. A command accounts for the units that it was given, and not for all kinds of units. */
export type UnitKind =
  /** A file that a walk meets, also one that is not read. */
  | 'file'
  /** A document of a file that is no Kubernetes object. */
  | 'document'
  /** An object that a person wrote, also an RGD, an instance or a ResourceSet. */
  | 'object'
  /** An object that a front end rendered. */
  | 'rendered'
  /** A value of a rendered object, or a whole node, that only a cluster knows. */
  | 'value'
  /** An application of Argo CD or Flux, a chart or an overlay. */
  | 'application'
  /** A file that a change touches. */
  | 'change'
  /** An admission policy, for one object. */
  | 'policy'
  /** A golden test. */
  | 'test';

/** Why nobody looked at something that may matter. */
export type UnseenReason =
  /** Nothing in the input describes the kind. */
  | 'no-schema'
  /** Several CRDs in the input define the kind, and only some of them accept the object. */
  | 'several-schemas'
  /** An instance whose kind no RGD defines. */
  | 'no-definition'
  /** A step before failed, so that it was not reached. */
  | 'not-reached'
  /** Nothing renders the object, and the command compares rendered objects only. */
  | 'not-rendered'
  /** Only a cluster has the value. */
  | 'pending'
  /** The file, or a folder above it, is hidden, and it seems to have objects. */
  | 'hidden'
  /** The name of the file does not end in .yaml, .yml or .json, and it seems to have objects. */
  | 'other-name'
  /** A template of Helm or of another tool, which has to be rendered first. */
  | 'template'
  /** The file, or all values of the document, are encrypted. */
  | 'encrypted'
  /** Git has its content elsewhere: a submodule, Git LFS, a sparse checkout. */
  | 'not-checked-out'
  /** An application whose source is not rendered here. */
  | 'not-built'
  /** A file that only applications read which were not compared. */
  | 'application-not-compared'
  /** A file that no application reads. */
  | 'no-reader'
  /** A policy, or a part of an object, that needs a cluster. */
  | 'needs-cluster';

/** Why something does not matter for the question. */
export type IrrelevantReason =
  /** A document that is not a Kubernetes object. */
  | 'no-object'
  /** A live object, which only supplies values. */
  | 'live-object'
  /** Its runner reads it, and never applies it: a kustomization, a Kptfile, a function config, a local config. */
  | 'runner-file'
  /** A kustomization uses it as a patch, as a function or as data. */
  | 'part-of-kustomization'
  /** It is read for its definitions only, and belongs to another package. */
  | 'definition'
  /** A file without objects: a text, a program, a picture, the settings of another tool. */
  | 'no-manifest'
  /** A folder of a tool, such as node_modules, or of Git. */
  | 'tool-folder'
  /** It was rendered earlier, and this rendering replaces or removes it. */
  | 'earlier-output'
  /** A golden test, which has its own input. */
  | 'golden-test'
  /** A link to a file or folder that was read. */
  | 'read-before'
  /** The user leaves it out: --exclude, or a file of patterns. */
  | 'excluded'
  /** The user leaves it to a controller in the cluster. */
  | 'passed-through'
  /** The user accepts it: a baseline has an entry for it. */
  | 'accepted';

/** What looked at an object: the rules of an engine, or a schema. */
type Checker = 'kro' | 'flux' | 'graph' | 'schema';

/** What became of one unit. */
export type Outcome =
  /** A file whose documents have outcomes of their own. */
  | { is: 'read' }
  | { is: 'checked'; by: Checker }
  | { is: 'rendered' }
  | { is: 'compared' }
  /** The change cannot have an effect on it, or a rendering keeps it as it is: its kind is known, and nothing renders it. */
  | { is: 'unaffected' }
  | { is: 'failed' }
  | { is: 'unseen'; why: UnseenReason }
  | { is: 'irrelevant'; why: IrrelevantReason };

/** A thing that was given, and what became of it. */
export interface Entry {
  unit: UnitKind;
  /** The name of the file; absent for an object created in memory. */
  file: string | undefined;
  /** The number of the document in its file, from 0; absent for what is no document. */
  document?: number | undefined;
  /** The title of the object or the application, or the name of the file. */
  title: Text;
  /** `Kind.group`, or its only part, under which units are summarized; that of a file is its name. */
  kind: Text;
  outcome: Outcome;
}

/** The numbers of units by outcome. The sum of the others is `all`. */
export interface Tally {
  all: number;
  /** Somebody looked at it, and nothing is wrong. */
  seen: number;
  failed: number;
  unseen: number;
  irrelevant: number;
}

/** The outcomes of a command, by unit. */
export class Ledger<Unit> {
  readonly #entries = new Map<Unit, Entry>();

  /** Records the outcome of a unit. Throws if it has one: two outcomes are a bug of the caller. */
  record(unit: Unit, entry: Entry): void {
    if (this.#entries.has(unit)) throw new Error(`two outcomes: ${entry.title}`);
    this.#entries.set(unit, entry);
  }

  has(unit: Unit): boolean {
    return this.#entries.has(unit);
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Returns the entries. Throws if one of the units has none: a missing outcome is a bug of the caller. */
  entriesFor(units: Iterable<Unit>): readonly Entry[] {
    for (const unit of units) if (!this.#entries.has(unit)) throw new Error('a unit has no outcome');
    return this.entries;
  }
}

/** Counts units by outcome. */
export function tallyOf(entries: readonly Entry[]): Tally {
  const tally: Tally = { all: entries.length, seen: 0, failed: 0, unseen: 0, irrelevant: 0 };
  for (const { outcome } of entries) {
    if (outcome.is === 'failed' || outcome.is === 'unseen' || outcome.is === 'irrelevant') tally[outcome.is] += 1;
    else tally.seen += 1;
  }
  return tally;
}

/** The units that nobody looked at, of one kind and for one reason. */
export interface UnseenGroup {
  kind: Text;
  why: UnseenReason;
  count: number;
}

/** Groups the units that nobody looked at, in the order of their first one. */
export function unseenGroups(entries: readonly Entry[]): UnseenGroup[] {
  const unseen = entries.flatMap(({ kind, outcome }) => (outcome.is === 'unseen' ? [{ kind, why: outcome.why }] : []));
  return [...groupBy(unseen, ({ kind, why }) => `${why} ${kind}`).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, count: group.length }];
  });
}

/** What the user decided to leave out: it is no error, and a verdict still names it. */
const CHOSEN: readonly IrrelevantReason[] = ['excluded', 'passed-through'];

/** Returns the units that the user left out, and that may matter. */
export const leftOut = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ outcome }) => outcome.is === 'irrelevant' && CHOSEN.includes(outcome.why));
