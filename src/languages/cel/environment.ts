import { groupBy } from '../../core/model/group-by.ts';
import { lazily } from '../../core/model/lazily.ts';
import { encoders } from './library/encoders.ts';
import { namedFormats } from './library/format-rules.ts';
import { cidr, ip } from './library/ip.ts';
import { hash, json, kroLists, maps, omit, random, runtime } from './library/kro.ts';
import { kubernetesLists, lists, sets } from './library/lists.ts';
import { optionals } from './library/optionals.ts';
import { quantity } from './library/quantity.ts';
import { semver, semverVersion1 } from './library/semver.ts';
import { regex, strings, stringsVersion2 } from './library/strings.ts';
import { urls } from './library/urls.ts';
import type { Library, Overload } from './library.ts';
import { standardLibrary } from './std/standard.ts';

interface EnvironmentOptions {
  /** Whether the names of types are values; in kro they are unknown (kro: pkg/cel/environment.go). */
  typeNames?: boolean;
  /** Whether `<` and the like accept numbers of two types (cel.CrossTypeNumericComparisons); kro disables it. */
  crossTypeComparisons?: boolean;
  /** Whether a map literal rejects duplicate keys, as the specification says; cel-go, and so kro, does not. */
  uniqueKeys?: boolean;
  /** Whether `format` is that of cel-go's strings library before version 4, as in validation rules. */
  formatsAsVersion2?: boolean;
}

/** The functions that expressions may call. Created once, shared by all expressions. */
export interface Environment extends EnvironmentOptions {
  /** Returns all overloads of a name, in the order of declaration; empty if there is no such function. */
  functions(name: string): readonly Overload[];
  functionNames(): Iterable<string>;
}

/** Always includes the standard library; the index by name is built on first use. */
export function createEnvironment(libraries: readonly Library[], options: EnvironmentOptions = {}): Environment {
  const byName = lazily(() => groupBy([standardLibrary, ...libraries].flat(), ({ name }) => name));
  return { ...options, functions: (name) => byName().get(name) ?? [], functionNames: () => byName().keys() };
}

/**
 * The libraries with their names for programs and in the reference, and where they are: in expressions of a ResourceGraphDefinition (kro's
 * pkg/cel/environment.go), and in `x-kubernetes-validations` rules (k8s.io/apiserver/pkg/cel/environment/base.go,
 * Kubernetes 1.36), which lack the authorizer that only admission policies have.
 */
const LIBRARIES = [
  ['ext.lists', 'cel-go ext.Lists', lists, 'kro kubernetes'],
  ['ext.optionals', 'cel-go optional types', optionals, 'kro kubernetes'],
  ['kubernetes.lists', 'kubernetes lists', kubernetesLists, 'kro kubernetes'],
  ['kubernetes.urls', 'kubernetes URLs', urls, 'kro kubernetes'],
  ['kubernetes.regex', 'kubernetes regex', regex, 'kro kubernetes'],
  ['kubernetes.quantity', 'kubernetes quantity', quantity, 'kro kubernetes'],
  ['kubernetes.ip', 'kubernetes IP address', ip, 'kro kubernetes'],
  ['kubernetes.cidr', 'kubernetes CIDR', cidr, 'kro kubernetes'],
  ['ext.strings', 'cel-go ext.Strings', strings, 'kro'],
  ['ext.encoders', 'cel-go ext.Encoders', encoders, 'kro'],
  ['', 'kubernetes semver', semver, 'kro'],
  ['kro.random', 'kro random', random, 'kro'],
  ['kro.maps', 'kro maps', maps, 'kro'],
  ['kro.json', 'kro JSON', json, 'kro'],
  ['kro.hash', 'kro hash', hash, 'kro'],
  ['kro.lists', 'kro lists', kroLists, 'kro'],
  ['', 'kro omit', omit, 'kro'],
  ['', 'kro runtime', runtime, 'kro'],
  ['', 'cel-go ext.Strings', stringsVersion2, 'kubernetes'],
  ['ext.sets', 'cel-go ext.Sets', sets, 'kubernetes'],
  ['kubernetes.format', 'kubernetes format', namedFormats, 'kubernetes'],
  ['kubernetes.semver', 'kubernetes semver', semverVersion1, 'kubernetes'],
] as const;

const librariesOf = (dialect: string): readonly Library[] =>
  LIBRARIES.filter(([, , , dialects]) => dialects.includes(dialect)).map(([, , library]) => library);

export const kroLibraries = librariesOf('kro');
export const kubernetesLibraries = librariesOf('kubernetes');

/** Where the functions of a library come from, for the reference. */
export const libraryTitles: ReadonlyMap<Library, string> = new Map(
  LIBRARIES.map(([, title, library]): [Library, string] => [library, title]),
);

/** The functions for expressions in a ResourceGraphDefinition; a shared instance. */
export const kroEnvironment = lazily(() => createEnvironment(kroLibraries));

/** The functions for `x-kubernetes-validations` rules; a shared instance. */
export const kubernetesEnvironment = lazily(() =>
  createEnvironment(kubernetesLibraries, { typeNames: true, crossTypeComparisons: true, formatsAsVersion2: true }),
);

/** The names of libraries for programs: of cel-go (`ext`), Kubernetes and kro. */
export type LibraryName = Exclude<(typeof LIBRARIES)[number][0], ''>;

/** Each in its newest version. */
export const namedLibraries = Object.fromEntries(
  LIBRARIES.filter(([name]) => name !== '').map(([name, , library]) => [name, library]),
) as Readonly<Record<LibraryName, Library>>;
