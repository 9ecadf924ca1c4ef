import { composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { type Application, applicationKey } from './application.ts';
import type { Pair } from './compare.ts';
import type { Declaration, Origin } from './discover/index.ts';
import type { DeclarationPair, Outcome } from './outcome.ts';
import { pairGroup } from './pairs.ts';
import type { Side } from './side.ts';

/** Returns the pairs of applications of a declaration, by what becomes of it. */
export function linesFor({ old, newer }: DeclarationPair, outcome: Outcome, after: Side): readonly Pair[] {
  const before = old?.applications ?? [];
  const now = newer?.applications ?? [];
  switch (outcome.is) {
    case 'nowhere':
      return [];
    case 'new':
      return pairApplications([], now, {});
    case 'unknown':
      return pairApplications(before, now, { unknown: outcome.reason });
    case 'gone': {
      const notes: PairNotes = { isSetGone: true };
      if (outcome.fate !== undefined) notes.fate = outcome.fate;
      if (outcome.asWritten !== undefined) notes.asWritten = outcome.asWritten;
      return pairApplications(before, [], notes);
    }
    case 'kept':
      return old === undefined ? [] : keptLines(old, after);
    case 'applied': {
      const { asWritten } = outcome;
      return old === undefined || newer === undefined
        ? pairApplications(before, now, asWritten === undefined ? {} : { asWritten })
        : appliedLines(old, newer, after, asWritten);
    }
  }
}

/** The applications of an object that stays as it is, in the newer version of the repository. */
function keptLines(old: Declaration, after: Side): readonly Pair[] {
  const { object, place, file, parent, cluster } = old;
  const origin: Origin = { place, cluster };
  if (file !== undefined) origin.file = file;
  if (parent !== undefined) origin.parent = parent;
  const again = after.read(object, origin).flatMap((one) => one.applications);
  return pairApplications(old.applications, again, {});
}

/** A set that fails leaves its Applications as they are, and one that is not expanded here hides them. */
function appliedLines(old: Declaration, newer: Declaration, after: Side, asWritten: Text | undefined): readonly Pair[] {
  const isItself = ({ applications: [first] }: Declaration): boolean => first?.kind === 'ApplicationSet';
  const more = asWritten === undefined ? {} : { asWritten };
  if (!isItself(newer)) {
    if (isItself(old)) {
      // Nobody knows which of its Applications are new.
      const [set] = old.applications;
      const reasons = set?.sources.flatMap((source) => ('reason' in source ? [source.reason] : [])) ?? [];
      const unknown = composeText`the older version is not rendered: ${trusted.error(reasons.join(', '))}`;
      return [{ old: set, newer: set, unknown }];
    }
    return pairApplications(old.applications, newer.applications, more).map((pair) => withoutRefused(pair, old, after));
  }
  const [itself] = newer.applications;
  const isRejected = itself?.sources.some(({ type }) => type === 'fails') === true;
  const ofSet: Pair = { old: isItself(old) ? old.applications[0] : undefined, newer: itself };
  if (isItself(old) || !isRejected) return [ofSet];
  return [ofSet, ...old.applications.map((one) => ({ old: one, newer: againIn(after, old, one) }))];
}

/** Replaces an Application that its controller rejects by the one in the cluster. */
function withoutRefused(pair: Pair, old: Declaration, after: Side): Pair {
  if (pair.newer?.refused !== true || pair.old === undefined || pair.old.refused) return pair;
  const again = againIn(after, old, pair.old);
  return again === undefined ? pair : { ...pair, newer: again, rejected: pair.newer };
}

/** Returns a generated Application as it is in the cluster, in the newer version of the repository. */
function againIn(after: Side, set: Declaration, application: Application): Application | undefined {
  const object = set.generated?.get(application.name);
  if (object === undefined) return undefined;
  const { place, cluster } = set;
  const [found] = after.read(object, { place, cluster }).flatMap((one) => one.applications);
  if (found === undefined) return undefined;
  const again = { ...found, place: application.place };
  if (application.set !== undefined) again.set = application.set;
  return again;
}

type PairNotes = Omit<Pair, 'old' | 'newer' | 'rejected'>;

function pairApplications(before: readonly Application[], now: readonly Application[], notes: PairNotes): Pair[] {
  const old = groupBy(before, applicationKey);
  const newer = groupBy(now, applicationKey);
  const keys = [...new Set([...old.keys(), ...newer.keys()])].sort();
  return keys.flatMap((key) =>
    pairGroup(old.get(key) ?? [], newer.get(key) ?? []).map((pair) => ({ ...pair, ...notes })),
  );
}
