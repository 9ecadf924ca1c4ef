import { composeText, joinTexts, publicText, type Text } from '../../core/diagnostics/index.ts';
import { counted } from '../../core/text/counted.ts';
import { visibleOnOneLine } from '../../core/text/visible.ts';
import { hunksText, type ObjectChange, type Paint, plain, titleOfReviewed } from '../diff/index.ts';
import { applicationKey } from './application.ts';
import type { ChangeGroup, Plan, PlannedApplication, PlannedDanger } from './result.ts';

/** The number of named objects of a group; others are counted. */
const MOST_NAMED = 5;

/** Formats a plan as text: the counts, dangers, changes by their cause, and unrendered applications. */
export function planText(plan: Plan, paint: Paint = plain): string {
  const dangers = distinctDangers(plan).map(({ code, text }) => `${paint('yellow', code)} ${visibleOnOneLine(text)}\n`);
  const groups = plan.groups.map((group) => groupText(group, paint));
  const left = notRendered(plan)
    .map(visibleOnOneLine)
    .map((line) => `${line}\n`);
  const parts = [`${paint('bold', summaryOf(plan))}\n`, dangers.join(''), ...groups, left.join('')];
  return parts.filter((part) => part !== '').join('\n');
}

/** `3 applications, 12 objects change, 1 danger` */
export function summaryOf({ applications, dangers }: Plan): Text {
  const changed = applications.filter(({ changes }) => changes.length > 0);
  const objects = changed.reduce((sum, { changes }) => sum + changes.length, 0);
  const failed = applications.filter(({ error, isForeign }) => error !== undefined && !isForeign).length;
  const foreign = applications.filter(({ isForeign }) => isForeign).length;
  const parts = [
    many(changed.length, 'application'),
    publicText`${many(objects, 'object')} ${objects === 1 ? 'changes' : 'change'}`,
    many(dangers.length, 'danger'),
    ...(failed > 0 ? [composeText`${failed} with errors`] : []),
    ...(foreign > 0 ? [composeText`${foreign} not rendered`] : []),
  ];
  return joinTexts(parts, ', ');
}

/** Returns the dangers without those that differ only in their object: the first, and the number of others. */
export function distinctDangers({ dangers }: Plan): { code: string; text: Text }[] {
  const groups = new Map<string, PlannedDanger[]>();
  for (const danger of dangers) {
    const key = JSON.stringify([danger.code, ...dangerKey(danger)]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [danger]);
    else known.push(danger);
  }
  return [...groups.values()].map((alike) => {
    const [{ code, application, message }] = alike as [PlannedDanger];
    const where = new Set(alike.map((one) => applicationKey(one.application)));
    const more =
      alike.length === 1
        ? ''
        : composeText` (and ${many(alike.length - 1, 'more object')}, in ${many(where.size, 'application')})`;
    return { code, text: composeText`${titleOfApplication(application)}: ${message}${more}` };
  });
}

/** Returns the message of a danger and the field of the RGD that causes it, without the name of its object. */
function dangerKey({ message, change, at }: PlannedDanger): unknown[] {
  const side = change?.after ?? change?.before;
  if (side === undefined) return [message];
  const { kind } = side.object;
  const general = message.replaceAll(titleOfReviewed(side), kind);
  return [kind, general, at?.source.file, at?.path];
}

/** Lists unrendered applications by reason. */
export function notRendered({ applications }: Plan): Text[] {
  const reasons = new Map<Text, PlannedApplication[]>();
  for (const one of applications) {
    if (one.error !== undefined) reasons.set(one.error, [...(reasons.get(one.error) ?? []), one]);
  }
  return [...reasons].map(([reason, those]) => {
    const what = those.every(({ isForeign }) => isForeign) ? composeText`not rendered` : composeText`error`;
    return composeText`${what}: ${named(those.map(({ application }) => titleOfApplication(application)))}: ${reason}`;
  });
}

export const titleOfApplication = ({ kind, name }: { kind: string; name: string }): Text => publicText`${kind} ${name}`;

/** `RGD webapp (platform/webapp.yaml:40) changes 312 Deployments in 208 applications` */
export function headlineOf({ cause, change, kind, changes }: ChangeGroup): Text {
  const verb = publicText`${{ added: 'adds', removed: 'removes', changed: 'changes', replaced: 'replaces' }[change]}`;
  const applications = new Set(changes.map(({ application }) => titleOfApplication(application)));
  const [only] = applications;
  const where = applications.size === 1 && only !== undefined ? only : many(applications.size, 'application');
  const objects =
    changes.length === 1 ? titleOfChange(changes[0]?.change) : publicText`${changes.length} objects of kind ${kind}`;
  if (cause === '') return composeText`${publicText`${change}`} ${objects} in ${where}`;
  return composeText`${cause} ${verb} ${objects} in ${where}`;
}

function titleOfChange(change: ObjectChange | undefined): Text {
  const side = change?.after ?? change?.before;
  return side === undefined ? composeText`` : titleOfReviewed(side);
}

/** Returns the objects of a group, and of a replaced object its replacement. */
export function namesOf({ changes }: ChangeGroup, most = MOST_NAMED): Text[] {
  const one = ({ before, after }: ObjectChange): Text =>
    before !== undefined && after !== undefined && titleOfReviewed(before) !== titleOfReviewed(after)
      ? composeText`${titleOfReviewed(before)} becomes ${titleOfReviewed(after)}`
      : titleOfReviewed((after ?? before) as NonNullable<ObjectChange['after']>);
  if (changes.length === 1 && changes[0]?.change.change !== 'replaced') return [];
  const names = changes
    .slice(0, most)
    .map(({ application, change }) => composeText`${one(change)} (${titleOfApplication(application)})`);
  return changes.length > most ? [...names, composeText`and ${changes.length - most} more`] : names;
}

function groupText(group: ChangeGroup, paint: Paint): string {
  const names = namesOf(group).map((name) => `  ${visibleOnOneLine(name)}\n`);
  return `${paint('bold', visibleOnOneLine(headlineOf(group)))}\n${names.join('')}${hunksText(group.hunks, paint)}`;
}

const many = (count: number, noun: string): Text => publicText`${counted(count, noun)}`;

const named = (titles: readonly Text[]): Text =>
  titles.length <= MOST_NAMED
    ? joinTexts(titles, ', ')
    : composeText`${joinTexts(titles.slice(0, MOST_NAMED), ', ')} and ${titles.length - MOST_NAMED} more`;
