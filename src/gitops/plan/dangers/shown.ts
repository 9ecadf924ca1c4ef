import { isMasked, maskedAlone } from '../../../compare/diff/index.ts';
import type { Reviewed } from '../../../compare/review/index.ts';
import { isKubeObject, type KubeObject } from '../../../core/model/object.ts';
import { mapItems, type Value } from '../../../core/model/value.ts';

/** Returns the redacted object without the fields of values of Secrets, about which nothing is known. */
export function shownObject(shown: Value | undefined): KubeObject | undefined {
  const object = shown === undefined ? undefined : withoutMasked(shown);
  return isKubeObject(object) ? object : undefined;
}

const withoutMasked = (value: Value): Value =>
  mapItems(value, (item) => (typeof item === 'string' && isMasked(item) ? undefined : withoutMasked(item)));

export const shownAlone = (reviewed: Reviewed): KubeObject | undefined => shownObject(maskedAlone(reviewed));
