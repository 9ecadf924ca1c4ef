import { isMap, type Path, type Value } from '../../../model/value.ts';

/** What a text in a kustomization names. */
export interface Reference {
  text: string;
  path: Path;
  /** A folder or a repository may stand here, not only a file. */
  mayBeFolder: boolean;
  /** What it leads to configures a generator, transformer or validator, which reads files itself. */
  isConfiguration: boolean;
}

const CONFIGURING = new Set(['generators', 'transformers', 'validators']);
const OF_FOLDERS = new Set(['resources', 'bases', 'components', ...CONFIGURING]);

/** Keys, in lower case, whose texts name files, folders or repositories, at whatever depth they stand. */
const REFERRING = new Set([
  ...OF_FOLDERS,
  'crds',
  'configurations',
  'patchesstrategicmerge',
  'path',
  'paths',
  'files',
  'env',
  'envs',
  'valuesfile',
  'additionalvaluesfiles',
  'charthome',
  'confighome',
]);

/** Below these a `path` is one in an object. */
const OF_OBJECTS = new Set(['fieldspecs', 'fields', 'target', 'source', 'options', 'metadata', 'literals']);

/**
 * Every text in a kustomization, or in the configuration of a plugin of kustomize, that names a file, a folder or a
 * repository. Keys are compared as Go's JSON decoder does it: whatever their case.
 */
export function referencesIn(value: Value): Reference[] {
  const found: Reference[] = [];
  const visit = (at: Value, path: Path): void => {
    if (Array.isArray(at)) at.forEach((item, index) => void visit(item, [...path, index]));
    if (!isMap(at)) return;
    for (const [key, member] of Object.entries(at)) {
      const folded = folding(key);
      if (OF_OBJECTS.has(folded)) continue;
      const here = [...path, key];
      if (REFERRING.has(folded)) {
        const items = Array.isArray(member)
          ? member.map((item, index) => [item, [...here, index]] as const)
          : [[member, here] as const];
        for (const [item, where] of items) {
          if (typeof item !== 'string') continue;
          found.push({
            text: item,
            path: where,
            mayBeFolder: OF_FOLDERS.has(folded),
            isConfiguration: CONFIGURING.has(folded),
          });
        }
      }
      visit(member, here);
    }
  };
  visit(value, []);
  return found;
}

/** Go folds the long s and the Kelvin sign too. */
const folding = (key: string): string => key.toUpperCase().toLowerCase();
