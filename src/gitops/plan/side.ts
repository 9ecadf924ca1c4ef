import { placedIn, type Reviewed, renderVersion, reviewAlone } from '../../compare/review/index.ts';
import { composeText, isError, joinTexts, trusted, withoutConsequences } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute, onceFor } from '../../core/model/lazily.ts';
import {
  APPLICATION_SET_BYTES,
  APPLICATION_SET_STEPS,
  MAX_KEPT_OBJECTS,
  MAX_PLAN_OBJECTS,
} from '../../core/model/limits.ts';
import {
  groupKind,
  groupVersionKind,
  type KubeObject,
  namespaceOf,
  withNamespace,
  withoutNamespace,
} from '../../core/model/object.ts';
import { kubernetesKinds } from '../../kubernetes/schema/index.ts';
import { Meter } from '../../languages/gotemplate/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { outputReports } from '../plugin/index.ts';
import type { ApplicationVersion, Source } from './application.ts';
import { type Application, type DiscoverOptions, titleOfApplication } from './application.ts';
import { BySource } from './by-source.ts';
import { type Declared, discover, placeBelow } from './discover/index.ts';
import { type Files, readPath } from './files.ts';
import { filesOf } from './files-of.ts';
import { type LoadContext, loadSource, type RunTool } from './load.ts';
import { createRepositories, NotRendered, type Repository } from './repository.ts';

function renderSource(source: Source, context: LoadContext): ApplicationVersion {
  const { input, settings, ...loaded } = loadSource(source, context);
  const { objects, entries, reports: found } = renderVersion(input, settings);
  const beside = objectsIn(loaded.beside).map(({ object }) => reviewAlone(object));
  const reports = [...loaded.reports, ...found];
  const printed = objects.map(({ object }) => object);
  const judged = loaded.plugin ? outputReports({ entries, reports }, printed, settings.allowEmpty === true) : reports;
  const release = settings.openapi === '' ? settings.kubernetes : undefined;
  return { objects: [...objects, ...beside], reports: judged, releases: [release] };
}

/** Renders sources, and keeps what they render as long as it is little. */
class RenderedSources {
  readonly #context: LoadContext;
  readonly #kept = new BySource<ApplicationVersion>();
  #objects = 0;

  constructor(context: LoadContext) {
    this.#context = context;
  }

  /** @throws NotRendered */
  render(source: Source): ApplicationVersion {
    return this.#kept.getOrCompute(source, () => {
      const version = renderSource(source, this.#context);
      this.#objects += version.objects.length;
      // Nothing has to stay in memory: what is too much is rendered again.
      if (this.#objects > MAX_KEPT_OBJECTS) {
        this.#kept.clear();
        this.#objects = version.objects.length;
      }
      return version;
    });
  }
}

function renderApplication(
  application: Application,
  context: LoadContext,
  rendered: RenderedSources,
): ApplicationVersion {
  let versions: ApplicationVersion[];
  try {
    versions = application.sources.map((source) => rendered.render(source));
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
  const releases = versions.flatMap((one) => one.releases ?? []);
  if (errors.length === 0) return { objects: inNamespace(objects, application, context), reports, releases };
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
      .every(({ code, args }) => code === 'missing-in-instance' && args?.read === 'schema.metadata.namespace'),
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
  { repository: { kinds }, settings }: LoadContext,
): readonly Reviewed[] {
  const isDefaulted = ['Argo CD', 'Helm'].includes(controller) && namespace !== '';
  const isNamespaced = (object: KubeObject): boolean => {
    const gvk = groupVersionKind(object);
    return (
      kubernetesKinds(settings.kubernetes).find(gvk)?.namespaced ??
      kinds.get(groupKind(gvk))?.some(({ isCluster }) => isCluster) !== true
    );
  };
  return objects.map((one) => {
    const { object } = one;
    const own = namespaceOf(object);
    // An API server stores a cluster-scoped object without a namespace.
    if (own !== '') return isNamespaced(object) ? one : placedIn(one, withoutNamespace(object));
    return isDefaulted && isNamespaced(object) ? placedIn(one, withNamespace(object, namespace)) : one;
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
  /** Renders an application. Most versions do not stay in memory: they may be rendered again. */
  render: (application: Application) => ApplicationVersion;
  /** Renders an application once, and keeps the version: for a few that are read again. */
  renderOnce: (application: Application) => ApplicationVersion;
  /** Returns the files that an application reads. */
  filesOf: (application: Application) => ReadonlySet<string>;
}

export function createSide(
  repository: Repository,
  options: DiscoverOptions,
  run: RunTool | undefined,
  appliesAsIs?: true,
): Side {
  const context = { repository, settings: options.settings, run, ...(appliesAsIs && { appliesAsIs }) };
  const versions = new Map<Application, ApplicationVersion>();
  const rendered = new RenderedSources(context);
  let left = MAX_PLAN_OBJECTS;
  const renderOne = (application: Application): ApplicationVersion => {
    if (left < 0) return failed(application, `the applications before it render ${MAX_PLAN_OBJECTS} objects together`);
    const version = renderApplication(application, context, rendered);
    left -= version.objects.length;
    return version;
  };
  const renderOnce = (application: Application): ApplicationVersion =>
    getOrCompute(versions, application, () => renderOne(application));
  const meter = new Meter({ maxSteps: APPLICATION_SET_STEPS, maxBytes: APPLICATION_SET_BYTES });
  const found = discover({ ...options, repository, meter }, renderOnce);
  const render = (application: Application): ApplicationVersion => versions.get(application) ?? renderOne(application);
  return {
    ...found,
    context,
    render,
    renderOnce,
    filesOf: onceFor((application: Application) => filesOf(application, repository)),
  };
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
  const side = createSide(createRepositories()(files), options, run, true);
  const { render, unread } = side;
  const applications = appliedApplications(side);
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

/** Leaves out what only a failing application applies: it keeps what an earlier run wrote. */
function appliedApplications({ applications, declarations, parentsOf, unread, isUnbuilt }: Side): Application[] {
  const left = new Set<Application>();
  for (const one of declarations) {
    const parents = parentsOf(one);
    const fails = (parent: Application): boolean => unread.has(placeBelow(parent)) && !isUnbuilt(parent);
    const isUnapplied = parents.length > 0 && parents.every(fails);
    const isSelf = parents.some((parent) => one.applications.includes(parent));
    if (!isSelf && (isUnapplied || (one.isPart && parents.length === 0)))
      for (const application of one.applications) left.add(application);
  }
  return applications.filter((one) => !left.has(one));
}

/** Kustomizations of several clusters often have the same name. */
function folderOf({ kind, name, namespace, deployment }: Application): string {
  if (!['Flux', 'Helm'].includes(deployment.controller)) return name;
  const parts = [kind, deployment.cluster, namespace === 'flux-system' ? '' : namespace, name];
  return parts.filter((part) => part !== '').join('/');
}
