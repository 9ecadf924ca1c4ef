import { format } from '../../../core/diagnostics/index.ts';
import { nameOf } from '../../../core/model/object.ts';
import { get, getAt, isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { defaultsOf, pluginOptions, readPluginParameters } from '../../../render/options/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import type { Application, DiscoverOptions, PackageSettings, Source } from '../application.ts';
import { type FileTree, joinPath, resolvePath } from '../files.ts';
import { isSameRepository } from './repository-url.ts';
import { textOf, textsOf } from './values.ts';

export const KUSTOMIZATION_FILES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

export const isKustomizationFolder = (tree: FileTree, path: string): boolean =>
  KUSTOMIZATION_FILES.some((name) => tree.has(joinPath(path, name)));

/**
 * Reads an Application of Argo CD: the source of its manifests, and how they are built
 * (https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/).
 */
export function readApplication(application: ValueMap, tree: FileTree, options: DiscoverOptions): Application {
  const spec = get(application, 'spec');
  const many = get(spec, 'sources');
  // The input of the source hydrator, which writes its output to another branch.
  const dry = getAt(spec, ['sourceHydrator', 'drySource']);
  const given = isMap(dry) ? [dry] : Array.isArray(many) && many.length > 0 ? many : [get(spec, 'source') ?? null];
  // A source with a ref and no path contains values for others.
  const wanted = given.filter((source) => textOf(get(source, 'ref')) === '' || get(source, 'path') !== undefined);
  const name = nameOf(application);
  const destination = textOf(getAt(spec, ['destination', 'namespace']));
  const sources = wanted.map((source) => readSource(source, { name, namespace: destination, tree, options }));
  return { kind: 'Application', name, path: sources[0]?.path ?? '', sources };
}

interface Context {
  name: string;
  namespace: string;
  tree: FileTree;
  options: DiscoverOptions;
}

function readSource(source: Value, context: Context): Source {
  const { tree, options } = context;
  const given = textOf(get(source, 'path'));
  const none = (reason: string, path = given): Source => ({ type: 'none', path, reason });
  const chart = textOf(get(source, 'chart'));
  const url = textOf(get(source, 'repoURL'));
  if (chart !== '') return none(`the chart ${chart} is in another repository`, '');
  if (!isSameRepository(url, options.urls)) return none(`its source is another repository: ${url}`);
  const path = resolvePath('', given);
  if (path === undefined) return none(`${given} is outside the repository`);
  const revision = textOf(get(source, 'targetRevision'));
  if (revision !== '' && revision !== 'HEAD' && !tree.has(path) && tree.folder(path) === undefined) {
    return none(`its source is the revision ${revision}, and this one lacks its path`, path);
  }
  const plugin = get(source, 'plugin');
  if (isMap(plugin)) return pluginSource(plugin, path, context);
  if (isMap(get(source, 'kustomize')) && Object.keys(get(source, 'kustomize') as ValueMap).length > 0) {
    return none('spec.source.kustomize of the Application changes what kustomize builds', path);
  }
  const isHelm = get(source, 'helm') !== undefined || tree.has(joinPath(path, 'Chart.yaml'));
  // The setting kustomize.buildOptions of an administrator is not in the repository.
  if (isKustomizationFolder(tree, path)) return { type: 'kustomize', path, functions: true, plugin: undefined };
  if (isHelm) return helmSource(get(source, 'helm'), path, context);
  const directory = get(source, 'directory');
  const exclude = textOf(get(directory, 'exclude'));
  return {
    type: 'manifests',
    path,
    recurse: get(directory, 'recurse') === true,
    include: textOf(get(directory, 'include')),
    exclude: exclude === '' ? [] : [exclude],
  };
}

/** The name of the plugin may end with its version. */
const OURS = /^render-rgd(-.*)?$/;

function pluginSource(plugin: ValueMap, path: string, { name, namespace, tree, options }: Context): Source {
  const none = (reason: string): Source => ({ type: 'none', path, reason });
  const called = textOf(get(plugin, 'name'));
  if (called !== '' && !OURS.test(called)) return none(`it is built by the plugin ${called}`);
  const { settings, problems } = readPluginParameters(
    { ARGOCD_APP_PARAMETERS: toJsonText(get(plugin, 'parameters') ?? []) },
    defaultsOf(pluginOptions),
  );
  const [problem] = problems;
  if (problem !== undefined) return none(`the parameter ${problem.path.join('.')} ${format(problem.message)}`);
  const beside = resolvePathSettings(settings, path);
  if ('outside' in beside) return none(`${beside.outside} is outside the repository`);
  const own: PackageSettings = {
    ...options.settings,
    ...settings,
    ...beside,
    namespace: settings.namespace || namespace,
    all: true,
  };
  const isFor = (file: string): boolean => tree.has(joinPath(path, file));
  const tool =
    settings.build !== 'auto'
      ? settings.build
      : isKustomizationFolder(tree, path)
        ? 'kustomize'
        : isFor('Chart.yaml')
          ? 'helm'
          : 'none';
  if (tool === 'kustomize') return { type: 'kustomize', path, functions: false, plugin: own };
  if (tool === 'helm') {
    const args = ['template', '--include-crds', `--namespace=${own.namespace}`];
    const values = settings.values.flatMap((file) => resolvePath(path, file) ?? []);
    return { type: 'helm', path, arguments: [...args, settings.releaseName || name], values, plugin: own };
  }
  return { type: 'package', path, settings: own };
}

type PathSetting = 'definitions' | 'observed' | 'openapi' | 'inputsFrom' | 'defaults';

/** Returns the paths of settings, relative to the root of the repository. */
export function resolvePathSettings(
  { definitions, observed, openapi, inputsFrom, defaults }: Pick<PackageSettings, PathSetting>,
  folder: string,
): Pick<PackageSettings, PathSetting> | { outside: string } {
  const outside: string[] = [];
  const at = (path: string): string => {
    if (path === '') return '';
    const found = resolvePath(folder, path);
    if (found === undefined) outside.push(path);
    return found ?? '';
  };
  const beside = {
    definitions: definitions.map(at),
    observed: observed.map(at),
    openapi: at(openapi),
    inputsFrom: at(inputsFrom),
    defaults: at(defaults),
  };
  const [first] = outside;
  return first === undefined ? beside : { outside: first };
}

const HELM_FIELDS = ['releaseName', 'valueFiles', 'namespace', 'skipCrds'];

function helmSource(helm: Value | undefined, path: string, { name, namespace }: Context): Source {
  const unknown = isMap(helm) ? Object.keys(helm).find((key) => !HELM_FIELDS.includes(key)) : undefined;
  if (unknown !== undefined)
    return { type: 'none', path, reason: `spec.source.helm.${unknown} of the Application is not read` };
  const files = textsOf(get(helm, 'valueFiles'));
  const values = files.map((file) => resolvePath(path, file));
  const outside = files.find((file, index) => values[index] === undefined || file.startsWith('$'));
  if (outside !== undefined) return { type: 'none', path, reason: `the values file ${outside} is not in the folder` };
  const args = ['template', ...(get(helm, 'skipCrds') === true ? [] : ['--include-crds'])];
  const into = textOf(get(helm, 'namespace')) || namespace;
  return {
    type: 'helm',
    path,
    arguments: [...args, ...(into === '' ? [] : [`--namespace=${into}`]), textOf(get(helm, 'releaseName')) || name],
    values: values as string[],
    plugin: undefined,
  };
}
