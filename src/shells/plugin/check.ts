import type { Collector } from '../../diagnostics/index.ts';
import { outside, placeOf, type Within } from '../boundary.ts';
import type { Given } from './given.ts';

/** Reports settings that the plugin refuses: paths out of the repository, pruning that nobody accepted. */
export function checkGiven({ settings, within }: Given, reports: Collector): void {
  const report = (message: string, name: string, hint: string): void => {
    reports.add({ code: 'plugin-parameter', message, path: [name], object: 'parameters', hint });
  };
  if (settings.onPending === 'skip' && !settings.acceptPrune) {
    const hint = 'set acceptPrune to true if that is wanted, or give the live objects with observed';
    report('with skip, what is left out today and was rendered yesterday is pruned', 'onPending', hint);
  }
  const lists = { definitions: settings.definitions, observed: settings.observed, values: settings.values };
  const openapi = settings.openapi === '' ? [] : [settings.openapi];
  for (const [name, paths] of Object.entries({ ...lists, openapi })) {
    if (paths.includes('-')) report('standard input is empty here', name, 'name a file of the repository');
    for (const path of paths) checkPath(path, name, within, reports);
  }
  for (const glob of settings.exclude) checkPath(fixedPart(glob), 'exclude', within, reports);
}

function checkPath(path: string, name: string, within: Within, reports: Collector): void {
  if (!within(placeOf(path))) reports.add({ ...outside(path), path: [name], object: 'parameters' });
}

/** What a glob names before its first wildcard. */
function fixedPart(glob: string): string {
  const steps = glob.split('/');
  const wild = steps.findIndex((step) => /[*?[{]/.test(step));
  return (wild < 0 ? steps : steps.slice(0, wild)).join('/') || (glob.startsWith('/') ? '/' : '.');
}
