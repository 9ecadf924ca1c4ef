import type { ObjectChange } from './changes.ts';
import { commentOf, folded, inCode, listed, MOST_CHARACTERS } from './comment.ts';
import type { Comparison } from './compare.ts';
import { type ChangeGroup, groupsOf, headline, headOfAlike, summaryOf, titleWithOrigin } from './text.ts';

/** Returns a comparison as a comment of a pull request: counts and warnings, then each object folded. */
export function comparisonMarkdown(comparison: Comparison): string {
  const isNothing = comparison.changes.length === 0;
  const top = isNothing ? `No rendered object changes (${summaryOf(comparison)}).\n` : `**${summaryOf(comparison)}**\n`;
  const warnings = listed(comparison.warnings.map(({ message }) => `- :warning: ${inCode(message)}\n`));
  const start = [top, ...(warnings === '' ? [] : [warnings])].join('\n');
  return commentOf(start, groupsOf(comparison.changes), { block, rest });
}

/** Describes the rest: a change that alone exceeds the limit is cut, omitted ones are counted. */
function rest(groups: readonly ChangeGroup[]): string {
  const left = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const many = left === 1 ? '1 more object is' : `${left} more objects are`;
  return `${many} not shown here, to keep this below ${MOST_CHARACTERS} characters; the counts are complete.\n`;
}

/** The maximum number of titles in a group of equal changes; others are counted. */
const MOST_TITLES = 50;

function block({ changes, hunks }: ChangeGroup): string {
  const [first] = changes as [ObjectChange];
  const summary = changes.length === 1 ? headline(first) : headOfAlike(first, changes.length);
  const titles = changes.length === 1 ? [] : changes.slice(0, MOST_TITLES).map(titleWithOrigin);
  const more = changes.length > MOST_TITLES ? [`- and ${changes.length - MOST_TITLES} more\n`] : [];
  const list = [...titles.map((title) => `- ${inCode(title)}\n`), ...more].join('');
  return folded(summary, list, hunks);
}
