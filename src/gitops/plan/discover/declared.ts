import type { Reviewed } from '../../../compare/review/index.ts';
import { HIDDEN, type Report } from '../../../core/diagnostics/index.ts';
import { addTo } from '../../../core/model/group-by.ts';
import { getOrCompute, lazily } from '../../../core/model/lazily.ts';
import { MAX_APPLICATION_LEVELS, MAX_NESTED_APPLICATIONS } from '../../../core/model/limits.ts';
import { groupKindOf, type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import { contentText, type Value } from '../../../core/model/value.ts';
import { isSecret, withoutSecrets } from '../../../core/redaction/index.ts';
import { baseOf } from '../../../core/text/paths.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import type { ApplicationVersion } from '../application.ts';
import { type Application, applicationAt, applicationKey, type Discovery, kustomizeAt } from '../application.ts';
import { filesOf } from '../files-of.ts';
import { partsOf } from '../kustomization.ts';
import type { Repository } from '../repository.ts';
import { DECLARING } from './admission.ts';
import type { Declaration, Origin, ReadDeclarations } from './declaration.ts';
import { declarationReader } from './declaration-reader.ts';
import {
  appliedFiles,
  chartOf,
  chartsOf,
  isGitops,
  isRendered,
  type Kustomizations,
  kustomizationsOf,
  RELEASE,
  reachedOf,
} from './renderers.ts';

export type Render = (application: Application) => ApplicationVersion;

export interface Declared {
  applications: Application[];
  declarations: readonly Declaration[];
  /** Returns what an object declares in this version of the repository. */
  read: ReadDeclarations;
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

/** Finds the applications of a version. */
export interface Walk {
  declared: Declared;
  /** Follows what applications render that no object declares; returns whether they declare something. */
  follow(applications: readonly Application[]): boolean;
}

/** Finds the applications of a version. A file that an overlay builds, or that is a patch, declares nothing itself. */
export function createDeclared(given: Discovery, render: Render): Walk {
  const walk = new DeclarationWalk(given, render);
  walk.start();
  return walk;
}

interface WrittenFile {
  appliers: Application[];
  /** The file declares something for another cluster: each application has its own. */
  isElsewhere: boolean;
}

class DeclarationWalk implements Walk {
  readonly #repository: Repository;
  readonly #render: Render;
  readonly #read: ReadDeclarations;
  readonly #kustomizations: Kustomizations;
  /** What files declare, as they are written. */
  readonly #inFiles: Declaration[] = [];
  /** What applications declare. */
  readonly #found: Declaration[] = [];
  readonly #unread: Application[] = [];
  readonly #failed = new Set<string>();
  readonly #unbuilt = new Set<string>();
  readonly #built = new Map<string, string>();
  readonly #broken = new Map<string, Report>();
  /** The files whose declarations are read for an application that applies them. */
  readonly #superseded = new Set<string>();
  /** What files declare in a cluster, and the applications that apply them there as they are written. */
  readonly #written = new Map<string, WrittenFile>();
  readonly #appliers = new Map<Declaration, readonly Application[]>();
  /** How many applications declare one another on the way to what is rendered. */
  readonly #levels = new Map<Declaration, number>();
  readonly #followed = new Set<string>();

  constructor(given: Discovery, render: Render) {
    this.#repository = given.repository;
    this.#render = render;
    this.#read = declarationReader(given);
    this.#kustomizations = kustomizationsOf(given.repository);
  }

  /** Reads all files, builds what no object deploys, and follows what both declare. */
  start(): void {
    this.#readFiles();
    this.#buildUndeployed();
    this.#walk([...this.#found, ...this.#inFiles]);
  }

  get declared(): Declared {
    const left = [...this.#found, ...this.#inFiles].filter((one) => this.#isLeft(one));
    const declarations = withoutCopies(left);
    return {
      applications: [...declarations.flatMap((one) => one.applications), ...this.#unread],
      declarations,
      read: this.#read,
      parentsOf: parentsIn(declarations, this.#appliers, this.#repository),
      unread: this.#failed,
      isUnbuilt: (application: Application) => this.#unbuilt.has(applierKey(application)),
      built: this.#built,
      broken: this.#broken,
    };
  }

  follow(applications: readonly Application[]): boolean {
    const start = this.#found.length;
    for (const application of applications) this.#followOne(application, 1);
    this.#walk(this.#found.slice(start));
    return this.#found.length > start;
  }

  #readFiles(): void {
    const files = this.#repository
      .manifestsWith('')
      .filter((path) => !this.#kustomizations.parts.has(path) && chartOf(path, this.#repository) === undefined)
      .filter((path) => this.#mayDeclare(path));
    for (const file of files) {
      const fault = this.#repository.faultOf(file);
      if (fault !== undefined) this.#broken.set(file, fault);
      for (const { object } of this.#repository.objectsOf(file)) {
        for (const one of this.#read(object, { place: file, file })) this.#inFiles.push(one);
      }
    }
  }

  /** Builds the overlays and charts that no object deploys. */
  #buildUndeployed(): void {
    const deployed = this.#deployedFolders();
    for (const folder of this.#kustomizations.overlays) {
      if (deployed.has(folder)) continue;
      this.#build(applicationAt('kustomize', folder || '.', folder, kustomizeAt(folder)), true);
    }
    for (const path of chartsOf(this.#repository)) {
      if (deployed.has(path)) continue;
      const source = { type: 'helm', path, arguments: ['template', baseOf(path)], values: [] } as const;
      this.#build(applicationAt('helm', path || '.', path, source), true);
    }
  }

  /** Returns the folders that objects in files deploy. */
  #deployedFolders(): ReadonlySet<string> {
    const deployed = new Set<string>();
    for (const source of this.#inFiles.flatMap((one) => one.applications.flatMap(({ sources }) => sources))) {
      deployed.add(source.path);
      if (source.type !== 'kustomize') continue;
      for (const folder of partsOf(source, this.#repository).folders) deployed.add(folder);
    }
    return deployed;
  }

  #build(application: Application, isOwn: boolean): void {
    const version = this.#render(application);
    const place = placeBelow(application);
    if (version.error === undefined) {
      for (const file of reachedOf(application, this.#repository)) {
        this.#built.set(file, place);
        this.#superseded.add(file);
      }
      this.#readBuilt(application, version);
      return;
    }
    this.#failed.add(place);
    if (version.isForeign) this.#unbuilt.add(applierKey(application));
    this.#readWritten(application);
    if (!isOwn) return;
    const reason = `its applications are not read: ${version.error}`;
    const none = { type: 'none' as const, path: application.path, reason };
    this.#unread.push(version.isForeign ? { ...application, sources: [none] } : application);
  }

  /** Reads what an application applies, as it is rendered. */
  #readBuilt(application: Application, { objects }: ApplicationVersion): void {
    const { deployment, sources } = application;
    const place = placeBelow(application);
    const origin: Origin = { place, parent: application };
    if (deployment.controller === 'Flux') origin.cluster = deployment.cluster;
    const isWritten = sources.some(({ type }) => type === 'manifests');
    for (const reviewed of objects) {
      // What manifests contain is read from their files.
      if (isWritten && reviewed.place === undefined) continue;
      const declared = isMadeOfSecrets(reviewed) ? hiddenIn(reviewed, place) : this.#read(reviewed.object, origin);
      for (const one of declared) this.#found.push(one);
    }
  }

  /** Reads what an application applies from the files that it builds, as it is written. */
  #readWritten(application: Application): void {
    for (const file of appliedFiles(application, this.#repository)) {
      if (!this.#mayDeclare(file) || this.#kustomizations.parts.has(file)) continue;
      this.#superseded.add(file);
      this.#readWrittenFile(file, application);
    }
  }

  /** Several applications of a cluster may apply one file: what it declares is read once, and all of them apply it. */
  #readWrittenFile(file: string, application: Application): void {
    const { controller, cluster } = application.deployment;
    const key = JSON.stringify([file, controller === 'Flux' ? cluster : undefined]);
    const known = this.#written.get(key);
    if (known !== undefined && !known.isElsewhere) {
      known.appliers.push(application);
      return;
    }
    const appliers = [application];
    let isElsewhere = false;
    for (const { object } of this.#repository.objectsOf(file)) {
      for (const one of this.#writtenIn(object, file, application)) {
        if (one.place !== file) isElsewhere = true;
        this.#appliers.set(one, appliers);
        this.#found.push(one);
      }
    }
    this.#written.set(key, { appliers, isElsewhere });
  }

  #writtenIn(object: KubeObject, file: string, application: Application): readonly Declaration[] {
    const { controller, cluster } = application.deployment;
    const origin: Origin = { place: file, file, parent: application };
    if (controller === 'Flux') origin.cluster = cluster;
    const declared = this.#read(object, origin);
    const isElsewhere = declared.some((one) => one.cluster !== this.#read(object, { place: file, file })[0]?.cluster);
    return isElsewhere ? this.#read(object, { ...origin, place: placeBelow(application) }) : declared;
  }

  #walk(start: readonly Declaration[]): void {
    const queue = [...start];
    // The loop also reads what is added to the array.
    for (const next of queue) {
      if (!this.#isLeft(next)) continue;
      const level = (this.#levels.get(next) ?? 0) + 1;
      for (const application of next.applications) {
        for (const one of this.#declaredBy(application, level)) queue.push(one);
      }
    }
  }

  /** Returns what an application declares that nothing declared before. */
  #declaredBy(application: Application, level: number): readonly Declaration[] {
    const before = this.#found.length;
    this.#followOne(application, level);
    const added = this.#found.slice(before);
    for (const one of added) this.#levels.set(one, level);
    return added;
  }

  /** Reads what an application declares. */
  #followOne(application: Application, level: number): void {
    if (application.sources.some(({ type }) => type === 'fails')) this.#failed.add(placeBelow(application));
    const rendered = application.sources.some((source) => isRendered(source, this.#repository));
    if (!rendered && application.deployment.controller !== 'Flux') return;
    const files = [...filesOf(application, this.#repository)];
    if (!files.some((file) => this.#mayDeclare(file))) return;
    const key = contentKey(application);
    if (this.#followed.has(key)) return;
    this.#followed.add(key);
    if (level > MAX_APPLICATION_LEVELS || this.#followed.size > MAX_NESTED_APPLICATIONS) {
      this.#failed.add(placeBelow(application));
      this.#unread.push({ ...application, sources: [endless(application, level)] });
      return;
    }
    const isBuilt = rendered && files.some((file) => isGitops(file, this.#repository));
    if (isBuilt) this.#build(application, false);
    else this.#readWritten(application);
  }

  #mayDeclare(file: string): boolean {
    return isGitops(file, this.#repository) || RELEASE.test(this.#repository.tree.text(file) ?? '');
  }

  #isLeft({ file, parent }: Declaration): boolean {
    return parent !== undefined || file === undefined || !this.#superseded.has(file);
  }
}

/** Identifies what an application applies: equal ones declare the same. */
function contentKey({ sources, deployment, name }: Application): string {
  return toJsonText([sources as unknown as Value, deployment.cluster, deployment.namespace, name]);
}

/** Returns the applications that apply a declaration: the one that renders it, or those that apply its file as it is. */
function parentsIn(
  declarations: readonly Declaration[],
  appliers: ReadonlyMap<Declaration, readonly Application[]>,
  repository: Repository,
): Declared['parentsOf'] {
  const files = new Set(declarations.flatMap(({ file, parent }) => (parent === undefined && file ? [file] : [])));
  const byFile = lazily(() => {
    const found = new Map<string, Application[]>();
    for (const application of declarations.flatMap((one) => one.applications)) {
      for (const file of appliedFiles(application, repository)) if (files.has(file)) addTo(found, file, application);
    }
    return found;
  });
  return (declaration) => {
    const { file, parent } = declaration;
    if (parent !== undefined) return appliers.get(declaration) ?? [parent];
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

/** Where declarations of one content are. */
interface Copies {
  inFile: boolean;
  /** The clusters of those that are rendered. */
  clusters: Set<string>;
}

/** Removes what is declared twice with the same content, once in files and once by what renders them. */
function withoutCopies(declarations: readonly Declaration[]): Declaration[] {
  const known = new Map<string, Copies>();
  return declarations.filter((one) => {
    const key = `${declarationKey(one)} ${contentText(one.object)}`;
    const copies = getOrCompute(known, key, (): Copies => ({ inFile: false, clusters: new Set() }));
    // Several clusters may have equal ones.
    const isRendered = one.file === undefined;
    const isCopy = isRendered ? copies.inFile || copies.clusters.has(one.cluster) : copies.clusters.size > 0;
    if (isCopy) return false;
    if (isRendered) copies.clusters.add(one.cluster);
    else copies.inFile = true;
    return true;
  });
}
