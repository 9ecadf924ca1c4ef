import { structuredPatch } from 'diff';
import { composeText, type Text } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import { toJsonText, toYaml } from '../../yaml/emit/index.ts';
import type { Reviewed } from '../review/index.ts';
import { type FieldChange, type ObjectChange, originOfReviewed, titleOfReviewed } from './changes.ts';
import type { Comparison } from './compare.ts';
import { lastKey } from './items.ts';

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

/** Objects with the same changes of the same fields. */
export interface ChangeGroup {
  changes: readonly ObjectChange[];
  hunks: readonly Hunk[];
}

/** Groups equal changes of objects, at the position of the first one. */
export function groupsOf(changes: readonly ObjectChange[]): ChangeGroup[] {
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

/** Colours a text, or returns it unchanged. */
export type Paint = (colour: 'red' | 'green' | 'yellow' | 'bold', text: string) => string;

export const plain: Paint = (_, text) => text;

/** Formats a comparison as text: each changed object with its lines, then warnings and counts. */
export function comparisonText(comparison: Comparison, paint: Paint = plain): string {
  const blocks = groupsOf(comparison.changes).map(
    (group) => `${titleText(group, paint)}${hunksText(group.hunks, paint)}`,
  );
  const warnings = comparison.warnings.map(
    ({ kind, message }) => `${paint('yellow', `warning[${kind}]`)} ${visibleOnOneLine(message)}\n`,
  );
  const end = [warnings.join(''), `${summaryOf(comparison)}\n`].filter(Boolean).join('\n');
  return [...blocks, end].join('\n');
}

/** `changed Deployment web/blog (Website web/blog, node server)` */
export function headline(change: ObjectChange): Text {
  const [one, other] = [change.before, change.after];
  const shown = (one ?? other) as Reviewed;
  const became =
    change.change === 'replaced' && other !== undefined
      ? composeText` by ${titleOfReviewed(other)}, deleted and created anew`
      : '';
  const verb = composeText`${change.change}`;
  return composeText`${verb} ${titleOfReviewed(shown)}${became}${inBrackets(originOfReviewed(shown))}`;
}

/** `Deployment web/blog (Website web/blog, node server)` */
function titleWithOrigin({ before, after }: ObjectChange): Text {
  const shown = (before ?? after) as Reviewed;
  return composeText`${titleOfReviewed(shown)}${inBrackets(originOfReviewed(shown))}`;
}

const inBrackets = (origin: Text): Text => (origin === '' ? origin : composeText` (${origin})`);

/** The maximum number of titles in a group of equal changes; others are counted. */
const MOST_TITLES = 10;

function titleText(group: ChangeGroup, paint: Paint): string {
  const { head, titles, more } = titlesOf(group, MOST_TITLES);
  const bold = (text: Text): string => paint('bold', visibleOnOneLine(text));
  const lines = titles.map((title) => `  ${bold(title)}\n`);
  return `${bold(head)}\n${lines.join('')}${more === 0 ? '' : `  and ${more} more\n`}`;
}

/** Returns the headline of a change; of several: `changed 3 objects alike`, some of their titles, and how many more. */
export function titlesOf({ changes }: ChangeGroup, most: number): { head: Text; titles: Text[]; more: number } {
  const [first] = changes as [ObjectChange];
  if (changes.length === 1) return { head: headline(first), titles: [], more: 0 };
  const titles = changes.slice(0, most).map(titleWithOrigin);
  const head = composeText`${first.change} ${changes.length} objects alike`;
  return { head, titles, more: changes.length - titles.length };
}

/** Formats hunks for a terminal. */
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

/** `1 added, 2 changed, 4 unchanged` */
export function summaryOf({ counts }: Comparison): string {
  const parts = (['added', 'removed', 'changed', 'replaced', 'unchanged'] as const).flatMap((what) =>
    counts[what] === 0 ? [] : [`${counts[what]} ${what}`],
  );
  return parts.length === 0 ? 'no objects on either side' : parts.join(', ');
}
