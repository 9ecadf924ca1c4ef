import { format } from '../../../core/diagnostics/index.ts';
import { get, isMap, listAt, textAt, textsOf, type Value } from '../../../core/model/value.ts';
import { isBelow, joinPath, resolvePath } from '../../../core/text/paths.ts';
import { isRenderRgd } from '../../../kubernetes/kustomization/index.ts';
import { defaultsOf, pluginOptions, readFunctionConfig, readPluginParameters } from '../../../render/options/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { notBuilt, type PluginSettings, settingFaults, TOOL_FILES, type Tool, toolFor } from '../../plugin/index.ts';
import { type Discovery, type PackageSettings, type Source, settingsOfPackage } from '../application.ts';
import { readPath } from '../files.ts';
import { isSameRepository, NotRendered, type Repository, rejected } from '../repository.ts';
import { revisionFault } from '../revisions.ts';

export interface Context extends Discovery {
  name: string;
  namespace: string;
  /** All sources of the Application, to which values files may refer. */
  sources: readonly Value[];
}

/** Argo CD treats the empty settings of a type as missing, except those of a plugin. */
export function isEmpty(value: Value, type = ''): boolean {
  if (value === null || (type === 'plugin' && isMap(value))) return value === null;
  if (isMap(value)) return Object.values(value).every((item) => isEmpty(item));
  return value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

/** The fields of a source that are read, and those that do not change what is rendered. */
const KUSTOMIZE_FIELDS =
  'namePrefix nameSuffix namespace images replicas patches components ignoreMissingComponents commonLabels forceCommonLabels labelWithoutSelector labelIncludeTemplates commonAnnotations forceCommonAnnotations commonAnnotationsEnvsubst kubeVersion apiVersions';
const HELM_FIELDS =
  'releaseName valueFiles namespace skipCrds skipTests skipSchemaValidation values valuesObject parameters ignoreMissingValueFiles kubeVersion apiVersions passCredentials version';

/** @throws NotRendered if a type of source has settings that are not read */
export function checkFields(type: 'kustomize' | 'helm', own: Value): void {
  const known = (type === 'helm' ? HELM_FIELDS : KUSTOMIZE_FIELDS).split(' ');
  const field = isMap(own)
    ? Object.keys(own).find((key) => !known.includes(key) && !isEmpty(own[key] ?? null))
    : undefined;
  if (field !== undefined) throw new NotRendered(`spec.source.${type}.${field} of the Application is not read`);
  const [, variable] = /\$\{?(ARGOCD_[A-Z_]+)/.exec(toJsonText(own)) ?? [];
  if (variable !== undefined)
    throw new NotRendered(`spec.source.${type} of the Application uses ${variable} of the build`);
}

/** Reports whether a file below a path may have an object that render-rgd renders. */
const hasOwnKinds = (tree: Repository['tree'], path: string): boolean =>
  readPath(tree, path).some(({ text }) => /kro\.run\/|fluxcd\.controlplane\.io\//.test(text));

const PLUGIN_DEFAULTS = defaultsOf(pluginOptions);

/** @throws NotRendered if another plugin builds it, or this one rejects it */
export function pluginSource(plugin: Value, path: string, context: Context): Source {
  const { name, namespace } = context;
  const settings = settingsOfPlugin(plugin, path, context);
  const beside = resolvePathSettings(settings, path, context.allowDir);
  const tool = toolOfPlugin(settings, path, context.repository.tree);
  const own: PackageSettings = {
    ...settingsOfPackage(context.settings, settings, beside),
    namespace: settings.namespace || namespace,
  };
  if (tool === 'kustomize') return { type: 'kustomize', path, functions: false, plugin: own };
  if (tool === 'helm') {
    const args = ['template', '--include-crds', `--namespace=${own.namespace}`];
    const values = settings.values.flatMap((file) => resolvePath(path, file) ?? []);
    return { type: 'helm', path, arguments: [...args, settings.releaseName || name], values, plugin: own };
  }
  return { type: 'package', path, settings: own, plugin: true };
}

/** Returns the settings in the parameters of a plugin without a name, or with that of render-rgd. */
function settingsOfPlugin(plugin: Value, path: string, { repository }: Context): PluginSettings {
  const called = textAt(plugin, 'name');
  if (called !== '' && !isRenderRgd(called)) throw new NotRendered(`it is built by the plugin ${called}`);
  const parameters = get(plugin, 'parameters') ?? [];
  const variables = { ARGOCD_APP_PARAMETERS: toJsonText(parameters) };
  const { settings, problems } = readPluginParameters(variables, PLUGIN_DEFAULTS);
  const [problem] = problems;
  const isConfigured = Array.isArray(parameters) && parameters.length > 0 && problem === undefined;
  if (called === '' && !isConfigured && !hasOwnKinds(repository.tree, path))
    throw new NotRendered(
      'its plugin has no name, and nothing in its folder is for render-rgd: another plugin may build it',
    );
  if (problem !== undefined) throw rejected(`the parameter ${problem.path.join('.')} ${format(problem.message)}`);
  return settings;
}

/** Returns the tool that the plugin starts in a folder. */
function toolOfPlugin(settings: PluginSettings, path: string, tree: Repository['tree']): Tool | 'none' {
  const there = toolFor((file) => tree.has(joinPath(path, file)) && !settings.exclude.includes(file));
  const tool = settings.build === 'auto' ? (there?.tool ?? 'none') : settings.build;
  const faults = settingFaults(settings, PLUGIN_DEFAULTS, tool);
  if (tool === 'none' && there !== undefined) faults.push(notBuilt(there));
  const [fault] = faults;
  if (fault !== undefined) throw rejected(fault.message);
  if (tool !== 'none' && !TOOL_FILES[tool].some((file) => tree.has(joinPath(path, file))))
    throw rejected(`no ${TOOL_FILES[tool][0] ?? ''} in ${path}`);
  return tool;
}

type PathSetting = 'definitions' | 'observed' | 'openapi' | 'inputsFrom' | 'defaults';

/** Paths of settings from the root; `allowDir` maps folders as `/platform=platform`. @throws NotRendered for others */
function resolvePathSettings(
  { definitions, observed, openapi, inputsFrom, defaults }: Pick<PackageSettings, PathSetting>,
  folder: string,
  allowDir: readonly string[] = [],
): Pick<PackageSettings, PathSetting> {
  const mapped = (path: string): string | undefined => {
    if (!path.startsWith('/')) return resolvePath(folder, path);
    for (const entry of allowDir) {
      const at = entry.lastIndexOf('=');
      const dir = entry.slice(0, at).replace(/(?<!\/)\/+$/, '');
      if (isBelow(path, dir)) return resolvePath(entry.slice(at + 1), `.${path.slice(dir.length)}`);
    }
    return undefined;
  };
  const at = (path: string): string => {
    if (path === '') return '';
    const found = mapped(path);
    if (found !== undefined) return found;
    const isAbsolute = path.startsWith('/');
    const hint = isAbsolute ? `; --allow-dir ${path}=PATH names the folder of the repository with its files` : '';
    throw new NotRendered(`${path} is outside the repository${hint}`);
  };
  return {
    definitions: definitions.map(at),
    observed: observed.map(at),
    openapi: at(openapi),
    inputsFrom: at(inputsFrom),
    defaults: at(defaults),
  };
}

/** Reads a functionConfig, whose paths start at a folder. @throws NotRendered of a type, naming `what` */
export function configuredSettings(
  config: Value | undefined,
  what: string,
  type: NotRendered['type'],
  folder: string,
  { settings: given, allowDir }: Pick<Discovery, 'settings' | 'allowDir'>,
): PackageSettings {
  const { settings, problems } = readFunctionConfig(config);
  const [problem] = problems;
  if (problem !== undefined) throw new NotRendered(`${what} is wrong: ${format(problem.message)}`, type);
  return settingsOfPackage(given, settings, resolvePathSettings(settings, folder, allowDir));
}

export function helmSource(helm: Value, path: string, context: Context): Source {
  const { name, namespace } = context;
  checkFields('helm', helm);
  const values = textsOf(get(helm, 'valueFiles')).flatMap((file) => {
    const found = valuesFile(file, path, context);
    if (context.repository.tree.has(found)) return [found];
    if (get(helm, 'ignoreMissingValueFiles') === true) return [];
    throw rejected(`its values file ${file} does not exist`);
  });
  const flag = (field: string, option: string): string[] => (get(helm, field) === true ? [option] : []);
  const into = textAt(helm, 'namespace') || namespace;
  const kubeVersion = textAt(helm, 'kubeVersion');
  const object = get(helm, 'valuesObject');
  // Argo CD prefers the values that are an object.
  const inline = isMap(object) ? toJsonText(object) : textAt(helm, 'values');
  const args = [
    'template',
    ...(get(helm, 'skipCrds') === true ? [] : ['--include-crds']),
    ...flag('skipTests', '--skip-tests'),
    ...flag('skipSchemaValidation', '--skip-schema-validation'),
    ...(into === '' ? [] : [`--namespace=${into}`]),
    ...(kubeVersion === '' ? [] : [`--kube-version=${kubeVersion}`]),
    ...textsOf(get(helm, 'apiVersions')).map((one) => `--api-versions=${one}`),
    ...listAt(helm, 'parameters').map(setOption),
    textAt(helm, 'releaseName') || name,
  ];
  return { type: 'helm', path, arguments: args, values, ...(inline !== '' && { inline }) };
}

/** A comma separates parameters of helm, except in a list. */
function setOption(parameter: Value): string {
  const value = textAt(parameter, 'value');
  const escaped = /^\{.*\}$/s.test(value) ? value : value.replace(/(?<!\\),/g, '\\,');
  const option = get(parameter, 'forceString') === true ? '--set-string' : '--set';
  return `${option}=${textAt(parameter, 'name')}=${escaped}`;
}

/** Returns the path of a values file of this repository to which another source refers by a `ref`. */
export function referencedValues(file: string, { sources, urls }: Context): string | undefined {
  const [, ref, rest = ''] = /^\$([^/]+)\/(.*)$/s.exec(file) ?? [];
  const referenced = ref === undefined ? undefined : sources.find((one) => textAt(one, 'ref') === ref);
  return referenced !== undefined && isSameRepository(textAt(referenced, 'repoURL'), urls)
    ? resolvePath('', rest)
    : undefined;
}

/** Returns the path of a values file: from the folder, from the root, or in a source with a `ref`. @throws NotRendered */
function valuesFile(file: string, path: string, context: Context): string {
  const { sources, urls } = context;
  const none = (reason: string): NotRendered => new NotRendered(`its values file${reason}`);
  const [, ref, rest = ''] = /^\$([^/]+)\/(.*)$/s.exec(file) ?? [];
  const referenced = ref === undefined ? undefined : sources.find((one) => textAt(one, 'ref') === ref);
  if (referenced !== undefined) {
    const url = textAt(referenced, 'repoURL');
    if (!isSameRepository(url, urls)) throw none(` ${file} is in another repository: ${url}`);
    const revision = textAt(referenced, 'targetRevision');
    const other = revisionFault(revision, context);
    if (other !== undefined) throw none(` ${file} is of a source of which ${other}`);
  }
  if (/^[a-z0-9+.-]+:\/\//i.test(file)) throw none(` ${file} is not in the repository`);
  if (/[*?[{]/.test(file)) throw none(`s match ${file}, which is not read`);
  const found = referenced === undefined ? resolvePath(path, file) : resolvePath('', rest);
  if (found === undefined) throw rejected(`its values file ${file} is outside the repository`);
  return found;
}
