import { ingress, ingressClass } from './ingress.ts';
import { networkPolicy } from './network-policy.ts';
import type { Rule } from './rule.ts';
import { service } from './service.ts';

export const network: Readonly<Record<string, Rule>> = {
  '/Service': service,
  'networking.k8s.io/Ingress': ingress,
  'networking.k8s.io/NetworkPolicy': networkPolicy,
  'networking.k8s.io/IngressClass': ingressClass,
};
