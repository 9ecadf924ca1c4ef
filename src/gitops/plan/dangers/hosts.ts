import { groupKindOf, type KubeObject } from '../../../core/model/object.ts';
import { get, getAt, listAt, textAt, textOf, textsOf } from '../../../core/model/value.ts';

const ROUTES: readonly string[] = ['HTTPRoute', 'GRPCRoute', 'TLSRoute'];

/** The matcher of a router of Traefik: Host(`a.example.com`). */
const HOST_OF_TRAEFIK = /\bHost\(`([^`]{1,253})`\)/g;

/** Returns the hosts that an object serves. */
export function hostsOf(object: KubeObject): string[] {
  const spec = object.spec ?? null;
  if (object.kind === 'Ingress') return listAt(spec, 'rules').flatMap((rule) => textsOf([get(rule, 'host') ?? null]));
  if (ROUTES.includes(object.kind)) return textsOf(get(spec, 'hostnames'));
  switch (groupKindOf(object)) {
    case 'VirtualService.networking.istio.io':
      return textsOf(get(spec, 'hosts'));
    case 'Route.route.openshift.io':
      return textsOf([getAt(spec, ['host']) ?? null]);
    case 'IngressRoute.traefik.io':
      return listAt(spec, 'routes').flatMap((route) => {
        const matched = [...textAt(route, 'match').matchAll(HOST_OF_TRAEFIK)];
        return matched.map((found) => textOf(found[1]));
      });
    default:
      return [];
  }
}

/** Reports whether a host is another one, or one of the wildcard of its domain. */
export const coversHost = (pattern: string, host: string): boolean =>
  pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)) && host !== pattern.slice(2));
