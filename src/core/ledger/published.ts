import type { ValueMap } from '../model/value.ts';
import { sumsOf } from './conservation.ts';
import { type Evidence, entriesOf } from './evidence.ts';
import type { Judgement } from './judge.ts';
import type { Entry } from './outcome.ts';

/** The version of the JSON; fields may be added, but no field changes its meaning within a version. */
const VERSION = 1n;

/** Returns a ledger as programs get it: data/ledger.schema.json describes it. */
export function ledgerValue(evidence: Evidence, { state, isRefused }: Judgement): ValueMap {
  const sums: ValueMap = {};
  for (const { unit, all, seen, failed, unseen, irrelevant } of sumsOf(evidence)) {
    sums[unit] = {
      all: BigInt(all),
      seen: BigInt(seen),
      failed: BigInt(failed),
      unseen: BigInt(unseen),
      irrelevant: BigInt(irrelevant),
    };
  }
  return {
    version: VERSION,
    state,
    isRefused,
    sums,
    opaque: BigInt(evidence.opaque),
    pending: BigInt(evidence.pending),
    accepted: BigInt(evidence.accepted),
    entries: entriesOf(evidence).map(entryValue),
  };
}

function entryValue({ unit, file, document, title, kind, outcome }: Entry): ValueMap {
  return {
    unit,
    ...(file !== undefined && { file }),
    ...(document !== undefined && { document: BigInt(document) }),
    title,
    kind,
    outcome: outcome.is,
    ...(outcome.is === 'checked' && { by: outcome.by }),
    ...((outcome.is === 'unseen' || outcome.is === 'irrelevant') && { why: outcome.why }),
  };
}
