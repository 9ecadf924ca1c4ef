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
  type Rule,
  refuse,
  required,
  text,
  textAt,
} from './rule.ts';
import { isIp, isWildcard, pathSegment, portName } from './syntax.ts';

const FORBIDDEN = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

const ingressPath: Rule = map((one, place) => {
  const path = textAt(one, 'path');
  const type = textAt(one, 'pathType');
  if (type === '') missing(place, 'is required', 'pathType');
  const isExact = type === 'Exact' || type === 'Prefix';
  if (!path.startsWith('/') && (isExact || path !== '')) refuse(place, 'must be an absolute path', 'path');
  else if (isExact && FORBIDDEN.some((part) => path.includes(part)))
    refuse(place, `must not have ${FORBIDDEN.join(', ')}`, 'path');
  else if (isExact && FORBIDDEN_ENDS.some((end) => path.endsWith(end)))
    refuse(place, 'must not end with /. or /..', 'path');
});

const backend: Rule = all(
  exactlyOne('a backend (service or resource)', ['service', 'resource']),
  fields({
    resource: all(
      required('kind', 'name'),
      fields({
        kind: pathSegment,
        name: pathSegment,
        apiGroup: anyText(isSubdomain, 'must be the name of an API group'),
      }),
    ),
    service: all(
      required('name'),
      fields({
        name: text(isLabel, 'must be the name of a Service'),
        port: fields({ name: portName, number: between(0n, 65535n) }),
      }),
      map((one, place) => {
        const number = get(one.port, 'number');
        const isNumbered = typeof number === 'bigint' && number !== 0n;
        const isNamed = textAt(one.port, 'name') !== '';
        if (!isNumbered && !isNamed) missing(place, 'must have a name or a number', 'port');
        if (isNumbered && isNamed) refuse(place, 'must not have both a name and a number', 'port');
      }),
    ),
  }),
);

const host = text(
  (name) => (name.includes('*') ? isWildcard(name) : isSubdomain(name)) && !isIp(name),
  'must be a DNS name such as a.example.com or *.example.com: no scheme, port or IP address',
);

const INGRESS_CLASS = 'kubernetes.io/ingress.class';

export const ingress = all(
  map((object, place) => {
    const { spec } = object;
    const isEmpty = !isMap(spec) || (itemsAt(spec, 'rules').length === 0 && !isSet(spec, 'defaultBackend'));
    if (isEmpty) missing(place, 'must have rules or defaultBackend', 'spec');
    const isTwice = isSet(spec, 'ingressClassName') && isSet(get(object.metadata, 'annotations'), INGRESS_CLASS);
    if (isTwice && textAt(spec, 'ingressClassName') !== textAt(get(object.metadata, 'annotations'), INGRESS_CLASS)) {
      refuse(place, `must not differ from the annotation ${INGRESS_CLASS}`, 'spec', 'ingressClassName');
    }
  }),
  fields({
    spec: fields({
      ingressClassName: anyText(isSubdomain, 'must be an RFC 1123 subdomain'),
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
            anyText((name) => (name.includes('*') ? isWildcard(name) : isSubdomain(name)), 'must be a DNS name'),
          ),
          secretName: text(isSubdomain, 'must be the name of a Secret'),
        }),
      ),
    }),
  }),
);

export const ingressClass: Rule = fields({
  spec: fields({
    controller: text(
      (name) => name.length <= 250 && isSubdomain(name.split('/')[0] ?? '') && name.includes('/'),
      'must be a domain and a path such as acme.io/foo',
    ),
  }),
});
