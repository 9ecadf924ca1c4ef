import { type Document, isKubeObject, type KubeObject } from '../../../core/model/object.ts';
import { get, getAt, listOf } from '../../../core/model/value.ts';
import { isBelow, parentOf } from '../../../core/text/paths.ts';
import { isFunctionConfig } from '../../../render/options/index.ts';

/** Definitions that a functionConfig, an Argo CD Application or a golden test names for a package. */
export interface DefinitionOverride {
  /**
   * `below`: all packages below and beside the folder of a functionConfig; `test`: the folder of a test; `source`:
   * folders whose path ends with that of an Application's source.
   */
  of: 'below' | 'test' | 'source';
  /** A URI; for `source` the path in its repository. */
  folder: string;
  /** Paths relative to the folder. */
  definitions: readonly string[];
}

export function definitionOverridesOf(
  uri: string,
  documents: readonly Document[],
  objects: readonly KubeObject[],
): DefinitionOverride[] {
  const folder = parentOf(uri);
  const [first] = documents;
  const found = objects.flatMap((object) => ofObject(object, folder));
  if (uri.endsWith('/test.yaml') && first !== undefined && !isKubeObject(first.object))
    found.push({ of: 'test', folder, definitions: textsOf(get(first.object, 'definitions')) });
  return found.filter(({ definitions }) => definitions.length > 0);
}

function ofObject(object: KubeObject, folder: string): DefinitionOverride[] {
  if (isFunctionConfig(object))
    return [{ of: 'below', folder, definitions: textsOf(getAt(object, ['spec', 'definitions'])) }];
  if (object.kind !== 'Application' || !object.apiVersion.startsWith('argoproj.io/')) return [];
  const sources = [getAt(object, ['spec', 'source']), ...listOf(getAt(object, ['spec', 'sources']))];
  return sources.flatMap((source): DefinitionOverride[] => {
    const path = get(source, 'path');
    const parameters = listOf(getAt(source, ['plugin', 'parameters']));
    const given = parameters.find((one) => get(one, 'name') === 'definitions');
    if (typeof path !== 'string') return [];
    return [{ of: 'source', folder: path.replace(/^\.?\/+|\/+$/g, ''), definitions: textsOf(get(given, 'array')) }];
  });
}

/** Returns the strings of a list that are not empty. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string' && one !== '') : [];

/** Returns the URIs whose definitions a package prefers, in the order of distance. */
export const overriddenDefinitions = (folder: string, overrides: readonly DefinitionOverride[]): string[] =>
  overrides
    .flatMap((one) => {
      const base = baseOf(folder, one);
      return base === undefined ? [] : [{ base, definitions: one.definitions }];
    })
    .sort((a, b) => b.base.length - a.base.length)
    .flatMap(({ base, definitions }) => definitions.map((path) => joined(base, path)));

/** Returns the base folder of paths, if the override applies to a package. */
function baseOf(folder: string, { of, folder: own }: DefinitionOverride): string | undefined {
  if (of === 'test') return folder === own ? own : undefined;
  if (of === 'below') return isBelow(folder, own) || isBelow(folder, joined(own, '..')) ? own : undefined;
  const at = own === '' ? -1 : `${folder}/`.indexOf(`/${own}/`);
  return at < 0 ? undefined : `${folder.slice(0, at)}/${own}`;
}

/** Joins a path to a folder, as a URI. */
export function joined(folder: string, path: string): string {
  const steps = folder.split('/');
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}
