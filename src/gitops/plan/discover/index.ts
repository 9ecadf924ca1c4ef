export type { Declaration, Origin } from './declaration.ts';
export { applierKey, type Declared, declarationKey, placeBelow } from './declared.ts';

import { Collector } from '../../../core/diagnostics/index.ts';
import { isKustomizationFile } from '../../../core/model/kustomization.ts';
import { onceFor } from '../../../core/model/lazily.ts';
import { groupKind, groupVersionKind, type InputObject } from '../../../core/model/object.ts';
import { get, isMap, listAt, textAt, textOf, type Value, type ValueMap } from '../../../core/model/value.ts';
import { foldersFrom, joinPath, parentOf, resolvePath } from '../../../core/text/paths.ts';
import { isRenderRgdStep } from '../../../kubernetes/kustomization/index.ts';
import { FUNCTION_CONFIG } from '../../../render/options/index.ts';
import { type Application, applicationAt, type Discovery, kustomizeAt, sourceAt } from '../application.ts';
import { readPath } from '../files.ts';
import { filesOf } from '../files-of.ts';
import { runsFunction } from '../kustomization.ts';
import { definitionsFor, NotRendered, type Repository } from '../repository.ts';
import { configuredSettings } from './argocd-builds.ts';
import { createDeclared, type Declared, type Render } from './declared.ts';

const FILE = 'render-rgd.yaml';

/** Returns the applications in a render-rgd.yaml in the root of the repository, which no other file describes. */
function listedApplications(given: Discovery): Application[] {
  const { tree, parse } = given.repository;
  const text = tree.text(FILE);
  if (text === undefined) return [];
  const [document] = parse([{ file: FILE, text }], new Collector(), false);
  const value: Value = document?.object ?? null;
  // A functionConfig may have the same name.
  if (get(value, 'apiVersion') !== undefined) return [];
  const names = new Set<string>();
  return listAt(value, 'applications').map((entry, index) => readEntry(entry, index, names, given));
}

function readEntry(entry: Value, index: number, names: Set<string>, options: Discovery): Application {
  const { name, path: given, ...rest }: ValueMap = isMap(entry) ? entry : {};
  const path = resolvePath('', textOf(given));
  const place = `applications[${index}]`;
  const title = textOf(name) || textOf(given) || place;
  const isTwice = names.has(title);
  names.add(title);
  const source = sourceAt(path ?? '', () => {
    if (isTwice) throw new NotRendered(`another entry of ${FILE} has the name ${title}`);
    if (textOf(given) === '') throw new NotRendered(`its entry in ${FILE} has no path`);
    if (path === undefined) throw new NotRendered(`${textOf(given)} is outside the repository`);
    const config = { ...FUNCTION_CONFIG, spec: rest };
    const settings = configuredSettings(config, `its entry in ${FILE}`, 'none', '', options);
    return { type: 'package', path, settings };
  });
  return applicationAt('listed', isTwice ? place : title, path ?? '', source);
}

const NAME = /(^|\/)Kptfile$/;
/** Fields that decide whether a function runs (`condition`, from kpt 1.0 on), and what it reads. */
const LIMITS = ['condition', 'selectors', 'exclude'];

/** Returns the kpt packages whose pipeline runs render-rgd; a subpackage belongs to its parent. */
function findKptPackages(given: Discovery): Application[] {
  const folders = given.repository.tree.paths.filter((path) => NAME.test(path)).map(parentOf);
  const found = folders.flatMap((folder) => readPackage(folder, given) ?? []);
  const paths = new Set(found.map(({ path }) => path));
  return found.filter(({ path }) => isTopmost(path, paths));
}

/** Reports whether no folder above a path is among these. */
const isTopmost = (path: string, folders: ReadonlySet<string>): boolean =>
  foldersFrom(path).every((folder) => folder === path || !folders.has(folder));

function readPackage(folder: string, given: Discovery): Application | undefined {
  const { repository } = given;
  const [file] = repository.objectsOf(joinPath(folder, 'Kptfile'));
  const functions = listAt(get(file?.object, 'pipeline'), 'mutators').filter(isMap);
  const own = functions.find(isRenderRgdStep);
  if (own === undefined) return undefined;
  const source = sourceAt(folder, () => {
    if (functions.length > 1) throw new NotRendered('its pipeline has other mutators, which kpt runs');
    const limit = LIMITS.find((field) => get(own, field) !== undefined);
    if (limit !== undefined) throw new NotRendered(`its pipeline runs render-rgd with ${limit}, which kpt evaluates`);
    const config = configOf(own, folder, repository);
    const settings = configuredSettings(config, 'its functionConfig', 'none', folder, given);
    return { type: 'package', path: folder, settings };
  });
  return applicationAt('kpt', folder || '.', folder, source);
}

function configOf(mutator: Value, folder: string, { objectsOf }: Repository): Value | undefined {
  const map = get(mutator, 'configMap');
  if (isMap(map)) return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'config' }, data: map };
  const path = textAt(mutator, 'configPath');
  const at = path === '' ? undefined : resolvePath(folder, path);
  return at === undefined ? undefined : objectsOf(at)[0]?.object;
}

/** Includes what cannot be rendered, with the reason. `render` renders what may contain further Applications. */
export function discover(given: Discovery, render: Render): Declared & { isDeployed: (file: string) => boolean } {
  const { repository } = given;
  const filesFor = onceFor((one: Application) => filesOf(one, repository));
  const walk = createDeclared(given, render);
  const listed = listedApplications(given);
  walk.follow(listed);
  for (;;) {
    const declared = walk.declared;
    const claimed = new Set<string>();
    const add = (found: readonly Application[]): Application[] => {
      for (const one of found) for (const file of filesFor(one)) claimed.add(file);
      return [...found];
    };
    const isFree = (file: string): boolean => !claimed.has(file);
    add(declared.applications);
    add(listed);
    const deployed = new Set(claimed);
    const functionKustomizations = repository.tree.paths
      .filter((path) => isKustomizationFile(path) && isFree(path))
      .map(parentOf)
      .filter((folder) => runsFunction(folder, repository));
    const others = [
      ...add(functionKustomizations.map((path) => applicationAt('kustomize', path || '.', path, kustomizeAt(path)))),
      ...add(findKptPackages(given).filter(({ path }) => isFree(path === '' ? 'Kptfile' : `${path}/Kptfile`))),
      ...folders(given, isFree),
    ];
    // What these render may deploy others of them.
    if (walk.follow(others)) continue;
    return {
      ...declared,
      applications: [...declared.applications, ...listed, ...others],
      isDeployed: (file) => deployed.has(file),
    };
  }
}

const KRO_GROUP = 'kro.run';

/** The kinds of kro's own group that no RGD defines. */
const KRO_KINDS: readonly string[] = ['Graph', 'ResourceGraphDefinition'];

/** Returns the topmost folders that contain files with instances or ResourceSets. */
function folders({ repository, settings: given }: Discovery, isFree: (file: string) => boolean): Application[] {
  const defined = new Set(
    [...repository.kinds].filter(([, files]) => files.some(({ isRgd }) => isRgd)).map(([kind]) => kind),
  );
  const names = ['ResourceSet', ...new Set([...defined].map((kind) => kind.slice(0, kind.indexOf('.'))))];
  const mentions = new RegExp(
    `\\bkind["']?:\\s*["']?(${names.map((name) => name.replace(/\W/g, '\\$&')).join('|')})\\b`,
  );
  const definesOwnGroup = [...defined].some((kind) => kind.endsWith(`.${KRO_GROUP}`));
  const isToRender = ({ object }: InputObject): boolean => {
    const gvk = groupVersionKind(object);
    const kind = groupKind(gvk);
    if (defined.has(kind) || kind === 'ResourceSet.fluxcd.controlplane.io') return true;
    // Rendering rejects an instance without an RGD. Without its folder, its objects would only be removed.
    return definesOwnGroup && gvk.group === KRO_GROUP && !repository.kinds.has(kind) && !KRO_KINDS.includes(gvk.kind);
  };
  const { exclude, definitions } = given;
  const readable = new Set(readPath(repository.tree, '', { exclude }).map(({ file }) => file));
  const isMentioned = (path: string): boolean => {
    const text = repository.tree.text(path) ?? '';
    return mentions.test(text) || (definesOwnGroup && text.includes(`${KRO_GROUP}/`));
  };
  const holding = repository
    .manifestsWith('')
    .filter((path) => readable.has(path) && isFree(path) && isMentioned(path))
    .filter((path) => repository.objectsOf(path).some(isToRender));
  const all = new Set(holding.map(parentOf));
  return [...all]
    .filter((path) => isTopmost(path, all))
    .map((path) => {
      const own = new Set(readPath(repository.tree, path).map(({ file }) => file));
      const objects = [...own].filter(isMentioned).flatMap((file) => repository.objectsOf(file));
      const wanted = objects.map(({ object }) => groupKind(groupVersionKind(object)));
      const found = definitionsFor(wanted, path, repository).filter((file) => !own.has(file));
      const settings = { ...given, definitions: definitions.length > 0 ? definitions : found };
      return applicationAt('folder', path || '.', path, { type: 'package', path, settings });
    });
}
