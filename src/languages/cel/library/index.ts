/** The function libraries of the two dialects; the standard functions belong to the language core. */
import type { Library } from '../library.ts';
import { encoders } from './ext/encoders.ts';
import { lists, sets } from './ext/lists.ts';
import { optionals } from './ext/optionals.ts';
import { strings, stringsVersion2 } from './ext/strings.ts';
import { kroLists, maps } from './kro/collections.ts';
import { hash, random } from './kro/hash.ts';
import { json } from './kro/json.ts';
import { omit, runtime } from './kro/runtime.ts';
import { namedFormats } from './kubernetes/format-rules.ts';
import { cidr, ip } from './kubernetes/ip.ts';
import { kubernetesLists } from './kubernetes/lists.ts';
import { quantity } from './kubernetes/quantity.ts';
import { regex } from './kubernetes/regex.ts';
import { semver, semverVersion1 } from './kubernetes/semver.ts';
import { urls } from './kubernetes/urls.ts';

/**
 * The libraries with their names for programs, and where they are: in expressions of a ResourceGraphDefinition (kro's
 * pkg/cel/environment.go), and in `x-kubernetes-validations` rules (k8s.io/apiserver/pkg/cel/environment/base.go,
 * Kubernetes 1.36), which lack the authorizer that only admission policies have.
 */
const LIBRARIES = [
  ['ext.lists', lists, 'kro kubernetes'],
  ['ext.optionals', optionals, 'kro kubernetes'],
  ['kubernetes.lists', kubernetesLists, 'kro kubernetes'],
  ['kubernetes.urls', urls, 'kro kubernetes'],
  ['kubernetes.regex', regex, 'kro kubernetes'],
  ['kubernetes.quantity', quantity, 'kro kubernetes'],
  ['kubernetes.ip', ip, 'kro kubernetes'],
  ['kubernetes.cidr', cidr, 'kro kubernetes'],
  ['ext.strings', strings, 'kro'],
  ['ext.encoders', encoders, 'kro'],
  ['', semver, 'kro'],
  ['kro.random', random, 'kro'],
  ['kro.maps', maps, 'kro'],
  ['kro.json', json, 'kro'],
  ['kro.hash', hash, 'kro'],
  ['kro.lists', kroLists, 'kro'],
  ['', omit, 'kro'],
  ['', runtime, 'kro'],
  ['', stringsVersion2, 'kubernetes'],
  ['ext.sets', sets, 'kubernetes'],
  ['kubernetes.format', namedFormats, 'kubernetes'],
  ['kubernetes.semver', semverVersion1, 'kubernetes'],
] as const;

const librariesOf = (dialect: string): readonly Library[] =>
  LIBRARIES.filter(([, , dialects]) => dialects.includes(dialect)).map(([, library]) => library);

export const kroLibraries = librariesOf('kro');
export const kubernetesLibraries = librariesOf('kubernetes');

/** The names of libraries for programs: of cel-go (`ext`), Kubernetes and kro. */
export type LibraryName = Exclude<(typeof LIBRARIES)[number][0], ''>;

/** Each in its newest version. */
export const namedLibraries = Object.fromEntries(
  LIBRARIES.filter(([name]) => name !== '').map(([name, library]) => [name, library]),
) as Readonly<Record<LibraryName, Library>>;
