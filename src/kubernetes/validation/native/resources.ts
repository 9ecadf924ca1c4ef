import { phrase } from '../../../core/diagnostics/index.ts';
import { isMap, type Value } from '../../../core/model/value.ts';
import { isMore, notNegativeQuantity, quantityOf, wholeQuantity } from './quantities.ts';
import { all, eachKey, eachValue, fields, map, missing, type Rule, refuse } from './rule.ts';
import { isQualified } from './syntax.ts';

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
export const isQuotaResource = (name: string): boolean =>
  isQualified(name) &&
  (name.includes('/') || QUOTA.includes(name) || isHugePages(name) || name.startsWith('requests.hugepages-'));
export const isLimitResource = (type: string, name: string): boolean => {
  if (type === 'Container' || type === 'Pod') return isContainerResource(name);
  return isQualified(name) && (name.includes('/') || isStandard(name));
};

const isIntegerResource = (name: string): boolean => INTEGERS.includes(name) || isExtended(name);

/** Reports whether a resource may be requested without a limit, and be overcommitted. */
export const isOvercommitted = (name: string): boolean => isNative(name) && !isHugePages(name);

export const amounts: Rule = all(
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
