import { type Collector, composeText, phrase, reporterFor, shown, titleText } from '../../core/diagnostics/index.ts';
import { ITEM_PATH, KRO_LABEL, OBSERVED, PACKAGE_PATH, RENDERED } from '../../core/model/keys.ts';
import { lazily } from '../../core/model/lazily.ts';
import {
  annotationOf,
  type Document,
  groupKind,
  groupVersionKind,
  identityOf,
  isKubeObject,
  isObserved,
  type KubeObject,
  nameOf,
  titleOf,
} from '../../core/model/object.ts';
import type { Entry, RenderOptions } from '../../core/model/render.ts';
import { getAt, isMap, listAt, listOf, type Path, type Value } from '../../core/model/value.ts';
import { isInputProvider } from '../../flux/index.ts';
import { definedKind, isRgd } from '../../kro/definition/index.ts';
import { isRenderRgdStep } from '../../kubernetes/kustomization/index.ts';
import type { RenderOutput } from '../../render/pipeline.ts';
import { digestOf, type KeepReason, type Known, knownOf, originLabel } from '../../render/rerender/index.ts';
import { objectsIn, rejectDuplicateKey } from '../../yaml/parse/index.ts';
import { changedObjects, itemAt, objectsAmong, partOfPackage, type ResourceList, reportKept } from './report.ts';

/** The rendered package and its subpackages, by the Kptfiles among the items. */
export interface KptPackages {
  /** Their names; only '' without a Kptfile. */
  names: ReadonlySet<string>;
  /** Whether `selectors` or `exclude` may hide items from this function. */
  isSelective: boolean;
  /** The innermost package that renders and has all sources: kpt renders subpackages first, and both must agree. */
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
    .filter((one) => mutatorsIn(one.kptfile).some(isRenderRgdStep) && inputs.every((index) => isIn(index, one)))
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
  const named = functions.filter(isRenderRgdStep);
  return (named.length > 0 ? named : functions).some((mutator) =>
    ['selectors', 'exclude'].some((key) => listAt(mutator, key).length > 0),
  );
}

const mutatorsIn = (kptfile: KubeObject): Value[] => listOf(getAt(kptfile, ['pipeline', 'mutators'])).filter(isMap);

interface Earlier {
  list: ResourceList;
  earlier: ReadonlyMap<number, KubeObject>;
  output: RenderOutput;
  options: RenderOptions;
  packages: KptPackages;
  replaced: ReadonlyMap<string, KubeObject>;
  keepReasonOf: (object: KubeObject) => KeepReason | undefined;
}

/** Reports earlier objects that are gone, and returns the indexes of those that stay. */
export function settleEarlier(given: Earlier, reports: Collector): Set<number> {
  const { list, earlier, output } = given;
  const known = knownOf(output, given.options);
  const kept = new Set<number>();
  settleReplaced(given, known, reports);
  const gone = [...earlier].filter(([, object]) => known.again(object) === undefined);
  const isPart = isPartOfPackage(output) || given.packages.isSelective;
  for (const [index, object] of gone) {
    const reporter = reporterFor(itemAt(list, index), reports);
    const keepReason = given.keepReasonOf(object) ?? (known.defined(object) ? undefined : 'no RGD');
    if (known.mayBePending(object)) {
      kept.add(index);
      const message = phrase`stays as it was rendered earlier, because its node is pending or has another id now`;
      reporter.report({ code: 'earlier-kept', message, path: [], severity: 'info' });
    } else if (keepReason !== 'another package' && known.orphaned(object)) {
      const from = `${originLabel(object, 'kind')}/${originLabel(object, 'name')}`;
      const message = phrase`was rendered from ${{ origin: from }}, whose RGD is not in the input`;
      const hint = phrase`add the RGD again, or remove the instance too`;
      reporter.report({ code: 'earlier-without-rgd', message, path: [], hint });
    } else if (isPart || keepReason !== undefined) {
      kept.add(index);
      if (!isPart && keepReason !== undefined) reportKept(reporter, keepReason);
    } else {
      const message = phrase`${{ object: titleOf(object) }} is no longer rendered and was removed`;
      reporter.report({ code: 'earlier-removed', message, path: [], severity: 'info' });
    }
  }
  if (isPart && kept.size > 0) reports.add(partOfPackage(given.packages.isSelective));
  return kept;
}

/** Two earlier objects of one identity must be equal. Edited ones are reported. */
function settleReplaced(given: Earlier, known: Known, reports: Collector): void {
  const { list, earlier, replaced } = given;
  const changed: KubeObject[] = [];
  const indexes = new Map([...earlier].map(([index, object]) => [object, index]));
  for (const [index, object] of earlier) {
    const now = known.again(object);
    const first = replaced.get(identityOf(object));
    if (now === undefined || first === undefined) continue;
    if (first === object) {
      if (given.keepReasonOf(object) === 'changed' && digestOf(object) !== digestOf(now)) changed.push(object);
      continue;
    }
    const reporter = reporterFor(itemAt(list, index), reports);
    const other = indexes.get(first);
    const source = other === undefined ? undefined : itemAt(list, other).source;
    const related = [{ message: composeText`the other one`, source, path: ['metadata', 'name'] }];
    if (given.keepReasonOf(object) === undefined || digestOf(object) === digestOf(first)) {
      const message = phrase`${{ object: titleOf(object) }} is a duplicate and was removed`;
      reporter.report({ code: 'earlier-removed', message, path: [], severity: 'info', related });
    } else {
      const message = phrase`the package holds two earlier objects of this group, kind, namespace and name, and they differ`;
      const hint = phrase`remove one of them, or its annotation ${shown(RENDERED)} and rename it`;
      reporter.report({ code: 'identity-collision', message, path: ['metadata', 'name'], related, hint });
    }
  }
  if (changed.length > 0) reports.add(changedObjects(changed));
}

/** Without a Kptfile, an RGD and an instance it is unknown whether an object is no longer rendered. */
const isPartOfPackage = ({ entries }: RenderOutput): boolean =>
  !entries.some(
    ({ role, input }) => role === 'rgd' || role === 'instance' || groupVersionKind(input.object).group === 'kpt.dev',
  );

/** Objects that are neither input nor of a kind that an RGD defines: their errors do not matter here. */
export function foreignTest(list: ResourceList, definitions: readonly Document[]): (object: KubeObject) => boolean {
  const kinds = lazily(() => {
    const all = [...objectsIn(objectsAmong(list), () => true), ...objectsIn(definitions)];
    return new Set(all.filter(({ object }) => isRgd(object)).map(({ object }) => definedKind(object)));
  });
  return (object) => {
    const gvk = groupVersionKind(object);
    const isOurs = gvk.group === 'kro.run' || gvk.group === 'apiextensions.k8s.io' || kinds().has(groupKind(gvk));
    return !isOurs && annotationOf(object, OBSERVED) === undefined;
  };
}

/** The YAML errors of a list: an info in a foreign object; with `strict` a duplicate key elsewhere is an error. */
export function faultsIn(
  { faults, value, source }: ResourceList,
  foreign: (object: KubeObject) => boolean,
  strict: boolean,
): ResourceList['faults'] {
  return faults.map((fault) => {
    const report = strict ? rejectDuplicateKey(fault) : fault;
    const place = objectContaining(value, report.path);
    const object = place.length > 0 ? getAt(value, place) : undefined;
    if (!isKubeObject(object)) return report;
    const path = report.path.slice(place.length);
    const located = { ...report, object: titleText(object, false), path, source: { ...source, path: place } };
    return foreign(object) ? { ...located, severity: 'info' } : located;
  });
}

/** Returns the path of the object that contains a path, including items of a List; the empty path outside of items. */
function objectContaining(value: ResourceList['value'], path: Path): Path {
  let found: Path = [];
  for (let length = 2; path[length - 2] === 'items' && length <= path.length; length += 2) {
    const at = path.slice(0, length);
    if (isKubeObject(getAt(value, at))) found = at;
  }
  return found;
}
