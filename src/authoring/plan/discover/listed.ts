import { Collector, format } from '../../../core/diagnostics/index.ts';
import { get, isMap, listOf, textOf, type Value, type ValueMap } from '../../../core/model/value.ts';
import { resolvePath } from '../../../core/text/paths.ts';
import { FUNCTION_CONFIG, readFunctionConfig } from '../../../render/options/index.ts';
import { type Application, applicationAt, type DiscoverOptions, settingsOfPackage } from '../application.ts';
import type { Repository } from '../repository.ts';
import { resolvePathSettings } from './argocd-builds.ts';

const FILE = 'render-rgd.yaml';

/** Returns the applications in a render-rgd.yaml in the root of the repository, which no other file describes. */
export function listedApplications({ tree, parse }: Repository, options: DiscoverOptions): Application[] {
  const text = tree.text(FILE);
  if (text === undefined) return [];
  const [document] = parse([{ file: FILE, text }], new Collector(), false);
  const value: Value = document?.object ?? null;
  // A functionConfig may have the same name.
  if (get(value, 'apiVersion') !== undefined) return [];
  const listed = get(value, 'applications');
  const names = new Set<string>();
  return listOf(listed).map((entry, index) => {
    const application = readEntry(entry, index, options);
    const { name, path } = application;
    const isTwice = names.has(name);
    names.add(name);
    const reason = `another entry of ${FILE} has the name ${name}`;
    return isTwice
      ? { ...application, name: `applications[${index}]`, sources: [{ type: 'none', path, reason }] }
      : application;
  });
}

/** Reads an entry: a path, an optional name, and the options of a functionConfig. */
function readEntry(entry: Value, index: number, options: DiscoverOptions): Application {
  const { name, path: given, ...rest }: ValueMap = isMap(entry) ? entry : {};
  const path = resolvePath('', textOf(given));
  const title = textOf(name) || textOf(given) || `applications[${index}]`;
  const application = (source: Application['sources'][number]): Application =>
    applicationAt('listed', title, path ?? '', source);
  const none = (reason: string): Application => application({ type: 'none', path: path ?? '', reason });
  if (textOf(given) === '') return none(`its entry in ${FILE} has no path`);
  if (path === undefined) return none(`${textOf(given)} is outside the repository`);
  const { settings, problems } = readFunctionConfig({ ...FUNCTION_CONFIG, spec: rest });
  const [problem] = problems;
  if (problem !== undefined) return none(`its entry in ${FILE} is wrong: ${format(problem.message)}`);
  const beside = resolvePathSettings(settings, '', options.allowDir);
  if ('outside' in beside) return none(beside.outside);
  const own = settingsOfPackage(options.settings, settings, beside);
  return application({ type: 'package', path, settings: own });
}
