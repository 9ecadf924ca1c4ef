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

/** The tool that the current folder is for, unless its file is excluded by name. */
export const toolForFolder = (exclude: readonly string[]): Tool | undefined =>
  (Object.keys(FILES) as Tool[]).find((tool) =>
    FILES[tool].some((file) => existsSync(file) && !exclude.includes(file)),
  );

/** The tool that runs in the current folder. */
export const toolOf = ({ build, exclude }: Given['settings']): Tool | 'none' =>
  build === 'auto' ? (toolForFolder(exclude) ?? 'none') : build;

/** What there is to render: the files of the current folder, or what kustomize or helm make of them. */
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

/** Whether all that the tool is going to read may be read, and nothing of it has to be fetched. */
function checkTree(tool: Tool, { settings, within }: Given, reports: Collector): boolean {
  const own = reports.part();
  const allowed = { within, remote: settings.allowRemote };
  const folders = tool === 'kustomize' ? checkKustomization('.', allowed, own) : chartFolders('.', within, own);
  if (own.all.length > 0) return false;
  return folders.every((folder) => checkLinks(folder, within, reports));
}

/** Values are behind `=` and the name behind `--`, so that none of them is read as a flag. */
function helmArguments({ settings, variables }: Given): string[] {
  const versions = (variables.KUBE_API_VERSIONS ?? '').split(',').filter((version) => version !== '');
  const name = settings.releaseName || variables.ARGOCD_APP_NAME || 'release-name';
  return [
    'template',
    '--include-crds',
    ...(settings.namespace === '' ? [] : [`--namespace=${settings.namespace}`]),
    ...(variables.KUBE_VERSION ? [`--kube-version=${variables.KUBE_VERSION}`] : []),
    ...versions.map((version) => `--api-versions=${version}`),
    // helm would fetch a URL: it is given the place that was checked.
    ...settings.values.map((path) => `--values=${placeOf(path)}`),
    '--',
    name,
    '.',
  ];
}

/** Patches, prefixes and values would be lost, and what they made pruned. */
function reportNotBuilt(tool: Tool, reports: Collector): void {
  const file = FILES[tool].find((name) => existsSync(name)) ?? '';
  const message = publicText`this folder is for ${tool}, which would not run`;
  const hint = publicText`set build to auto; to read the files as they are, exclude ${file}`;
  reports.add({ code: 'build-not-asked', message, path: [], hint });
}
