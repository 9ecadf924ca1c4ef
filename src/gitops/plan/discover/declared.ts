import type { Reviewed } from '../../../compare/review/index.ts';
import { HIDDEN } from '../../../core/diagnostics/index.ts';
import { MAX_APPLICATION_LEVELS, MAX_NESTED_APPLICATIONS } from '../../../core/model/limits.ts';
import { groupKindOf, groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import { equal, get, getAt, type Value } from '../../../core/model/value.ts';
import { isSecret, withoutSecrets } from '../../../core/redaction/index.ts';
import { baseOf, parentOf } from '../../../core/text/paths.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import type { ApplicationVersion } from '../application.ts';
import { type Application, applicationAt, applicationKey, type Discovery, kustomizeAt } from '../application.ts';
import { filesOf } from '../files-of.ts';
import { partsOf } from '../kustomization.ts';
import { readApplicationSet } from './application-set.ts';
import { isPartial, readApplication } from './argocd.ts';
import { typeFault } from './field-types.ts';
import { readFluxKustomization, readHelmRelease } from './flux.ts';
import { referencesIn } from './references.ts';
import { chartOf, chartsOf, isGitops, isRendered, kustomizationsOf, RELEASE, reachedOf } from './renderers.ts';

export type Render = (application: Application) => ApplicationVersion;

/** An object that declares applications, with the file or the application that contains it. */
interface Declaration {
  object: KubeObject;
  place: string;
  /** Its file, if no rendering changed it. */
  file?: string;
  applications: readonly Application[];
}

export interface Declared {
  applications: Application[];
  sets: ReadonlySet<string>;
  /** The places whose applications are unknown, because they are not rendered. */
  unread: ReadonlySet<string>;
  /** The files that are parts of something rendered, with the place of its applications. */
  built: ReadonlyMap<string, string>;
}

/** A file that an overlay builds, or that is a patch, declares nothing itself. */
export function declaredApplications(given: Discovery, render: Render): Declared {
  const { repository } = given;
  const read = declarationReader(given);
  const { parts, overlays } = kustomizationsOf(repository);
  const { tree } = repository;
  const built = new Map<string, string>();
  const found: Declaration[] = [];
  const unread: Application[] = [];
  const failed = new Set<string>();
  const build = (application: Application, files: ReadonlySet<string>, isOwn: boolean): void => {
    const version = render(application);
    const place = placeBelow(application);
    // Files of what cannot be built here are read as they are; those of what is rejected declare nothing.
    if (!version.isForeign) for (const file of files) built.set(file, place);
    if (version.error === undefined) {
      const cluster = application.deployment.controller === 'Flux' ? application.deployment.cluster : undefined;
      for (const reviewed of version.objects) {
        const { object } = reviewed;
        const declared = isMadeOfSecrets(reviewed) ? hiddenIn(reviewed, place) : read(object, place, { cluster });
        for (const one of declared) found.push(one);
      }
      return;
    }
    failed.add(place);
    if (!isOwn) return;
    const reason = `its applications are not read: ${version.error}`;
    const none = { type: 'none' as const, path: application.path, reason };
    unread.push(version.isForeign ? { ...application, sources: [none] } : application);
  };
  const inFiles = repository
    .manifestsWith('')
    .filter((path) => !parts.has(path) && chartOf(path, repository) === undefined)
    .filter((file) => isGitops(file, repository) || RELEASE.test(tree.text(file) ?? ''))
    .flatMap((file) => repository.objectsOf(file).flatMap(({ object }) => read(object, file, { file })));
  const sourcesInFiles = inFiles.flatMap((one) => one.applications.flatMap(({ sources }) => sources));
  const deployed = new Set(
    sourcesInFiles.flatMap((one) => [one.path, ...(one.type === 'kustomize' ? partsOf(one, repository).folders : [])]),
  );
  for (const folder of overlays.filter((one) => !deployed.has(one))) {
    const application = applicationAt('kustomize', folder || '.', folder, kustomizeAt(folder));
    build(application, reachedOf(application, repository), true);
  }
  for (const path of chartsOf(repository).filter((one) => !deployed.has(one))) {
    const source = { type: 'helm', path, arguments: ['template', baseOf(path)], values: [] } as const;
    build(applicationAt('helm', path || '.', path, source), new Set(), true);
  }
  const isLeft = ({ file }: Declaration): boolean => file === undefined || !built.has(file);
  const queue = [...found, ...inFiles];
  /** How many applications declare one another on the way to what is rendered. */
  const levels = new Map<Declaration, number>();
  const done = new Set<string>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (!isLeft(next)) continue;
    for (const application of next.applications) {
      if (application.sources.some(({ type }) => type === 'fails')) failed.add(placeBelow(application));
      if (!application.sources.some((source) => isRendered(source, repository))) continue;
      const files = filesOf(application, repository);
      if (![...files].some((file) => isGitops(file, repository))) continue;
      const { sources, deployment, name } = application;
      const key = toJsonText([sources as unknown as Value, deployment.namespace, name]);
      if (done.has(key)) continue;
      done.add(key);
      const level = (levels.get(next) ?? 0) + 1;
      if (level > MAX_APPLICATION_LEVELS || done.size > MAX_NESTED_APPLICATIONS) {
        failed.add(placeBelow(application));
        unread.push({ ...application, sources: [endless(application, level)] });
        queue.length = 0;
        break;
      }
      const before = found.length;
      build(application, reachedOf(application, repository), false);
      for (const one of found.slice(before)) {
        levels.set(one, level);
        queue.push(one);
      }
    }
  }
  const left = withoutCopies([...found, ...inFiles].filter(isLeft));
  const sets = new Set(
    left.flatMap(({ object }) =>
      object.kind === 'ApplicationSet' ? [`${namespaceOf(object)}/${nameOf(object)}`] : [],
    ),
  );
  return { applications: [...left.flatMap((one) => one.applications), ...unread], sets, unread: failed, built };
}

/** Reports whether an object that an RGD or a ResourceSet renders has values of a Secret: its objects would have them. */
const isMadeOfSecrets = ({ place, secrecy }: Reviewed): boolean => place !== undefined && isSecret(secrecy);

/** Returns what an object with values of a Secret declares: an application that is not rendered. */
function hiddenIn({ object, secrecy, nameless }: Reviewed, place: string): Declaration[] {
  const { kind } = object;
  const isDeclaring = DECLARING.has(groupKindOf(object));
  if (!isDeclaring) return [];
  const name = nameless ? HIDDEN : nameOf(object);
  const reason = 'not shown: a value of it comes from a Secret';
  const application = applicationAt(kind, name, '', { type: 'none', path: '', reason });
  const shown = withoutSecrets(object, secrecy, HIDDEN) as KubeObject;
  return [{ object: shown, place, applications: [{ ...application, place }] }];
}

const DECLARING: ReadonlySet<string> = new Set([
  'Application.argoproj.io',
  'ApplicationSet.argoproj.io',
  'Kustomization.kustomize.toolkit.fluxcd.io',
  'HelmRelease.helm.toolkit.fluxcd.io',
]);

/** The source of an application behind more others than any repository has: each may declare further ones. */
function endless({ path }: Application, level: number): Application['sources'][number] {
  const reason =
    level > MAX_APPLICATION_LEVELS
      ? `more than ${MAX_APPLICATION_LEVELS} applications declare one another on the way to it`
      : `more than ${MAX_NESTED_APPLICATIONS} applications declare others`;
  return { type: 'fails', path, reason: `${reason}, and no further ones are read` };
}

export const placeBelow = ({ kind, name, path, place, deployment: { controller, cluster } }: Application): string =>
  place === '' ? path || '.' : `${kind} ${name} of ${controller === 'Argo CD' ? place : cluster}`;

const clusterOf = ({ applications: [first] }: Declaration): string | undefined => first?.deployment.cluster;

/** Removes what is declared twice with the same content, once in files and once by what renders them. */
function withoutCopies(declarations: readonly Declaration[]): Declaration[] {
  const kept: Declaration[] = [];
  const known = new Map<string, Declaration[]>();
  for (const one of declarations) {
    const key = applicationKey({ kind: one.object.kind, namespace: namespaceOf(one.object), name: nameOf(one.object) });
    const alike = known.get(key) ?? [];
    known.set(key, [...alike, one]);
    // Several clusters may have equal ones.
    const isCopy = alike.some(
      (other) =>
        equal(one.object, other.object) &&
        (one.file === undefined
          ? other.file !== undefined || clusterOf(one) === clusterOf(other)
          : other.file === undefined),
    );
    if (!isCopy) kept.push(one);
  }
  return kept;
}

/** The groups and kinds whose types are checked before anything of an object is read. */
const DECLARATIONS = [
  'Application.argoproj.io',
  'ApplicationSet.argoproj.io',
  'HelmRelease.helm.toolkit.fluxcd.io',
  'Kustomization.kustomize.toolkit.fluxcd.io',
];

const isDeclaration = (object: KubeObject): boolean => DECLARATIONS.includes(groupKindOf(object));

/** Returns what is shown of an object that an API server rejects: nothing is deployed by it. */
function rejectedBy(reason: string, object: KubeObject, place: string): Application {
  const source = { type: 'fails', path: '', reason } as const;
  const set =
    object.kind === 'ApplicationSet' ? { set: JSON.stringify([namespaceOf(object), nameOf(object), place]) } : {};
  return {
    ...applicationAt(object.kind, nameOf(object) || place, '', source),
    namespace: namespaceOf(object),
    place,
    ...set,
  };
}

/** Returns a function that reads an object that declares applications, from a file or rendered in a cluster of Flux. */
function declarationReader(
  given: Discovery,
): (object: KubeObject, place: string, from: { file?: string; cluster?: string | undefined }) => Declaration[] {
  const references = referencesIn(given);
  const applicationsOf = (object: KubeObject, place: string, cluster: string): Application[] | undefined => {
    const { group, kind } = groupVersionKind(object);
    if (group === 'argoproj.io' && kind === 'Application') {
      return isPartial(object) ? [] : [readApplication(object, place, given)];
    }
    if (group === 'argoproj.io' && kind === 'ApplicationSet') {
      return get(object, 'spec') === undefined || getAt(object, ['spec', 'generators']) === undefined
        ? []
        : readApplicationSet(object, place, given);
    }
    const at = { place, cluster, references, repository: given.repository };
    if (group === 'kustomize.toolkit.fluxcd.io' && kind === 'Kustomization') {
      if (getAt(object, ['spec', 'sourceRef']) === undefined) return [];
      return [readFluxKustomization(object, at)];
    }
    if (group !== 'helm.toolkit.fluxcd.io' || kind !== 'HelmRelease') return undefined;
    const isWhole = [['chartRef'], ['chart', 'spec', 'chart']].some((path) => getAt(object, ['spec', ...path]));
    return isWhole ? [readHelmRelease(object, at)] : [];
  };
  return (object, place, { file, cluster }) => {
    const at = cluster ?? references.clusterOf(file ?? place) ?? (file ? parentOf(file) : place);
    const fault = isDeclaration(object) ? typeFault(object.kind, object) : undefined;
    const applications = fault === undefined ? applicationsOf(object, place, at) : [rejectedBy(fault, object, place)];
    return applications === undefined || (applications.length === 0 && object.kind !== 'ApplicationSet')
      ? []
      : [{ object, place, applications, ...(file !== undefined && { file }) }];
  };
}
