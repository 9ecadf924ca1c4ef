import { counted } from '../../core/diagnostics/index.ts';
import { type Entry, type Evidence, tallyOf, type UnseenReason, unseenGroups } from '../../core/ledger/index.ts';
import { visibleOnOneLine } from '../../core/text/visible.ts';

/** What would make it possible to look at something. */
const REASONS: Readonly<Record<UnseenReason, string>> = {
  'no-schema': 'no schema',
  'no-definition': 'no RGD',
  'passed-through': 'left to a controller',
  'not-reached': 'its RGD has an error',
};

const MOST_KINDS = 5;

/** Names the kinds that nobody looked at: `Widget.example.com: no schema`. */
function unseenText(entries: readonly Entry[]): string {
  const groups = unseenGroups(entries);
  const shown = groups.slice(0, MOST_KINDS).map(({ kind, why, count }) => {
    const number = count === 1 ? '' : `${count} `;
    return `${number}${kind}: ${REASONS[why]}`;
  });
  const more = groups.length > MOST_KINDS ? [`${groups.length - MOST_KINDS} more kinds`] : [];
  return [...shown, ...more].join('; ');
}

/**
 * Returns the verdict of a validation: `nothing wrong` only if somebody looked at everything. Otherwise it counts what
 * was checked and what was not, and names the kinds of the latter. `problems` counts the diagnostics.
 */
export function verdictOf({ given, rendered, opaque }: Evidence, problems: string | undefined): string {
  const { unseen, irrelevant, all } = tallyOf(given);
  const parts: string[] = [];
  if (unseen > 0) {
    parts.push(`${all - unseen - irrelevant} checked, ${unseen} not checked (${unseenText(given)})`);
  }
  if (rendered.unseen.length > 0) {
    const all = counted(rendered.all, 'rendered object');
    parts.push(`${rendered.unseen.length} of ${all} not checked (${unseenText(rendered.unseen)})`);
  }
  if (opaque > 0) parts.push(`${counted(opaque, 'value')} not checked: a tool replaces them`);
  if (problems !== undefined) parts.unshift(problems);
  else if (parts.length === 0) parts.push(all > 0 && all === irrelevant ? 'nothing to check' : 'nothing wrong');
  return visibleOnOneLine(parts.join('; '));
}
