import { Collector } from '../../core/diagnostics/index.ts';
import { EXPERIMENTS, KRO_VERSIONS, KUBERNETES_RELEASES } from '../../core/model/render.ts';
import type { Value } from '../../core/model/value.ts';
import { isOpenapiDocument } from '../../kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../render/options/index.ts';
import { readStreams } from '../../yaml/parse/index.ts';
import type { CheckSettings } from '../workspace/check.ts';
import { textsOf } from '../workspace/definition-overrides.ts';

/** The settings of an editor, as in docs/editors.md. Paths are relative to the first folder of the workspace. */
export type RawSettings = Readonly<Partial<Record<Setting, unknown>>>;

type Setting =
  | ('definitions' | 'crds' | 'openapi' | 'namespace' | 'strict')
  | ('kro' | 'kubernetes' | 'experimental' | 'clusterScoped' | 'disable' | 'syntax');

interface EditorSettings {
  settings: CheckSettings;
  /** The URIs of definitions that are used if several define a kind. */
  preferred: string[];
  /** The URI of the OpenAPI document. */
  openapi: string | undefined;
}

/** Reads settings; values of the wrong type are ignored. */
export function readSettings(raw: RawSettings, folders: readonly string[]): EditorSettings {
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
    kubernetes: KUBERNETES_RELEASES.find((release) => release === raw.kubernetes) ?? defaultRenderOptions.kubernetes,
    experimental: EXPERIMENTS.filter((one) => textsOf(raw.experimental).includes(one)),
    clusterScoped: textsOf(raw.clusterScoped),
  };
  const settings: CheckSettings = {
    options,
    disable: textsOf(raw.disable),
    openapi: undefined,
    hidesSyntax: raw.syntax === false,
  };
  return {
    settings,
    preferred: [...textsOf(raw.definitions), ...textsOf(raw.crds)].map(uriOf),
    openapi: typeof raw.openapi === 'string' && raw.openapi !== '' ? uriOf(raw.openapi) : undefined,
  };
}

export function openapiIn(file: string, text: string): Value | undefined {
  const [document] = readStreams([{ file, text }], new Collector());
  return document !== undefined && isOpenapiDocument(document.object) ? document.object : undefined;
}

/** The environment of the server: files that are not open, and timers. */
export interface Host {
  version: string;
  /**
   * Returns the relevant files below folders, the folders of repositories, and the files and folders that git ignores, by
   * URI, or why others are not read. With `readsIgnored` it also reads what git ignores.
   */
  scan?(
    folders: readonly string[],
    progress: (files: number) => void,
    readsIgnored: boolean,
  ): AsyncIterable<ScannedFile | { repository: string } | { ignored: string } | { unread: string }>;
  /** Returns those of some files that git ignores. Absent in a browser. */
  ignored?(uris: readonly string[]): string[];
  /** Reads a file again; returns `undefined` if it is deleted. */
  read?(uri: string): Promise<string | undefined>;
  /** Reports whether a file or folder exists. Absent in a browser. */
  exists?(uri: string): boolean;
  descriptions?(): Promise<string>;
  /** Runs the golden test of a test.yaml, and returns the report as text. Absent in a browser. */
  test?(uri: string, updates: boolean): string;
  /** Normalizes a URI: editors escape some characters differently. */
  canonical?(uri: string): string;
  /** Runs a callback later, and returns a function that cancels it. */
  later(run: () => void, milliseconds: number): () => void;
}

interface ScannedFile {
  uri: string;
  text: string;
}

export const uriIn = (host: Host, uri: string): string => host.canonical?.(uri) ?? uri;
