import {
  composeText,
  isError,
  joinTexts,
  type Report,
  type Text,
  trusted,
  withoutConsequences,
} from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type KubeObject, namespaceOf, withNamespace } from '../../core/model/object.ts';
import { builtinKinds } from '../../kubernetes/schema/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { outputReports } from '../plugin/index.ts';
import { placedIn, type Reviewed, renderVersion, reviewAlone } from '../review/index.ts';
import { type Application, titleOfApplication } from './application.ts';
import { readPath } from './files.ts';
import { type LoadContext, loadSource } from './load.ts';
import { NotRendered } from './not-rendered.ts';

/** One version of an application: its objects, or the error. */
export interface ApplicationVersion {
  objects: readonly Reviewed[];
  error?: Text;
  /** Errors and warnings of its rendering. */
  reports: readonly Report[];
  /** Whether it cannot be rendered here, although it is valid. */
  isForeign?: true;
}

/** Renders an application as it is deployed. */
export function renderApplication(application: Application, context: LoadContext): ApplicationVersion {
  const versions: { objects: readonly Reviewed[]; reports: readonly Report[] }[] = [];
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
    if (files.some(({ text }) => PLACEHOLDER.test(text))) return foreign('its files are templates of another tool');
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
const lacksNamespace = (versions: readonly { reports: readonly Report[] }[]): boolean =>
  versions.every(({ reports }) =>
    reports
      .filter(isError)
      .every(({ code, message }) => code === 'missing-in-instance' && message.includes('namespace')),
  );

/** A name with a placeholder, in a skeleton of a developer portal: `{{ .Values.name }}`, `${{ values.name }}`, `<name>`. */
const PLACEHOLDER = /\b(name|namespace):.*(\{\{.*\}\}|<[\w-]+>)/;

/** Sets the namespace of the destination, as the controller does. */
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

const titleOfReport = ({ source, object, message }: Report): Text =>
  joinTexts(
    [source && trusted.file(source.file), object, message].flatMap((part) => part || []),
    ': ',
  );
