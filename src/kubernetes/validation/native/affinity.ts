import { phrase } from '../../../core/diagnostics/index.ts';
import { isLabel, isSubdomain } from '../../../core/model/names.ts';
import {
  all,
  anyText,
  atLeast,
  between,
  each,
  fields,
  itemsAt,
  map,
  missing,
  type Rule,
  refuse,
  required,
  textAt,
} from './rule.ts';
import { labelKey, labelSelector, nodeRequirement } from './syntax.ts';

const WEIGHT = between(1n, 100n);

const fieldRequirement: Rule = map((one, place) => {
  const operator = textAt(one, 'operator');
  if (operator !== 'In' && operator !== 'NotIn') refuse(place, phrase`must be 'In' or 'NotIn'`, 'operator');
  else if (itemsAt(one, 'values').length !== 1) missing(place, phrase`must have 1 item`, 'values');
  if (textAt(one, 'key') !== 'metadata.name') refuse(place, phrase`must be 'metadata.name'`, 'key');
  for (const [index, value] of itemsAt(one, 'values').entries()) {
    if (typeof value === 'string' && !isSubdomain(value))
      refuse(place, phrase`must be the name of a node`, 'values', index);
  }
});

const term = fields({ matchExpressions: each(nodeRequirement), matchFields: each(fieldRequirement) });

const nodeAffinity = fields({
  requiredDuringSchedulingIgnoredDuringExecution: all(
    required('nodeSelectorTerms'),
    fields({ nodeSelectorTerms: each(term) }),
  ),
  preferredDuringSchedulingIgnoredDuringExecution: each(
    all(
      map((one, place) => {
        if (one.weight === undefined) missing(place, phrase`is required`, 'weight');
      }),
      fields({ weight: WEIGHT, preference: term }),
    ),
  ),
});

const podTerm: Rule = all(
  required('topologyKey'),
  fields({
    topologyKey: labelKey,
    labelSelector,
    namespaceSelector: labelSelector,
    namespaces: each(anyText(isLabel, phrase`must be the name of a namespace`)),
    matchLabelKeys: each(labelKey),
    mismatchLabelKeys: each(labelKey),
  }),
  map((one, place) => {
    for (const key of ['matchLabelKeys', 'mismatchLabelKeys']) {
      if (itemsAt(one, key).length > 0 && one.labelSelector === undefined)
        refuse(place, phrase`may only be set together with labelSelector`, key);
    }
    const both = itemsAt(one, 'mismatchLabelKeys');
    for (const [index, key] of itemsAt(one, 'matchLabelKeys').entries()) {
      if (both.includes(key)) refuse(place, phrase`must not be in mismatchLabelKeys too`, 'matchLabelKeys', index);
    }
  }),
);

const podAffinity = fields({
  requiredDuringSchedulingIgnoredDuringExecution: each(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: each(fields({ weight: WEIGHT, podAffinityTerm: podTerm })),
});

export const affinity: Rule = fields({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity });

/** pkg/apis/core/validation, validateTopologySpreadConstraints. */
export const spreadConstraints: Rule = all(
  each(
    all(
      required('topologyKey', 'whenUnsatisfiable', 'maxSkew'),
      fields({ maxSkew: atLeast(1n), minDomains: atLeast(1n), labelSelector, matchLabelKeys: each(labelKey) }),
      map((one, place) => {
        if (one.minDomains !== undefined && textAt(one, 'whenUnsatisfiable') !== 'DoNotSchedule')
          refuse(place, phrase`may only be set if whenUnsatisfiable is 'DoNotSchedule'`, 'minDomains');
        if (itemsAt(one, 'matchLabelKeys').length > 0 && one.labelSelector === undefined)
          refuse(place, phrase`may only be set together with labelSelector`, 'matchLabelKeys');
      }),
    ),
  ),
  (value, place) => {
    const seen = new Set<string>();
    for (const [index, one] of (Array.isArray(value) ? value : []).entries()) {
      const key = `${textAt(one, 'topologyKey')}\n${textAt(one, 'whenUnsatisfiable')}`;
      if (seen.has(key))
        refuse(place, phrase`has the same topologyKey and whenUnsatisfiable as an earlier item`, index);
      seen.add(key);
    }
  },
);
