import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { isLabel, isSubdomain, labelValueFault } from '../../../core/model/names.ts';
import { get, isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { containers, identity, initContainers, type ResourceSetContext } from './containers.ts';
import { metadata } from './metadata.ts';
import { notNegativeQuantity } from './resources.ts';
import {
  all,
  anyText,
  at,
  atLeast,
  between,
  each,
  eachValue,
  exactlyOne,
  fields,
  isEmpty,
  isSet,
  itemsAt,
  map,
  missing,
  oneOf,
  type Rule,
  refuse,
  required,
  text,
  textAt,
  unique,
} from './rule.ts';
import {
  ip,
  isQualified,
  label,
  labelKey,
  labelSelector,
  labels,
  nodeRequirement,
  qualified,
  subdomain,
} from './syntax.ts';
import { volumes } from './volumes.ts';

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

const affinity: Rule = fields({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity });

/** pkg/apis/core/validation, validateTopologySpreadConstraints. */
const spreadConstraints: Rule = all(
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

const ID = between(0n, 2n ** 31n - 1n);
const SYSCTL = /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?([./][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;

const securityContext = fields({
  ...identity,
  fsGroup: ID,
  supplementalGroups: each(ID),
  sysctls: all(
    each(
      all(
        required('name'),
        fields({ name: text((name) => SYSCTL.test(name) && name.length <= 253, phrase`must be the name of a sysctl`) }),
      ),
    ),
    unique((one) => textAt(one, 'name').replaceAll('/', '.') || undefined, 'name'),
  ),
  fsGroupChangePolicy: oneOf('Always', 'OnRootMismatch'),
});

const toleration: Rule = map((one, place) => {
  const operator = textAt(one, 'operator');
  const value = textAt(one, 'value');
  if (textAt(one, 'key') === '' && operator !== 'Exists')
    refuse(place, phrase`must be 'Exists' where the key is empty`, 'operator');
  if (operator === 'Exists' && value !== '') refuse(place, phrase`must be empty if the operator is 'Exists'`, 'value');
  if ((operator === '' || operator === 'Equal') && labelValueFault(value) !== undefined)
    refuse(place, phrase`must be a label value`, 'value');
  if (operator === 'Lt' || operator === 'Gt') refuse(place, phrase`must be 'Exists' or 'Equal'`, 'operator');
  if (isSet(one, 'tolerationSeconds') && textAt(one, 'effect') !== 'NoExecute')
    refuse(place, phrase`must be 'NoExecute' with tolerationSeconds`, 'effect');
});

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;

const UNDERSCORED = /^[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*$/;

const dns: Rule = map((spec, place) => {
  const isNone = textAt(spec, 'dnsPolicy') === 'None';
  const servers = itemsAt(spec.dnsConfig, 'nameservers');
  if (isNone && servers.length === 0)
    missing(place, phrase`must have at least 1 item if dnsPolicy is 'None'`, 'dnsConfig', 'nameservers');
  if (servers.length > MAX_NAMESERVERS)
    refuse(place, phrase`must have at most ${shown(MAX_NAMESERVERS)} items`, 'dnsConfig', 'nameservers');
  if (itemsAt(spec.dnsConfig, 'searches').length > MAX_SEARCHES)
    refuse(place, phrase`must have at most ${shown(MAX_SEARCHES)} items`, 'dnsConfig', 'searches');
});

const search = anyText(
  (name) => name === '.' || (UNDERSCORED.test(name.replace(/\.$/, '')) && name.length <= 253),
  phrase`must be a domain name`,
);

/** The fields of a pod that do not depend on others. */
const own = fields({
  volumes,
  nodeSelector: labels,
  securityContext,
  affinity,
  topologySpreadConstraints: spreadConstraints,
  dnsConfig: fields({ nameservers: each(anyIp()), searches: each(search), options: each(required('name')) }),
  readinessGates: each(fields({ conditionType: qualifiedAny() })),
  schedulingGates: all(
    each(all(required('name'), fields({ name: qualified }))),
    unique((one) => textAt(one, 'name') || undefined, 'name'),
  ),
  serviceAccountName: subdomain,
  serviceAccount: subdomain,
  os: all(required('name'), fields({ name: oneOf('linux', 'windows') })),
  resourceClaims: all(
    each(
      all(
        required('name'),
        fields({ name: label }),
        exactlyOne('a source', ['resourceClaimName', 'resourceClaimTemplateName']),
      ),
    ),
    unique((one) => textAt(one, 'name') || undefined, 'name'),
  ),
  nodeName: subdomain,
  priorityClassName: subdomain,
  runtimeClassName: anyText(isSubdomain, phrase`must be an RFC 1123 subdomain`),
  activeDeadlineSeconds: between(1n, 2n ** 31n - 1n),
  hostname: label,
  hostnameOverride: anyText(
    (name) => isSubdomain(name) && name.length <= 64,
    phrase`must be an RFC 1123 subdomain, at most 64`,
  ),
  subdomain: label,
  tolerations: each(all(fields({ key: nonEmptyKey() }), toleration)),
  hostAliases: each(
    all(required('ip'), fields({ ip, hostnames: each(anyText(isSubdomain, phrase`must be an RFC 1123 subdomain`)) })),
  ),
  overhead: eachValue(notNegativeQuantity),
  ephemeralContainers: (value, place) => {
    if (!isEmpty(value)) refuse(place, phrase`cannot be set in a new pod or a template`);
  },
});

function anyIp(): Rule {
  return all(
    ip,
    anyText((address) => address !== '', phrase`must be an IP address`),
  );
}

function qualifiedAny(): Rule {
  return anyText(isQualified, phrase`must be [prefix/]name: letters, digits, dashes, underscores and dots, at most 63`);
}

function nonEmptyKey(): Rule {
  return (value, place) => {
    if (value !== '') labelKey(value, place);
  };
}

const DEFAULT_GRACE = 30n;

/** pkg/apis/core/validation, ValidatePodSpec. `claims` are volumes that a controller adds. */
export const podSpec =
  (claims: readonly string[] = []): Rule =>
  (value, place) => {
    if (!isMap(value)) return;
    own(value, place);
    dns(value, place);
    const around = surroundingsOf(value, claims);
    if (itemsAt(value, 'containers').length === 0) missing(place, phrase`must have at least 1 item`, 'containers');
    at(place, 'containers', value.containers, containers(around));
    if (value.initContainers !== undefined) at(place, 'initContainers', value.initContainers, initContainers(around));
    checkNames(value, place);
    checkHostUsers(value, place);
  };

function surroundingsOf(spec: ValueMap, claims: readonly string[]): ResourceSetContext {
  const found = new Map<string, Value>();
  for (const volume of itemsAt(spec, 'volumes')) found.set(textAt(volume, 'name'), volume);
  for (const name of claims) found.set(name, { persistentVolumeClaim: { claimName: name } });
  const gracePeriod = spec.terminationGracePeriodSeconds;
  return {
    volumes: found,
    gracePeriod: typeof gracePeriod === 'bigint' ? gracePeriod : DEFAULT_GRACE,
    restartPolicy: textAt(spec, 'restartPolicy') || 'Always',
    hostNetwork: spec.hostNetwork === true,
    ownUsers: spec.hostUsers === false,
    claims: new Set(itemsAt(spec, 'resourceClaims').map((one) => textAt(one, 'name'))),
  };
}

function checkNames(spec: ValueMap, place: Parameters<Rule>[1]): void {
  const names = new Set(itemsAt(spec, 'containers').map((one) => textAt(one, 'name')));
  for (const [index, one] of itemsAt(spec, 'initContainers').entries()) {
    const name = textAt(one, 'name');
    if (name !== '' && names.has(name))
      refuse(place, phrase`is the name of another container`, 'initContainers', index, 'name');
  }
}

function checkHostUsers(spec: ValueMap, place: Parameters<Rule>[1]): void {
  const isShared = spec.shareProcessNamespace === true && spec.hostPID === true;
  if (isShared) refuse(place, phrase`must not be true where hostPID is true`, 'shareProcessNamespace');
  if (spec.hostUsers !== false) return;
  for (const key of ['hostPID', 'hostIPC', 'hostNetwork']) {
    if (spec[key] === true) refuse(place, phrase`must not be true where hostUsers is false`, key);
  }
}

export const podTemplate = (claims?: readonly string[]): Rule =>
  all(required('spec'), fields({ metadata, spec: podSpec(claims) }));

export const templateOf = (spec: Value | undefined): Value | undefined => get(spec, 'template');
