import { composeText, publicText, type Text } from '../../core/diagnostics/index.ts';
import { commentOf, folded, inCode, listed, MOST_CHARACTERS } from '../diff/index.ts';
import type { ChangeGroup, Plan } from './result.ts';
import { distinctDangers, headlineOf, namesOf, notRendered, summaryOf, titleOfApplication } from './text.ts';

/** A workflow finds its earlier comment by this line. */
export const MARKER = '<!-- render-rgd plan -->';

/** A table with more applications is folded. */
const MOST_ROWS = 10;
const COLUMNS = ['added', 'changed', 'removed', 'replaced'] as const;

/** Returns a plan as a comment of a pull request. Counts are complete; what does not fit is counted. */
export function planMarkdown(plan: Plan): string {
  const dangers = distinctDangers(plan).map(({ code, text }) => `- :warning: \`${code}\` ${onOneLine(text)}\n`);
  const left = notRendered(plan).map((line) => `- ${onOneLine(line)}\n`);
  // Two consecutive lists would become one.
  const parts = [`${MARKER}\n**${summaryOf(plan)}**\n`, listed(dangers), tableOf(plan), listed(left)];
  const start = parts.filter((part) => part !== '').join('\n');
  return commentOf(start, plan.groups, { block, rest });
}

/** Returns a table with the number of changed objects in each application, without empty columns. */
function tableOf({ applications }: Plan): string {
  const changed = applications.filter(({ changes }) => changes.length > 0);
  const columns = COLUMNS.filter((column) =>
    changed.some(({ changes }) => changes.some(({ change }) => change === column)),
  );
  const row = (cells: readonly Text[]): string => `| ${cells.join(' | ')} |\n`;
  const rows = changed.map(({ application, changes }) => {
    const counts = columns.map((column) => composeText`${changes.filter(({ change }) => change === column).length}`);
    return row([onOneLine(titleOfApplication(application)), ...counts]);
  });
  if (rows.length === 0) return '';
  const heading =
    row([composeText`application`, ...columns.map((column) => publicText`${column}`)]) +
    row([composeText`---`, ...columns.map(() => composeText`---:`)]);
  const table =
    heading + listed(rows, (more) => row([composeText`and ${more} more`, ...columns.map(() => composeText``)]));
  if (rows.length <= MOST_ROWS) return table;
  return `<details><summary>${rows.length} applications</summary>\n\n${table}\n</details>\n`;
}

function rest(groups: readonly ChangeGroup[]): string {
  const objects = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  return `Changes of ${objects} objects are not shown here, to keep this below ${MOST_CHARACTERS} characters.\n`;
}

const MOST_NAMES = 20;

function block(group: ChangeGroup): string {
  const names = namesOf(group, MOST_NAMES).map((name) => `- ${onOneLine(name)}\n`);
  return folded(publicText`${headlineOf(group).replace(/\s+/g, ' ')}`, names.join(''), group.hunks);
}

const onOneLine = (text: Text): Text => inCode(publicText`${text.replace(/\s+/g, ' ')}`);
