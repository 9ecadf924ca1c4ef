import { visible } from '../text/visible.ts';
import type { ObjectChange } from './changes.ts';
import type { Comparison } from './compare.ts';
import { hunksOf } from './hunks.ts';
import { headline, summaryOf } from './text.ts';

/** GitHub and GitLab take comments of at least 65,536 characters; the rest is for what a workflow puts around it. */
const MOST_CHARACTERS = 60_000;
/** Room for the end, which says how much is missing. */
const END = 300;

/** A comparison as a comment of a pull request: counts and warnings, then each object folded. */
export function comparisonMarkdown(comparison: Comparison): string {
  const isNothing = comparison.changes.length === 0;
  const top = isNothing ? `No rendered object changes (${summaryOf(comparison)}).\n` : `**${summaryOf(comparison)}**\n`;
  const warnings = listed(comparison.warnings.map(({ message }) => `- :warning: <code>${escaped(message)}</code>\n`));
  const start = [top, ...(warnings === '' ? [] : [warnings])].join('\n');
  let text = start;
  for (const [index, change] of comparison.changes.entries()) {
    const block = `\n${folded(change)}`;
    const last = index === comparison.changes.length - 1;
    if (text.length + block.length > MOST_CHARACTERS - (last ? 0 : END)) {
      return visible(text + cutShort(comparison.changes.slice(index)));
    }
    text += block;
  }
  return visible(text);
}

/** A change that alone would fill a comment is cut, others that are left are counted. */
function cutShort(left: readonly ObjectChange[]): string {
  const many = left.length === 1 ? '1 more object is' : `${left.length} more objects are`;
  return `\n${many} not shown here, to keep this below ${MOST_CHARACTERS} characters; the counts are complete.\n`;
}

const MOST_WARNINGS = 10_000;

function listed(lines: readonly string[]): string {
  let text = '';
  for (const [index, line] of lines.entries()) {
    if (text.length + line.length > MOST_WARNINGS) return `${text}- and ${lines.length - index} more\n`;
    text += line;
  }
  return text;
}

function folded(change: ObjectChange): string {
  const lines = hunksOf(change)
    .map((hunk) => hunk.join('\n'))
    .join('\n@@ @@\n');
  const longest = Math.max(2, ...[...lines.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `<details><summary><code>${escaped(headline(change))}</code></summary>\n\n${fence}diff\n${lines}\n${fence}\n\n</details>\n`;
}

/** Text in which nothing is a tag, a link or an emphasis; in code nothing is a mention either. */
const escaped = (text: string): string => text.replace(/[&<>@*_`[\]\\~#!|:]/g, (char) => `&#${char.codePointAt(0)};`);
