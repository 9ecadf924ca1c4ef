import table from '../../../../data/kubernetes-forms.json';
import { type Message, phrase, shown } from '../../../core/diagnostics/index.ts';
import { attempt } from '../../../core/model/attempt.ts';
import { isLabelKey } from '../../../core/model/names.ts';
import { get, isMap, listAt, ownValue, textAt, type Value, type ValueMap } from '../../../core/model/value.ts';
import { byteLength } from '../../../core/text/utf8.ts';
import { type Amount, compareAmounts, EvaluationError, parseQuantity } from '../../../languages/cel/index.ts';
import { type Checks, missing, type Place, type Rule, refuse } from './rule.ts';

const ZERO: Amount = { unscaled: 0n, scale: 0, held: 'int64' };
const ONE: Amount = { unscaled: 1n, scale: 0, held: 'int64' };

/** Returns the amount of a quantity as Go reads it from JSON; `undefined` if it is invalid. */
export function quantityOf(value: Value | undefined): Amount | undefined {
  if (typeof value !== 'bigint' && typeof value !== 'number' && typeof value !== 'string') return undefined;
  return attempt(() => parseQuantity(String(value).trim()), EvaluationError);
}

export const QUANTITY =
  'must be a quantity such as 100m, 64Mi or 1.5: a number with no unit, n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi or Ei';

export const isQuantity = (value: Value): boolean => typeof value === 'boolean' || quantityOf(value) !== undefined;

export const isMore = (a: Amount | undefined, b: Amount | undefined): boolean =>
  a !== undefined && b !== undefined && compareAmounts(a, b) > 0n;

const isWhole = ({ unscaled, scale }: Amount): boolean =>
  scale >= 0 || unscaled % 10n ** BigInt(Math.min(-scale, 5000)) === 0n;

const compared =
  (fits: (amount: Amount) => boolean, message: Message): Rule =>
  (value, place) => {
    const amount = quantityOf(value);
    if (amount !== undefined && !fits(amount)) refuse(place, message);
  };
const wholeQuantity = compared(isWhole, phrase`must be an integer`);

/** pkg/apis/core/helper: standardContainerResources, standardQuotaResources, standardResources and integerResources. */
const CONTAINER = ['cpu', 'memory', 'ephemeral-storage'];
const OF_PODS = ['', 'requests.', 'limits.'].flatMap((prefix) => CONTAINER.map((name) => `${prefix}${name}`));
const COUNTED = ['resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'persistentvolumeclaims'];
const INTEGERS = [...COUNTED, 'pods', 'configmaps', 'services.nodeports', 'services.loadbalancers'];
const QUOTA = [...OF_PODS, ...INTEGERS, 'requests.storage'];

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean =>
  !name.includes('/') || name.split('/')[0]?.includes('kubernetes.io') === true;
const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && isLabelKey(`requests.${name}`);

export const isContainerResource = (name: string): boolean =>
  isLabelKey(name) &&
  (name.includes('/') ? isNative(name) || isExtended(name) : CONTAINER.includes(name) || isHugePages(name));
export const isQuotaResource = (name: string): boolean =>
  isLabelKey(name) && (name.includes('/') || QUOTA.includes(name) || /^(?:requests\.)?hugepages-/.test(name));
const isLimitResource = (type: string, name: string): boolean =>
  type === 'Container' || type === 'Pod' ? isContainerResource(name) : isQuotaResource(name) || name === 'storage';
export const isLimitType = (type: string): boolean =>
  ['Container', 'Pod', 'PersistentVolumeClaim'].includes(type) || (isLabelKey(type) && type.includes('/'));

/** Reports whether a resource may be requested without a limit, and be overcommitted. */
const isOvercommitted = (name: string): boolean => isNative(name) && !isHugePages(name);

export const bytesOf = (value: Value): number => (typeof value === 'string' ? byteLength(value) : 0);
export const entriesOf = (value: Value | undefined): [string, Value][] => (isMap(value) ? Object.entries(value) : []);

/** pkg/apis/core/validation, validateResourceRequirements. */
const requirements: Rule = (value, place) => {
  const limits = get(value, 'limits');
  const requests = get(value, 'requests');
  for (const [name, wanted] of entriesOf(requests)) {
    const limit = get(limits, name);
    const low = quantityOf(wanted);
    const high = quantityOf(limit);
    const isEqual = isOvercommitted(name);
    if (limit === undefined && !isEqual) missing(place, phrase`must have '${{ name }}', which is requested`, 'limits');
    if (isMore(low, high)) refuse(place, phrase`must be less than or equal to its limit`, ['requests', name]);
    else if (!isEqual && isMore(high, low)) refuse(place, phrase`must be equal to its limit`, ['requests', name]);
  }
  const names = [limits, requests].flatMap(entriesOf).map(([name]) => name);
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
    refuse(place, phrase`must have cpu or memory with hugepages`);
};

/** What a quota with a scope may limit. */
const SCOPES: Readonly<Record<string, readonly string[]>> = table.scopes;

function checkScopes(scopes: readonly string[], hard: readonly string[], place: Place, at: string): void {
  for (const scope of scopes) {
    const allowed = ownValue(SCOPES, scope);
    if (allowed === undefined)
      refuse(place, phrase`must be one of ${{ expected: shown(Object.keys(SCOPES).join(', ')) }}`, at);
    else if (hard.some((key) => QUOTA.includes(key) && !allowed.includes(key)))
      refuse(place, phrase`has a scope that does not match a resource of hard`, at);
  }
  for (const one of ['BestEffort', 'Terminating'])
    if (scopes.includes(one) && scopes.includes(`Not${one}`))
      refuse(place, phrase`must not have both ${shown(one)} and Not${shown(one)}`, at);
}

/** Pairs of amounts, of which the first must not exceed the second; the API server skips some for pods. */
const ORDERED = table.limits.map((pair) => pair.split(' '));

const limits: Rule = (one, place) => {
  if (!isMap(one)) return;
  const type = textAt(one, 'type');
  checkLimitNames(one, type, place);
  const hasStorage = get(one.min, 'storage') !== undefined || get(one.max, 'storage') !== undefined;
  if (type === 'PersistentVolumeClaim' && !hasStorage) missing(place, phrase`must have storage in min or max`);
  for (const [low = '', high = ''] of ORDERED) {
    const isSkipped = type === 'Pod' && (low === 'defaultRequest' || high.startsWith('default'));
    if (!isSkipped) checkOrder(one, low, high, place);
  }
  checkRatio(one, place);
};

function checkLimitNames(one: ValueMap, type: string, place: Place): void {
  for (const kind of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']) {
    for (const [name] of entriesOf(ownValue(one, kind)))
      if (!isLimitResource(type, name))
        refuse(place, phrase`has '${{ name }}', which is not a resource of this type`, kind);
  }
}

/** Checks that no amount of one field exceeds that of the other. */
function checkOrder(one: ValueMap, low: string, high: string, place: Place): void {
  for (const [name, value] of entriesOf(ownValue(one, low))) {
    const a = quantityOf(value);
    const b = quantityOf(get(ownValue(one, high), name));
    if (isMore(a, b))
      refuse(place, phrase`must be less than or equal to that of ${{ field: shown(high) }}`, [low, name]);
    const isPair = low === 'defaultRequest' && high === 'default' && !isOvercommitted(name);
    if (isPair && isMore(b, a)) refuse(place, phrase`must be equal to that of default`, [low, name]);
  }
}

function checkRatio(one: ValueMap, place: Place): void {
  for (const [name, value] of entriesOf(one.maxLimitRequestRatio)) {
    const [ratio, low, high] = [value, get(one.min, name), get(one.max, name)].map((amount) => doubleOf(amount));
    if (ratio === undefined || low === undefined || high === undefined) continue;
    if (ratio > high / low)
      refuse(place, phrase`must be less than or equal to max divided by min`, ['maxLimitRequestRatio', name]);
  }
}

function doubleOf(value: Value | undefined): number | undefined {
  const amount = quantityOf(value);
  return amount === undefined ? undefined : Math.ceil(Number(amount.unscaled) * 10 ** amount.scale * 1000) / 1000;
}

const DIVISORS = table.divisors;
const FIELDS = CONTAINER.flatMap((name) => [`limits.${name}`, `requests.${name}`]);

export const amounts: Checks = {
  notNegative: () => compared((amount) => !isMore(ZERO, amount), phrase`must be greater than or equal to 0`),
  positive: () => compared((amount) => isMore(amount, ZERO), phrase`must be greater than 0`),
  atLeastOne: () => compared((amount) => !isMore(ONE, amount), phrase`must be greater than or equal to 1`),
  wholeResources: () => (value, place) => {
    for (const [key, one] of entriesOf(value)) {
      if (!INTEGERS.includes(key) && !isExtended(key)) continue;
      place.path.push(key);
      wholeQuantity(one, place, null);
      place.path.pop();
    }
  },
  resources: () => requirements,
  resourceField: () => (value, place) => {
    const isHuge = /^(?:limits|requests)\.hugepages-/.test(String(value));
    if (typeof value === 'string' && value !== '' && !FIELDS.includes(value) && !isHuge)
      refuse(place, phrase`must be one of ${{ expected: shown(FIELDS.join(', ')) }}`);
  },
  divisor: () => (value, place, owner) => {
    const amount = quantityOf(value);
    if (amount === undefined || amount.unscaled === 0n || value === undefined) return;
    const allowed = DIVISORS[textAt(owner, 'resource').endsWith('.cpu') ? 'cpu' : 'memory'] ?? [];
    if (!allowed.includes(String(value)))
      refuse(place, phrase`must be one of ${{ expected: shown(allowed.join(', ')) }}`);
  },
  quotaScopes: () => (spec, place) => {
    const hard = entriesOf(get(spec, 'hard')).map(([key]) => key);
    checkScopes(listAt(spec, 'scopes').map(String), hard, place, 'scopes');
    const selected = listAt(get(spec, 'scopeSelector'), 'matchExpressions').map((one) => textAt(one, 'scopeName'));
    checkScopes(selected, hard, place, 'scopeSelector');
  },
  limits: () => limits,
};
