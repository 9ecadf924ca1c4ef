/** What the plugin of Argo CD refuses: `plugin generate` and `plan` decide alike. */

import { Collector, composeText, type Report, trusted, withoutConsequences } from '../../core/diagnostics/index.ts';
import { KUSTOMIZATION_FILES } from '../../core/model/kustomization.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { applying, refuseIncomplete } from '../../kubernetes/select/index.ts';
import type { pluginOptions, SettingsOf } from '../../render/options/index.ts';
import type { RenderOutput } from '../../render/pipeline.ts';

/** The options of the plugin, as its parameters set them. */
export type PluginSettings = SettingsOf<typeof pluginOptions>;
export type Tool = 'kustomize' | 'helm';

export const TOOL_FILES: Readonly<Record<Tool, readonly string[]>> = {
  kustomize: KUSTOMIZATION_FILES,
  helm: ['Chart.yaml'],
};

/** A tool that builds a folder, and the file that says so. */
export interface ToolFile {
  tool: Tool;
  file: string;
}

export function toolFor(isThere: (file: string) => boolean): ToolFile | undefined {
  for (const tool of Object.keys(TOOL_FILES) as Tool[]) {
    const file = TOOL_FILES[tool].find(isThere);
    if (file !== undefined) return { tool, file };
  }
  return undefined;
}

/** Returns why the plugin refuses settings. `defaults` are those of an administrator, for all Applications. */
export function settingFaults(settings: PluginSettings, defaults: PluginSettings, tool: Tool | 'none'): Report[] {
  const faults: Report[] = [];
  const report = (message: string, name: string, hint: string): void => {
    const about = { path: [name], object: composeText`parameters` };
    const texts = { message: trusted.argument(message), hint: trusted.argument(hint) };
    faults.push({ code: 'plugin-parameter', ...texts, ...about });
  };
  if (settings.onPending === 'skip' && !settings.acceptPrune) {
    const hint = 'set acceptPrune to true if this is intended, or supply the live objects with observed';
    report('with skip, objects that were rendered before and are omitted now are pruned', 'onPending', hint);
  }
  for (const [name, paths] of pathsOf(settings)) {
    if (paths.includes('-')) report('standard input is empty here', name, 'name a file of the repository');
  }
  if (tool === 'helm') return faults;
  for (const name of ['values', 'releaseName'] as const) {
    if (settings[name].length > 0 && settings[name] !== defaults[name])
      report('only helm reads it, which would not run', name, 'set build to helm');
  }
  return faults;
}

export function pathsOf(settings: PluginSettings): (readonly [name: string, paths: readonly string[]])[] {
  const { definitions, observed, values, openapi, inputsFrom, defaults } = settings;
  const single = Object.entries({ openapi, inputsFrom, defaults });
  return [
    ...Object.entries({ definitions, observed, values }),
    ...single.flatMap(([name, path]) => (path === '' ? [] : [[name, [path]] as const])),
  ];
}

/** Reports files of a tool that does not run: patches, prefixes and values would be lost, and their objects pruned. */
export const notBuilt = ({ tool, file }: { tool: Tool; file: string }): Report => ({
  code: 'build-not-asked',
  message: composeText`this folder is for ${tool}, which would not run`,
  path: [],
  hint: composeText`set build to auto; to read the files as they are, exclude ${trusted.file(file)}`,
});

/** Returns all reports of a rendering, and why Argo CD must not apply it. `printed` are its objects. */
export function outputReports(
  { entries, reports }: Pick<RenderOutput, 'entries' | 'reports'>,
  printed: readonly KubeObject[],
  allowEmpty: boolean,
): readonly Report[] {
  const all = new Collector();
  for (const report of withoutConsequences(reports)) all.add(strictly(report));
  refuseIncomplete(entries, applying('Argo CD applies no object without it'), all);
  if (printed.length === 0 && !allowEmpty && !all.hasErrors) all.add(EMPTY);
  return all.all;
}

/** An undefined instance would be applied, and its objects pruned. */
const strictly = (report: Report): Report =>
  report.code === 'undefined-kind' && report.isDoubtful !== true ? { ...report, severity: 'error' } : report;

const EMPTY: Report = {
  code: 'empty-output',
  message: composeText`nothing is left to apply, which would delete everything that was`,
  path: [],
  hint: composeText`add an instance, or set allowEmpty`,
};
