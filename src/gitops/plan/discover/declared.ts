import type { Reviewed } from '../../../compare/review/index.ts';
import { HIDDEN, type Report } from '../../../core/diagnostics/index.ts';
import { addTo } from '../../../core/model/group-by.ts';
import { lazily } from '../../../core/model/lazily.ts';
import { MAX_APPLICATION_LEVELS, MAX_NESTED_APPLICATIONS } from '../../../core/model/limits.ts';
import { groupKindOf, groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import { equal, get, getAt, type Value } from '../../../core/model/value.ts';
import { isSecret, withoutSecrets } from '../../../core/redaction/index.ts';
import { baseOf, parentOf } from '../../../core/text/paths.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import type { ApplicationVersion } from '../application.ts';
import { type Application, applicationAt, applicationKey, type Discovery, kustomizeAt } from '../application.ts';
import { unsupportedField } from '../fields.ts';
import { filesOf } from '../files-of.ts';
import { partsOf } from '../kustomization.ts';
import type { Repository } from '../repository.ts';
import { createRefusal, DECLARING } from './admission.ts';
import { type ExpandedSet, readApplicationSet } from './application-set.ts';
import { isPartial, readApplication } from './argocd.ts';
import { readFluxKustomization, readHelmRelease } from './flux.ts';
import { readFluxInstance } from './flux-instance.ts';
import { referencesIn } from './references.ts';
import {
  appliedFiles,
  chartOf,
  chartsOf,
  isGitops,
  isRendered,
  kustomizationsOf,
  RELEASE,
  reachedOf,
} from './renderers.ts';

export type Render = (application: Application) => ApplicationVersion;

/** An object that declares applications, and where it comes from. */
export interface Declaration {
  object: KubeObject;
  /** The file or the application that contains it. */
  place: string;
  /** Its file, if no rendering changed it. */
  file?: string;
  /** The application whose rendering contains it. */
  parent?: Application;
  /** The folder of the files of its cluster, for Flux. */
  cluster: string;
  applications: readonly Application[];
  /** What an ApplicationSet generates, by its name. */
  generated?: ReadonlyMap<string, KubeObject>;
  /** Why the API server rejects it: the object in the cluster stays as it is. */
  refused?: string;
  /** It lacks what every object of its kind has, so that it may be a part of one, such as a patch. */
  isPart?: true;
}

/** Where an object that declares applications is. */
export type Origin = Pick<Declaration, 'place' | 'file' | 'parent'> & { cluster?: string | undefined };

export interface Declared {
  applications: Application[];
  declarations: readonly Declaration[];
  /** Returns what an object declares in this version of the repository. */
  read: (object: KubeObject, origin: Origin) => Declaration[];
  /** Returns the applications that apply an object: what renders it, or what applies its file as it is written. */
  parentsOf: (declaration: Declaration) => readonly Application[];
  /** The places whose applications are unknown, because they are not rendered. */
  unread: ReadonlySet<string>;
  /** Reports whether an application is not built here, so that what it applies is read as it is written. */
  isUnbuilt: (application: Application) => boolean;
  /** The files that are parts of something rendered, with the place of its applications. */
  built: ReadonlyMap<string, string>;
  /** Files that may declare applications and cannot be read, with the first error. */
  broken: ReadonlyMap<string, Report>;
}

/** Finds the applications of a version. A file that an overlay builds, or that is a patch, declares nothing itself. */
export function createDeclared(given: Discovery, render: Render): Walk {
  const { repository } = given;
  const { tree } = repository;
  const read = declarationReader(given);
  const { parts, overlays } = kustomizationsOf(repository);
  const built = new Map<string, string>();
  /** The files whose declarations are read for an application that applies them. */
  const superseded = new Set<string>();
  const found: Declaration[] = [];
  const unread: Application[] = [];
  const failed = new Set<string>();
  const unbuilt = new Set<string>();
  const mayDeclare = (file: string): boolean => isGitops(file, repository) || RELEASE.test(tree.text(file) ?? '');

  const readBuilt = (application: Application, { objects }: ApplicationVersion): void => {
    const { deployment, sources } = application;
    const place = placeBelow(application);
    const cluster = deployment.controller === 'Flux' ? deployment.cluster : undefined;
    const isWritten = sources.some(({ type }) => type === 'manifests');
    for (const reviewed of objects) {
      // What manifests contain is read from their files.
      if (isWritten && reviewed.place === undefined) continue;
      const origin: Origin = { place, parent: application, cluster };
      const declared = isMadeOfSecrets(reviewed) ? hiddenIn(reviewed, place) : read(reviewed.object, origin);
      for (const one of declared) found.push(one);
    }
  };
  /** Reads what an application applies from the files that it builds, as it is written. */
  const readWritten = (application: Application): void => {
    const { controller, cluster } = application.deployment;
    for (const file of appliedFiles(application, repository)) {
      if (!mayDeclare(file) || parts.has(file)) continue;
      superseded.add(file);
      for (const { object } of repository.objectsOf(file)) {
        const own = controller === 'Flux' ? { cluster } : {};
        const declared = read(object, { place: file, file, parent: application, ...own });
        const isElsewhere = declared.some((one) => one.cluster !== read(object, { place: file, file })[0]?.cluster);
        const place = isElsewhere ? placeBelow(application) : file;
        for (const one of place === file ? declared : read(object, { place, file, parent: application, ...own }))
          found.push(one);
      }
    }
  };
  const build = (application: Application, isOwn: boolean): void => {
    const version = render(application);
    const place = placeBelow(application);
    if (version.error === undefined) {
      for (const file of reachedOf(application, repository)) {
        built.set(file, place);
        superseded.add(file);
      }
      readBuilt(application, version);
      return;
    }
    failed.add(place);
    if (version.isForeign) unbuilt.add(applierKey(application));
    readWritten(application);
    if (!isOwn) return;
    const reason = `its applications are not read: ${version.error}`;
    const none = { type: 'none' as const, path: application.path, reason };
    unread.push(version.isForeign ? { ...application, sources: [none] } : application);
  };

  const broken = new Map<string, Report>();
  const written = repository
    .manifestsWith('')
    .filter((path) => !parts.has(path) && chartOf(path, repository) === undefined)
    .filter(mayDeclare);
  const inFiles = written.flatMap((file) => {
    const fault = repository.faultOf(file);
    if (fault !== undefined) broken.set(file, fault);
    return repository.objectsOf(file).flatMap(({ object }) => read(object, { place: file, file }));
  });
  const sourcesInFiles = inFiles.flatMap((one) => one.applications.flatMap(({ sources }) => sources));
  const deployed = new Set(
    sourcesInFiles.flatMap((one) => [one.path, ...(one.type === 'kustomize' ? partsOf(one, repository).folders : [])]),
  );
  for (const folder of overlays.filter((one) => !deployed.has(one))) {
    build(applicationAt('kustomize', folder || '.', folder, kustomizeAt(folder)), true);
  }
  for (const path of chartsOf(repository).filter((one) => !deployed.has(one))) {
    const source = { type: 'helm', path, arguments: ['template', baseOf(path)], values: [] } as const;
    build(applicationAt('helm', path || '.', path, source), true);
  }

  /** How many applications declare one another on the way to what is rendered. */
  const levels = new Map<Declaration, number>();
  const done = new Set<string>();
  const isLeft = ({ file, parent }: Declaration): boolean =>
    parent !== undefined || file === undefined || !superseded.has(file);
  /** Reads what an application declares. */
  const followOne = (application: Application, level: number): void => {
    if (application.sources.some(({ type }) => type === 'fails')) failed.add(placeBelow(application));
    const rendered = application.sources.some((source) => isRendered(source, repository));
    const isFlux = application.deployment.controller === 'Flux';
    if (!rendered && !isFlux) return;
    const files = [...filesOf(application, repository)];
    if (!files.some(mayDeclare)) return;
    const { sources, deployment, name } = application;
    const key = toJsonText([sources as unknown as Value, deployment.cluster, deployment.namespace, name]);
    if (done.has(key)) return;
    done.add(key);
    if (level > MAX_APPLICATION_LEVELS || done.size > MAX_NESTED_APPLICATIONS) {
      failed.add(placeBelow(application));
      unread.push({ ...application, sources: [endless(application, level)] });
    } else if (rendered && files.some((file) => isGitops(file, repository))) build(application, false);
    else readWritten(application);
  };
  const walk = (start: readonly Declaration[]): void => {
    const queue = [...start];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (!isLeft(next)) continue;
      const level = (levels.get(next) ?? 0) + 1;
      for (const application of next.applications) {
        const before = found.length;
        followOne(application, level);
        for (const one of found.slice(before)) {
          levels.set(one, level);
          queue.push(one);
        }
      }
    }
  };
  walk([...found, ...inFiles]);

  return {
    get declared() {
      const declarations = withoutCopies([...found, ...inFiles].filter(isLeft));
      return {
        applications: [...declarations.flatMap((one) => one.applications), ...unread],
        declarations,
        read,
        parentsOf: parentsIn(declarations, repository),
        unread: failed,
        isUnbuilt: (application: Application) => unbuilt.has(applierKey(application)),
        built,
        broken,
      };
    },
    follow: (applications) => {
      const start = found.length;
      for (const application of applications) followOne(application, 1);
      walk(found.slice(start));
      return found.length > start;
    },
  };
}

/** Finds the applications of a version. */
export interface Walk {
  declared: Declared;
  /** Follows what applications render that no object declares; returns whether they declare something. */
  follow(applications: readonly Application[]): boolean;
}

/** Returns the applications that apply a declaration: the one that renders it, or those that apply its file as it is. */
function parentsIn(declarations: readonly Declaration[], repository: Repository): Declared['parentsOf'] {
  const files = new Set(declarations.flatMap(({ file, parent }) => (parent === undefined && file ? [file] : [])));
  const byFile = lazily(() => {
    const found = new Map<string, Application[]>();
    for (const application of declarations.flatMap((one) => one.applications)) {
      for (const file of appliedFiles(application, repository)) if (files.has(file)) addTo(found, file, application);
    }
    return found;
  });
  return ({ file, parent }) => {
    if (parent !== undefined) return [parent];
    return file === undefined ? [] : (byFile().get(file) ?? []);
  };
}

/** Reports whether an object that an RGD or a ResourceSet renders has values of a Secret: its objects would have them. */
const isMadeOfSecrets = ({ place, secrecy }: Reviewed): boolean => place !== undefined && isSecret(secrecy);

/** Returns what an object with values of a Secret declares: an application that is not rendered. */
function hiddenIn({ object, secrecy, nameless }: Reviewed, place: string): Declaration[] {
  const { kind } = object;
  if (!DECLARING.includes(groupKindOf(object))) return [];
  const name = nameless ? HIDDEN : nameOf(object);
  const reason = 'not shown: a value of it comes from a Secret';
  const application = applicationAt(kind, name, '', { type: 'none', path: '', reason });
  const shown = withoutSecrets(object, secrecy, HIDDEN) as KubeObject;
  return [{ object: shown, place, cluster: '', applications: [{ ...application, place }] }];
}

/** The source of an application behind more others than any repository has: each may declare further ones. */
function endless({ path }: Application, level: number): Application['sources'][number] {
  const reason =
    level > MAX_APPLICATION_LEVELS
      ? `more than ${MAX_APPLICATION_LEVELS} applications declare one another on the way to it`
      : `more than ${MAX_NESTED_APPLICATIONS} applications declare others`;
  return { type: 'fails', path, reason: `${reason}, and no further ones are read` };
}

/** Identifies an application that applies others, whichever file or build it was read from. */
export const applierKey = (application: Application): string => {
  const { controller, cluster } = application.deployment;
  return JSON.stringify([applicationKey(application), controller === 'Flux' ? cluster : '', application.path]);
};

export const placeBelow = ({ kind, name, path, place, deployment: { controller, cluster } }: Application): string =>
  place === '' ? path || '.' : `${kind} ${name} of ${controller === 'Argo CD' ? place : cluster}`;

/** Identifies what a declaration declares: a FluxInstance declares the Kustomization of its cluster. */
export function declarationKey({ object, applications: [first] }: Declaration): string {
  if (object.kind === 'FluxInstance' && first !== undefined) return applicationKey(first);
  return applicationKey({ kind: object.kind, namespace: namespaceOf(object), name: nameOf(object) });
}

/** Removes what is declared twice with the same content, once in files and once by what renders them. */
function withoutCopies(declarations: readonly Declaration[]): Declaration[] {
  const kept: Declaration[] = [];
  const known = new Map<string, Declaration[]>();
  for (const one of declarations) {
    const key = declarationKey(one);
    const alike = known.get(key) ?? [];
    known.set(key, [...alike, one]);
    // Several clusters may have equal ones.
    const isCopy = alike.some(
      (other) =>
        equal(one.object, other.object) &&
        (one.file === undefined ? other.file !== undefined || one.cluster === other.cluster : other.file === undefined),
    );
    if (!isCopy) kept.push(one);
  }
  return kept;
}

/** Returns what is shown of an object that an API server rejects: nothing is deployed by it. */
function refusedApplication(reason: string, object: KubeObject, place: string): Application {
  const source = { type: 'fails', path: '', reason } as const;
  const isSet = object.kind === 'ApplicationSet';
  return {
    ...applicationAt(object.kind, nameOf(object) || place, '', source),
    namespace: namespaceOf(object),
    place,
    ...(isSet && { set: JSON.stringify([namespaceOf(object), nameOf(object), place]) }),
  };
}

/** Returns a function that reads an object that declares applications, from a file or rendered in a cluster of Flux. */
function declarationReader(given: Discovery): Declared['read'] {
  const references = referencesIn(given);
  const refusal = createRefusal(given.settings, given.refusals);
  const setOf = (object: KubeObject, place: string): ExpandedSet => readApplicationSet(object, place, given, refusal);
  const applicationsOf = (object: KubeObject, place: string, cluster: string): readonly Application[] | undefined => {
    const at = { place, cluster, references, repository: given.repository };
    switch (groupKindOf(object)) {
      case 'Application.argoproj.io':
        return [readApplication(object, place, given)];
      case 'Kustomization.kustomize.toolkit.fluxcd.io':
        return [readFluxKustomization(object, at)];
      case 'HelmRelease.helm.toolkit.fluxcd.io':
        return [readHelmRelease(object, at)];
      case 'FluxInstance.fluxcd.controlplane.io':
        return readFluxInstance(object, at);
    }
    return undefined;
  };
  return (object, { place, file, parent, cluster }) => {
    const at = cluster ?? references.clusterOf(file ?? place) ?? (file ? parentOf(file) : place);
    const origin = {
      object,
      place,
      cluster: at,
      ...(file !== undefined && { file }),
      ...(parent && { parent }),
      ...(file !== undefined && isPart(object) && { isPart: true as const }),
    };
    const isDeclaring = DECLARING.includes(groupKindOf(object));
    const refused = isDeclaring || GROUPS.includes(groupVersionKind(object).group) ? refusal(object) : undefined;
    if (refused !== undefined) {
      return [{ ...origin, applications: [refusedApplication(refused, object, place)], refused }];
    }
    if (groupKindOf(object) === 'ApplicationSet.argoproj.io') {
      const set = setOf(object, place);
      return [{ ...origin, ...set, applications: set.applications.map((one) => limited(one, object)) }];
    }
    const applications = applicationsOf(object, place, at);
    if (applications === undefined || applications.length === 0) return [];
    return [{ ...origin, applications: applications.map((one) => limited(one, object)) }];
  };
}

/** Returns an application that is not rendered if a field of its object is not supported. */
function limited(application: Application, object: KubeObject): Application {
  const isRenderedHere = application.sources.every(({ type }) => type !== 'none' && type !== 'fails');
  const field = isRenderedHere ? unsupportedField(object) : undefined;
  if (field === undefined) return application;
  return {
    ...application,
    sources: [{ type: 'none', path: application.path, reason: `its field ${field} is not supported` }],
  };
}

/** The groups whose kinds are checked, because a misspelled one may declare applications. */
const GROUPS: readonly string[] = [...new Set(DECLARING.map((kind) => kind.slice(kind.indexOf('.') + 1)))];

/** Reports whether an object has nothing that every object of its kind has, so that it is a part of one. */
function isPart(object: KubeObject): boolean {
  const spec = get(object, 'spec');
  switch (object.kind) {
    case 'Application':
      return isPartial(object);
    case 'ApplicationSet':
      return spec === undefined || get(spec, 'generators') === undefined;
    case 'Kustomization':
      return getAt(object, ['spec', 'sourceRef']) === undefined;
    case 'HelmRelease':
      return [['chartRef'], ['chart', 'spec', 'chart']].every((path) => getAt(object, ['spec', ...path]) === undefined);
    default:
      return false;
  }
}
