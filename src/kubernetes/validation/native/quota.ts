import { phrase } from '../../../core/diagnostics/index.ts';
import type { ValueMap } from '../../../core/model/value.ts';
import { amounts, entriesOf, isQuotaResource } from './resources.ts';
import { all, each, eachKey, fields, itemsAt, map, missing, type Rule, refuse, textAt } from './rule.ts';

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
