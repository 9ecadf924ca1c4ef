import { type Message, phrase, shown } from '../../../core/diagnostics/index.ts';
import { get, isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { type Amount, compareAmounts, EvaluationError, parseQuantity } from '../../../languages/cel/index.ts';
import {
  all,
  each,
  eachKey,
  eachValue,
  fields,
  itemsAt,
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

const ZERO: Amount = { unscaled: 0n, scale: 0, held: 'int64' };
const ONE: Amount = { unscaled: 1n, scale: 0, held: 'int64' };

/** Returns the amount of a quantity as Go reads it from JSON; `undefined` if it is invalid. */
export function quantityOf(value: Value | undefined): Amount | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return amountOf(String(value));
  if (typeof value !== 'string') return undefined;
  return amountOf(value.trim());
}

function amountOf(text: string): Amount | undefined {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

export const QUANTITY =
  'must be a quantity such as 100m, 64Mi or 1.5: a number with no unit, n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi or Ei';

export const isQuantity = (value: Value): boolean => typeof value === 'boolean' || quantityOf(value) !== undefined;

const isMore = (a: Amount, b: Amount): boolean => compareAmounts(a, b) > 0n;

const isWhole = ({ unscaled, scale }: Amount): boolean =>
  scale >= 0 || unscaled % 10n ** BigInt(Math.min(-scale, 5000)) === 0n;

const compared =
  (fits: (amount: Amount) => boolean, message: Message): Rule =>
  (value, place) => {
    const amount = quantityOf(value);
    if (amount !== undefined && !fits(amount)) refuse(place, message);
  };

export const notNegativeQuantity = compared((amount) => !isMore(ZERO, amount), phrase`must not be negative`);
export const positiveQuantity = compared((amount) => isMore(amount, ZERO), phrase`must be more than 0`);
const atLeastOneQuantity = compared((amount) => !isMore(ONE, amount), phrase`must be at least 1`);
const wholeQuantity = compared(isWhole, phrase`must be an integer`);

const CONTAINER = ['cpu', 'memory', 'ephemeral-storage'];
/** pkg/apis/core/helper, standardQuotaResources, standardResources and integerResources. */
const QUOTA = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
];
const STANDARD = [...QUOTA, 'storage'];
const INTEGERS = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean =>
  !name.includes('/') || name.split('/')[0]?.includes('kubernetes.io') === true;
const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && isQualified(`requests.${name}`);
const isStandard = (name: string): boolean =>
  STANDARD.includes(name) || isHugePages(name) || name.startsWith('requests.hugepages-');

export const isContainerResource = (name: string): boolean => {
  if (!isQualified(name)) return false;
  if (!name.includes('/')) return CONTAINER.includes(name) || isHugePages(name);
  return isNative(name) || isExtended(name);
};
const isQuotaResource = (name: string): boolean =>
  isQualified(name) &&
  (name.includes('/') || QUOTA.includes(name) || isHugePages(name) || name.startsWith('requests.hugepages-'));
const isLimitResource = (type: string, name: string): boolean => {
  if (type === 'Container' || type === 'Pod') return isContainerResource(name);
  return isQualified(name) && (name.includes('/') || isStandard(name));
};

const isIntegerResource = (name: string): boolean => INTEGERS.includes(name) || isExtended(name);

/** Reports whether a resource may be requested without a limit, and be overcommitted. */
const isOvercommitted = (name: string): boolean => isNative(name) && !isHugePages(name);

const amounts: Rule = all(
  eachValue(notNegativeQuantity),
  map((value, place) => {
    for (const [key, one] of Object.entries(value)) {
      if (isIntegerResource(key)) fields({ [key]: wholeQuantity })({ [key]: one }, place);
    }
  }),
);

const containerAmounts = all(
  eachKey(
    isContainerResource,
    phrase`is not a resource of containers: cpu, memory, ephemeral-storage, hugepages-SIZE, or a name with a domain`,
  ),
  amounts,
);

/** pkg/apis/core/validation, validateResourceRequirements. */
export const resources: Rule = all(
  fields({ limits: containerAmounts, requests: containerAmounts }),
  map(({ limits, requests }, place) => {
    for (const [name, wanted] of entriesOf(requests)) {
      const limit = isMap(limits) ? limits[name] : undefined;
      const [low, high] = [quantityOf(wanted), quantityOf(limit)];
      const isEqual = isOvercommitted(name);
      if (limit === undefined && !isEqual) missing(place, phrase`must have '${name}', which is requested`, 'limits');
      if (low === undefined || high === undefined) continue;
      if (isMore(low, high)) refuse(place, phrase`must be at most its limit`, 'requests', name);
      else if (!isEqual && isMore(high, low)) refuse(place, phrase`must be equal to its limit`, 'requests', name);
    }
    const names = [...entriesOf(limits), ...entriesOf(requests)].map(([name]) => name);
    if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
      refuse(place, phrase`must have cpu or memory with hugepages`);
  }),
);

export const entriesOf = (value: Value | undefined): [string, Value][] => (isMap(value) ? Object.entries(value) : []);

const COUNTS = [
  'pods',
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
];
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: COUNTS,
  NotTerminating: COUNTS,
  BestEffort: ['pods'],
  NotBestEffort: COUNTS,
  PriorityClass: COUNTS,
  CrossNamespacePodAffinity: COUNTS,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage', 'limits.storage'],
};
const STANDARD_QUOTAS = new Set([
  ...COUNTS,
  'requests.storage',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);
const PAIRS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

function checkScopes(scopes: readonly string[], spec: ValueMap, place: Parameters<Rule>[1], at: string): void {
  for (const scope of scopes) {
    const allowed = SCOPES[scope];
    const hard = entriesOf(spec.hard)
      .map(([key]) => key)
      .filter((key) => STANDARD_QUOTAS.has(key));
    if (allowed === undefined) refuse(place, phrase`must be of ${Object.keys(SCOPES).join(', ')}`, at);
    else if (hard.some((key) => !allowed.includes(key)))
      refuse(place, phrase`has a scope that does not match a resource of hard`, at);
  }
  for (const pair of PAIRS)
    if (pair.every((one) => scopes.includes(one))) refuse(place, phrase`must not have both ${pair.join(' and ')}`, at);
}

const scopeRequirement: Rule = map((one, place) => {
  const operator = textAt(one, 'operator');
  const scope = textAt(one, 'scopeName');
  const { length } = itemsAt(one, 'values');
  if (operator === '') missing(place, phrase`is required`, 'operator');
  if (!['PriorityClass', 'VolumeAttributesClass'].includes(scope) && operator !== 'Exists')
    refuse(place, phrase`must be 'Exists' for this scope`, 'operator');
  if ((operator === 'In' || operator === 'NotIn') && length === 0)
    missing(place, phrase`must have at least 1 item`, 'values');
  if ((operator === 'Exists' || operator === 'DoesNotExist') && length > 0)
    refuse(place, phrase`must be empty`, 'values');
});

export const quota = fields({
  spec: all(
    fields({
      hard: all(eachKey(isQuotaResource, phrase`is not a resource that a quota can limit`), amounts),
      scopeSelector: fields({ matchExpressions: each(scopeRequirement) }),
    }),
    map((spec, place) => {
      checkScopes(itemsAt(spec, 'scopes').map(String), spec, place, 'scopes');
      const selected = itemsAt(spec.scopeSelector, 'matchExpressions').map((one) => textAt(one, 'scopeName'));
      checkScopes(selected, spec, place, 'scopeSelector');
    }),
  ),
});

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
