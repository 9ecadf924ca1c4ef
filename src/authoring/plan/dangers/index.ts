import { composeText } from '../../../core/diagnostics/index.ts';
import { groupVersionKind, isKubeObject, type KubeObject } from '../../../core/model/object.ts';
import { mapItems, type Value } from '../../../core/model/value.ts';
import { type Denials, isMasked, type ObjectChange, titleOfReviewed, warningsOf } from '../../diff/index.ts';
import type { Fate } from '../application.ts';
import { accessDangers } from './access.ts';
import type { Danger } from './danger.ts';
import { addressDangers, hostDangers, protectionDangers, scaleDangers, sizeDangers } from './fields.ts';
import { imageDangers } from './images.ts';

/**
 * Returns the dangers of a change of an object. An object that another application takes over is not deleted, and one
 * that its controller keeps neither.
 */
export function dangersOf(
  change: ObjectChange,
  holdsData: readonly string[],
  fate: Fate | undefined,
  isTakenOver: boolean,
  policies?: Denials,
): Danger[] {
  const { before, after } = change;
  const isRemoved = before !== undefined && (after === undefined || change.change === 'replaced');
  const isDeleted = isRemoved && !isTakenOver && fate?.word !== 'kept' && fate?.word !== 'orphaned';
  if (isRemoved && !isDeleted && after === undefined) return [];
  const title = titleOfReviewed(before ?? after ?? never());
  const titled = (dangers: readonly Danger[]): Danger[] =>
    dangers.map((danger) => ({ ...danger, message: composeText`${title}: ${danger.message}` }));
  const denials = isRemoved && !isDeleted ? [] : (policies?.of(change) ?? []);
  const warnings = isRemoved && !isDeleted ? [] : warningsOf(change, holdsData).map(asDanger);
  for (const message of denials) warnings.push({ code: 'danger-denied', message });
  const newer = shownObject(change.shown.after);
  const old = shownObject(change.shown.before);
  const lost =
    isDeleted && old !== undefined ? [...hostDangers(old, undefined), ...addressDangers(old, undefined)] : [];
  if (isDeleted && isSecret(before.object)) {
    warnings.push({
      code: 'danger-secret-deleted',
      message: composeText`${title} is deleted: objects of others may read it`,
    });
  }
  for (const one of isDeleted ? protectionDangers(before.object) : []) {
    warnings.push({ ...one, message: composeText`${title} ${one.message}` });
  }
  if (after === undefined || newer === undefined) return [...warnings, ...titled(lost)];
  const earlier = isRemoved ? undefined : old;
  const found = [
    ...accessDangers(earlier, newer),
    ...(earlier === undefined
      ? []
      : [
          ...imageDangers(earlier, newer),
          ...scaleDangers(earlier, newer),
          ...hostDangers(earlier, newer),
          ...addressDangers(earlier, newer),
          ...sizeDangers(earlier, newer),
        ]),
  ];
  return [...warnings, ...titled([...lost, ...found])];
}

const asDanger = ({ kind, message }: ReturnType<typeof warningsOf>[number]): Danger => ({
  code: kind === 'data-loss' ? 'danger-data-loss' : 'danger-immutable-field',
  message,
});

/** Returns the redacted object without the fields of values of Secrets, about which nothing is known. */
function shownObject(shown: Value | undefined): KubeObject | undefined {
  const object = shown === undefined ? undefined : withoutMasked(shown);
  return isKubeObject(object) ? object : undefined;
}

const withoutMasked = (value: Value): Value =>
  mapItems(value, (item) => (isPlain(item) ? withoutMasked(item) : undefined));

const isPlain = (value: Value): boolean => typeof value !== 'string' || !isMasked(value);

function isSecret(object: Parameters<typeof groupVersionKind>[0]): boolean {
  const { group, kind } = groupVersionKind(object);
  return group === '' && kind === 'Secret';
}

function never(): never {
  throw new Error('a change has at least one version');
}

export { DANGERS, type Danger } from './danger.ts';
export { fateOf } from './fate.ts';
export { imagesIn, isFloating } from './images.ts';
