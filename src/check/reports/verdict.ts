import { counted } from '../../core/diagnostics/index.ts';
import {
  type Entry,
  type Evidence,
  entriesOf,
  leftOut,
  tallyOf,
  type UnseenReason,
  unseenGroups,
} from '../../core/ledger/index.ts';
import { enumerated } from '../../core/text/clip.ts';
import { visibleOnOneLine } from '../../core/text/visible.ts';

/** Why nobody looked, in a few words. */
export const UNSEEN: Readonly<Record<UnseenReason, string>> = {
  'no-schema': 'no schema',
  'several-schemas': 'several schemas, which disagree',
  'no-definition': 'no RGD',
  'not-reached': 'not reached because of an error',
  'not-rendered': 'nothing renders it',
  pending: 'only a cluster has the value',
  hidden: 'hidden',
  'other-name': 'its name does not end in .yaml, .yml or .json',
  template: 'a template of another tool',
  encrypted: 'encrypted',
  'not-checked-out': 'not in the working tree',
  'not-built': 'not rendered here',
  'application-not-compared': 'its application is not compared',
  'no-reader': 'no application reads it',
  'needs-cluster': 'only a cluster knows',
};

const MOST_KINDS = 5;

/** Names the kinds that nobody looked at: `Widget.example.com: no schema`. */
function unseenText(entries: readonly Entry[]): string {
  const groups = unseenGroups(entries);
  const shown = groups.slice(0, MOST_KINDS).map(({ kind, why, count }) => {
    const number = count === 1 ? '' : `${count} `;
    return `${number}${kind}: ${UNSEEN[why]}`;
  });
  const more = groups.length > MOST_KINDS ? [`${groups.length - MOST_KINDS} more kinds`] : [];
  return [...shown, ...more].join('; ');
}

/** Names what the user left out, with the number of each. */
function leftOutText(entries: readonly Entry[]): string | undefined {
  const left = leftOut(entries);
  if (left.length === 0) return undefined;
  const names = enumerated(
    left.map(({ title }) => title),
    MOST_KINDS,
  );
  return `${left.length} left out on request (${names})`;
}

/**
 * Returns the verdict of a validation: `nothing wrong` only if somebody looked at everything. Otherwise it counts what
 * was checked and what was not, and names the kinds of the latter. `problems` counts the diagnostics.
 */
export function verdictOf(evidence: Evidence, problems: string | undefined): string {
  const { files, documents, given, rendered, policies, opaque, pending, accepted } = evidence;
  const tally = tallyOf(given);
  const parts: string[] = [];
  if (tally.unseen > 0) {
    parts.push(`${tally.seen + tally.failed} checked, ${tally.unseen} not checked (${unseenText(given)})`);
  }
  const unread = [...files, ...documents];
  const { unseen } = tallyOf(unread);
  if (unseen > 0) parts.push(`${counted(unseen, 'file')} not read (${unseenText(unread)})`);
  const values = rendered.named.filter(({ unit }) => unit === 'value').length;
  if (values > 0) parts.push(`${counted(values, 'pending value')} not compared`);
  const hidden = tallyOf(rendered.named).unseen - values;
  if (hidden > 0) {
    parts.push(`${hidden} of ${counted(rendered.all, 'rendered object')} not checked (${unseenText(rendered.named)})`);
  }
  const undecided = tallyOf(policies.named).unseen;
  if (undecided > 0) {
    parts.push(`${undecided} of ${counted(policies.all, 'policy decision')} not made (${unseenText(policies.named)})`);
  }
  if (opaque > 0) parts.push(`${counted(opaque, 'value')} not checked: a tool replaces them`);
  if (pending > 0)
    parts.push(`${counted(pending, 'value')} not checked: only a cluster has ${pending === 1 ? 'it' : 'them'}`);
  const left = leftOutText(entriesOf(evidence));
  if (left !== undefined) parts.push(left);
  if (accepted > 0) parts.push(`${accepted} accepted`);
  if (problems !== undefined) parts.unshift(problems);
  else if (hasNothing(evidence)) parts.unshift('nothing to check');
  else if (tallyOf(entriesOf(evidence)).unseen === 0 && opaque === 0 && pending === 0)
    parts.unshift(accepted > 0 ? 'nothing new' : 'nothing wrong');
  return visibleOnOneLine(parts.join('; '));
}

/** Reports whether everything that was given is irrelevant. */
function hasNothing({ given, accepted }: Evidence): boolean {
  const { all, irrelevant } = tallyOf(given);
  return accepted === 0 && all > 0 && all === irrelevant;
}
