import { isKustomizationFile } from '../../../core/model/kustomization.ts';
import { groupKind, groupVersionKind, type InputObject } from '../../../core/model/object.ts';
import { isBelow, parentOf } from '../../../core/text/paths.ts';
import { type Application, applicationAt, type Discovery, kustomizeAt } from '../application.ts';
import { readPath } from '../files.ts';
import { filesOf } from '../files-of.ts';
import { runsFunction } from '../kustomization.ts';
import { definitionsFor } from '../repository.ts';
import { type Declared, declaredApplications, type Render } from './declared.ts';
import { findKptPackages, listedApplications } from './listed.ts';

/**
 * Finds what is deployed from a repository: Applications and ApplicationSets of Argo CD, Kustomizations of Flux, and
 * entries of a render-rgd.yaml; of other files, kustomizations and kpt packages that run render-rgd, and folders with
 * instances or ResourceSets. Includes what cannot be rendered, with the reason. `render` renders what may contain
 * further Applications.
 */
export function discover(given: Discovery, render: Render): Declared & { isDeployed: (file: string) => boolean } {
  const { repository } = given;
  const { applications: deployed, ...rest } = declaredApplications(given, render);
  const claimed = new Set(deployed.flatMap((one) => [...filesOf(one, repository)]));
  const add = (found: readonly Application[]): Application[] => {
    for (const one of found) for (const file of filesOf(one, repository)) claimed.add(file);
    return [...found];
  };
  const isFree = (file: string): boolean => !claimed.has(file);
  const listed = add(listedApplications(given));
  const declared = new Set(claimed);
  const functionKustomizations = repository.tree.paths
    .filter((path) => isKustomizationFile(path) && isFree(path))
    .map(parentOf)
    .filter((folder) => runsFunction(folder, repository));
  const applications = [
    ...deployed,
    ...listed,
    ...add(functionKustomizations.map((path) => applicationAt('kustomize', path || '.', path, kustomizeAt(path)))),
    ...add(findKptPackages(given).filter(({ path }) => isFree(path === '' ? 'Kptfile' : `${path}/Kptfile`))),
    ...folders(given, isFree),
  ];
  return { applications, isDeployed: (file) => declared.has(file), ...rest };
}

/** Returns the topmost folders that contain files with instances or ResourceSets. */
function folders({ repository, settings: given }: Discovery, isFree: (file: string) => boolean): Application[] {
  const defined = [...repository.kinds].filter(([, files]) => files.some(({ isRgd }) => isRgd)).map(([kind]) => kind);
  const names = ['ResourceSet', ...new Set(defined.map((kind) => kind.slice(0, kind.indexOf('.'))))];
  const mentions = new RegExp(
    `\\bkind["']?:\\s*["']?(${names.map((name) => name.replace(/\W/g, '\\$&')).join('|')})\\b`,
  );
  const isToRender = ({ object }: InputObject): boolean => {
    const kind = groupKind(groupVersionKind(object));
    return defined.includes(kind) || kind === 'ResourceSet.fluxcd.controlplane.io';
  };
  const { exclude, definitions } = given;
  const readable = new Set(readPath(repository.tree, '', { exclude }).map(({ file }) => file));
  const isMentioned = (path: string): boolean => mentions.test(repository.tree.text(path) ?? '');
  const holding = repository
    .manifestsWith('')
    .filter((path) => readable.has(path) && isFree(path) && isMentioned(path))
    .filter((path) => repository.objectsOf(path).some(isToRender));
  const all = new Set(holding.map(parentOf));
  return [...all]
    .filter((path) => ![...all].some((other) => other !== path && isBelow(path, other)))
    .map((path) => {
      const own = new Set(readPath(repository.tree, path).map(({ file }) => file));
      const objects = [...own].filter(isMentioned).flatMap((file) => repository.objectsOf(file));
      const wanted = objects.map(({ object }) => groupKind(groupVersionKind(object)));
      const found = definitionsFor(wanted, path, repository).filter((file) => !own.has(file));
      const settings = { ...given, definitions: definitions.length > 0 ? definitions : found };
      return applicationAt('folder', path || '.', path, { type: 'package', path, settings });
    });
}

export { type Declared, placeBelow } from './declared.ts';
