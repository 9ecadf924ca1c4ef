import { defaultRenderOptions, KRO_VERSIONS } from '../../../core/model/render.ts';
import type { CheckSettings } from '../workspace/check.ts';

/** The settings of an editor, below `render-rgd`. Paths are relative to the first folder of the workspace. */
export interface RawSettings {
  /** Files and folders whose definitions override the nearest ones. */
  definitions?: unknown;
  /** Files and folders with CustomResourceDefinitions. */
  crds?: unknown;
  /** A file with a cluster's OpenAPI document, instead of the built-in types. */
  openapi?: unknown;
  /** The namespace of instances without one. */
  namespace?: unknown;
  strict?: unknown;
  /** The release of kro. */
  kro?: unknown;
  /** Unknown kinds that are cluster-scoped, as `Kind.group`. */
  clusterScoped?: unknown;
  /** Disabled lints. */
  disable?: unknown;
}

export interface ReadSettings {
  settings: CheckSettings;
  preferred: readonly string[];
  /** The path of the OpenAPI document. */
  openapi: string | undefined;
}

/** Reads settings; values of the wrong type are ignored. */
export function readSettings(raw: RawSettings, folders: readonly string[]): ReadSettings {
  const uriOf = (path: string): string =>
    /^[a-z][a-z0-9+.-]+:/i.test(path)
      ? path
      : path.startsWith('/')
        ? `file://${path}`
        : `${folders[0] ?? 'file://'}/${path.replace(/^\.\//, '')}`;
  const options = {
    ...defaultRenderOptions,
    namespace: typeof raw.namespace === 'string' ? raw.namespace : defaultRenderOptions.namespace,
    strict: raw.strict === true,
    kro: KRO_VERSIONS.find((version) => version === raw.kro) ?? defaultRenderOptions.kro,
    clusterScoped: textsOf(raw.clusterScoped),
  };
  return {
    settings: { options, disable: textsOf(raw.disable), openapi: undefined },
    preferred: [...textsOf(raw.definitions), ...textsOf(raw.crds)].map(uriOf),
    openapi: typeof raw.openapi === 'string' && raw.openapi !== '' ? uriOf(raw.openapi) : undefined,
  };
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string' && one !== '') : [];
