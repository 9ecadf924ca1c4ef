import { pathsOf, settingFaults } from '../../authoring/plugin/index.ts';
import { type Collector, composeText } from '../../core/diagnostics/index.ts';
import { outside, placeOf, type Within } from '../boundary.ts';
import { toolOf } from './build.ts';
import type { Given } from './given.ts';

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
