import { format } from '../../../core/diagnostics/index.ts';
import { get, isMap, listOf, textAt, textsOf, type Value } from '../../../core/model/value.ts';
import { isBelow, joinPath, resolvePath } from '../../../core/text/paths.ts';
import { defaultsOf, pluginOptions, readPluginParameters } from '../../../render/options/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { isRenderRgd } from '../../kustomization/index.ts';
import { notBuilt, settingFaults, TOOL_FILES, toolFor } from '../../plugin/index.ts';
import { type DiscoverOptions, type PackageSettings, type Source, settingsOfPackage } from '../application.ts';
import { readPath } from '../files.ts';
import type { Repository } from '../repository.ts';
import { isPinned, isSameRepository } from './repository-url.ts';

/** An Application of which a plugin or helm may build a source. */
export interface Context {
  name: string;
  namespace: string;
  repository: Repository;
  options: DiscoverOptions;
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

/** Returns why a type of source is not rendered here. */
export function unreadField(type: 'kustomize' | 'helm', own: Value): string | undefined {
  const known = (type === 'helm' ? HELM_FIELDS : KUSTOMIZE_FIELDS).split(' ');
  const field = isMap(own)
    ? Object.keys(own).find((key) => !known.includes(key) && !isEmpty(own[key] ?? null))
    : undefined;
  if (field !== undefined) return `spec.source.${type}.${field} of the Application is not read`;
  const [, variable] = /\$\{?(ARGOCD_[A-Z_]+)/.exec(toJsonText(own)) ?? [];
  return variable === undefined ? undefined : `spec.source.${type} of the Application uses ${variable} of the build`;
}

export function pluginSource(plugin: Value, path: string, context: Context): Source {
  const { name, namespace, repository, options } = context;
  const { tree } = repository;
  const none = (reason: string): Source => ({ type: 'none', path, reason });
  const fails = (reason: string): Source => ({ type: 'fails', path, reason });
  const called = textAt(plugin, 'name');
  if (called !== '' && !isRenderRgd(called)) return none(`it is built by the plugin ${called}`);
  const parameters = get(plugin, 'parameters') ?? [];
  const defaults = defaultsOf(pluginOptions);
  const { settings, problems } = readPluginParameters({ ARGOCD_APP_PARAMETERS: toJsonText(parameters) }, defaults);
  const isForUs = (): boolean =>
    (Array.isArray(parameters) && parameters.length > 0 && problems.length === 0) ||
    readPath(tree, path).some(({ text }) => /kro\.run\/|fluxcd\.controlplane\.io\//.test(text));
  if (called === '' && !isForUs()) {
    return none('its plugin has no name, and nothing in its folder is for render-rgd: another plugin may build it');
  }
  const [problem] = problems;
  if (problem !== undefined) return fails(`the parameter ${problem.path.join('.')} ${format(problem.message)}`);
  const beside = resolvePathSettings(settings, path, options.allowDir);
  if ('outside' in beside) return none(beside.outside);
  const there = toolFor((file) => tree.has(joinPath(path, file)) && !settings.exclude.includes(file));
  const tool = settings.build === 'auto' ? (there?.tool ?? 'none') : settings.build;
  const [fault] = [
    ...settingFaults(settings, defaults, tool),
    ...(tool === 'none' && there !== undefined ? [notBuilt(there)] : []),
  ];
  if (fault !== undefined) return fails(fault.message);
  if (tool !== 'none' && !TOOL_FILES[tool].some((file) => tree.has(joinPath(path, file)))) {
    return fails(`no ${TOOL_FILES[tool][0] ?? ''} in ${path}`);
  }
  const own: PackageSettings = {
    ...settingsOfPackage(options.settings, settings, beside),
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

type PathSetting = 'definitions' | 'observed' | 'openapi' | 'inputsFrom' | 'defaults';

/**
 * Returns the paths of settings, relative to the root of the repository, or why one is not in it. `allowDir` maps
 * folders outside of the repository to folders in it, as `/platform=platform`.
 */
export function resolvePathSettings(
  { definitions, observed, openapi, inputsFrom, defaults }: Pick<PackageSettings, PathSetting>,
  folder: string,
  allowDir: readonly string[] = [],
): Pick<PackageSettings, PathSetting> | { outside: string } {
  const outside: string[] = [];
  const mapped = (path: string): string | undefined => {
    if (!path.startsWith('/')) return resolvePath(folder, path);
    for (const entry of allowDir) {
      const at = entry.lastIndexOf('=');
      const dir = entry.slice(0, at).replace(/\/+$/, '');
      if (isBelow(path, dir)) return resolvePath(entry.slice(at + 1), `.${path.slice(dir.length)}`);
    }
    return undefined;
  };
  const at = (path: string): string => {
    if (path === '') return '';
    const found = mapped(path);
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
  if (first === undefined) return beside;
  const hint = first.startsWith('/')
    ? `; --allow-dir ${first}=PATH names the folder of the repository with its files`
    : '';
  return { outside: `${first} is outside the repository${hint}` };
}

export function helmSource(helm: Value, path: string, context: Context): Source {
  const { name, namespace } = context;
  const reason = unreadField('helm', helm);
  if (reason !== undefined) return { type: 'none', path, reason };
  const values: string[] = [];
  for (const file of textsOf(get(helm, 'valueFiles'))) {
    const found = valuesFile(file, path, context);
    if ('source' in found) return found.source;
    const isMissing = !context.repository.tree.has(found.path);
    if (isMissing && get(helm, 'ignoreMissingValueFiles') === true) continue;
    if (isMissing) return { type: 'fails', path, reason: `its values file ${file} does not exist` };
    values.push(found.path);
  }
  const parameters = get(helm, 'parameters');
  const flag = (field: string, option: string): string[] => (get(helm, field) === true ? [option] : []);
  const into = textAt(helm, 'namespace') || namespace;
  const kubeVersion = textAt(helm, 'kubeVersion');
  const inline = inlineValues(helm);
  const args = [
    'template',
    ...(get(helm, 'skipCrds') === true ? [] : ['--include-crds']),
    ...flag('skipTests', '--skip-tests'),
    ...flag('skipSchemaValidation', '--skip-schema-validation'),
    ...(into === '' ? [] : [`--namespace=${into}`]),
    ...(kubeVersion === '' ? [] : [`--kube-version=${kubeVersion}`]),
    ...textsOf(get(helm, 'apiVersions')).map((one) => `--api-versions=${one}`),
    ...listOf(parameters).map(setOption),
    textAt(helm, 'releaseName') || name,
  ];
  return { type: 'helm', path, arguments: args, values, ...(inline !== '' && { inline }), plugin: undefined };
}

/** Argo CD prefers the values that are an object. */
function inlineValues(helm: Value): string {
  const object = get(helm, 'valuesObject');
  return isMap(object) ? toJsonText(object) : textAt(helm, 'values');
}

/** A comma separates parameters of helm, except in a list. */
function setOption(parameter: Value): string {
  const value = textAt(parameter, 'value');
  const escaped = /^\{.*\}$/s.test(value) ? value : value.replace(/(?<!\\),/g, '\\,');
  const option = get(parameter, 'forceString') === true ? '--set-string' : '--set';
  return `${option}=${textAt(parameter, 'name')}=${escaped}`;
}

/** Returns the path of a values file: from the folder, from the root, or in a source with a `ref`. */
function valuesFile(file: string, path: string, { sources, options }: Context): { path: string } | { source: Source } {
  const none = (reason: string): { source: Source } => ({ source: { type: 'none', path, reason } });
  const [, ref, rest = ''] = /^\$([^/]+)\/(.*)$/s.exec(file) ?? [];
  const referenced = ref === undefined ? undefined : sources.find((one) => textAt(one, 'ref') === ref);
  if (referenced !== undefined) {
    const url = textAt(referenced, 'repoURL');
    if (!isSameRepository(url, options.urls)) return none(`its values file ${file} is in another repository: ${url}`);
    const revision = textAt(referenced, 'targetRevision');
    if (isPinned(revision, options.tags)) return none(`its values file ${file} is of the revision ${revision}`);
  }
  if (/^[a-z0-9+.-]+:\/\//i.test(file)) return none(`its values file ${file} is not in the repository`);
  if (/[*?[{]/.test(file)) return none(`its values files match ${file}, which is not read`);
  const found = referenced === undefined ? resolvePath(path, file) : resolvePath('', rest);
  return found === undefined
    ? { source: { type: 'fails', path, reason: `its values file ${file} is outside the repository` } }
    : { path: found };
}
