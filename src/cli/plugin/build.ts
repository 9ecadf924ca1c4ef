import { join, relative, sep } from 'node:path';
import { Collector, composeText, toReport, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type InputObject } from '../../core/model/object.ts';
import { type FoundText, readAdditionalInputs } from '../../describe/input/index.ts';
import { notBuilt, pathsOf, settingFaults, TOOL_FILES, type ToolFile, toolFor } from '../../gitops/plugin/index.ts';
import { type Definition, readRgds } from '../../kro/definition/index.ts';
import { readPackage } from '../../kubernetes/front-end/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import type { SettingsOf, Variables } from '../../render/options/index.ts';
import {
  defaultsOf,
  flag,
  hasParameters,
  list,
  pluginOptions,
  readPluginParameters,
  settingFromText,
} from '../../render/options/index.ts';
import { objectsIn, readStreams, type TextStream } from '../../yaml/parse/index.ts';
import { parseArguments } from '../command.ts';
import {
  byteOrder,
  isPresent,
  nearestAbove,
  outside,
  placeOf,
  realPath,
  type Within,
  withinAny,
} from '../file-system.ts';
import { readerWith, readFiles, skippedFiles } from '../files.ts';
import { MetFiles } from '../met-files.ts';
import { runTool, type Tool } from '../tool.ts';
import type { Output } from '../write/index.ts';

/** The settings of an administrator in plugin.yaml: defaults and limits of Applications. */
export const administratorOptions = {
  ...pluginOptions,
  allowDir: list('DIR', 'Allow Applications to read this folder in addition to their repository.'),
  allowRemote: flag('Allow kustomize to fetch URLs; git uses https only.'),
};

/** The plugin always prints all objects. */
export type PluginSettings = SettingsOf<typeof administratorOptions> & { all: true };

export interface Given {
  settings: PluginSettings;
  /** The settings of an administrator, which Applications override. */
  defaults: PluginSettings;
  variables: Variables;
  /** The root of the working copy, with links followed. */
  repository: string;
  /** The boundary of reading: the repository, and folders that an administrator allowed. */
  within: Within;
}

/** Reads the flags of plugin.yaml, then the parameters of the Application, which override them. */
export function readGiven(
  flags: readonly string[],
  variables: Variables,
  reports: Collector,
): Given | { fault: string } {
  const { values, paths, fault } = parseArguments(flags, administratorOptions);
  if (fault !== undefined) return { fault };
  const [path] = paths;
  if (path !== undefined) return { fault: `unexpected argument ${path}` };
  const defaults = { ...defaultsOf(administratorOptions), ...(values as Partial<PluginSettings>), all: true } as const;
  const { settings, problems } = readPluginParameters(variables, defaults);
  for (const problem of problems) reports.add({ ...toReport(problem), object: composeText`parameters` });
  const namespace = settings.namespace || namespaceOfApplication(variables, reports);
  const repository = repositoryOf(variables);
  const within = withinAny([repository, ...settings.allowDir]);
  return { settings: { ...settings, namespace }, defaults, variables, repository, within };
}

/** Returns the namespace of the destination, which Argo CD does not validate. */
function namespaceOfApplication({ ARGOCD_APP_NAMESPACE: name = '' }: Variables, reports: Collector): string {
  const parsed = settingFromText(pluginOptions.namespace, name);
  if (!('fault' in parsed)) return name;
  const message = composeText`ARGOCD_APP_NAMESPACE: ${trusted.argument(parsed.fault)}`;
  const hint = composeText`change spec.destination.namespace of the Application`;
  reports.add(unplaced('plugin-parameter', message, hint));
  return '';
}

/**
 * Returns the root of the working copy: the folder where the CMP server unpacked it, else the one that contains .git,
 * else this folder. The server works below ARGOCD_CMP_WORKDIR or the temporary folder of Go; an Application cannot set
 * either, because its variables get a prefix.
 */
function repositoryOf(variables: Variables): string {
  const here = realPath('.') ?? '.';
  const copies = realPath(join(variables.ARGOCD_CMP_WORKDIR || variables.TMPDIR || '/tmp', '_cmp_server'));
  if (copies !== undefined && here.startsWith(copies + sep)) {
    const [first = ''] = relative(copies, here).split(sep);
    return join(copies, first);
  }
  return nearestAbove(here, '.git') ?? here;
}

/** Returns the tool for the current folder, unless its file is excluded by name. */
const toolForFolder = (exclude: readonly string[]): ToolFile | undefined =>
  toolFor((file) => isPresent(file) && !exclude.includes(file));

const toolOf = ({ build, exclude }: Given['settings']): Tool | 'none' =>
  build === 'auto' ? (toolForFolder(exclude)?.tool ?? 'none') : build;

/** The input of a rendering. */
interface Built {
  texts: FoundText[];
  /** The files of the current folder; none if a tool read them. */
  met: MetFiles;
}

/** Returns the input of the rendering: the files of the current folder, or the output of kustomize or helm. */
export function build(given: Given, reports: Collector): Built {
  const { settings, within } = given;
  const met = new MetFiles();
  const tool = toolOf(settings);
  if (tool === 'none') {
    const there = toolForFolder(settings.exclude);
    if (there !== undefined) reports.add(notBuilt(there));
    return { texts: readFolder(given, met, reports), met };
  }
  if (!TOOL_FILES[tool].some((file) => isPresent(file))) {
    const message = composeText`no ${trusted.file(TOOL_FILES[tool][0] ?? '')} in this folder`;
    reports.add(unplaced('build-failed', message, composeText`set build to none, or to auto`));
    return { texts: [], met };
  }
  const { repository, variables } = given;
  const args = tool === 'kustomize' ? ['build'] : helmArguments(given);
  const how = { folder: '.', args, repository, within, remote: settings.allowRemote, variables };
  const text = runTool(tool, how, reports);
  const file = tool === 'kustomize' ? 'kustomize build' : 'helm template';
  return { texts: text === undefined ? [] : [{ file, text }], met };
}

/** Reads the current folder. Argo CD deletes what a file has that is not read, so that such a file is a warning. */
function readFolder({ settings, within }: Given, met: MetFiles, reports: Collector): FoundText[] {
  const texts = readFiles(['.'], { exclude: settings.exclude, within, met }, reports);
  const unread = met.entries.flatMap(({ file, outcome }) =>
    outcome.is === 'unseen' && file !== undefined ? [file] : [],
  );
  if (unread.length > 0) reports.add(skippedFiles(unread.sort(byteOrder)));
  return texts;
}

/** Values follow `=` and the name follows `--`, so that none of them is read as a flag. */
function helmArguments({ settings, variables }: Given): string[] {
  const versions = (variables.KUBE_API_VERSIONS ?? '').split(',').filter((version) => version !== '');
  const name = settings.releaseName || variables.ARGOCD_APP_NAME || 'release-name';
  return [
    'template',
    '--include-crds',
    ...(settings.namespace === '' ? [] : [`--namespace=${settings.namespace}`]),
    ...(variables.KUBE_VERSION ? [`--kube-version=${variables.KUBE_VERSION}`] : []),
    ...versions.map((version) => `--api-versions=${version}`),
    ...settings.values.map((path) => `--values=${path}`),
    '--',
    name,
  ];
}

/** Rejects paths outside of the repository, pruning that was not accepted, parameters without effect. */
export function checkGiven(given: Given, reports: Collector): void {
  const { settings, defaults, within } = given;
  reports.addAll(settingFaults(settings, defaults, toolOf(settings)));
  for (const [name, paths] of pathsOf(settings)) for (const path of paths) checkPath(path, name, within, reports);
  for (const glob of settings.exclude) checkPath(fixedPart(glob), 'exclude', within, reports);
}

function checkPath(path: string, name: string, within: Within, reports: Collector): void {
  if (!within(placeOf(path))) reports.add({ ...outside(path), path: [name], object: composeText`parameters` });
}

/** Returns the part of a glob before its first wildcard. */
function fixedPart(glob: string): string {
  const steps = glob.split('/');
  const wild = steps.findIndex((step) => /[*?[{]/.test(step));
  return (wild < 0 ? steps : steps.slice(0, wild)).join('/') || (glob.startsWith('/') ? '/' : '.');
}

/** Returns the objects to render in some texts. `generate` reports their errors. */
export function findIn(
  given: Given,
  texts = readLeniently(['.'], given),
): { definitions: readonly Definition[]; instances: InputObject[] } {
  const unheard = new Collector();
  const objects = readStreams(texts, unheard);
  const pack = readPackage(
    { objects, definitions: readStreams(readLeniently(given.settings.definitions, given), unheard) },
    [],
    unheard,
  );
  const { definitions, candidates } = readRgds(pack, unheard);
  const kinds = new Set(definitions.map(groupKind));
  return { definitions, instances: candidates.filter(({ object }) => kinds.has(groupKind(groupVersionKind(object)))) };
}

function readLeniently(paths: readonly string[], { settings, within }: Given): TextStream[] {
  const named = paths.filter((path) => path !== '-');
  return readFiles(named, { exclude: settings.exclude, within }, new Collector());
}

/** An Application that names the plugin needs output: after an error in its parameters, `generate` reports it. */
export function discover(given: Given, reports: Collector): Output {
  const { build, definitions } = given.settings;
  if (build === 'kustomize' || build === 'helm') return [`build: ${build}\n`];
  // Argo CD's own kustomize and helm handle such a folder; an Application with parameters names the plugin.
  const built = toolForFolder(given.settings.exclude)?.tool;
  if (built !== undefined && build === 'auto') return [`build: ${built}\n`];
  if (built !== undefined && !hasParameters(given.variables)) return [];
  const files = readLeniently(['.'], given);
  const rendered = files.find(isRendered);
  if (rendered !== undefined) return [`${rendered.file}\n`];
  if (isWrong(given, reports)) return ['a parameter is wrong: see generate\n'];
  if (definitions.length === 0) return [];
  const [instance] = findIn(given, files).instances;
  return instance?.source === undefined ? [] : [`${instance.source.file}\n`];
}

/** Settings of an administrator do not affect Applications without parameters. */
function isWrong(given: Given, reports: Collector): boolean {
  if (!hasParameters(given.variables)) return false;
  if (reports.hasErrors) return true;
  const found = new Collector();
  checkGiven(given, found);
  if (found.hasErrors) return true;
  const { settings, within } = given;
  readAdditionalInputs(settings, readerWith({ exclude: settings.exclude, within }), found);
  return found.hasErrors;
}

/** Most files of a repository are classified by their text, without parsing them. */
function isRendered(stream: TextStream): boolean {
  if (!/kro\.run\/|fluxcd\.controlplane\.io\//.test(stream.text)) return false;
  const problems = new Collector();
  const objects = objectsIn(readStreams([stream], problems));
  if (problems.all.length > 0) return OF_KRO.test(stream.text) || OF_SETS.test(stream.text);
  return objects.some(
    ({ object }) => groupVersionKind(object).group === 'kro.run' || FRONT_ENDS.some((one) => one.takes(object)),
  );
}

const OF_KRO = /^[ \t{,-]*["']?apiVersion["']?\s*:\s*["']?kro\.run\//m;
const OF_SETS = /^[ \t{,-]*["']?kind["']?\s*:\s*["']?ResourceSet\b/m;
