import { hunksText, titleOfReviewed } from '../../compare/diff/index.ts';
import { composeText, counted, joinTexts, type Text, trusted } from '../../core/diagnostics/index.ts';
import { hex, sha1, textDigest } from '../../core/digest/hashes.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { ownValue } from '../../core/model/value.ts';
import { type Paint, plain } from '../../core/text/paint.ts';
import { utf8 } from '../../core/text/utf8.ts';
import { visibleOnOneLine } from '../../core/text/visible.ts';
import type { Cause, ChangeGroup, Plan, PlannedApplication, PlannedChange, PlannedDanger } from './application.ts';
import { type Application, titleOfApplication } from './application.ts';
import { filesText, type Unknown, unknownsOf } from './ledger.ts';

/** Templates of URLs with {path}, {line}, and the digests {sha1} and {sha256} of the path; '' for no links. */
export interface Links {
  file: string;
  /** A changed line in the pull request. */
  change: string;
}

/** A URL that cannot end a link or an attribute. */
export const LINK_PATTERN = /^https?:\/\/[^\s()<>"'`\\]*$/;

export const NO_LINKS: Links = { file: '', change: '' };

function urlOf(template: string, path: string, line = 1): string {
  const values: Record<string, () => string> = {
    path: () => path.split('/').map(encoded).join('/'),
    line: () => String(line),
    sha1: () => hex(sha1(utf8(path))),
    sha256: () => textDigest(path, 64),
  };
  return template.replace(/\{(path|line|sha1|sha256)\}/g, (_, name: string) => ownValue(values, name)?.() ?? '');
}

/** Escapes parentheses too, which end a link in Markdown. */
const encoded = (part: string): string =>
  encodeURIComponent(part.toWellFormed()).replace(/[()!'*~_]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);

export const urlOfApplication = (
  { application: { place }, event }: { application: Application; event: PlannedApplication['event'] | undefined },
  { file }: Links,
): string => (place === '' || event === 'removed' ? '' : urlOf(file, place));

/** Returns the URL of the line that causes a change: in the pull request, or else in the file; '' without one. */
export const urlOfCause = ({ at }: { at?: Cause['at'] | undefined }, { file, change }: Links): string =>
  at === undefined ? '' : urlOf(change || file, at.source.file, at.line);

const MOST_NAMED = 5;

export function planText(plan: Plan, paint: Paint = plain): string {
  const { errors, foreign } = notRendered(plan);
  const unknown = unknownsOf(plan).map(textOfUnknown);
  const lines = (texts: readonly Text[]): string => texts.map((text) => `${visibleOnOneLine(text)}\n`).join('');
  const dangers = distinctDangers(plan).map(
    ({ code, text, accepted }) =>
      `${paint('yellow', code)} ${visibleOnOneLine(text)}${accepted === undefined ? '' : ` (accepted: ${visibleOnOneLine(accepted)})`}\n`,
  );
  const images = plan.images.map(
    ({ from, to, isFloating, count }) =>
      composeText`image ${trusted.redacted(from ?? '(none)')} -> ${trusted.redacted(to ?? '(none)')} in ${counted(count, 'container')}${isFloating ? ', which can be any version' : ''}`,
  );
  const groups = plan.groups.map((group) => {
    const names = namesOf(group).map((name) => `  ${visibleOnOneLine(name)}\n`);
    return `${paint('bold', visibleOnOneLine(headlineOf(group)))}\n${names.join('')}${hunksText(group.hunks, paint)}`;
  });
  const start = `${paint('bold', summaryOf(plan))}\n`;
  const parts = [start, lines(unknown), lines(errors), dangers.join(''), lines(images), ...groups, lines(foreign)];
  return parts.filter((part) => part !== '').join('\n');
}

/** `not compared: HelmRelease web: its source is OCIRepository` */
export const textOfUnknown = ({ title, reason }: Unknown): Text => composeText`not compared: ${title}: ${reason}`;

/** `3 applications, 12 objects change, 1 danger (40 of 42 compared)` */
export function summaryOf(plan: Plan): Text {
  const { applications, dangers, found, compared } = plan;
  const changed = applications.filter(({ error }) => error === undefined);
  const objects = changed.reduce((sum, { changes }) => sum + changes.length, 0);
  const failed = applications.filter(({ error, isForeign }) => error !== undefined && !isForeign).length;
  const foreign = applications.filter(({ isForeign }) => isForeign).length;
  const open = dangers.filter(({ accepted }) => accepted === undefined);
  const undecided = plan.policies.named.length;
  const parts = [
    counted(changed.length, 'application'),
    composeText`${counted(objects, 'object')} ${objects === 1 ? 'changes' : 'change'}`,
    counted(open.length, 'danger'),
    ...(open.length < dangers.length ? [composeText`${dangers.length - open.length} accepted`] : []),
    ...(failed > 0 ? [composeText`${failed} with errors`] : []),
    ...(foreign > 0 ? [composeText`${foreign} not rendered`] : []),
    ...(undecided > 0 ? [composeText`${counted(undecided, 'policy decision')} not made`] : []),
  ];
  const rest = filesText(plan.files);
  const start = composeText`${joinTexts(parts, ', ')} (${compared} of ${found} compared)`;
  return rest === undefined ? start : composeText`${start}; ${rest}`;
}

export interface DangerGroup {
  code: PlannedDanger['code'];
  text: Text;
  at: PlannedDanger['at'];
  accepted: PlannedDanger['accepted'];
  dangers: readonly PlannedDanger[];
}

/** Returns the dangers without those that differ only in their object: the first, and the number of others. */
export function distinctDangers({ dangers }: Plan): DangerGroup[] {
  const groups = groupBy(dangers, (danger) => JSON.stringify([danger.code, danger.accepted, ...dangerKey(danger)]));
  return [...groups.values()].map((alike) => {
    const [{ code, application, message, at, accepted }] = alike as [PlannedDanger];
    const where = new Set(alike.map((one) => titleOfApplication(one.application)));
    const more =
      alike.length === 1
        ? ''
        : composeText` (and ${counted(alike.length - 1, 'more object')}, in ${counted(where.size, 'application')})`;
    return {
      code,
      text: composeText`${titleOfApplication(application)}: ${message}${more}`,
      at,
      accepted,
      dangers: alike,
    };
  });
}

/** Returns what a danger says of any object of its kind, and the field of the RGD that causes it. */
function dangerKey({ message, general, change, at }: PlannedDanger): unknown[] {
  const side = change?.after ?? change?.before;
  if (side === undefined) return [message];
  return [side.object.kind, general ?? message, at?.source.file, at?.path];
}

export function notRendered({ applications }: Plan): { errors: Text[]; foreign: Text[] } {
  // What the change may affect is named before.
  const left = applications.filter(({ isForeign, isUnaffected }) => !isForeign || isUnaffected);
  const lines = [...groupBy(left, ({ error }) => error)].map(([reason, those]) => {
    const isForeign = those.every((one) => one.isForeign);
    const what = isForeign ? composeText`not rendered` : composeText`error`;
    const titles = named(those.map(({ application }) => titleOfApplication(application)));
    return { isForeign, text: composeText`${what}: ${titles}: ${reason}` };
  });
  const texts = (foreign: boolean): Text[] => lines.flatMap((line) => (line.isForeign === foreign ? [line.text] : []));
  return { errors: texts(false), foreign: texts(true) };
}

/** `RGD webapp (platform/webapp.yaml:40) changes 312 Deployments in 208 applications` */
export function headlineOf({ cause: { text: cause }, change, fate, kind, changes }: ChangeGroup): Text {
  const verb = ({ added: 'adds', removed: 'removes', changed: 'changes', replaced: 'replaces' } as const)[change];
  const end =
    fate === undefined
      ? ''
      : composeText` (${fate.word}${fate.why === '' ? '' : composeText`: ${trusted.definition(fate.why)}`})`;
  const applications = new Set(changes.map(({ application }) => titleOfApplication(application)));
  const [only] = applications;
  const where = applications.size === 1 && only !== undefined ? only : counted(applications.size, 'application');
  const [first] = changes as [PlannedChange];
  const objects =
    changes.length === 1
      ? titleOfSide(first.after ?? first.before)
      : composeText`${changes.length} objects of kind ${trusted.definition(kind)}`;
  if (cause === '') return composeText`${change} ${objects} in ${where}${end}`;
  return composeText`${cause} ${verb} ${objects} in ${where}${end}`;
}

const titleOfSide = (side: PlannedChange['after']): Text =>
  side === undefined ? composeText`` : titleOfReviewed(side);

export function titleOfChange({ before, after, loss }: PlannedChange): Text {
  const old = titleOfSide(before);
  const newer = titleOfSide(after);
  if (old !== '' && newer !== '' && old !== newer) return composeText`${old} becomes ${newer}`;
  return loss === undefined ? composeText`${newer || old}` : composeText`${old}, with ${loss}`;
}

export function namesOf({ changes }: ChangeGroup, most = MOST_NAMED): Text[] {
  const [first] = changes;
  if (changes.length === 1 && first?.change !== 'replaced' && first?.loss === undefined) return [];
  const names = changes
    .slice(0, most)
    .map((change) => composeText`${titleOfChange(change)} (${titleOfApplication(change.application)})`);
  return changes.length > most ? [...names, composeText`and ${changes.length - most} more`] : names;
}

const named = (titles: readonly Text[]): Text =>
  titles.length <= MOST_NAMED
    ? joinTexts(titles, ', ')
    : composeText`${joinTexts(titles.slice(0, MOST_NAMED), ', ')} and ${titles.length - MOST_NAMED} more`;
