import { type Collector, publicText } from '../../core/diagnostics/index.ts';
import { outside, placeOf, type Within } from '../boundary.ts';
import { toolOf } from './build.ts';
import type { Given } from './given.ts';

/**
 * Reports settings that the plugin rejects: paths outside of the repository, pruning that was not accepted, parameters
 * without effect.
 */
export function checkGiven(given: Given, reports: Collector): void {
  const { settings, within } = given;
  const report = (message: string, name: string, hint: string): void => {
    reports.add({
      code: 'plugin-parameter',
      message: publicText`${message}`,
      path: [name],
      object: publicText`parameters`,
      hint: publicText`${hint}`,
    });
  };
  if (settings.onPending === 'skip' && !settings.acceptPrune) {
    const hint = 'set acceptPrune to true if this is intended, or supply the live objects with observed';
    report('with skip, objects that were rendered before and are left out now are pruned', 'onPending', hint);
  }
  const lists = { definitions: settings.definitions, observed: settings.observed, values: settings.values };
  const { openapi, inputsFrom, defaults } = settings;
  const files = { openapi, inputsFrom, defaults };
  const single = Object.entries(files).flatMap(([name, path]) => (path === '' ? [] : [[name, [path]] as const]));
  for (const [name, paths] of [...Object.entries(lists), ...single]) {
    if (paths.includes('-')) report('standard input is empty here', name, 'name a file of the repository');
    for (const path of paths) checkPath(path, name, within, reports);
  }
  for (const glob of settings.exclude) checkPath(fixedPart(glob), 'exclude', within, reports);
  for (const name of withoutHelm(given)) report('only helm reads it, which would not run', name, 'set build to helm');
}

/** Returns parameters of the Application without effect. Settings of an administrator apply to all Applications. */
function withoutHelm({ settings, defaults }: Given): string[] {
  if (toolOf(settings) === 'helm') return [];
  const values = settings.values.length > 0 && settings.values !== defaults.values ? ['values'] : [];
  return settings.releaseName === '' || settings.releaseName === defaults.releaseName
    ? values
    : [...values, 'releaseName'];
}

function checkPath(path: string, name: string, within: Within, reports: Collector): void {
  if (!within(placeOf(path))) reports.add({ ...outside(path), path: [name], object: publicText`parameters` });
}

/** Returns the part of a glob before its first wildcard. */
function fixedPart(glob: string): string {
  const steps = glob.split('/');
  const wild = steps.findIndex((step) => /[*?[{]/.test(step));
  return (wild < 0 ? steps : steps.slice(0, wild)).join('/') || (glob.startsWith('/') ? '/' : '.');
}
