import { ITEM_PATH, KRO_LABEL, PACKAGE_PATH } from '../../core/model/keys.ts';
import {
  annotationOf,
  groupVersionKind,
  isKubeObject,
  isObserved,
  type KubeObject,
  nameOf,
} from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import { getAt, isMap, listAt, listOf, textAt, type Value } from '../../core/model/value.ts';
import { isInputProvider } from '../../flux/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { originLabel } from '../../render/rerender/index.ts';

/** The rendered package and its subpackages, by the Kptfiles among the items. */
export interface KptPackages {
  /** Their names; only '' without a Kptfile. */
  names: ReadonlySet<string>;
  /** Whether `selectors` or `exclude` may hide items from this function. */
  isSelective: boolean;
  /**
   * Returns the name of the package of an entry: the innermost one that renders, and that contains all sources of the
   * entry. kpt renders subpackages separately, then their items together with the parent's, so both must return the
   * same.
   */
  nameFor(entry: Entry): string;
}

interface KptPackage {
  name: string;
  folder: string;
  kptfile: KubeObject;
}

export function packagesIn(items: readonly Value[]): KptPackages {
  const objects = items.map((item) => (isKubeObject(item) ? item : undefined));
  const folders = objects.map((object) => object && folderOf(object));
  const all = objects
    .flatMap((kptfile, index): KptPackage[] =>
      kptfile?.kind === 'Kptfile' && groupVersionKind(kptfile).group === 'kpt.dev'
        ? [{ name: nameOf(kptfile), folder: folders[index] ?? '', kptfile }]
        : [],
    )
    .sort((a, b) => a.folder.length - b.folder.length);
  const [root, ...subpackages] = all;
  if (root === undefined) return { names: new Set(['']), isSelective: false, nameFor: () => '' };

  const isIn = (index: number | undefined, { folder }: KptPackage): boolean =>
    index !== undefined && (folders[index] === folder || folders[index]?.startsWith(`${folder}/`) === true);
  const indexesOf = (test: (object: KubeObject) => boolean): number[] =>
    objects.flatMap((object, index) => (object !== undefined && test(object) ? [index] : []));
  const inputs = indexesOf((object) => isObserved(object) || isInputProvider(object));
  const rgds = new Map(indexesOf(isRgd).map((index) => [nameOf(objects[index] as KubeObject), index]));
  const candidates = subpackages
    .filter((one) => mutatorsIn(one.kptfile).some(isOurs) && inputs.every((index) => isIn(index, one)))
    .reverse();
  const holdsAll = (one: KptPackage, { input, rendered }: Entry): boolean =>
    isIn(input.source?.item, one) && rgdsOf(rendered).every((name) => isIn(rgds.get(name), one));
  return {
    names: new Set(all.map(({ name }) => name)),
    isSelective: isSelective(root.kptfile),
    nameFor: (entry) => (candidates.find((one) => holdsAll(one, entry)) ?? root).name,
  };
}

/** Returns the folder of an item. kpt names files relative to the folder of their package; a new item has none yet. */
function folderOf(object: KubeObject): string | undefined {
  const path = annotationOf(object, ITEM_PATH);
  if (path === undefined) return undefined;
  const folder = annotationOf(object, PACKAGE_PATH) ?? '';
  return `${folder}/${path}`.replace(/\/[^/]*$/, '');
}

/** Returns the names of the RGDs of objects; an object of a ResourceSet itself has none. */
const rgdsOf = (rendered: Entry['rendered']): string[] => {
  const names = rendered.map(({ object }) => originLabel(object, KRO_LABEL.rgdName));
  return [...new Set(names)].filter((name) => name !== '');
};

/** Without a mutator named render-rgd, any of them may be this function. */
function isSelective(kptfile: KubeObject): boolean {
  const functions = mutatorsIn(kptfile);
  const named = functions.filter(isOurs);
  return (named.length > 0 ? named : functions).some((mutator) =>
    ['selectors', 'exclude'].some((key) => listAt(mutator, key).length > 0),
  );
}

const mutatorsIn = (kptfile: KubeObject): Value[] => listOf(getAt(kptfile, ['pipeline', 'mutators'])).filter(isMap);

const isOurs = (mutator: Value): boolean =>
  ['exec', 'image', 'name'].some((key) => textAt(mutator, key).includes('render-rgd'));
