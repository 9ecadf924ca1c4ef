import { relative, resolve } from 'node:path';
import {
  type Files,
  type PlanOptions,
  type RenderedApplication,
  type RunTool,
  renderRepository,
  titleOfApplication,
} from '../../authoring/plan/index.ts';
import { composeText, isError, type Report } from '../../core/diagnostics/index.ts';
import { lazily } from '../../core/model/lazily.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { realPath, slashed } from '../file-system.ts';
import { type TreeSettings, writeTree } from '../tree/index.ts';

/** The folder of each application, with a file for each object. */
const LAYOUT = '{folder}/{namespace}/{kind}-{name}.yaml';

/**
 * Renders every application of a repository to a separate folder. An application that cannot be rendered, or has an
 * error, keeps the files of an earlier run.
 */
export function writeApplications(
  { root, after }: { root: string; after: Files },
  settings: Omit<TreeSettings, 'layout' | 'output'>,
  options: PlanOptions,
  run: RunTool | undefined,
): Report[] {
  const applications = renderRepository(withoutFolder(after, root, settings.outputDir), options, run);
  const held = applications.filter(({ error }) => error !== undefined);
  const found = [...applications.flatMap(({ reports }) => reports), ...held.flatMap(heldReports)];
  if (held.length > 0 && held.length === applications.length) return found;
  const items = applications.flatMap(({ folder, objects }) =>
    objects.map(({ object }) => ({ object, instance: '', folder })),
  );
  const nameless = lazily(
    () => new Set(applications.flatMap(({ objects }) => objects.flatMap((one) => (one.nameless ? [one.object] : [])))),
  );
  const hasSecretName = (object: KubeObject): boolean => nameless().has(object);
  const isBelow = (path: string, those: readonly RenderedApplication[]): boolean =>
    those.some(({ folder }) => path.startsWith(`${folder}/`));
  // A folder of an earlier run may be that of an application that one without a result declares.
  const isKept = held.some(({ hidesOthers }) => hidesOthers);
  const isHeld = (path: string): boolean => isBelow(path, held) || (isKept && !isBelow(path, applications));
  return [...found, ...writeTree(items, { ...settings, layout: LAYOUT, output: 'yaml', isHeld }, hasSecretName)];
}

/** An application with errors of its own has reported them. */
function heldReports({ application, error = composeText``, isForeign, reports }: RenderedApplication): Report[] {
  if (!isForeign && reports.some(isError)) return [];
  const [code, severity] = isForeign
    ? (['application-not-rendered', 'warning'] as const)
    : (['tree-clash', 'error'] as const);
  return [{ code, severity, object: titleOfApplication(application), message: error, path: [] }];
}

/** Excludes the output directory from the input. */
function withoutFolder(files: Files, root: string, folder: string): Files {
  const path = resolve(folder);
  const below = `${slashed(relative(realPath(root) ?? root, realPath(path) ?? path))}/`;
  return { ...files, paths: files.paths.filter((file) => !file.startsWith(below)) };
}
