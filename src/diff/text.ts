import { visible, visibleOnOneLine } from '../text/visible.ts';
import type { ObjectChange } from './changes.ts';
import type { Comparison } from './compare.ts';
import { hunksOf } from './hunks.ts';
import type { Reviewed } from './reviewed.ts';
import { originOfReviewed, titleOfReviewed } from './title.ts';

/** Puts a text into a colour, or leaves it alone. */
export type Paint = (colour: 'red' | 'green' | 'yellow' | 'bold', text: string) => string;

export const plain: Paint = (_, text) => text;

/** A comparison for people: each object that differs with its lines, then warnings and counts. */
export function comparisonText(comparison: Comparison, paint: Paint = plain): string {
  const blocks = comparison.changes.map(
    (change) => `${paint('bold', visibleOnOneLine(headline(change)))}\n${linesOf(change, paint)}`,
  );
  const warnings = comparison.warnings.map(
    ({ kind, message }) => `${paint('yellow', `warning[${kind}]`)} ${visibleOnOneLine(message)}\n`,
  );
  const end = [warnings.join(''), `${summaryOf(comparison)}\n`].filter(Boolean).join('\n');
  return [...blocks, end].join('\n');
}

/** `changed Deployment web/blog (Website web/blog, node server)` */
export function headline(change: ObjectChange): string {
  const [one, other] = [change.before, change.after];
  const shown = (one ?? other) as Reviewed;
  const became =
    change.change === 'replaced' && other !== undefined
      ? ` by ${titleOfReviewed(other)}, deleted and created anew`
      : '';
  const origin = originOfReviewed(shown);
  return `${change.change} ${titleOfReviewed(shown)}${became}${origin === '' ? '' : ` (${origin})`}`;
}

function linesOf(change: ObjectChange, paint: Paint): string {
  const hunks = hunksOf(change).map((hunk) => hunk.map((line) => `  ${painted(line, paint)}\n`).join(''));
  return hunks.join('  ...\n');
}

/** Colours come on top of what cannot steer a terminal. */
function painted(text: string, paint: Paint): string {
  const line = visible(text);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('+') ? paint('green', line) : line;
}

/** `1 added, 2 changed, 4 unchanged` */
export function summaryOf({ counts }: Comparison): string {
  const parts = (['added', 'removed', 'changed', 'replaced', 'unchanged'] as const).flatMap((what) =>
    counts[what] === 0 ? [] : [`${counts[what]} ${what}`],
  );
  return parts.length === 0 ? 'no objects on either side' : parts.join(', ');
}
