import { structuredPatch } from 'diff';
import { composeText, counted, mapText, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import { greatest } from '../../core/text/extremes.ts';
import { type Paint, plain } from '../../core/text/paint.ts';
import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import { lastKey } from '../../kubernetes/items/index.ts';
import { toJsonText, toYaml } from '../../yaml/emit/index.ts';
import type { Reviewed } from '../review/index.ts';
import { type FieldChange, type ObjectChange, originOfReviewed, titleOfReviewed } from './changes.ts';
import { type Comparison, type Gaps, isWhole } from './compare.ts';

/** Unchanged lines around a changed line of a text. */
const CONTEXT = 3;
/** A text with more changed lines than this is printed as a whole. */
const MOST_EDITS = 2000;

/** A changed field: its path, and lines prefixed with ' ', '-' or '+'. */
export interface Hunk {
  /** '' for a whole object. */
  title: string;
  lines: readonly string[];
}

/** Returns the changes of an object: field by field, or all of it if it is added or removed. */
export function hunksOf({ shown, fields, change }: ObjectChange): Hunk[] {
  if (change === 'added') return [hunkOfObject('+', shown.after)];
  if (change === 'removed') return [hunkOfObject('-', shown.before)];
  return fields.flatMap(hunksOfField);
}

const hunkOfObject = (sign: string, object: Value | undefined): Hunk => ({
  title: '',
  lines: object === undefined ? [] : prefixed(sign, toYaml([object as KubeObject])),
});

function hunksOfField(field: FieldChange): Hunk[] {
  const { path, before, after, order } = field;
  if (order) {
    const line = (sign: string, keys: Value | undefined): string =>
      `${sign}${Array.isArray(keys) ? keys.join(', ') : ''}`;
    return [{ title: `${path}, order`, lines: [line('-', before), line('+', after)] }];
  }
  if (typeof before === 'string' && typeof after === 'string' && (isLong(before) || isLong(after))) {
    return hunksOfText(path, before, after);
  }
  return [{ title: path, lines: [...prefixed('-', textOf(path, before)), ...prefixed('+', textOf(path, after))] }];
}

const isLong = (text: string): boolean => text.includes('\n');

/** Returns the changed lines of a text, including a missing final newline. */
function hunksOfText(path: string, before: string, after: string): Hunk[] {
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch('', '', before, after, '', '', options);
  if (patch === undefined) {
    return [{ title: path, lines: [...prefixed('-', `${before}\n`), ...prefixed('+', `${after}\n`)] }];
  }
  const endAlike = before.endsWith('\n') === after.endsWith('\n');
  return patch.hunks.map(({ newStart, lines }) => ({
    title: `${path}, line ${newStart}`,
    lines: endAlike ? lines.filter((line) => !line.startsWith('\\')) : lines,
  }));
}

function textOf(path: string, value: Value | undefined): string {
  if (value === undefined) return '';
  const key = lastKey(path);
  const shown: Value = key === undefined ? value : { [key]: value };
  return typeof shown === 'object' && shown !== null && !Array.isArray(shown)
    ? toYaml([shown as unknown as KubeObject])
    : toYaml([{ value: shown } as unknown as KubeObject]).replace(/^value:[ \n]?/, '');
}

function prefixed(sign: string, text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  return text === '' ? [] : lines.map((line) => sign + line);
}

interface ChangeGroup {
  changes: readonly ObjectChange[];
  hunks: readonly Hunk[];
}

/** Groups equal changes of objects, at the position of the first one. */
function groupsOf(changes: readonly ObjectChange[]): ChangeGroup[] {
  const groups = new Map<unknown, { changes: ObjectChange[]; hunks: readonly Hunk[] }>();
  for (const change of changes) {
    const hunks = hunksOf(change);
    const key = change.change === 'changed' ? toJsonText(hunks.map(({ title, lines }) => [title, ...lines])) : change;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { changes: [change], hunks });
    else group.changes.push(change);
  }
  return [...groups.values()];
}

/** Formats a comparison as text: each changed object with its lines, then warnings and counts. */
export function comparisonText(comparison: Comparison, paint: Paint = plain): string {
  const blocks = groupsOf(comparison.changes).map(
    (group) => `${titleText(group, paint)}${hunksText(group.hunks, paint)}`,
  );
  const warnings = comparison.warnings.map(
    ({ kind, message }) => `${paint('yellow', `warning[${kind}]`)} ${visibleOnOneLine(message)}\n`,
  );
  const unseen = gapLines(comparison).map((title) => `${paint('yellow', 'not compared:')} ${title}\n`);
  const end = [[...warnings, ...unseen].join(''), `${summaryOf(comparison)}\n`].filter(Boolean).join('\n');
  return [...blocks, end].join('\n');
}

/** `changed Deployment web/blog (Website web/blog, node server)` */
export function headline(change: ObjectChange): Text {
  const one = change.before;
  const other = change.after;
  const shown = (one ?? other) as Reviewed;
  const became =
    change.change === 'replaced' && other !== undefined
      ? composeText` by ${titleOfReviewed(other)}, deleted and created anew`
      : '';
  const verb = composeText`${change.change}`;
  return composeText`${verb} ${titleOfReviewed(shown)}${became}${inBrackets(originOfReviewed(shown))}`;
}

function titleWithOrigin({ before, after }: ObjectChange): Text {
  const shown = (before ?? after) as Reviewed;
  return composeText`${titleOfReviewed(shown)}${inBrackets(originOfReviewed(shown))}`;
}

const inBrackets = (origin: Text): Text => (origin === '' ? origin : composeText` (${origin})`);

function titleText(group: ChangeGroup, paint: Paint): string {
  const { head, titles, more } = titlesOf(group, 10);
  const bold = (text: Text): string => paint('bold', visibleOnOneLine(text));
  const lines = titles.map((title) => `  ${bold(title)}\n`);
  return `${bold(head)}\n${lines.join('')}${more === 0 ? '' : `  and ${more} more\n`}`;
}

/** Returns the headline of a change; of several: `changed 3 objects alike`, some of their titles, and how many more. */
function titlesOf({ changes }: ChangeGroup, most: number): { head: Text; titles: Text[]; more: number } {
  const [first] = changes as [ObjectChange];
  if (changes.length === 1) return { head: headline(first), titles: [], more: 0 };
  const titles = changes.slice(0, most).map(titleWithOrigin);
  const head = composeText`${first.change} ${changes.length} objects alike`;
  return { head, titles, more: changes.length - titles.length };
}

export function hunksText(hunks: readonly Hunk[], paint: Paint): string {
  return hunks
    .map(({ title, lines }) => {
      const header = title === '' ? '' : `  @@ ${visibleOnOneLine(title)} @@\n`;
      return header + lines.map((line) => `  ${painted(line, paint)}\n`).join('');
    })
    .join('');
}

/** Adds colours after control characters are escaped. */
function painted(text: string, paint: Paint): string {
  const line = visible(text);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('+') ? paint('green', line) : line;
}

const MOST_UNSEEN = 10;

/** Why a part is not compared, and what helps. */
const REASONS: Readonly<Record<Exclude<keyof Gaps, 'undecided'>, string>> = {
  uncompared: 'nothing renders it; --all compares it',
  pending: 'only a cluster has the value; its expression is compared',
  unread: 'the file is not read',
  failed: 'it has an error',
  excluded: '--exclude leaves it out',
};

/** Returns lines that name what was not compared. */
function gapLines({ gaps }: Comparison): string[] {
  return (Object.keys(REASONS) as (keyof typeof REASONS)[]).flatMap((name) => {
    const titles = gaps[name];
    const shown = titles.slice(0, MOST_UNSEEN).map((title) => visibleOnOneLine(title));
    const more = titles.length - shown.length;
    const last = more > 0 ? [`${more} more`] : [];
    return [...shown, ...last].map((title) => `${title} (${REASONS[name]})`);
  });
}

function summaryOf({ counts, gaps }: Comparison): string {
  const parts = (['added', 'removed', 'changed', 'replaced', 'unchanged'] as const).flatMap((what) =>
    counts[what] === 0 ? [] : [`${counts[what]} ${what}`],
  );
  const { uncompared, pending, unread, failed, excluded, undecided } = gaps;
  if (uncompared.length > 0) parts.push(`${counted(uncompared.length, 'changed object')} not compared`);
  if (failed.length > 0) parts.push(`${failed.length} with an error not compared`);
  if (unread.length > 0) parts.push(`${counted(unread.length, 'changed file')} not read`);
  if (pending.length > 0) parts.push(`${counted(pending.length, 'pending value')} not compared`);
  if (undecided.length > 0) parts.push(`${counted(undecided.length, 'policy decision')} not made`);
  if (excluded.length > 0) parts.push(`${excluded.length} left out on request`);
  return parts.length === 0 ? 'no objects on either side' : parts.join(', ');
}

/** Returns a comparison as a comment of a pull request: counts and warnings, then each object folded. */
export function comparisonMarkdown(comparison: Comparison): string {
  const isNothing = comparison.changes.length === 0;
  const isSeen = isWhole(comparison.gaps);
  const top =
    isNothing && isSeen ? `No rendered object changes (${summaryOf(comparison)}).\n` : `**${summaryOf(comparison)}**\n`;
  const warnings = listed(comparison.warnings.map(({ message }) => `- :warning: ${inCode(message)}\n`));
  const unseen = listed(
    gapLines(comparison).map((title) => `- :grey_question: not compared: ${inCode(trusted.definition(title))}\n`),
  );
  const start = [top, ...(unseen === '' ? [] : [unseen]), ...(warnings === '' ? [] : [warnings])].join('\n');
  return commentOf(start, groupsOf(comparison.changes), { block, rest });
}

/** Describes the rest: a change that alone exceeds the limit is cut, omitted ones are counted. */
function rest(groups: readonly ChangeGroup[]): string {
  const left = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const many = left === 1 ? '1 more object is' : `${left} more objects are`;
  return `${many} not shown here, to keep this below ${MOST_CHARACTERS} characters; the counts are complete.\n`;
}

function block(group: ChangeGroup): string {
  const { head, titles, more } = titlesOf(group, 50);
  const list = titles.map((title) => `- ${inCode(title)}\n`).join('');
  return folded(head, `${list}${more === 0 ? '' : `- and ${more} more\n`}`, group.hunks);
}

/** GitHub and GitLab accept comments of at least 65,536 characters; the rest is reserved for the text of a workflow. */
export const MOST_CHARACTERS = 60_000;
const END = 300;
const MOST_LIST = 10_000;

/** Returns a comment with a start and a block for each group within the limit; `rest` describes the others. */
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
