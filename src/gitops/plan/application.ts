import type { DiffOptions, FieldChange, Hunk, ObjectChange } from '../../compare/diff/index.ts';
import type { Reviewed } from '../../compare/review/index.ts';
import { type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { Counted } from '../../core/ledger/index.ts';
import type { InputObject } from '../../core/model/object.ts';
import { KRO_VERSIONS, type KubernetesRelease } from '../../core/model/render.ts';
import type { Path, ValueMap } from '../../core/model/value.ts';
import type { InputSettings } from '../../describe/input/index.ts';
import type { Meter } from '../../languages/gotemplate/index.ts';
import type { ChangedFiles } from './changed-files.ts';
import type { KnownRefusals } from './discover/admission.ts';
import type { Edits, Variables } from './edits.ts';
import type { Written } from './elsewhere.ts';
import { NotRendered, type Repository } from './repository.ts';
import type { Revisions } from './revisions.ts';

export type PackageSettings = InputSettings & DiffOptions & { exclude: readonly string[]; allowEmpty?: boolean };

/**
 * Returns the settings of a package: its own ones, but the release of kro that is `given` if its own is older, and the
 * features of both.
 */
export const settingsOfPackage = (
  given: PackageSettings,
  own: Partial<PackageSettings>,
  beside: Partial<PackageSettings>,
): PackageSettings => {
  const { kro = given.kro } = own;
  const isOlder = KRO_VERSIONS.indexOf(kro) < KRO_VERSIONS.indexOf(given.kro);
  const experimental = [...new Set([...given.experimental, ...(own.experimental ?? [])])];
  return { ...given, ...own, ...beside, kro: isOlder ? given.kro : kro, experimental, all: true };
};

/** The source of objects of an application. Paths are relative to the root of the repository. */
export type Source =
  /** A folder or file that render-rgd renders: as a plugin of Argo CD, with kpt, or with the command line in CI. */
  | { type: 'package'; path: string; settings: PackageSettings; plugin?: true }
  /** Manifests that are applied unchanged; a controller in the cluster expands the instances among them. */
  | { type: 'manifests'; path: string; recurse: boolean; include: string; exclude: string }
  | {
      type: 'kustomize';
      path: string;
      /** Whether it may run render-rgd as a function; Flux does not. */
      functions: boolean;
      plugin?: PackageSettings;
      /** Flux: a folder without a kustomization gets one, and kustomizations may read files anywhere. */
      flux?: true;
      /** Flux: the `spec.ignore` of its GitRepository. */
      ignore?: string;
      /** Flux: whether it decrypts Secrets. */
      decrypts?: true;
      edits?: Edits;
      /** Flux: the variables that it substitutes after the build, and the labels and annotations of all objects. */
      variables?: Variables;
      metadata?: ValueMap;
    }
  | {
      type: 'helm';
      path: string;
      arguments: readonly string[];
      /** Files with values; `inline` is a text with further ones, which win. */
      values: readonly string[];
      inline?: string;
      /** Flux: the `spec.ignore` of its GitRepository. */
      ignore?: string;
      /** Flux: the text of the values.yaml that replaces that of the chart, and the metadata of all objects. */
      defaults?: string;
      metadata?: ValueMap;
      /** Flux: what decides whether a change of the chart is deployed; not set if each is. */
      build?: ChartBuild;
      plugin?: PackageSettings;
    }
  /** A source that cannot be rendered here, with the reason. `elsewhere` is all that is known of it, if that decides. */
  | { type: 'none'; path: string; reason: string; elsewhere?: Written }
  | { type: 'fails'; path: string; reason: string };

export interface ChartBuild {
  /** The spec of the HelmChart, and the name and the version of the chart. */
  identity: ValueMap;
  /** The values files that are built into the chart. */
  valuesFiles: readonly string[];
}

export function sourceAt(path: string, read: () => Source): Source {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotRendered)) throw error;
    const { type, message: reason, elsewhere } = error;
    return elsewhere === undefined ? { type, path, reason } : { type: 'none', path: '', reason, elsewhere };
  }
}

export const kustomizeAt = (path: string): Source => ({ type: 'kustomize', path, functions: true });

/** What happens to an object in the cluster that is no longer rendered. */
export interface Fate {
  word: 'deleted' | 'kept' | 'orphaned' | 'suspended' | 'released';
  /** The field or annotation that decides; '' for the default. */
  why: string;
  /** Set if it depends on the order in which the controllers act. */
  may?: true;
}

/** Where and how a controller applies an application. */
export interface Deployment {
  controller: 'Argo CD' | 'Flux' | 'Helm' | '';
  /** The destination: the URL or name of a cluster, or for Flux the folder of the files of the cluster. */
  cluster: string;
  namespace: string;
  /** Other fields that decide what is applied and removed, as JSON by their path. */
  settings: Readonly<Record<string, string>>;
  /** What happens to objects that it no longer has, and to all of its objects when it is deleted. */
  onPrune: Fate;
  onDelete: Fate;
  /** What happens to them when the ApplicationSet that generates it is deleted, from which its policy does not keep them. */
  onSetDelete?: Fate;
  /** Whether the controller applies a new version, and deletes what it lacks, without a person. */
  syncsItself: boolean;
  prunesItself: boolean;
  /** Whether it deletes nothing if a version has no objects at all. */
  keepsLast: boolean;
  /** The sync options of Argo CD that require a person's confirmation of a deletion. */
  confirms: readonly ('Prune' | 'Delete')[];
  /** Whether a sync of Argo CD deletes what it lacks after all else. */
  prunesLast: boolean;
  /** Whether it deletes an object that it cannot change, and creates it again. */
  recreates: boolean;
  /** The fields of objects that it leaves as they are in the cluster. */
  ignores?: readonly IgnoreRule[];
}

/** Fields of matching objects that a controller does not change: by JSON pointers, or not known here. */
export interface IgnoreRule {
  /** The field that has the rule. */
  why: string;
  group: string;
  /** Only Flux has it. */
  version: string;
  kind: string;
  name: string;
  namespace: string;
  /** How the fields above match: a glob for Argo CD, a regular expression for Flux. */
  matching: 'glob' | 'regexp';
  pointers: readonly string[];
}

export interface Application {
  /**
   * The kind of deployment: Application, ApplicationSet, Kustomization and HelmRelease (Flux), listed (in a
   * render-rgd.yaml), kustomize, helm, kpt or folder.
   */
  kind: string;
  /** The name of the object, or the path. */
  name: string;
  namespace: string;
  /** Where it is declared: a file, or what renders it; '' for what no file declares. */
  place: string;
  path: string;
  sources: readonly Source[];
  deployment: Deployment;
  /** The ApplicationSet that generates it, as `namespace/name place`. */
  set?: string;
  /** Its controller rejects it before it becomes an object, so that the one in the cluster stays as it is. */
  refused?: true;
  /** Set if others have its kind and name: what distinguishes it in titles. */
  qualifier?: string;
}

const DELETED: Fate = { word: 'deleted', why: '' };

/** What is known without a controller: removed objects are deleted. */
const UNDEPLOYED: Deployment = {
  controller: '',
  cluster: '',
  namespace: '',
  settings: {},
  onPrune: DELETED,
  onDelete: DELETED,
  syncsItself: true,
  prunesItself: true,
  keepsLast: false,
  confirms: [],
  prunesLast: false,
  recreates: false,
};

/** Returns an application that no object declares. */
export const applicationAt = (kind: string, name: string, path: string, ...sources: Source[]): Application => ({
  kind,
  name,
  namespace: '',
  place: '',
  path,
  sources,
  deployment: UNDEPLOYED,
});

export const applicationKey = ({ kind, namespace, name }: Pick<Application, 'kind' | 'namespace' | 'name'>): string =>
  JSON.stringify([kind, namespace, name]);

export interface DiscoverOptions {
  settings: PackageSettings;
  /** The URLs of this repository; empty if none is known. */
  urls: readonly string[];
  tags?: ReadonlySet<string>;
  revisions?: Revisions;
  /** Folders outside of the repository that an administrator allows, and where their files are in it. */
  allowDir?: readonly string[];
  /** Whether Argo CD accepts a repository with links that leave it. */
  allowOutwardLinks?: boolean;
  /** What is known of the objects of another version, and becomes known. */
  refusals?: KnownRefusals;
}

export interface Discovery extends DiscoverOptions {
  repository: Repository;
  /** What the generators and templates of all ApplicationSets may take; default: each those of all. */
  meter?: Meter;
}

/** `Application web`, with what distinguishes it from others of its kind and name. */
export const titleOfApplication = (of: { kind: string; name: string; qualifier?: string }): Text =>
  trusted.definition(of.qualifier === undefined ? `${of.kind} ${of.name}` : `${of.kind} ${of.name} (${of.qualifier})`);

/** The codes of dangers, the worst first: each is a diagnostic code, which a render-rgd.yaml can disable. */
export const DANGERS = [
  'danger-data-loss',
  'danger-denied',
  'danger-destination',
  'danger-same-name',
  'danger-secret-deleted',
  'danger-application',
  'danger-access-wider',
  'danger-privileged',
  'danger-network-opened',
  'danger-service-public',
  'danger-tls-removed',
  'danger-admission-blocks',
  'danger-never-ready',
  'danger-missing-reference',
  'danger-shared-object',
  'danger-protection-removed',
  'danger-address-removed',
  'danger-host-removed',
  'danger-no-replicas',
  'breaking-change',
  'unchecked-change',
  'danger-immutable-field',
  'danger-volume-smaller',
  'danger-image-older',
  'danger-image-latest',
] as const;
type DangerCode = (typeof DANGERS)[number];

export interface Danger {
  code: DangerCode;
  message: Text;
  /** The same about any object of its kind: dangers of several objects that say the same are one line. */
  general?: Text;
  /** Set if another application gets the object, which may be deleted before. */
  takeover?: Takeover;
}

/** An application that gets an object which another one no longer has. */
export interface Takeover {
  by: Application;
  /** Whether the object may be deleted before it is applied again, for how Argo CD and Flux find what to delete. */
  loss: 'none' | 'may' | 'happens';
}

export interface PlannedChange {
  application: Application;
  change: ObjectChange['change'];
  before?: Identified;
  after?: Identified;
  fields: FieldChange[];
  /** What happens in the cluster to a removed object, and to all objects of a suspended application. */
  fate?: Fate;
  /** What is lost with a removed object: its images, hosts, size. */
  loss?: Text | undefined;
}

type Identified = Pick<Reviewed, 'object' | 'nameless'>;

export interface ChangeGroup {
  cause: Cause;
  change: ObjectChange['change'];
  fate?: Fate;
  kind: string;
  changes: readonly PlannedChange[];
  /** The differences of the first one; empty for removed objects. */
  hunks: readonly Hunk[];
}

/** The cause of a change: a changed RGD, or else the instance of the object. */
export interface Cause {
  /** `RGD webapp (platform/webapp.yaml:40)`, or the instance; '' for plain manifests. */
  text: Text;
  isRgd: boolean;
  at?: { source: NonNullable<InputObject['source']>; path: Path; line?: number };
}

export interface PlannedApplication {
  application: Application;
  /** Whether the whole application is added or removed. */
  event?: 'added' | 'removed';
  changes: readonly PlannedChange[];
  error?: Text;
  isForeign?: true;
  /** It is not rendered, but neither it nor a file that it may read changes. */
  isUnaffected?: true;
  /** Its sources that are rendered here are compared, and others are not. */
  isPartly?: true;
  /** How its written form changes, if it is not rendered: its revision, its chart, its values. */
  written?: Text;
  /** What applies it and is not built, so that it is compared as it is written. */
  asWritten?: Text;
}

/** What became of an application; one that is not built and that nothing touches is `untouched`. */
export interface ApplicationOutcome {
  application: Application;
  is: 'compared' | 'untouched' | 'unbuilt' | 'failed';
}

export interface PlannedDanger extends Danger {
  application: Application;
  change?: PlannedChange;
  at?: { source: NonNullable<InputObject['source']>; path: Path };
  accepted?: Text;
}

export interface Plan {
  /** Changed and unrendered ones: errors first, then those that lose most. */
  applications: readonly PlannedApplication[];
  /** The number of applications, and of those that were compared. */
  found: number;
  compared: number;
  /** What became of each application. */
  outcomes: readonly ApplicationOutcome[];
  /** What became of the files that the change touches. */
  files: ChangedFiles;
  /** The decisions of admission policies about changed objects. */
  policies: Counted;
  /** Equal changes of all applications with one cause, the most destructive first. */
  groups: readonly ChangeGroup[];
  dangers: readonly PlannedDanger[];
  images: readonly ImageChange[];
  /** The errors and the new patches of Graphs of the newer version, and what its admission policies did not decide. */
  reports: readonly Report[];
}

/** An image that containers of changed objects have in one version, or another one in the newer version. */
export interface ImageChange {
  from?: string;
  to?: string;
  /** Whether the newer one can be any version: it has the tag `latest`, or neither a tag nor a digest. */
  isFloating: boolean;
  count: number;
}

export interface ApplicationVersion {
  objects: readonly Reviewed[];
  error?: Text;
  reports: readonly Report[];
  isForeign?: true;
  /** The release of Kubernetes of each source; undefined if a cluster's document has its kinds. */
  releases?: readonly (KubernetesRelease | undefined)[];
}
