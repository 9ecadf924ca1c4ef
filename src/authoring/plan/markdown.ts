import { composeText, counted, mapText, type Text, trusted } from '../../core/diagnostics/index.ts';
import { commentOf, folded, type Hunk, inCode, listed, MOST_CHARACTERS } from '../diff/index.ts';
import type { ChangeGroup, Plan } from './application.ts';
import { titleOfApplication } from './application.ts';
import {
  type DangerGroup,
  distinctDangers,
  headlineOf,
  type Links,
  NO_LINKS,
  namesOf,
  notRendered,
  summaryOf,
  urlOfApplication,
  urlOfCause,
} from './text.ts';

/** A workflow finds its earlier comment by this line. */
const MARKER = '<!-- render-rgd plan -->';
/** By this second line it writes no comment. */
const UNCHANGED = '<!-- nothing changes -->';

const MOST_ROWS = 10;
const COLUMNS = ['removed', 'replaced', 'changed', 'added'] as const;

/** Returns a comment of a pull request: what destroys most comes first, and what does not fit is counted. */
export function planMarkdown(plan: Plan, links: Links = NO_LINKS): string {
  const dangers = distinctDangers(plan);
  const { errors, foreign } = notRendered(plan);
  const items = (sign: string, texts: readonly Text[]): string =>
    listed(texts.map((text) => `- ${sign}${onOneLine(text)}\n`));
  const dangerItems = listed(
    dangers.map((danger) => dangerItem(danger, links)),
    (more) => dangersByCode(dangers.slice(-more)),
  );
  const isUnchanged = plan.dangers.length === 0 && plan.applications.every((one) => one.isUnaffected);
  // Two consecutive lists would become one.
  const parts = [
    `${MARKER}\n${isUnchanged ? `${UNCHANGED}\n` : ''}**${summaryOf(plan)}**\n`,
    `${items(':x: ', errors)}${dangerItems}`,
    tableOf(plan, links),
    imagesOf(plan),
    items('', foreign),
  ];
  const start = parts.filter((part) => part !== '').join('\n');
  return commentOf(start, plan.groups, { block: (group) => block(group, links), rest });
}

function dangerItem({ code, text, at, accepted }: DangerGroup, links: Links): string {
  const sign = accepted === undefined ? ':warning:' : ':white_check_mark:';
  const reason = accepted === undefined ? '' : ` accepted: ${onOneLine(accepted)}`;
  return `- ${sign} \`${code}\` ${onOneLine(text)}${reason}${linked(urlOfCause({ at }, links), ' ', composeText`line`)}\n`;
}

function dangersByCode(groups: readonly DangerGroup[]): string {
  const counts = new Map<string, number>();
  for (const { code, dangers } of groups) counts.set(code, (counts.get(code) ?? 0) + dangers.length);
  return [...counts].map(([code, count]) => `- :warning: \`${code}\` ${counted(count, 'more object')}\n`).join('');
}

const linked = (url: string, before: string, text: Text): string => (url === '' ? '' : `${before}[${text}](${url})`);

function tableOf({ applications }: Plan, links: Links): string {
  const changed = applications.filter(({ changes }) => changes.length > 0);
  const columns = COLUMNS.filter((column) =>
    changed.some(({ changes }) => changes.some(({ change }) => change === column)),
  );
  const rows = changed.map(({ application, changes, event }) => {
    const title = onOneLine(titleOfApplication(application));
    const url = urlOfApplication({ application, event }, links);
    const counts = columns.map((column) => String(changes.filter(({ change }) => change === column).length));
    const what = event === undefined ? '' : event === 'removed' ? ' **is deleted**' : ' is new';
    return [`${url === '' ? title : `[${title}](${url})`}${what}`, ...counts];
  });
  return table(['application', ...columns], rows, (left) => {
    const deleted = changed.slice(-left).filter(({ event }) => event === 'removed').length;
    return `and ${left} more${deleted === 0 ? '' : ` (${deleted} **deleted**)`}`;
  });
}

function imagesOf({ images }: Plan): string {
  const shown = (image: string | undefined): string => (image === undefined ? '' : onOneLine(trusted.redacted(image)));
  const rows = images.map(({ from, to, isFloating, count }) => {
    const floating = isFloating ? ' :warning: any version' : '';
    return [shown(from), `${shown(to)}${floating}`, String(count)];
  });
  return table(['image before', 'image after', 'containers'], rows, (left) => `and ${left} more`);
}

function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  rest: (left: number) => string,
): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rule = heading.map((name) => (rows[0]?.[heading.indexOf(name)]?.match(/^\d+$/) ? '---:' : '---'));
  const more = (left: number): string => line(heading.map((_, index) => (index === 0 ? rest(left) : '')));
  const all = `${line(heading)}${line(rule)}${listed(rows.map(line), more)}`;
  if (rows.length <= MOST_ROWS) return all;
  return `<details><summary>${rows.length} ${heading[0]?.split(' ')[0]}s</summary>\n\n${all}\n</details>\n`;
}

function rest(groups: readonly ChangeGroup[]): string {
  const objects = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  return `Changes of ${objects} objects are not shown here, to keep this below ${MOST_CHARACTERS} characters.\n`;
}

const MOST_NAMES = 20;
/** A longer difference is cut, so that one change does not hide the others. */
const MOST_OF_GROUP = 8000;

function block(group: ChangeGroup, links: Links): string {
  const names = namesOf(group, MOST_NAMES).map((name) => `- ${onOneLine(name)}\n`);
  const link = linked(urlOfCause(group.cause, links), '', composeText`The line that causes it`);
  const list = [names.join(''), link === '' ? '' : `${link}\n`].filter((part) => part !== '').join('\n');
  return folded(inOneLine(headlineOf(group)), list, cut(group.hunks));
}

function cut(hunks: readonly Hunk[]): Hunk[] {
  let left = MOST_OF_GROUP;
  const shown: Hunk[] = [];
  for (const [index, { title, lines }] of hunks.entries()) {
    const fits = lines.filter((line) => {
      left -= line.length + 1;
      return left > 0;
    });
    shown.push({ title, lines: fits });
    if (fits.length === lines.length) continue;
    const all = hunks.slice(index).reduce((sum, hunk) => sum + hunk.lines.length, 0);
    return [...shown, { title: composeText`${all - fits.length} more lines`, lines: [] }];
  }
  return shown;
}

const onOneLine = (text: Text): Text => inCode(inOneLine(text));
const inOneLine = (text: Text): Text => mapText(text, (one) => one.replace(/\s+/g, ' '));
