import { greatest } from '../../core/text/extremes.ts';
import { visible } from '../../core/text/visible.ts';
import type { Hunk } from './hunks.ts';

/** GitHub and GitLab take comments of at least 65,536 characters; the rest is for what a workflow puts around it. */
export const MOST_CHARACTERS = 60_000;
/** Room for the end, which says how much is missing. */
const END = 300;
const MOST_LIST = 10_000;

/**
 * A comment of a pull request: its start, and a block for each group as long as there is room. `rest` says what is not
 * shown. A group that alone would fill a comment is not shown.
 */
export function commentOf<Group>(
  start: string,
  groups: readonly Group[],
  { block, rest }: { block: (group: Group) => string; rest: (left: readonly Group[]) => string },
): string {
  let text = start;
  for (const [index, group] of groups.entries()) {
    const next = `\n${block(group)}`;
    const isLast = index === groups.length - 1;
    if (text.length + next.length > MOST_CHARACTERS - (isLast ? 0 : END)) {
      return visible(`${text}\n${rest(groups.slice(index))}`);
    }
    text += next;
  }
  return visible(text);
}

/** The first lines, as many as there is room for, and what `rest` says of the others. */
export function listed(lines: readonly string[], rest = (more: number): string => `- and ${more} more\n`): string {
  let text = '';
  for (const [index, line] of lines.entries()) {
    if (text.length + line.length > MOST_LIST) return text + rest(lines.length - index);
    text += line;
  }
  return text;
}

/** Hunks that are folded under a summary, with a list above them. */
export function folded(summary: string, list: string, hunks: readonly Hunk[]): string {
  const lines = hunks
    .flatMap((hunk) => [...(hunk.title === '' ? [] : [`@@ ${hunk.title} @@`]), ...hunk.lines])
    .join('\n');
  const longest = greatest(
    [...lines.matchAll(/`+/g)].map(([run]) => run.length),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  return `<details><summary>${inCode(summary)}</summary>\n\n${list}${list === '' ? '' : '\n'}${fence}diff\n${lines}\n${fence}\n\n</details>\n`;
}

/** Text in which nothing is a tag, a link or an emphasis; in code nothing is a mention either. */
export const inCode = (text: string): string =>
  `<code>${text.replace(/[&<>@*_`[\]\\~#!|:]/g, (char) => `&#${char.codePointAt(0)};`)}</code>`;
