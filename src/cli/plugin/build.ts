import type { FoundText } from '../../authoring/input/index.ts';
import { notBuilt, pathsOf, settingFaults, TOOL_FILES, toolFor } from '../../authoring/plugin/index.ts';
import { type Collector, composeText, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { isPresent, outside, placeOf, type Within } from '../boundary.ts';
import { readFiles } from '../files.ts';
import { runTool, type Tool } from '../tool.ts';
import type { Given } from './given.ts';

/** Returns the tool for the current folder, unless its file is excluded by name. */
export const toolForFolder = (exclude: readonly string[]): ReturnType<typeof toolFor> =>
  toolFor((file) => isPresent(file) && !exclude.includes(file));

/** Returns the tool that runs in the current folder. */
const toolOf = ({ build, exclude }: Given['settings']): Tool | 'none' =>
  build === 'auto' ? (toolForFolder(exclude)?.tool ?? 'none') : build;

/** Returns the input of the rendering: the files of the current folder, or the output of kustomize or helm. */
export function build(given: Given, reports: Collector): FoundText[] {
  const { settings, within } = given;
  const tool = toolOf(settings);
  if (tool === 'none') {
    const there = toolForFolder(settings.exclude);
    if (there !== undefined) reports.add(notBuilt(there));
    return readFiles(['.'], { exclude: settings.exclude, within, reportsHidden: true }, reports);
  }
  if (!TOOL_FILES[tool].some((file) => isPresent(file))) {
    const message = composeText`no ${trusted.file(TOOL_FILES[tool][0] ?? '')} in this folder`;
    reports.add(unplaced('build-failed', message, composeText`set build to none, or to auto`));
    return [];
  }
  const { repository, variables } = given;
  const args = tool === 'kustomize' ? ['build'] : helmArguments(given);
  const how = { folder: '.', args, repository, within, remote: settings.allowRemote, variables };
  const text = runTool(tool, how, reports);
  return text === undefined ? [] : [{ file: tool === 'kustomize' ? 'kustomize build' : 'helm template', text }];
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

/**
 * Reports settings that the plugin rejects: paths outside of the repository, pruning that was not accepted, parameters
 * without effect.
 */
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
