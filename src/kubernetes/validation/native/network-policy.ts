import { phrase } from '../../../core/diagnostics/index.ts';
import {
  all,
  anyText,
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
} from './rule.ts';
import { cidr, isCidr, labelSelector, port, portOrName } from './syntax.ts';

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

export const networkPolicy = fields({
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
