import { Collector } from '../../../core/diagnostics/index.ts';
import { get, isMap, listAt, textOf, type Value, type ValueMap } from '../../../core/model/value.ts';
import { resolvePath } from '../../../core/text/paths.ts';
import { FUNCTION_CONFIG } from '../../../render/options/index.ts';
import { type Application, applicationAt, type DiscoverOptions, sourceAt } from '../application.ts';
import { NotRendered } from '../not-rendered.ts';
import type { Repository } from '../repository.ts';
import { configuredSettings } from './argocd-builds.ts';

const FILE = 'render-rgd.yaml';

/** Returns the applications in a render-rgd.yaml in the root of the repository, which no other file describes. */
export function listedApplications({ tree, parse }: Repository, options: DiscoverOptions): Application[] {
  const text = tree.text(FILE);
  if (text === undefined) return [];
  const [document] = parse([{ file: FILE, text }], new Collector(), false);
  const value: Value = document?.object ?? null;
  // A functionConfig may have the same name.
  if (get(value, 'apiVersion') !== undefined) return [];
  const names = new Set<string>();
  return listAt(value, 'applications').map((entry, index) => readEntry(entry, index, names, options));
}

/** Reads an entry: a path, an optional name, and the options of a functionConfig. */
function readEntry(entry: Value, index: number, names: Set<string>, options: DiscoverOptions): Application {
  const { name, path: given, ...rest }: ValueMap = isMap(entry) ? entry : {};
  const path = resolvePath('', textOf(given));
  const place = `applications[${index}]`;
  const title = textOf(name) || textOf(given) || place;
  const isTwice = names.has(title);
  names.add(title);
  const source = sourceAt(path ?? '', () => {
    if (isTwice) throw new NotRendered(`another entry of ${FILE} has the name ${title}`);
    if (textOf(given) === '') throw new NotRendered(`its entry in ${FILE} has no path`);
    if (path === undefined) throw new NotRendered(`${textOf(given)} is outside the repository`);
    const config = { ...FUNCTION_CONFIG, spec: rest };
    const settings = configuredSettings(config, `its entry in ${FILE}`, 'none', '', options);
    return { type: 'package', path, settings };
  });
  return applicationAt('listed', isTwice ? place : title, path ?? '', source);
}
