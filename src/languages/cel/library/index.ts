/** The function libraries of the two dialects; the standard functions belong to the language core. */
import type { Library } from '../library.ts';
import { encoders } from './ext/encoders.ts';
import { lists } from './ext/lists.ts';
import { optionals } from './ext/optionals.ts';
import { sets } from './ext/sets.ts';
import { strings, stringsVersion2 } from './ext/strings.ts';
import { hash } from './kro/hash.ts';
import { json } from './kro/json.ts';
import { kroLists } from './kro/lists.ts';
import { maps } from './kro/maps.ts';
import { omit } from './kro/omit.ts';
import { random } from './kro/random.ts';
import { runtime } from './kro/runtime.ts';
import { cidr } from './kubernetes/cidr.ts';
import { namedFormats } from './kubernetes/format.ts';
import { ip } from './kubernetes/ip.ts';
import { kubernetesLists } from './kubernetes/lists.ts';
import { quantity } from './kubernetes/quantity.ts';
import { regex } from './kubernetes/regex.ts';
import { semver, semverVersion1 } from './kubernetes/semver.ts';
import { urls } from './kubernetes/urls.ts';

const shared: readonly Library[] = [lists, optionals, kubernetesLists, urls, regex, quantity, ip, cidr];

/** The libraries of expressions in a ResourceGraphDefinition (kro's pkg/cel/environment.go). */
export const kroLibraries: readonly Library[] = [
  ...shared,
  strings,
  encoders,
  semver,
  random,
  maps,
  json,
  hash,
  kroLists,
  omit,
  runtime,
];

/**
 * The libraries of `x-kubernetes-validations` rules (k8s.io/apiserver/pkg/cel/environment/base.go, Kubernetes 1.36),
 * except the authorizer, which only admission policies have.
 */
export const kubernetesLibraries: readonly Library[] = [...shared, stringsVersion2, sets, namedFormats, semverVersion1];

/** The libraries for programs: of cel-go (`ext`), Kubernetes and kro. */
export type LibraryName =
  | `ext.${'encoders' | 'lists' | 'optionals' | 'sets' | 'strings'}`
  | `kubernetes.${'cidr' | 'format' | 'ip' | 'lists' | 'quantity' | 'regex' | 'semver' | 'urls'}`
  | `kro.${'hash' | 'json' | 'lists' | 'maps' | 'random'}`;

/** Each in its newest version. */
export const namedLibraries: Readonly<Record<LibraryName, Library>> = {
  'ext.encoders': encoders,
  'ext.lists': lists,
  'ext.optionals': optionals,
  'ext.sets': sets,
  'ext.strings': strings,
  'kro.hash': hash,
  'kro.json': json,
  'kro.lists': kroLists,
  'kro.maps': maps,
  'kro.random': random,
  'kubernetes.cidr': cidr,
  'kubernetes.format': namedFormats,
  'kubernetes.ip': ip,
  'kubernetes.lists': kubernetesLists,
  'kubernetes.quantity': quantity,
  'kubernetes.regex': regex,
  'kubernetes.semver': semverVersion1,
  'kubernetes.urls': urls,
};
