import { get, getAt, isMap, listOf, textAt, textOf, type Value } from '../../../core/model/value.ts';
import { isBelow, joinPath, parentOf, resolvePath } from '../../../core/text/paths.ts';
import { isRenderRgd } from '../../kustomization/index.ts';
import { type Application, applicationAt, type DiscoverOptions, sourceAt } from '../application.ts';
import { NotRendered } from '../not-rendered.ts';
import type { Repository } from '../repository.ts';
import { configuredSettings } from './argocd-builds.ts';

const NAME = /(^|\/)Kptfile$/;
/** Fields that decide whether a function runs (`condition`, from kpt 1.0 on), and what it reads. */
const LIMITS = ['condition', 'selectors', 'exclude'];

/** Returns the kpt packages whose pipeline runs render-rgd; a subpackage belongs to its parent. */
export function findKptPackages(repository: Repository, options: DiscoverOptions): Application[] {
  const folders = repository.tree.paths.filter((path) => NAME.test(path)).map(parentOf);
  const found = folders.flatMap((folder) => readPackage(folder, repository, options) ?? []);
  return found.filter(({ path }) => !found.some((other) => other.path !== path && isBelow(path, other.path)));
}

function readPackage(folder: string, repository: Repository, options: DiscoverOptions): Application | undefined {
  const [file] = repository.objectsOf(joinPath(folder, 'Kptfile'));
  const functions = listOf(getAt(file?.object, ['pipeline', 'mutators'])).filter(isMap);
  const own = functions.find((one) => isRenderRgd(textOf(one.exec) || textOf(one.image)));
  if (own === undefined) return undefined;
  const source = sourceAt(folder, () => {
    if (functions.length > 1) throw new NotRendered('its pipeline has other mutators, which kpt runs');
    const limit = LIMITS.find((field) => get(own, field) !== undefined);
    if (limit !== undefined) throw new NotRendered(`its pipeline runs render-rgd with ${limit}, which kpt evaluates`);
    const config = configOf(own, folder, repository);
    const settings = configuredSettings(config, 'its functionConfig', 'none', folder, options);
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
