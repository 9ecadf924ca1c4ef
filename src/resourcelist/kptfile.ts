import { annotationOf, groupVersionKind, isKubeObject, type KubeObject, nameOf } from '../model/object.ts';
import { get, getAt, isMap, type Value } from '../model/value.ts';

/** What the Kptfile among the items says of the package. */
export interface KptPackage {
  /** Its name; '' without a Kptfile. */
  name: string;
  /** Whether `selectors` or `exclude` may hide items from this function. */
  isSelective: boolean;
}

/** The package that is rendered: kpt renders subpackages on their own, then their items together with the parent's. */
export function packageIn(items: readonly Value[]): KptPackage {
  const kptfiles = items.filter(isKubeObject).filter(isKptfile);
  const [root] = kptfiles.sort((a, b) => pathOf(a).length - pathOf(b).length);
  return root === undefined ? { name: '', isSelective: false } : { name: nameOf(root), isSelective: isSelective(root) };
}

const isKptfile = (object: KubeObject): boolean =>
  groupVersionKind(object).group === 'kpt.dev' && object.kind === 'Kptfile';

/** kpt names files from the folder of their own package. */
const pathOf = (object: KubeObject): string => {
  const folder = annotationOf(object, 'internal.config.kubernetes.io/package-path') ?? '';
  return `${folder}/${annotationOf(object, 'config.kubernetes.io/path') ?? ''}`;
};

/** Without a mutator that is called render-rgd, any of them may be this function. */
function isSelective(kptfile: KubeObject): boolean {
  const mutators = getAt(kptfile, ['pipeline', 'mutators']);
  const functions = Array.isArray(mutators) ? mutators.filter(isMap) : [];
  const named = functions.filter((mutator) => ['exec', 'image', 'name'].some((key) => isOurs(get(mutator, key))));
  return (named.length > 0 ? named : functions).some((mutator) =>
    ['selectors', 'exclude'].some((key) => {
      const filters = get(mutator, key);
      return Array.isArray(filters) && filters.length > 0;
    }),
  );
}

const isOurs = (value: Value | undefined): boolean => typeof value === 'string' && value.includes('render-rgd');
