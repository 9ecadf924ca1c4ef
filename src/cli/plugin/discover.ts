import { readAdditionalInputs } from '../../authoring/input/index.ts';
import { Collector } from '../../core/diagnostics/index.ts';
import { groupVersionKind } from '../../core/model/object.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { hasParameters } from '../../render/options/index.ts';
import { objectsIn, readStreams, type TextStream } from '../../yaml/parse/index.ts';
import { readerWith } from '../gather.ts';
import type { Output } from '../output.ts';
import { checkGiven, toolForFolder } from './build.ts';
import type { Given } from './given.ts';
import { findIn, readLeniently } from './parameters.ts';

/**
 * Prints something if there is something to render: an object of group kro.run (RGDs are), a ResourceSet, an instance
 * of a kind in `definitions`, or a build that the Application requests. An Application that names the plugin gets it
 * only after output, and one that does not falls back to plain files; so after an error in a parameter or its files the
 * answer is yes, and `generate` reports the error.
 */
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
  const [instance] = findIn(files, readLeniently(definitions, given)).instances;
  return instance?.source === undefined ? [] : [`${instance.source.file}\n`];
}

/**
 * Reports whether a parameter of the Application, or its files, have an error. Settings of an administrator do not
 * affect Applications without parameters.
 */
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

const OF_KRO = /^[\s{,-]*["']?apiVersion["']?\s*:\s*["']?kro\.run\//m;
const OF_SETS = /^[\s{,-]*["']?kind["']?\s*:\s*["']?ResourceSet\b/m;
