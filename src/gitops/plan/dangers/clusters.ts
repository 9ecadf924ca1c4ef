import { type ObjectChange, titleOfReviewed } from '../../../compare/diff/index.ts';
import type { Reviewed } from '../../../compare/review/index.ts';
import type { Text } from '../../../core/diagnostics/index.ts';
import { addTo } from '../../../core/model/group-by.ts';
import { getOrCompute } from '../../../core/model/lazily.ts';
import { groupKindOf, groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import { getAt, textOf, textsIn } from '../../../core/model/value.ts';
import { builtinKinds } from '../../../kubernetes/schema/index.ts';
import { type Application, applicationKey } from '../application.ts';
import type { Side } from '../side.ts';
import { hostsOf } from './hosts.ts';
import {
  claimPrefixesOf,
  partsOf,
  type Reference,
  referencesOf,
  type Target,
  targetKey,
  targetOf,
} from './references.ts';
import { shownAlone } from './shown.ts';

/** An object that refers to another one. */
interface Referrer {
  title: Text;
  reference: Reference;
}

/** A custom resource, whose controller may create further objects. */
interface Maker {
  namespace: string;
  name: string;
  /** All texts in it, such as the name of the Secret that it writes. */
  texts: ReadonlySet<string>;
  /** What it needs itself, by the keys of these objects. */
  needs: ReadonlySet<string>;
}

/** What is known of the objects of an application. */
interface Facts {
  /** What others may refer to in each object, by its key. */
  objects: ReadonlyMap<string, ReadonlySet<string>>;
  /** What refers to an object, by its key. */
  referrers: ReadonlyMap<string, readonly Referrer[]>;
  makers: readonly Maker[];
  claimPrefixes: readonly string[];
  hosts: readonly string[];
  kinds: ReadonlySet<string>;
  namespaces: ReadonlySet<string>;
}

function collectFacts(objects: readonly Reviewed[], isRendered: (object: KubeObject) => boolean): Facts {
  const found = new Map<string, ReadonlySet<string>>();
  const referrers = new Map<string, Referrer[]>();
  const makers: Maker[] = [];
  const claimPrefixes: string[] = [];
  const hosts: string[] = [];
  for (const reviewed of objects) {
    const { object } = reviewed;
    found.set(targetKey(targetOf(object)), new Set(partsOf(object)));
    const shown = shownAlone(reviewed);
    if (shown === undefined) continue;
    const references = referencesOf(shown);
    for (const reference of references)
      addTo(referrers, targetKey(reference.target), { title: titleOfReviewed(reviewed), reference });
    const isBuiltin = builtinKinds.find(groupVersionKind(object)) !== undefined;
    if (!isBuiltin && !isRendered(object)) makers.push(makerOf(shown, references));
    for (const prefix of claimPrefixesOf(object)) claimPrefixes.push(prefix);
    for (const host of hostsOf(shown)) hosts.push(host);
  }
  const kinds = new Set(objects.map(({ object }) => groupKindOf(object)));
  const namespaces = new Set(objects.map(({ object }) => namespaceOf(object)));
  return { objects: found, referrers, makers, claimPrefixes, hosts, kinds, namespaces };
}

const makerOf = (object: KubeObject, references: readonly Reference[]): Maker => ({
  namespace: namespaceOf(object),
  name: nameOf(object),
  texts: new Set([...textsIn(object.spec)].map(({ text }) => text)),
  needs: new Set(references.map(({ target }) => targetKey(target))),
});

/** Kinds that controllers create under a name that a custom resource has in a field. */
const WRITTEN_KINDS: readonly string[] = ['ConfigMap.', 'Secret.', 'PersistentVolumeClaim.'];

/** Reports whether the controller of a custom resource may create an object. */
function mayMake({ namespace, name, texts, needs }: Maker, target: Target): boolean {
  if (needs.has(targetKey(target))) return false;
  const isNear = namespace === target.namespace || namespace === '';
  if (isNear && (name === target.name || target.name.startsWith(`${name}-`))) return true;
  return WRITTEN_KINDS.includes(target.kind) && texts.has(target.name);
}

/** Argo CD names the cluster that it runs in by its URL, or by a name. */
const SAME_CLUSTER: Readonly<Record<string, string>> = { 'in-cluster': 'https://kubernetes.default.svc' };

/** Returns what identifies the cluster of an application; each folder that nothing deploys has its own. */
export function clusterOf(application: Application): string {
  const { controller, cluster } = application.deployment;
  if (controller === '') return `folder ${applicationKey(application)}`;
  return Object.hasOwn(SAME_CLUSTER, cluster) ? (SAME_CLUSTER[cluster] ?? cluster) : cluster;
}

const wordsIn = (text: string): string[] => text.match(/[A-Za-z0-9]+/g) ?? [];

/**
 * The objects of the clusters in one version of a repository. Applications that did not change are rendered only if a
 * question needs them: those whose files and names have all words of a name.
 */
export class Clusters {
  readonly #side: Side;
  readonly #byCluster = new Map<string, Application[]>();
  readonly #byKey = new Map<string, Map<string, Application>>();
  readonly #facts = new Map<Application, Facts | undefined>();
  /** The applications with a word in their files or names, by cluster and word. */
  readonly #naming = new Map<string, ReadonlySet<Application>>();
  readonly #filesWith = new Map<string, readonly string[]>();
  readonly #readers = new Map<string, Map<string, Application[]>>();
  readonly #namingAll = new Map<string, readonly Application[]>();
  readonly #owners = new Map<string, readonly Application[]>();

  constructor(side: Side, applications: readonly Application[]) {
    this.#side = side;
    for (const one of applications) addTo(this.#byCluster, clusterOf(one), one);
  }

  /** Returns what is known of an application; `undefined` if it is not rendered. */
  factsOf(application: Application): Facts | undefined {
    return getOrCompute(this.#facts, application, () => {
      const version = this.#side.render(application);
      const { kinds } = this.#side.context.repository;
      const isRendered = (object: KubeObject): boolean =>
        kinds.get(groupKindOf(object))?.some(({ isRgd }) => isRgd) === true;
      return version.error === undefined ? collectFacts(version.objects, isRendered) : undefined;
    });
  }

  applicationsOf(cluster: string): readonly Application[] {
    return this.#byCluster.get(cluster) ?? [];
  }

  /** Returns the application of a cluster that has the kind, namespace and name of another one. */
  applicationLike(application: Application): Application | undefined {
    const cluster = clusterOf(application);
    const byKey = getOrCompute(this.#byKey, cluster, () => {
      const found = new Map<string, Application>();
      for (const one of this.applicationsOf(cluster)) {
        const key = applicationKey(one);
        if (!found.has(key)) found.set(key, one);
      }
      return found;
    });
    return byKey.get(applicationKey(application));
  }

  /** Finds the files with the words of these names at once. */
  prepare(names: readonly string[]): void {
    const words = new Set(names.flatMap(wordsIn).filter((word) => !this.#filesWith.has(word)));
    if (words.size === 0) return;
    const found = this.#side.context.repository.manifestsNamingWords(words);
    for (const word of words) this.#filesWith.set(word, found.get(word) ?? []);
  }

  /** Returns the applications of a cluster that may have an object with this name: all of its words are in their files. */
  applicationsNaming(cluster: string, name: string): readonly Application[] {
    return getOrCompute(this.#namingAll, JSON.stringify([cluster, name]), () => {
      this.prepare([name]);
      const [first, ...rest] = [...new Set(wordsIn(name))].map((word) => this.#applicationsWith(cluster, word));
      return [...(first ?? [])].filter((one) => rest.every((others) => others.has(one)));
    });
  }

  #applicationsWith(cluster: string, word: string): ReadonlySet<Application> {
    return getOrCompute(this.#naming, JSON.stringify([cluster, word]), () => {
      const found = new Set<Application>();
      for (const application of this.applicationsOf(cluster)) {
        const { name, namespace, deployment } = application;
        if (wordsIn(`${name} ${namespace} ${deployment.namespace}`).includes(word)) found.add(application);
      }
      const readers = this.#readersIn(cluster);
      for (const file of this.#filesWith.get(word) ?? [])
        for (const application of readers.get(file) ?? []) found.add(application);
      return found;
    });
  }

  /** Returns the applications that read each file. */
  #readersIn(cluster: string): Map<string, Application[]> {
    return getOrCompute(this.#readers, cluster, () => {
      const readers = new Map<string, Application[]>();
      for (const application of this.applicationsOf(cluster))
        for (const file of this.#side.filesOf(application)) addTo(readers, file, application);
      return readers;
    });
  }

  /** Returns the parts of an object, if an application of the cluster has it. */
  partsOfTarget(cluster: string, target: Target): ReadonlySet<string> | undefined {
    const key = targetKey(target);
    for (const application of this.applicationsNaming(cluster, target.name)) {
      const found = this.factsOf(application)?.objects.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the applications that have an object. */
  ownersOf(cluster: string, target: Target): readonly Application[] {
    const key = targetKey(target);
    return getOrCompute(this.#owners, JSON.stringify([cluster, key]), () =>
      this.applicationsNaming(cluster, target.name).filter((one) => this.factsOf(one)?.objects.has(key) === true),
    );
  }

  /** Returns what refers to an object. */
  referrersOf(cluster: string, target: Target): (Referrer & { application: Application })[] {
    const key = targetKey(target);
    return this.applicationsNaming(cluster, target.name).flatMap((application) =>
      (this.factsOf(application)?.referrers.get(key) ?? []).map((one) => ({ ...one, application })),
    );
  }

  /** Reports whether something that is not seen here may create an object: a controller, or what is not rendered. */
  mayBeCreated(cluster: string, target: Target): boolean {
    if (this.#side.unread.size > 0) return true;
    const [first = ''] = wordsIn(target.name);
    this.prepare([first]);
    const naming = this.#applicationsWith(cluster, first);
    return this.applicationsOf(cluster).some((application) => {
      if (application.deployment.namespace !== target.namespace && !naming.has(application)) return false;
      const facts = this.factsOf(application);
      if (facts === undefined || facts.makers.some((maker) => mayMake(maker, target))) return true;
      return facts.claimPrefixes.some((prefix) => target.name.startsWith(prefix));
    });
  }

  /** Returns the applications with objects that go with a Namespace, or with the CRD of their kind. */
  dependentsOf(cluster: string, object: KubeObject): Application[] {
    const name = nameOf(object);
    switch (groupKindOf(object)) {
      case 'Namespace.':
        return this.applicationsNaming(cluster, name).filter((one) => this.factsOf(one)?.namespaces.has(name) === true);
      case 'CustomResourceDefinition.apiextensions.k8s.io': {
        const kind = textOf(getAt(object, ['spec', 'names', 'kind']));
        const full = `${kind}.${textOf(getAt(object, ['spec', 'group']))}`;
        return this.applicationsNaming(cluster, kind).filter((one) => this.factsOf(one)?.kinds.has(full) === true);
      }
      default:
        return [];
    }
  }

  /** Returns the hosts that the applications of a cluster serve, of those that may have one of its domain. */
  hostsLike(cluster: string, host: string): string[] {
    const domain = host.slice(host.indexOf('.') + 1);
    return this.applicationsNaming(cluster, domain).flatMap((one) => this.factsOf(one)?.hosts ?? []);
  }
}

/** The keys and parts that a change takes from those who refer to them. */
export function lostParts({ before, after }: ObjectChange): { target: Target; parts: readonly string[] } | undefined {
  if (before === undefined) return undefined;
  const target = targetOf(before.object);
  const isSame = after !== undefined && targetKey(targetOf(after.object)) === targetKey(target);
  if (!isSame) return { target, parts: [] };
  const left = new Set(partsOf(after.object));
  const parts = partsOf(before.object).filter((part) => !left.has(part));
  return parts.length === 0 ? undefined : { target, parts };
}
