import type { Report } from '../../core/diagnostics/index.ts';
import { type Application, applicationKey } from './application.ts';
import type { Files } from './files.ts';
import type { RunTool } from './load.ts';
import { createSide, type PlanOptions } from './plan.ts';
import { createRepositories } from './repository.ts';
import { type ApplicationVersion, renderApplication } from './version.ts';

/** The objects of one application, for a separate folder. */
export interface RenderedApplication {
  application: Application;
  /** Unique: its name, or its kind and name if the name is ambiguous. */
  folder: string;
  objects: ApplicationVersion['objects'];
  /** Why it is not rendered. */
  error?: string;
  /** It is valid, but cannot be rendered here. */
  isForeign?: true;
}

/**
 * Renders everything that is deployed from a repository to the objects that are applied. Instances that a controller in
 * the cluster expands stay instances.
 */
export function renderRepository(
  files: Files,
  options: PlanOptions,
  run: RunTool | undefined,
): { applications: RenderedApplication[]; reports: readonly Report[] } {
  const { applications, context } = createSide(createRepositories()(files), options, run);
  const all = [...applications.values()];
  const versions = all.map((application) => renderApplication(application, { ...context, appliesAsIs: true }));
  const rendered = all.map((application, index): RenderedApplication => {
    const { objects, reports: _, ...failure } = versions[index] as ApplicationVersion;
    return {
      application,
      folder: folderOf(application, all),
      objects,
      ...failure,
    };
  });
  return { applications: rendered, reports: versions.flatMap(({ reports }) => reports) };
}

function folderOf(application: Application, all: readonly Application[]): string {
  const { name } = application;
  const isUnique = all.every((other) => other.name !== name || other === application);
  return isUnique ? name : applicationKey(application);
}
