import { type Evidence, entriesOf } from './evidence.ts';
import { type Entry, tallyOf } from './outcome.ts';

/** What else a command found, by the severity of its diagnostics. */
export interface FoundProblems {
  errors: number;
  warnings: number;
}

/** What makes a command fail besides errors: `unknown` is what nobody looked at. */
export type FailsOn = 'warning' | 'unknown';

/** What a command concludes from its evidence. */
export interface Judgement {
  /** `fine` is said of what was looked at only if that is everything. */
  state: 'failed' | 'incomplete' | 'fine';
  /** Whether the command fails: exit code 1. */
  isRefused: boolean;
}

/** Decides what a command concludes. This is the only place that does: every surface asks it. */
export function judge(evidence: Evidence, found: FoundProblems, failsOn: readonly FailsOn[]): Judgement {
  const { failed, unseen } = tallyOf(entriesOf(evidence));
  if (found.errors > 0 || failed > 0) return { state: 'failed', isRefused: true };
  const isRefused = (failsOn.includes('unknown') && unseen > 0) || (failsOn.includes('warning') && found.warnings > 0);
  return { state: unseen > 0 ? 'incomplete' : 'fine', isRefused };
}

/**
 * Returns an evidence in which a unit that failed counts as seen, because rules of the user lower all of its errors to
 * warnings.
 */
export function withoutFailures(evidence: Evidence): Evidence {
  const lowered = (entry: Entry): Entry =>
    entry.outcome.is === 'failed' ? { ...entry, outcome: { is: 'checked', by: 'schema' } } : entry;
  return { ...evidence, given: evidence.given.map(lowered) };
}
