import type { DiffOptions } from '../diff/index.ts';
import type { InputSettings } from '../input/index.ts';

/** The settings of a package, from the file that deploys it. */
export type PackageSettings = InputSettings & DiffOptions & { exclude: readonly string[] };

/** The source of objects of an application. Paths are relative to the root of the repository. */
export type Source =
  /** A folder or file that render-rgd renders: with the plugin, kpt, or the command line in CI. */
  | { type: 'package'; path: string; settings: PackageSettings }
  /** Manifests that are applied unchanged; a controller in the cluster expands the instances among them. */
  | { type: 'manifests'; path: string; recurse: boolean; include: string; exclude: readonly string[] }
  | { type: 'kustomize'; path: string; functions: boolean; plugin: PackageSettings | undefined }
  | {
      type: 'helm';
      path: string;
      arguments: readonly string[];
      values: readonly string[];
      plugin: PackageSettings | undefined;
    }
  /** A source that cannot be rendered here, with the reason. */
  | { type: 'none'; path: string; reason: string };

/** Something that is deployed from the repository. */
export interface Application {
  /**
   * The kind of deployment: Application, Kustomization (Flux), listed (in a render-rgd.yaml), kustomize, kpt or folder.
   */
  kind: string;
  /** Unique among those of its kind: the name of the object, or the path. */
  name: string;
  path: string;
  sources: readonly Source[];
}

/** Identifies an application in both versions of a repository. */
export const applicationKey = ({ kind, name }: Pick<Application, 'kind' | 'name'>): string => `${kind}/${name}`;

/** Options about a repository that its files do not contain. */
export interface DiscoverOptions {
  /** Settings of packages that nothing else sets. */
  settings: PackageSettings;
  /** The URLs of this repository; empty if none is known. */
  urls: readonly string[];
}
