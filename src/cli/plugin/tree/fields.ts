import table from '../../../../data/kustomize-fields.json';
import { isMap, type Value } from '../../../core/model/value.ts';

/**
 * How kustomize uses the texts of a field: `data` becomes a part of objects or selects them; a `file` is read, with a
 * key before it if it is `keyed`; a `patch` is a file or the patch itself; a `folder` may be a file or another
 * kustomization; a `configuration` is a file or a text that configures a plugin; `helm` runs a program.
 */
export type Meaning = 'data' | 'file' | 'keyed' | 'patch' | 'folder' | 'configuration' | 'helm';

/** A field of a list applies to its items too. */
export interface Fields {
  readonly [name: string]: Meaning | Fields;
}

const PLUGINS = table.plugins as Readonly<Record<string, Fields>>;

/** Every field of a kustomization; kustomize rejects others. */
export const KUSTOMIZATION = table.kustomization as Fields;

/** Returns the fields of the configuration of a plugin; undefined if kustomize would run a program for it. */
export function fieldsOfPlugin(value: Value): Fields | undefined {
  const { apiVersion, kind } = isMap(value) ? value : {};
  if (apiVersion !== 'builtin' || typeof kind !== 'string' || !Object.hasOwn(PLUGINS, kind)) return undefined;
  return { apiVersion: 'data', kind: 'data', metadata: 'data', ...PLUGINS[kind] };
}
