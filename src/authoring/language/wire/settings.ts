import { defaultRenderOptions } from '../../../core/model/render.ts';
import type { CheckSettings } from '../workspace/check.ts';

/** The settings of an editor, below `render-rgd`. Paths are relative to the first folder of the workspace. */
export interface RawSettings {
  /** Files and folders whose definitions are taken before those that lie nearest. */
  definitions?: unknown;
  /** Files and folders with CustomResourceDefinitions. */
  crds?: unknown;
  /** A file with a cluster's OpenAPI document, in place of the built-in types. */
  openapi?: unknown;
  /** The namespace of instances that name none. */
  namespace?: unknown;
  strict?: unknown;
  /** Kinds without a namespace that nothing describes, as `Kind.group`. */
  clusterScoped?: unknown;
  /** Lints that are off. */
  disable?: unknown;
}

export interface ReadSettings {
  settings: CheckSettings;
  preferred: readonly string[];
  /** Where the OpenAPI document lies. */
  openapi: string | undefined;
}

/** Reads settings; what is of the wrong type is as if it were not there. */
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
