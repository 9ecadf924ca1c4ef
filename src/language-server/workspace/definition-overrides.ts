import { type Document, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import { get, getAt, listOf } from '../../core/model/value.ts';
import { isBelow, parentOf } from '../../core/text/paths.ts';
import { isFunctionConfig } from '../../render/options/index.ts';

/** Definitions that a functionConfig, an Argo CD Application or a golden test names for packages. */
export interface DefinitionOverride {
  /** Returns the folder of the paths, as a URI, if they apply to the package of a folder. */
  baseFor(folder: string): string | undefined;
  definitions: readonly string[];
}

export function definitionOverridesOf(
  uri: string,
  documents: readonly Document[],
  objects: readonly KubeObject[],
): DefinitionOverride[] {
  const own = parentOf(uri);
  const [first] = documents;
  const found = objects.flatMap((object) => ofObject(object, own));
  if (uri.endsWith('/test.yaml') && first !== undefined && !isKubeObject(first.object)) {
    const definitions = textsOf(get(first.object, 'definitions'));
    found.push({ baseFor: (folder) => (folder === own ? own : undefined), definitions });
  }
  return found.filter(({ definitions }) => definitions.length > 0);
}

function ofObject(object: KubeObject, own: string): DefinitionOverride[] {
  if (isFunctionConfig(object)) {
    // All packages below and beside its folder.
    const baseFor = (folder: string) => (isBelow(folder, own) || isBelow(folder, joined(own, '..')) ? own : undefined);
    return [{ baseFor, definitions: textsOf(getAt(object, ['spec', 'definitions'])) }];
  }
  if (object.kind !== 'Application' || !object.apiVersion.startsWith('argoproj.io/')) return [];
  const sources = [getAt(object, ['spec', 'source']), ...listOf(getAt(object, ['spec', 'sources']))];
  return sources.flatMap((source): DefinitionOverride[] => {
    const path = get(source, 'path');
    const parameters = listOf(getAt(source, ['plugin', 'parameters']));
    const given = parameters.find((one) => get(one, 'name') === 'definitions');
    if (typeof path !== 'string') return [];
    const within = path.replace(/^\.?\/+|(?<!\/)\/+$/g, '');
    const baseFor = (folder: string) => {
      const at = within === '' ? -1 : `${folder}/`.indexOf(`/${within}/`);
      return at < 0 ? undefined : `${folder.slice(0, at)}/${within}`;
    };
    return [{ baseFor, definitions: textsOf(get(given, 'array')) }];
  });
}

/** Returns the strings of a list that are not empty. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string' && one !== '') : [];

/** Returns the URIs whose definitions a package prefers, in the order of distance. */
export const overriddenDefinitions = (folder: string, overrides: readonly DefinitionOverride[]): string[] =>
  overrides
    .flatMap((one) => {
      const base = one.baseFor(folder);
      return base === undefined ? [] : [{ base, definitions: one.definitions }];
    })
    .sort((a, b) => b.base.length - a.base.length)
    .flatMap(({ base, definitions }) => definitions.map((path) => joined(base, path)));

/** Joins a path to a folder, as a URI. */
export function joined(folder: string, path: string): string {
  const steps = folder.split('/');
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}
