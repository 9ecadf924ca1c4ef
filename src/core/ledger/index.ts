/*
 * A ledger of what a command did with everything that it was given. Each unit has exactly one outcome for the question
 * that the command asks, and the verdict is computed from the outcomes: nothing is fine only because nothing complained.
 */

import type { Text } from '../diagnostics/index.ts';
import { groupBy } from '../model/group-by.ts';

/** Why nobody looked at something that may matter. */
export type UnseenReason =
  /** Nothing in the input describes the kind. */
  | 'no-schema'
  /** An instance whose kind no RGD defines. */
  | 'no-definition'
  /** It is left to a controller in the cluster. */
  | 'passed-through'
  /** A step before failed, so that it was not reached. */
  | 'not-reached';

/** Why something does not matter for the question. */
type IrrelevantReason =
  /** A document that is not a Kubernetes object. */
  | 'no-object'
  /** A live object, which only supplies values. */
  | 'live-object'
  /** Its runner reads it, and never applies it: a kustomization, a Kptfile, a function config, a local config. */
  | 'runner-file'
  /** A kustomization uses it as a patch, as a function or as data. */
  | 'part-of-kustomization'
  /** It is read for its definitions only, and belongs to another package. */
  | 'definition';

/** What looked at it: the rules of an engine, or a schema. */
type Checker = 'kro' | 'flux' | 'graph' | 'schema';

/** What became of one unit. */
export type Outcome =
  | { is: 'checked'; by: Checker }
  | { is: 'failed' }
  | { is: 'unseen'; why: UnseenReason }
  | { is: 'irrelevant'; why: IrrelevantReason };

/** A thing that was given, and what became of it. */
export interface Entry {
  /** The name of the file; absent for an object created in memory. */
  file: string | undefined;
  /** The title of the object, or of the document. */
  title: Text;
  /** `Kind.group`, or its only part; the name under which units are summarized. */
  kind: Text;
  outcome: Outcome;
}

/** The numbers of units by outcome. Their sum is `all`. */
export interface Tally {
  all: number;
  checked: number;
  failed: number;
  unseen: number;
  irrelevant: number;
}

/** The outcomes of a command, by unit. */
export class Ledger<Unit extends object> {
  readonly #entries = new Map<Unit, Entry>();

  /** Records the outcome of a unit. Throws if it has one: two outcomes are a bug of the caller. */
  record(unit: Unit, entry: Entry): void {
    if (this.#entries.has(unit)) throw new Error(`two outcomes: ${entry.title}`);
    this.#entries.set(unit, entry);
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }
}

/** Counts the units of a ledger by outcome. */
export function tallyOf(entries: readonly Entry[]): Tally {
  const tally: Tally = { all: entries.length, checked: 0, failed: 0, unseen: 0, irrelevant: 0 };
  for (const { outcome } of entries) tally[outcome.is] += 1;
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

/** The rendered objects of a validation. There may be many, so that only those that nobody looked at have an entry. */
export interface RenderedEvidence {
  all: number;
  unseen: readonly Entry[];
}

/** What a validation looked at: one entry for each object that was given, and the rendered objects. */
export interface Evidence {
  given: readonly Entry[];
  rendered: RenderedEvidence;
  /** The number of values that nobody checked, because a tool replaces them before the object is applied. */
  opaque: number;
}
