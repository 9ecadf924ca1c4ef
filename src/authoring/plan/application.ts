import type { DiffOptions } from '../diff/index.ts';
import type { InputSettings } from '../input/index.ts';

/** How a package is rendered: the settings that its home gives it. */
export type PackageSettings = InputSettings & DiffOptions & { exclude: readonly string[] };

/** Where objects of an application come from. Paths are relative to the root of the repository. */
export type Source =
  /** A folder or file that render-rgd renders: the plugin, kpt, the command line in CI. */
  | { type: 'package'; path: string; settings: PackageSettings }
  /** Manifests that are applied as they are; a controller in the cluster expands the instances among them. */
  | { type: 'manifests'; path: string; recurse: boolean; include: string; exclude: readonly string[] }
  | { type: 'kustomize'; path: string; functions: boolean; plugin: PackageSettings | undefined }
  | {
      type: 'helm';
      path: string;
      arguments: readonly string[];
      values: readonly string[];
      plugin: PackageSettings | undefined;
    }
  /** What cannot be rendered here, and why. */
  | { type: 'none'; path: string; reason: string };

/** Something that is deployed from the repository. */
export interface Application {
  /** What deploys it: Application, Kustomization (Flux), listed (in a render-rgd.yaml), kustomize, kpt or folder. */
  kind: string;
  /** Unique among those of its kind: the name of the object, or the path. */
  name: string;
  path: string;
  sources: readonly Source[];
}

/** Identifies an application in both versions of a repository. */
export const applicationKey = ({ kind, name }: Pick<Application, 'kind' | 'name'>): string => `${kind}/${name}`;

/** What somebody says about a repository that its files do not. */
export interface DiscoverOptions {
  /** Settings of packages that no home sets. */
  settings: PackageSettings;
  /** The URLs of this repository; empty when none is known. */
  urls: readonly string[];
}
