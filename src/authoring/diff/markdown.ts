import { composeText, mapText, type Text } from '../../core/diagnostics/index.ts';
import { greatest } from '../../core/text/extremes.ts';
import { visible } from '../../core/text/visible.ts';
import type { Comparison } from './compare.ts';
import { type ChangeGroup, groupsOf, type Hunk, summaryOf, titlesOf } from './text.ts';

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

function block(group: ChangeGroup): string {
  const { head, titles, more } = titlesOf(group, MOST_TITLES);
  const list = titles.map((title) => `- ${inCode(title)}\n`).join('');
  return folded(head, `${list}${more === 0 ? '' : `- and ${more} more\n`}`, group.hunks);
}

/** GitHub and GitLab accept comments of at least 65,536 characters; the rest is reserved for the text of a workflow. */
export const MOST_CHARACTERS = 60_000;
/** The reserved length for the end, which contains the number of omitted parts. */
const END = 300;
const MOST_LIST = 10_000;

/**
 * Returns a comment of a pull request: its start, and a block for each group within the limit. `rest` describes what is
 * omitted. A group that alone exceeds the limit is omitted.
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

/** Returns the first lines within the limit, and `rest` for the others. */
export function listed(lines: readonly string[], rest = (more: number): string => `- and ${more} more\n`): string {
  let text = '';
  for (const [index, line] of lines.entries()) {
    if (text.length + line.length > MOST_LIST) return text + rest(lines.length - index);
    text += line;
  }
  return text;
}

/** Returns hunks that are folded under a summary, with a list above them. */
export function folded(summary: Text, list: string, hunks: readonly Hunk[]): string {
  const lines = hunks
    .flatMap((hunk) => [...(hunk.title === '' ? [] : [`@@ ${hunk.title} @@`]), ...hunk.lines])
    .join('\n');
  const longest = greatest(
    [...lines.matchAll(/`+/g)].map(([run]) => run.length),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  const diff = lines === '' ? '' : `${list === '' ? '' : '\n'}${fence}diff\n${lines}\n${fence}\n`;
  return `<details><summary>${inCode(summary)}</summary>\n\n${list}${diff}\n</details>\n`;
}

/** Escapes tags, links and emphasis in a text; in code mentions too. */
export const inCode = (text: Text): Text =>
  composeText`<code>${mapText(text, (one) => one.replace(/[&<>@*_`[\]\\~#!|:]/g, (char) => `&#${char.codePointAt(0)};`))}</code>`;
