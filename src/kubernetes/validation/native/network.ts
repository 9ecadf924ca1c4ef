import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { isLabel, isSubdomain } from '../../../core/model/names.ts';
import { get, isMap } from '../../../core/model/value.ts';
import {
  all,
  anyText,
  between,
  each,
  exactlyOne,
  fields,
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
} from './rule.ts';
import { service } from './service.ts';
import { cidr, isCidr, isIp, isWildcard, labelSelector, pathSegment, port, portName, portOrName } from './syntax.ts';

const FORBIDDEN = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

const ingressPath: Rule = map((one, place) => {
  const path = textAt(one, 'path');
  const type = textAt(one, 'pathType');
  if (type === '') missing(place, phrase`is required`, 'pathType');
  const isExact = type === 'Exact' || type === 'Prefix';
  if (!path.startsWith('/') && (isExact || path !== '')) refuse(place, phrase`must be an absolute path`, 'path');
  else if (isExact && FORBIDDEN.some((part) => path.includes(part)))
    refuse(place, phrase`must not have ${FORBIDDEN.join(', ')}`, 'path');
  else if (isExact && FORBIDDEN_ENDS.some((end) => path.endsWith(end)))
    refuse(place, phrase`must not end with /. or /..`, 'path');
});

const backend: Rule = all(
  exactlyOne('a backend (service or resource)', ['service', 'resource']),
  fields({
    resource: all(
      required('kind', 'name'),
      fields({
        kind: pathSegment,
        name: pathSegment,
        apiGroup: anyText(isSubdomain, phrase`must be the name of an API group`),
      }),
    ),
    service: all(
      required('name'),
      fields({
        name: text(isLabel, phrase`must be the name of a Service`),
        port: fields({ name: portName, number: between(0n, 65535n) }),
      }),
      map((one, place) => {
        const number = get(one.port, 'number');
        const isNumbered = typeof number === 'bigint' && number !== 0n;
        const isNamed = textAt(one.port, 'name') !== '';
        if (!isNumbered && !isNamed) missing(place, phrase`must have a name or a number`, 'port');
        if (isNumbered && isNamed) refuse(place, phrase`must not have both a name and a number`, 'port');
      }),
    ),
  }),
);

const host = text(
  (name) => (name.includes('*') ? isWildcard(name) : isSubdomain(name)) && !isIp(name),
  phrase`must be a DNS name such as a.example.com or *.example.com: no scheme, port or IP address`,
);

const INGRESS_CLASS = 'kubernetes.io/ingress.class';

const ingress = all(
  map((object, place) => {
    const { spec } = object;
    const isEmpty = !isMap(spec) || (itemsAt(spec, 'rules').length === 0 && !isSet(spec, 'defaultBackend'));
    if (isEmpty) missing(place, phrase`must have rules or defaultBackend`, 'spec');
    const isTwice = isSet(spec, 'ingressClassName') && isSet(get(object.metadata, 'annotations'), INGRESS_CLASS);
    if (isTwice && textAt(spec, 'ingressClassName') !== textAt(get(object.metadata, 'annotations'), INGRESS_CLASS)) {
      refuse(place, phrase`must not differ from the annotation ${shown(INGRESS_CLASS)}`, 'spec', 'ingressClassName');
    }
  }),
  fields({
    spec: fields({
      ingressClassName: anyText(isSubdomain, phrase`must be an RFC 1123 subdomain`),
      defaultBackend: backend,
      rules: each(
        fields({
          host,
          http: all(
            required('paths'),
            fields({ paths: each(all(ingressPath, fields({ backend }), required('backend'))) }),
          ),
        }),
      ),
      tls: each(
        fields({
          hosts: each(
            anyText((name) => (name.includes('*') ? isWildcard(name) : isSubdomain(name)), phrase`must be a DNS name`),
          ),
          secretName: text(isSubdomain, phrase`must be the name of a Secret`),
        }),
      ),
    }),
  }),
);

const ingressClass: Rule = fields({
  spec: fields({
    controller: text(
      (name) => name.length <= 250 && isSubdomain(name.split('/')[0] ?? '') && name.includes('/'),
      phrase`must be a domain and a path such as acme.io/foo`,
    ),
  }),
});

const policyPort: Rule = all(
  fields({ protocol: oneOf('TCP', 'UDP', 'SCTP'), port: portOrName, endPort: port }),
  map((one, place) => {
    const { port: first, endPort: last } = one;
    if (last === undefined) return;
    if (typeof first !== 'bigint')
      refuse(place, phrase`may only be set together with a port that is a number`, 'endPort');
    else if (typeof last === 'bigint' && last < first) refuse(place, phrase`must be at least port`, 'endPort');
  }),
);

const ipBlock = all(
  required('cidr'),
  fields({
    cidr,
    except: each(
      all(
        cidr,
        anyText((one) => one !== '', phrase`must be a CIDR block`),
      ),
    ),
  }),
  map((block, place) => {
    const outer = rangeOf(textAt(block, 'cidr'));
    for (const [index, one] of itemsAt(block, 'except').entries()) {
      const inner = typeof one === 'string' ? rangeOf(one) : undefined;
      if (outer === undefined || inner === undefined) continue;
      const isInside =
        outer.bits.length === inner.bits.length &&
        inner.prefix > outer.prefix &&
        inner.bits.startsWith(outer.bits.slice(0, outer.prefix));
      if (!isInside) refuse(place, phrase`must be a part of cidr`, 'except', index);
    }
  }),
);

/** Returns the bits of an IPv4 block; others are not compared. */
function rangeOf(text_: string): { bits: string; prefix: number } | undefined {
  const [address = '', prefix = ''] = text_.split('/');
  if (!isCidr(text_) || address.includes(':')) return undefined;
  const bits = address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
  return { bits, prefix: Number(prefix) };
}

const peer: Rule = all(
  map((one, place) => {
    const given = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((key) => isSet(one, key));
    if (given.length === 0) missing(place, phrase`must have podSelector, namespaceSelector or ipBlock`);
    if (given.length > 1 && given.includes('ipBlock'))
      refuse(place, phrase`must not be set together with a selector`, 'ipBlock');
  }),
  fields({ podSelector: labelSelector, namespaceSelector: labelSelector, ipBlock }),
);

const networkPolicy = fields({
  spec: all(
    fields({
      podSelector: labelSelector,
      ingress: each(fields({ ports: each(policyPort), from: each(peer) })),
      egress: each(fields({ ports: each(policyPort), to: each(peer) })),
      policyTypes: each(oneOf('Ingress', 'Egress')),
    }),
    map((spec, place) => {
      if (itemsAt(spec, 'policyTypes').length > 2) refuse(place, phrase`must have at most 2 items`, 'policyTypes');
    }),
  ),
});

export const network: Readonly<Record<string, Rule>> = {
  '/Service': service,
  'networking.k8s.io/Ingress': ingress,
  'networking.k8s.io/NetworkPolicy': networkPolicy,
  'networking.k8s.io/IngressClass': ingressClass,
};
