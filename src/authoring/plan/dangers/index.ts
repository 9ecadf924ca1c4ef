import { composeText, type Text, trusted } from '../../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, isKubeObject, type KubeObject } from '../../../core/model/object.ts';
import { mapItems, type Value } from '../../../core/model/value.ts';
import {
  DANGER_CODES,
  type Denials,
  isMasked,
  type ObjectChange,
  titleOfReviewed,
  warningsOf,
} from '../../diff/index.ts';
import type { Reviewed } from '../../review/index.ts';
import type { Fate } from '../application.ts';
import type { Danger } from './danger.ts';
import { fieldDangers, protectionOf } from './fields.ts';

/**
 * Returns the dangers of a change of an object. An object that another application takes over is not deleted, and one
 * that its controller keeps neither.
 */
export function dangersOf(
  change: ObjectChange,
  holdsData: readonly string[],
  fate: Fate | undefined,
  isTakenOver: boolean,
  policies: Denials | undefined,
): Danger[] {
  const { before, after } = change;
  const isRemoved = before !== undefined && (after === undefined || change.change === 'replaced');
  const isKept = isRemoved && (isTakenOver || fate?.word === 'kept' || fate?.word === 'orphaned');
  if (isKept && after === undefined) return [];
  const title = titleOfReviewed((before ?? after) as Reviewed);
  const [old, newer] = [shownObject(change.shown.before), shownObject(change.shown.after)];
  const dangers: Danger[] = [];
  const add = (code: Danger['code'], message: Text): void => void dangers.push({ code, message });
  if (!isKept) {
    for (const { kind, message } of warningsOf(change, holdsData)) add(DANGER_CODES[kind], message);
    for (const message of policies?.of(change) ?? []) add('danger-denied', message);
  }
  if (isRemoved && !isKept) {
    const isSecret = groupKind(groupVersionKind(before.object)) === 'Secret.';
    if (isSecret) add('danger-secret-deleted', composeText`${title} is deleted: objects of others may read it`);
    const lost = protectionOf(before.object);
    if (lost !== undefined)
      add('danger-protection-removed', composeText`${title} is deleted: ${trusted.definition(lost)}`);
  }
  const found = [
    ...(isRemoved && !isKept ? fieldDangers(old, undefined) : []),
    ...(newer === undefined ? [] : fieldDangers(isRemoved ? undefined : old, newer)),
  ];
  for (const { code, message } of found) add(code, composeText`${title}: ${message}`);
  return dangers;
}

/** Returns the redacted object without the fields of values of Secrets, about which nothing is known. */
function shownObject(shown: Value | undefined): KubeObject | undefined {
  const object = shown === undefined ? undefined : withoutMasked(shown);
  return isKubeObject(object) ? object : undefined;
}

const withoutMasked = (value: Value): Value =>
  mapItems(value, (item) => (typeof item === 'string' && isMasked(item) ? undefined : withoutMasked(item)));

export { DANGERS, type Danger } from './danger.ts';
export { fateOf } from './fate.ts';
export { createImages, type ImageChange, imagesIn } from './images.ts';
