// biome-ignore-all lint/plugin: a path that is written out
import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { isSubdomain } from '../../../core/model/names.ts';
import { get, isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import {
  all,
  anyText,
  between,
  each,
  fields,
  isSet,
  itemsAt,
  map,
  missing,
  oneOf,
  type Rule,
  refuse,
  required,
  textAt,
  unique,
} from './rule.ts';
import { ip, isCidr, isIp, isQualified, label, labels, port, portOrName } from './syntax.ts';

const typeOf = (spec: ValueMap): string => textAt(spec, 'type') || 'ClusterIP';
const isHeadless = (spec: ValueMap): boolean =>
  textAt(spec, 'clusterIP') === 'None' || itemsAt(spec, 'clusterIPs')[0] === 'None';

const protocolOf = (value: Value): string => textAt(value, 'protocol') || 'TCP';
const numbered =
  (key: string) =>
  (one: Value): string | undefined => {
    const number = get(one, key);
    return typeof number === 'bigint' && number !== 0n ? `${protocolOf(one)}/${number}` : undefined;
  };

const servicePorts = all(
  each(
    all(
      required('port'),
      fields({
        port,
        nodePort: between(0n, 65535n),
        name: label,
        targetPort: targetPort(),
        appProtocol: anyText(isQualified, phrase`must be [prefix/]name`),
      }),
    ),
  ),
  unique((one) => textAt(one, 'name') || undefined, 'name'),
  unique(numbered('port'), ''),
  unique(numbered('nodePort'), 'nodePort'),
);

/** Zero and an empty string mean the port itself. */
function targetPort(): Rule {
  return (value, place) => {
    if (value !== 0n && value !== '') portOrName(value, place);
  };
}

const portsOfType: Rule = map((spec, place) => {
  const type = typeOf(spec);
  const ports = itemsAt(spec, 'ports');
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName')
    missing(place, phrase`must have at least 1 item`, 'ports');
  for (const [index, one] of ports.entries()) {
    if (ports.length > 1 && textAt(one, 'name') === '')
      missing(place, phrase`is required if there is more than one port`, 'ports', index, 'name');
    const nodePort = get(one, 'nodePort');
    if (type === 'ClusterIP' && typeof nodePort === 'bigint' && nodePort !== 0n)
      refuse(place, phrase`must not be set if the type is 'ClusterIP'`, 'ports', index, 'nodePort');
  }
});

const clusterAddress: Rule = map((spec, place) => {
  const type = typeOf(spec);
  const address = textAt(spec, 'clusterIP');
  if (type === 'ExternalName') {
    for (const key of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      if (isSet(spec, key) && spec[key] !== '' && !(Array.isArray(spec[key]) && itemsAt(spec, key).length === 0))
        refuse(place, phrase`must not be set if the type is 'ExternalName'`, key);
    }
    const name = textAt(spec, 'externalName').replace(/\.$/, '');
    if (name === '') missing(place, phrase`is required if the type is 'ExternalName'`, 'externalName');
    else if (!isSubdomain(name)) refuse(place, phrase`must be an RFC 1123 subdomain`, 'externalName');
    return;
  }
  if (isHeadless(spec) && type !== 'ClusterIP')
    refuse(
      place,
      phrase`must not be 'None' where the type is '${type === 'NodePort' ? phrase`NodePort` : phrase`LoadBalancer`}'`,
      'clusterIP',
    );
  if (address !== '' && address !== 'None' && !isIp(address))
    refuse(place, phrase`must be an IP address, 'None' or empty`, 'clusterIP');
  const given = itemsAt(spec, 'clusterIPs');
  if (given.length > 0 && given[0] !== (spec.clusterIP ?? given[0]))
    refuse(place, phrase`must have clusterIP as its first item`, 'clusterIPs');
  if (given.length > 0 && address === '') refuse(place, phrase`must be empty if clusterIP is`, 'clusterIPs');
  if (given.length > 2) refuse(place, phrase`must have at most 2 items`, 'clusterIPs');
  for (const [index, family] of itemsAt(spec, 'ipFamilies').entries())
    if (family === '') refuse(place, phrase`must be one of ${shown('IPv4, IPv6')}`, 'ipFamilies', index);
  if (itemsAt(spec, 'ipFamilies').length > 2) refuse(place, phrase`must have at most 2 items`, 'ipFamilies');
});

const MAX_AFFINITY = 86_400n;

const affinity: Rule = map((spec, place) => {
  const isByClient = textAt(spec, 'sessionAffinity') === 'ClientIP';
  if (isByClient)
    fields({ sessionAffinityConfig: fields({ clientIP: fields({ timeoutSeconds: between(1n, MAX_AFFINITY) }) }) })(
      spec,
      place,
    );
});

const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

const balancing: Rule = map((spec, place) => {
  const type = typeOf(spec);
  const isBalancer = type === 'LoadBalancer';
  for (const key of ['loadBalancerSourceRanges', 'allocateLoadBalancerNodePorts', 'loadBalancerClass']) {
    const isGiven = isSet(spec, key) && !(Array.isArray(spec[key]) && itemsAt(spec, key).length === 0);
    if (!isBalancer && isGiven) refuse(place, phrase`may only be set if the type is 'LoadBalancer'`, key);
  }
  const policy = textAt(spec, 'externalTrafficPolicy');
  const isExternal =
    isBalancer || type === 'NodePort' || (type === 'ClusterIP' && itemsAt(spec, 'externalIPs').length > 0);
  if (!isExternal && policy !== '')
    refuse(place, phrase`may only be set for a Service that is reachable from outside`, 'externalTrafficPolicy');
  const check = spec.healthCheckNodePort;
  const needsCheck = isBalancer && policy === 'Local';
  if (typeof check === 'bigint' && check !== 0n && !needsCheck) {
    refuse(
      place,
      phrase`may only be set if the type is 'LoadBalancer' and externalTrafficPolicy is 'Local'`,
      'healthCheckNodePort',
    );
  }
});

const padded = anyText((range) => isCidr(range.trim()), phrase`must be a CIDR block such as 10.0.0.0/8`);

export const service = all(
  required('spec'),
  fields({
    spec: all(
      portsOfType,
      clusterAddress,
      affinity,
      balancing,
      fields({
        ports: servicePorts,
        selector: labels,
        externalIPs: each(all(ip, anyText(isOrdinary, phrase`must be an IP address that is not special`))),
        loadBalancerSourceRanges: each(padded),
        loadBalancerClass: anyText(isQualified, phrase`must be [prefix/]name`),
        healthCheckNodePort: between(0n, 65535n),
        internalTrafficPolicy: oneOf('Cluster', 'Local'),
        trafficDistribution: oneOf('PreferClose', 'PreferSameZone', 'PreferSameNode'),
      }),
    ),
  }),
  map((object, place) => {
    const ranges = get(get(object.metadata, 'annotations'), SOURCE_RANGES);
    if (
      typeof ranges !== 'string' ||
      !isMap(object.spec) ||
      itemsAt(object.spec, 'loadBalancerSourceRanges').length > 0
    )
      return;
    const at = ['metadata', 'annotations', SOURCE_RANGES];
    if (typeOf(object.spec) !== 'LoadBalancer')
      refuse(place, phrase`may only be set if the type is 'LoadBalancer'`, ...at);
    if (ranges.trim() !== '' && !ranges.split(',').every((one) => isCidr(one.trim())))
      refuse(place, phrase`must be CIDR blocks`, ...at);
  }),
);

/** Reports whether an address is neither unspecified nor loopback nor link-local. */
function isOrdinary(address: string): boolean {
  return !isIp(address) || !/^(?:0\.0\.0\.0$|::$|127\.|::1$|169\.254\.|224\.0\.0\.|fe[89ab]|ff02)/i.test(address);
}
