import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { get, type Value, type ValueMap } from '../../../core/model/value.ts';
import { atLeastOneQuantity, isMore, quantityOf } from './quantities.ts';
import { entriesOf, isLimitResource, isOvercommitted } from './resources.ts';
import {
  all,
  each,
  eachValue,
  fields,
  map,
  missing,
  type Rule,
  refuse,
  required,
  text,
  textAt,
  unique,
} from './rule.ts';
import { isQualified } from './syntax.ts';

const KINDS_OF_LIMITS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];

/** Pairs of amounts, of which the first must not exceed the second. */
const ORDERED = [
  ['min', 'max'],
  ['min', 'defaultRequest'],
  ['defaultRequest', 'max'],
  ['defaultRequest', 'default'],
  ['min', 'default'],
  ['default', 'max'],
] as const;

const isLimitType = (type: string): boolean =>
  ['Container', 'Pod', 'PersistentVolumeClaim'].includes(type) || (isQualified(type) && type.includes('/'));

const limit: Rule = all(
  required('type'),
  fields({
    type: text(isLimitType, phrase`must be Container, Pod or PersistentVolumeClaim`),
    maxLimitRequestRatio: eachValue(atLeastOneQuantity),
  }),
  map((one, place) => {
    const type = textAt(one, 'type');
    const isPod = type === 'Pod';
    for (const kind of KINDS_OF_LIMITS) {
      for (const [name] of entriesOf(one[kind]))
        if (!isLimitResource(type, name))
          refuse(place, phrase`has '${name}', which is not a resource of this type`, kind);
    }
    for (const kind of ['default', 'defaultRequest'])
      if (isPod && entriesOf(one[kind]).length > 0) refuse(place, phrase`must not be set if the type is 'Pod'`, kind);
    const hasStorage = get(one.min, 'storage') !== undefined || get(one.max, 'storage') !== undefined;
    if (type === 'PersistentVolumeClaim' && !hasStorage) missing(place, phrase`must have storage in min or max`);
    for (const [low, high] of ORDERED) {
      if (isPod && (low === 'defaultRequest' || high === 'default' || high === 'defaultRequest')) continue;
      for (const [name, value] of entriesOf(one[low])) {
        const [a, b] = [quantityOf(value), quantityOf(get(one[high], name))];
        if (a !== undefined && b !== undefined && isMore(a, b))
          refuse(place, phrase`must be at most that of ${shown(high)}`, low, name);
        const isPair = low === 'defaultRequest' && high === 'default' && !isOvercommitted(name);
        if (isPair && a !== undefined && b !== undefined && isMore(b, a))
          refuse(place, phrase`must be equal to that of default`, low, name);
      }
    }
    checkRatio(one, place);
  }),
);

function checkRatio(one: ValueMap, place: Parameters<Rule>[1]): void {
  for (const [name, value] of entriesOf(one.maxLimitRequestRatio)) {
    const [ratio, low, high] = [value, get(one.min, name), get(one.max, name)].map((amount) => doubleOf(amount));
    if (ratio === undefined || low === undefined || high === undefined) continue;
    if (ratio > high / low) refuse(place, phrase`must be at most max divided by min`, 'maxLimitRequestRatio', name);
  }
}

function doubleOf(value: Value | undefined): number | undefined {
  const amount = quantityOf(value);
  return amount === undefined ? undefined : Math.ceil(Number(amount.unscaled) * 10 ** amount.scale * 1000) / 1000;
}

export const limitRange = fields({
  spec: fields({
    limits: all(
      each(limit),
      unique((one) => textAt(one, 'type') || undefined, 'type'),
    ),
  }),
});
