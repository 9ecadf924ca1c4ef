import page from '../../../data/plan-page.json';
import { commentOf, folded, type Hunk, inCode, listed, MOST_CHARACTERS } from '../../compare/diff/index.ts';
import { composeText, counted, mapText, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../../core/model/object.ts';
import { mapItems, type Value, type ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { type ChangeGroup, type Plan, type PlannedChange, type Takeover, titleOfApplication } from './application.ts';
import { isPlain } from './compare.ts';
import { unknownsOf } from './ledger.ts';
import {
  type DangerGroup,
  distinctDangers,
  headlineOf,
  type Links,
  NO_LINKS,
  namesOf,
  notRendered,
  summaryOf,
  textOfUnknown,
  titleOfChange,
  urlOfApplication,
  urlOfCause,
} from './text.ts';

type Side = NonNullable<PlannedChange['after']>;

/** The version of the JSON; fields may be added, but no field changes its meaning within a version. */
const JSON_VERSION = 1n;

/** Returns a plan as JSON, with its ledger. */
export const planJson = (plan: Plan, ledger?: ValueMap): string =>
  visible(`${toJsonText(planValue(plan, ledger), 2)}\n`);

const planValue = (plan: Plan, ledger: ValueMap | undefined): Value => {
  const { applications, dangers, images, found, compared } = plan;
  return {
    version: JSON_VERSION,
    found: BigInt(found),
    compared: BigInt(compared),
    files: filesValue(plan.files),
    unknown: unknownsOf(plan).map(({ title, reason }) => ({ title, reason })),
    applications: applications.map(applicationValue),
    dangers: dangers.map(dangerValue),
    images: images.map(imageValue),
    ...(ledger !== undefined && { ledger }),
  };
};

const filesValue = ({ all, compared, uncompared, unread, irrelevant }: Plan['files']): ValueMap => ({
  changed: BigInt(all),
  compared: BigInt(compared),
  uncompared: BigInt(uncompared.count),
  unread: unread.map((file) => file),
  irrelevant: BigInt(irrelevant),
});

const imageValue = ({ from, to, isFloating, count }: Plan['images'][number]): ValueMap => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(isFloating && { floating: true }),
  containers: BigInt(count),
});

function applicationValue({ application, event, changes, error, isForeign }: Plan['applications'][number]): ValueMap {
  const { name, kind, path, namespace, qualifier, place, deployment } = application;
  const isWhole = ({ change }: PlannedChange): boolean => change !== 'changed';
  const wholes = (side: 'before' | 'after'): Value[] =>
    changes.filter(isWhole).flatMap(({ [side]: one }) => (one === undefined ? [] : [objectValue(one)]));
  const moved = changes.flatMap(({ change, before, after, fields }) =>
    change === 'replaced' && before && after ? [{ from: objectValue(before), to: objectValue(after), fields }] : [],
  );
  const outcomes = changes.flatMap(({ before, after, fate }): Value[] => {
    const side = before ?? after;
    return fate === undefined || side === undefined || isPlain(fate) ? [] : [{ object: objectValue(side), ...fate }];
  });
  return {
    name,
    kind,
    path,
    ...(namespace !== '' && { namespace }),
    ...(qualifier !== undefined && { place: qualifier }),
    ...(place !== '' && { declaredIn: place }),
    ...(deployment.controller !== '' && { controller: deployment.controller }),
    ...(event !== undefined && { event }),
    added: wholes('after'),
    changed: changes.flatMap((change) =>
      isWhole(change) || change.after === undefined ? [] : [{ ...objectValue(change.after), fields: change.fields }],
    ),
    removed: wholes('before'),
    ...(moved.length > 0 && { moved }),
    ...(outcomes.length > 0 && { outcomes }),
    ...(error !== undefined && { error, isRejected: isForeign !== true }),
  };
}

function dangerValue({
  code,
  application,
  change,
  message,
  takeover,
  at,
  accepted,
}: Plan['dangers'][number]): ValueMap {
  const { name, kind, qualifier } = application;
  const side = change?.after ?? change?.before;
  return {
    code,
    application: name,
    applicationKind: kind,
    ...(qualifier !== undefined && { place: qualifier }),
    object: side === undefined ? null : objectValue(side),
    message,
    ...(takeover && { takeover: takeoverValue(takeover) }),
    ...(at && { file: at.source.file }),
    ...(accepted !== undefined && { accepted }),
  };
}

function takeoverValue({ by: { name, kind, qualifier }, loss }: Takeover): ValueMap {
  return {
    application: name,
    applicationKind: kind,
    ...(qualifier !== undefined && { place: qualifier }),
    loss,
  };
}

/** A name that may be a value of a Secret is omitted. */
function objectValue({ object, nameless }: Side): ValueMap {
  const { group, version, kind } = groupVersionKind(object);
  // An object of a ResourceSet may lack an apiVersion.
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return nameless
    ? { apiVersion, kind, namespace: '', name: '(hidden)' }
    : { apiVersion, kind, namespace: namespaceOf(object), name: nameOf(object) };
}

/** Returns a plan as one HTML file that needs no network: its policy allows nothing but its own script and style. */
export function planHtml(plan: Plan, links: Links = NO_LINKS): string {
  // The page shows its texts as they are. In a script element only `<` can end or hide anything.
  const data = toJsonText(withVisibleTexts(pageValue(plan, links))).replaceAll('<', '\\u003c');
  return `${page.start}${data}${page.end}`;
}

const withVisibleTexts = (value: Value): Value =>
  typeof value === 'string' ? visible(value) : mapItems(value, withVisibleTexts);

/** Returns what the script of the page reads (tools/plan-page/page.js). */
function pageValue(plan: Plan, links: Links): ValueMap {
  const { errors, foreign } = notRendered(plan);
  const groupOf = new Map(plan.groups.flatMap(({ changes }, index) => changes.map((one) => [one, index] as const)));
  const dangerous = new Set(plan.dangers.flatMap(({ change }) => change ?? []));
  const changeValue = (change: PlannedChange): (bigint | string | boolean | null)[] => [
    BigInt(groupOf.get(change) ?? 0),
    titleOfChange({ ...change, loss: undefined }),
    change.loss ?? null,
    dangerous.has(change),
  ];
  return {
    summary: summaryOf(plan),
    errors: [...unknownsOf(plan).map(textOfUnknown), ...errors],
    foreign,
    dangers: distinctDangers(plan).map(({ code, text, at, accepted, dangers }) => ({
      code,
      text,
      url: urlOfCause({ at }, links),
      count: BigInt(dangers.length),
      ...(accepted !== undefined && { accepted }),
    })),
    images: plan.images.map(imageValue),
    groups: plan.groups.map((group) => groupValue(group, links)),
    applications: plan.applications
      .filter(({ changes }) => changes.length > 0)
      .map(({ application, event, changes }) => ({
        title: titleOfApplication(application),
        ...(event !== undefined && { event }),
        url: urlOfApplication({ application, event }, links),
        changes: changes.map(changeValue).sort(([one], [other]) => Number(one) - Number(other)),
      })),
  };
}

const groupValue = ({ cause, change, fate, changes, hunks }: ChangeGroup, links: Links): ValueMap => ({
  cause: cause.text,
  change,
  url: urlOfCause(cause, links),
  ...(fate && { fate: fate.why === '' ? fate.word : `${fate.word}: ${fate.why}` }),
  // Objects with the same cause may differ in what an added or replaced one contains.
  ...(change !== 'changed' && changes[0] && { first: titleOfChange({ ...changes[0], loss: undefined }) }),
  hunks: change === 'removed' ? [] : hunks.map(({ title, lines }) => ({ title, lines: [...lines] })),
});

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
  const isUnchanged =
    plan.dangers.length === 0 &&
    plan.files.unread.length === 0 &&
    plan.applications.every((one) => one.isUnaffected && one.changes.length === 0);
  // Two consecutive lists would become one.
  const parts = [
    `${MARKER}\n${isUnchanged ? `${UNCHANGED}\n` : ''}**${summaryOf(plan)}**\n`,
    `${items(':grey_question: ', unknownsOf(plan).map(textOfUnknown))}${items(':x: ', errors)}${dangerItems}`,
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
