import { composeText } from '../../../core/diagnostics/index.ts';
import { groupVersionKind, isKubeObject, type KubeObject } from '../../../core/model/object.ts';
import { isMap, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { isMasked, type ObjectChange, titleOfReviewed, warningsOf } from '../../diff/index.ts';
import { accessDangers } from './access.ts';
import type { Danger } from './danger.ts';
import { hostDangers, scaleDangers, sizeDangers } from './fields.ts';
import { imageDangers } from './images.ts';

/** Returns the dangers of a change of an object. An object that another application takes over is not deleted. */
export function dangersOf(change: ObjectChange, holdsData: readonly string[], isTakenOver: boolean): Danger[] {
  if (isTakenOver) return [];
  const { before, after } = change;
  const warnings = warningsOf(change, holdsData).map(
    ({ kind, message }): Danger => ({
      code: kind === 'data-loss' ? 'danger-data-loss' : 'danger-immutable-field',
      message,
    }),
  );
  const title = titleOfReviewed(before ?? after ?? never());
  const isDeleted = before !== undefined && (after === undefined || change.change === 'replaced');
  if (isDeleted && isSecret(before.object)) {
    warnings.push({
      code: 'danger-secret-deleted',
      message: composeText`${title} is deleted: objects of others may read it`,
    });
  }
  const newer = shownObject(change.shown.after);
  if (after === undefined || newer === undefined) return warnings;
  const old = isDeleted ? undefined : shownObject(change.shown.before);
  const found = [
    ...accessDangers(old, newer),
    ...(old === undefined
      ? []
      : [
          ...imageDangers(old, newer),
          ...scaleDangers(old, newer),
          ...hostDangers(old, newer),
          ...sizeDangers(old, newer),
        ]),
  ];
  return [...warnings, ...found.map((danger) => ({ ...danger, message: composeText`${title}: ${danger.message}` }))];
}

/** Returns the redacted object without the fields of values of Secrets, about which nothing is known. */
function shownObject(shown: Value | undefined): KubeObject | undefined {
  const object = shown === undefined ? undefined : withoutMasked(shown);
  return isKubeObject(object) ? object : undefined;
}

function withoutMasked(value: Value): Value {
  if (Array.isArray(value)) return value.filter(isPlain).map(withoutMasked);
  if (!isMap(value)) return value;
  const kept: ValueMap = {};
  for (const [key, item] of Object.entries(value)) if (isPlain(item)) setKey(kept, key, withoutMasked(item));
  return kept;
}

const isPlain = (value: Value): boolean => typeof value !== 'string' || !isMasked(value);

function isSecret(object: Parameters<typeof groupVersionKind>[0]): boolean {
  const { group, kind } = groupVersionKind(object);
  return group === '' && kind === 'Secret';
}

function never(): never {
  throw new Error('a change has at least one version');
}

export type { Danger } from './danger.ts';
