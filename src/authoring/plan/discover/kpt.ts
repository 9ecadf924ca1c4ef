import { format } from '../../../core/diagnostics/index.ts';
import { get, getAt, isMap, listOf, textAt, textOf, type Value } from '../../../core/model/value.ts';
import { isBelow, joinPath, parentOf, resolvePath } from '../../../core/text/paths.ts';
import { readFunctionConfig } from '../../../render/options/index.ts';
import { isRenderRgd } from '../../kustomization/index.ts';
import {
  type Application,
  applicationAt,
  type DiscoverOptions,
  type Source,
  settingsOfPackage,
} from '../application.ts';
import type { Repository } from '../repository.ts';
import { resolvePathSettings } from './argocd-builds.ts';

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
  const mutators = getAt(file?.object, ['pipeline', 'mutators']);
  const functions = listOf(mutators).filter(isMap);
  const own = functions.find((one) => isRenderRgd(textOf(one.exec) || textOf(one.image)));
  if (own === undefined) return undefined;
  const application = (source: Source): Application => applicationAt('kpt', folder || '.', folder, source);
  const none = (reason: string): Application => application({ type: 'none', path: folder, reason });
  if (functions.length > 1) return none('its pipeline has other mutators, which kpt runs');
  const limit = LIMITS.find((field) => get(own, field) !== undefined);
  if (limit !== undefined) return none(`its pipeline runs render-rgd with ${limit}, which kpt evaluates`);
  const config = configOf(own, folder, repository);
  const { settings, problems } = readFunctionConfig(config);
  const [problem] = problems;
  if (problem !== undefined) return none(`its functionConfig is wrong: ${format(problem.message)}`);
  const beside = resolvePathSettings(settings, folder, options.allowDir);
  if ('outside' in beside) return none(beside.outside);
  return application({
    type: 'package',
    path: folder,
    settings: settingsOfPackage(options.settings, settings, beside),
  });
}

function configOf(mutator: Value, folder: string, { objectsOf }: Repository): Value | undefined {
  const map = get(mutator, 'configMap');
  if (isMap(map)) return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'config' }, data: map };
  const path = textAt(mutator, 'configPath');
  const at = path === '' ? undefined : resolvePath(folder, path);
  return at === undefined ? undefined : objectsOf(at)[0]?.object;
}
