import { join, relative, sep } from 'node:path';
import type { Collector } from '../../diagnostics/index.ts';
import { parseArguments, readPluginParameters, type Settings, type Variables } from '../../options/index.ts';
import { realPath, type Within, withinAny } from '../boundary.ts';
import { nearestAbove } from './nearest-above.ts';

/** What a call of the plugin has to go by. */
export interface Given {
  settings: Settings;
  variables: Variables;
  /** The top of the working copy, links followed. */
  repository: string;
  /** What may be read: the repository, and what an administrator allowed. */
  within: Within;
}

/** Flags of plugin.yaml, then the parameters of the Application over them. */
export function readGiven(
  flags: readonly string[],
  variables: Variables,
  reports: Collector,
): Given | { fault: string } {
  const parsed = parseArguments(flags, 'administrator');
  if ('fault' in parsed) return parsed;
  const [path] = parsed.paths;
  if (path !== undefined) return { fault: `unexpected argument ${path}` };
  const { settings, problems } = readPluginParameters(variables, { ...parsed.settings, all: true });
  for (const problem of problems) reports.add({ ...problem, object: 'parameters' });
  const namespace = settings.namespace || (variables.ARGOCD_APP_NAMESPACE ?? '');
  const repository = repositoryOf(variables);
  const within = withinAny([repository, ...settings.allowDir]);
  return { settings: { ...settings, namespace }, variables, repository, within };
}

/**
 * The top of the working copy: the folder that the CMP server unpacked it to, else what holds .git, else this folder.
 * The server works below ARGOCD_CMP_WORKDIR or the folder for temporary files, as Go finds it; neither can be set by
 * an Application, whose variables all get a prefix.
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
