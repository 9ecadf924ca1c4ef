import type { Entry } from './outcome.ts';

/** Units of which there may be many: only those that need a name have an entry. */
export interface Counted {
  all: number;
  /** The units that nobody looked at, or that failed. All others were looked at. */
  named: readonly Entry[];
}

/** What a command looked at. A command that does not ask for a kind of units has none of it. */
export interface Evidence {
  /** Every file that the walk met; empty for an input without files. */
  files: readonly Entry[];
  /** The documents that are no objects. */
  documents: readonly Entry[];
  /** The objects that were given, and for `plan` the applications and the changed files. */
  given: readonly Entry[];
  rendered: Counted;
  /** The decisions of admission policies, each about one object: `named` are the denied and the undecided ones. */
  policies: Counted;
  /** The number of values that nobody checked, because a tool replaces them before the object is applied. */
  opaque: number;
  /** The number of values that nobody checked, because only a cluster has them, in a command that compares nothing. */
  pending: number;
  /** The number of diagnostics that a baseline accepts. */
  accepted: number;
}

/** Evidence of nothing, to which a command adds what it accounts for. */
export const NO_EVIDENCE: Evidence = {
  files: [],
  documents: [],
  given: [],
  rendered: { all: 0, named: [] },
  policies: { all: 0, named: [] },
  opaque: 0,
  pending: 0,
  accepted: 0,
};

/** Returns all entries of an evidence. */
export const entriesOf = ({ files, documents, given, rendered, policies }: Evidence): readonly Entry[] => [
  ...files,
  ...documents,
  ...given,
  ...rendered.named,
  ...policies.named,
];
