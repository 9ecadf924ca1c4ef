import { existsSync } from 'node:fs';
import type { FoundText } from '../../authoring/input/index.ts';
import { type Collector, publicText } from '../../core/diagnostics/index.ts';
import { placeOf } from '../boundary.ts';
import { readFiles } from '../files.ts';
import type { Given } from './given.ts';
import { runTool } from './tool.ts';
import { chartFolders } from './tree/chart.ts';
import { checkKustomization, KUSTOMIZATION_FILES } from './tree/kustomization.ts';
import { checkLinks } from './tree/links.ts';

type Tool = 'kustomize' | 'helm';

const FILES: Readonly<Record<Tool, readonly string[]>> = {
  kustomize: KUSTOMIZATION_FILES,
  helm: ['Chart.yaml'],
};

/** Returns the tool for the current folder, unless its file is excluded by name. */
export const toolForFolder = (exclude: readonly string[]): Tool | undefined =>
  (Object.keys(FILES) as Tool[]).find((tool) =>
    FILES[tool].some((file) => existsSync(file) && !exclude.includes(file)),
  );

/** Returns the tool that runs in the current folder. */
export const toolOf = ({ build, exclude }: Given['settings']): Tool | 'none' =>
  build === 'auto' ? (toolForFolder(exclude) ?? 'none') : build;

/** Returns the input of the rendering: the files of the current folder, or the output of kustomize or helm. */
export function build(given: Given, reports: Collector): FoundText[] {
  const { settings, within } = given;
  const tool = toolOf(settings);
  if (tool === 'none') {
    const there = toolForFolder(settings.exclude);
    if (there !== undefined) reportNotBuilt(there, reports);
    return readFiles(['.'], { exclude: settings.exclude, stdin: new Uint8Array(), within }, reports);
  }
  if (!FILES[tool].some((file) => existsSync(file))) {
    const message = publicText`no ${FILES[tool][0] ?? ''} in this folder`;
    reports.add({ code: 'build-failed', message, path: [], hint: publicText`set build to none, or to auto` });
    return [];
  }
  if (!checkTree(tool, given, reports)) return [];
  const args = tool === 'kustomize' ? ['build', '.'] : helmArguments(given);
  const text = runTool(tool, args, given, reports);
  return text === undefined ? [] : [{ file: tool === 'kustomize' ? 'kustomize build' : 'helm template', text }];
}

/** Checks that the tool may read all of its inputs, and fetches nothing. */
function checkTree(tool: Tool, { settings, within }: Given, reports: Collector): boolean {
  const own = reports.part();
  const allowed = { within, remote: settings.allowRemote };
  const folders = tool === 'kustomize' ? checkKustomization('.', allowed, own) : chartFolders('.', within, own);
  if (own.all.length > 0) return false;
  return folders.every((folder) => checkLinks(folder, within, reports));
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
    // helm would fetch a URL: it gets the path that was checked.
    ...settings.values.map((path) => `--values=${placeOf(path)}`),
    '--',
    name,
    '.',
  ];
}

/** Reports files of a tool that does not run: patches, prefixes and values would be lost, and their objects pruned. */
function reportNotBuilt(tool: Tool, reports: Collector): void {
  const file = FILES[tool].find((name) => existsSync(name)) ?? '';
  const message = publicText`this folder is for ${tool}, which would not run`;
  const hint = publicText`set build to auto; to read the files as they are, exclude ${file}`;
  reports.add({ code: 'build-not-asked', message, path: [], hint });
}
