import { getOrCompute } from '../../core/model/lazily.ts';
import { joinPath } from '../../core/text/paths.ts';
import { type Application, applicationKey, type DiscoverOptions } from './application.ts';
import { type Declared, discover, placeBelow } from './discover/index.ts';
import { readPath } from './files.ts';
import { filesOf } from './files-of.ts';
import { kustomizationFile } from './kustomization.ts';
import type { LoadContext, RunTool } from './load.ts';
import type { Repository } from './repository.ts';
import { type ApplicationVersion, renderApplication } from './version.ts';

/** One version of a repository: its applications, and their rendering. */
export interface Side extends Declared {
  /** Reports whether something that an object or a render-rgd.yaml declares reads a file. */
  isDeployed: (file: string) => boolean;
  context: LoadContext;
  render: (application: Application) => ApplicationVersion;
}

/** Returns one version of a repository: its applications, and the context of their rendering. */
export function createSide(
  repository: Repository,
  options: DiscoverOptions,
  run: RunTool | undefined,
  appliesAsIs?: true,
): Side {
  const context = { repository, settings: options.settings, run, ...(appliesAsIs && { appliesAsIs }) };
  const versions = new Map<Application, ApplicationVersion>();
  const early = (application: Application): ApplicationVersion =>
    getOrCompute(versions, application, () => renderApplication(application, context));
  const found = discover({ ...options, repository }, early);
  // Only what discovery rendered is rendered twice: nothing else has to stay in memory.
  const render = (application: Application): ApplicationVersion =>
    versions.get(application) ?? renderApplication(application, context);
  return { ...found, context, render };
}

/**
 * Returns the applications of a version that can be compared with the other one: without those of an ApplicationSet or
 * an application that the other version cannot expand, which Argo CD leaves as they are, and without folders that something deploys there.
 */
export function comparable(side: Side, other: Side, isNewer: boolean): Application[] {
  const { applications, context, unread } = side;
  const unknown = new Set(
    other.applications.flatMap(({ kind, set }) => (kind === 'ApplicationSet' && set ? [set] : [])),
  );
  const counterparts = new Map(other.applications.map((one) => [placeBelow(one), one]));
  const places = new Set(other.applications.map(({ place }) => place));
  const gone = applications.map(({ place }) => place).filter((place) => place !== '' && !places.has(place));
  // The files of an application that the other version cannot render.
  const lost = new Set(
    applications.flatMap((one) => {
      const below = placeBelow(one);
      const counterpart = counterparts.get(below);
      const isUnread = other.unread.has(below);
      if (!isUnread && (gone.length === 0 || counterpart === undefined)) return [];
      const files = filesOf(one, context.repository);
      const fails = (): boolean => counterpart !== undefined && other.render(counterpart).error !== undefined;
      const declares = gone.some((place) => place === below || files.has(place));
      return isUnread || (declares && fails()) ? [below, ...files] : [];
    }),
  );
  const deleted = deletedWith(side, other, isNewer);
  return applications.filter((one) => {
    if (one.set !== undefined && one.kind !== 'ApplicationSet' && unknown.has(one.set)) return false;
    if (other.unread.has(one.place) || lost.has(one.place)) return false;
    if (deleted.has(one)) return false;
    // What remains of an overlay that is not built any more.
    if (unread.has(other.built.get(one.place) ?? '')) return false;
    if (one.kind !== 'folder') return true;
    const files = readPath(context.repository.tree, one.path, context.settings);
    return !files.some(({ file }) => other.isDeployed(file));
  });
}

/**
 * Returns the applications of a version that exist only because an application of the other version applies what declares
 * them, a file or an overlay: they are deleted with it, and Flux alone adds them (objects of Argo CD may have been
 * applied before). So are those that they would deploy themselves.
 */
function deletedWith(side: Side, other: Side, isNewer: boolean): ReadonlySet<Application> {
  const { applications, context, isDeployed } = side;
  const { repository } = context;
  const known = new Map<Application, ReadonlySet<string>>();
  const deploys = (one: Application, declared: readonly string[], of: LoadContext): boolean => {
    if (one.deployment.controller === '') return false;
    const files = getOrCompute(known, one, () => filesOf(one, of.repository));
    return declared.some((path) => files.has(path) || placeBelow(one) === path);
  };
  const follows = ({ deployment: { onDelete, controller } }: Application): boolean =>
    isNewer ? onDelete.word === 'deleted' : controller === 'Flux';
  const deleted = new Set<Application>();
  const isDeleted = ({ place }: Application): boolean => {
    const folder = place === '.' ? '' : place;
    // An overlay or a chart is declared by the file that says what it consists of.
    const listing = kustomizationFile(folder, repository) ?? joinPath(folder, 'Chart.yaml');
    const file = [place, listing].find((path) => repository.tree.has(path)) ?? place;
    const above = [...deleted].filter((one) => deploys(one, [place, file], context));
    const isLeft =
      above.length === 0
        ? isDeployed(file) || !other.isDeployed(file)
        : applications.some((one) => !deleted.has(one) && deploys(one, [place, file], context));
    const keys = above.map(applicationKey);
    return (
      !isLeft &&
      other.applications.some(
        (one) => follows(one) && (keys.includes(applicationKey(one)) || deploys(one, [file], other.context)),
      )
    );
  };
  for (let size = -1; size < deleted.size; ) {
    size = deleted.size;
    for (const one of applications) if (!deleted.has(one) && isDeleted(one)) deleted.add(one);
  }
  return deleted;
}
