import { placedIn, type Reviewed, renderVersion, reviewAlone } from '../../compare/review/index.ts';
import { composeText, isError, joinTexts, trusted, withoutConsequences } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { APPLICATION_SET_BYTES, APPLICATION_SET_STEPS } from '../../core/model/limits.ts';
import { groupKind, groupVersionKind, type KubeObject, namespaceOf, withNamespace } from '../../core/model/object.ts';
import { joinPath } from '../../core/text/paths.ts';
import { builtinKinds } from '../../kubernetes/schema/index.ts';
import { Meter } from '../../languages/gotemplate/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { outputReports } from '../plugin/index.ts';
import type { ApplicationVersion } from './application.ts';
import { type Application, applicationKey, type DiscoverOptions, titleOfApplication } from './application.ts';
import { type Declared, discover, placeBelow } from './discover/index.ts';
import { type Files, readPath } from './files.ts';
import { filesOf } from './files-of.ts';
import { kustomizationFile } from './kustomization.ts';
import { type LoadContext, loadSource, type RunTool } from './load.ts';
import { createRepositories, NotRendered, type Repository } from './repository.ts';

function renderApplication(application: Application, context: LoadContext): ApplicationVersion {
  const versions: ApplicationVersion[] = [];
  try {
    for (const source of application.sources) {
      const { input, settings, ...loaded } = loadSource(source, context);
      const { objects, entries, reports: found } = renderVersion(input, settings);
      const beside = objectsIn(loaded.beside).map(({ object }) => reviewAlone(object));
      const reports = [...loaded.reports, ...found];
      const printed = objects.map(({ object }) => object);
      const judged = loaded.plugin
        ? outputReports({ entries, reports }, printed, settings.allowEmpty === true)
        : reports;
      versions.push({ objects, reports: judged }, { objects: beside, reports: [] });
    }
  } catch (error) {
    if (!(error instanceof NotRendered)) throw error;
    return error.type === 'none' ? foreign(error.message) : failed(application, error.message);
  }
  const objects = versions.flatMap((one) => one.objects);
  const reports = withoutConsequences(versions.flatMap((one) => one.reports));
  const errors = reports.filter(isError);
  if (errors.length > 0 && application.kind === 'folder') {
    if (lacksNamespace(versions)) return foreign(NO_NAMESPACE);
    const files = readPath(context.repository.tree, application.path);
    if (files.some(({ text }) => hasPlaceholder(text))) return foreign('its files are templates of another tool');
  }
  if (errors.length === 0) return { objects: inNamespace(objects, application, context), reports };
  const [first] = errors;
  const more = errors.length === 1 ? '' : composeText` (and ${errors.length - 1} more)`;
  return { objects: [], error: composeText`${first === undefined ? '' : titleOfReport(first)}${more}`, reports };
}

const foreign = (reason: string): ApplicationVersion => ({
  objects: [],
  error: trusted.error(reason),
  reports: [],
  isForeign: true,
});

/** The controller, kustomize or helm rejects it: nothing changes in the cluster. */
function failed(application: Application, fault: string): ApplicationVersion {
  const message = trusted.error(fault);
  const object = titleOfApplication(application);
  const { place, path } = application;
  const where = [place, path].find((one) => one !== '') ?? '.';
  const placed = composeText`${trusted.file(where)}: ${message}`;
  return { objects: [], error: message, reports: [{ code: 'application-fails', message: placed, path: [], object }] };
}

const NO_NAMESPACE = 'an instance has no namespace, and no application says where the folder is deployed';

/** A folder that nothing deploys may lack what an application would set. */
const lacksNamespace = (versions: readonly ApplicationVersion[]): boolean =>
  versions.every(({ reports }) =>
    reports
      .filter(isError)
      .every(({ code, message }) => code === 'missing-in-instance' && message.includes('namespace')),
  );

/** A name with a placeholder, in a skeleton of a developer portal: `{{ .Values.name }}`, `${{ values.name }}`, `<name>`. */
function hasPlaceholder(text: string): boolean {
  return text.split('\n').some((line) => {
    const at = /\b(?:name|namespace):/.exec(line)?.index;
    if (at === undefined) return false;
    const open = line.indexOf('{{', at);
    return (open >= 0 && line.includes('}}', open + 2)) || /<[\w-]+>/.test(line.slice(at));
  });
}

function inNamespace(
  objects: readonly Reviewed[],
  { deployment: { controller, namespace } }: Application,
  { repository: { kinds } }: LoadContext,
): readonly Reviewed[] {
  if (!['Argo CD', 'Helm'].includes(controller) || namespace === '') return objects;
  const isNamespaced = (object: KubeObject): boolean => {
    const gvk = groupVersionKind(object);
    return builtinKinds.find(gvk)?.namespaced ?? kinds.get(groupKind(gvk))?.some(({ isCluster }) => isCluster) !== true;
  };
  return objects.map((one) => {
    const { object } = one;
    if (namespaceOf(object) !== '' || !isNamespaced(object)) return one;
    return placedIn(one, withNamespace(object, namespace));
  });
}

const titleOfReport = ({ source, object, message }: ApplicationVersion['reports'][number]) =>
  joinTexts(
    [source && trusted.file(source.file), object, message].flatMap((part) => part || []),
    ': ',
  );

export interface Side extends Declared {
  /** Reports whether something that an object or a render-rgd.yaml declares reads a file. */
  isDeployed: (file: string) => boolean;
  context: LoadContext;
  render: (application: Application) => ApplicationVersion;
}

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
  const meter = new Meter({ maxSteps: APPLICATION_SET_STEPS, maxBytes: APPLICATION_SET_BYTES });
  const found = discover({ ...options, repository, meter }, early);
  // Only what discovery rendered is rendered twice: nothing else has to stay in memory.
  const render = (application: Application): ApplicationVersion =>
    versions.get(application) ?? renderApplication(application, context);
  return { ...found, context, render };
}

/** Leaves out what the other version cannot expand, which stays as it is, and folders that something deploys there. */
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

export interface RenderedApplication extends ApplicationVersion {
  application: Application;
  /** Depends on the application alone, so that another one never moves it. */
  folder: string;
  /** It is not rendered, so that the applications that it declares are unknown. */
  hidesOthers?: true;
}

/** Renders to the objects that are applied: instances that a controller expands stay, and folders are unique. */
export function renderRepository(
  files: Files,
  options: DiscoverOptions,
  run: RunTool | undefined,
): RenderedApplication[] {
  const { applications, render, unread } = createSide(createRepositories()(files), options, run, true);
  const inFolders = groupBy(applications, folderOf);
  return applications.map((application) => {
    const folder = folderOf(application);
    const isSet = application.kind === 'ApplicationSet';
    const [other] = (inFolders.get(folder) ?? []).filter((one) => one !== application && !isSet);
    if (other === undefined) {
      const version = render(application);
      const hidesOthers = unread.has(placeBelow(application)) || (isSet && !version.isForeign);
      return { application, folder, ...version, ...(hidesOthers && { hidesOthers }) };
    }
    const where = other.place || other.path || '.';
    const error = composeText`${titleOfApplication(other)} (${trusted.file(where)}) has the same folder, ${trusted.file(folder)}: rename one of them`;
    return { application, folder, objects: [], reports: [], error };
  });
}

/** Kustomizations of several clusters often have the same name. */
function folderOf({ kind, name, namespace, deployment }: Application): string {
  if (!['Flux', 'Helm'].includes(deployment.controller)) return name;
  const parts = [kind, deployment.cluster, namespace === 'flux-system' ? '' : namespace, name];
  return parts.filter((part) => part !== '').join('/');
}
