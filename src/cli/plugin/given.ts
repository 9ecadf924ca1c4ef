import { join, relative, sep } from 'node:path';
import { type Collector, composeText, toReport, trusted, unplaced } from '../../core/diagnostics/index.ts';
import {
  defaultsOf,
  flag,
  list,
  pluginOptions,
  readPluginParameters,
  type SettingsOf,
  settingFromText,
  type Variables,
} from '../../render/options/index.ts';
import { parseArguments } from '../arguments.ts';
import { type Within, withinAny } from '../boundary.ts';
import { nearestAbove, realPath } from '../file-system.ts';

/** The settings of an administrator in plugin.yaml: defaults and limits of Applications. */
export const administratorOptions = {
  ...pluginOptions,
  allowDir: list('DIR', 'Allow Applications to read this folder in addition to their repository.'),
  allowRemote: flag('Allow kustomize to fetch URLs; git uses https only.'),
};

/** The plugin always prints all objects. */
export type PluginSettings = SettingsOf<typeof administratorOptions> & { all: true };

/** The input of a plugin call. */
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
