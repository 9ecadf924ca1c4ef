import { composeText, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { type Application, titleOfApplication } from './application.ts';
import { placeBelow } from './discover/index.ts';
import type { Files } from './files.ts';
import type { RunTool } from './load.ts';
import type { PlanOptions } from './plan.ts';
import { createRepositories } from './repository.ts';
import { createSide } from './side.ts';
import type { ApplicationVersion } from './version.ts';

/** The objects of one application, for a separate folder. */
export interface RenderedApplication {
  application: Application;
  /** Depends on the application alone, so that another one never moves it. */
  folder: string;
  objects: ApplicationVersion['objects'];
  reports: readonly Report[];
  /** Why it is not rendered. */
  error?: Text;
  /** It is valid, but cannot be rendered here. */
  isForeign?: true;
  /** It is not rendered, so that the applications that it declares are unknown. */
  hidesOthers?: true;
}

/**
 * Renders everything that is deployed from a repository to the objects that are applied. Instances that a controller in
 * the cluster expands stay instances. Applications with the same folder are not rendered.
 */
export function renderRepository(files: Files, options: PlanOptions, run: RunTool | undefined): RenderedApplication[] {
  const { applications, render, unread } = createSide(createRepositories()(files), options, run, true);
  const inFolders = groupBy(applications, folderOf);
  return applications.map((application) => {
    const folder = folderOf(application);
    const isSet = application.kind === 'ApplicationSet';
    const [other] = (inFolders.get(folder) ?? []).filter((one) => one !== application && !isSet);
    if (other === undefined) {
      const version = render(application);
      const hidesOthers = unread.has(placeBelow(application)) || (isSet && !version.isForeign);
      return { application, folder, ...version, ...(hidesOthers && { hidesOthers }) };
    }
    const where = other.place || other.path || '.';
    const error = composeText`${titleOfApplication(other)} (${trusted.file(where)}) has the same folder, ${trusted.file(folder)}: rename one of them`;
    return { application, folder, objects: [], reports: [], error };
  });
}

/** Kustomizations of several clusters often have the same name. */
function folderOf({ kind, name, namespace, deployment }: Application): string {
  if (!['Flux', 'Helm'].includes(deployment.controller)) return name;
  const parts = [kind, deployment.cluster, namespace === 'flux-system' ? '' : namespace, name];
  return parts.filter((part) => part !== '').join('/');
}
