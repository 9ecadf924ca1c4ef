import { existsSync } from 'node:fs';
import { type FoundText, pathsBeside, readInput } from '../authoring/input/index.ts';
import { Collector, composeText, mapText, trusted, unplaced } from '../core/diagnostics/index.ts';
import type { RenderInput } from '../core/model/render.ts';
import { type Settings, type SettingsOf, text } from '../render/options/index.ts';
import { createSharedReaders } from '../yaml/parse/index.ts';
import { type ReadOptions, readFiles } from './files.ts';
import { readerWith } from './gather.ts';
import { type Checkout, checkOut } from './git/index.ts';

/** The option of commands that compare two versions. */
export const against = text(
  'REF',
  'Compare with the files of a git commit: a branch, a tag or a hash. The working tree does not change.',
  { completes: 'refs' },
);
type VersionSettings = Settings & SettingsOf<{ against: typeof against }>;

/** Returns the error of the paths of a command with OLD and NEW, or PATH... and --against REF. */
export function faultInVersions(
  command: string,
  paths: readonly string[],
  settings: VersionSettings,
): string | undefined {
  if (settings.against === '') {
    if (paths.length === 2)
      return paths[0] === '-' && paths[1] === '-' ? `${command}: OLD and NEW are both -` : undefined;
    return `${command} needs OLD and NEW, or PATH... and --against REF`;
  }
  if (paths.length === 0) return `${command} --against needs a PATH`;
  const isPiped = [...paths, ...pathsBeside(settings)].includes('-');
  return isPiped ? `${command} --against reads files of git, and standard input is none` : undefined;
}

/** The older and the newer version; a missing one was reported. */
export interface Versions {
  before: RenderInput | undefined;
  after: RenderInput | undefined;
  /** The diagnostics of reading the older one. */
  ofBefore: Collector;
}

/** Reads two paths, or the paths of a commit and of the working tree. */
export function readVersions(
  paths: readonly string[],
  settings: VersionSettings,
  stdin: ReadOptions['stdin'],
  reports: Collector,
): Versions {
  const options: ReadOptions = { exclude: settings.exclude, stdin };
  const ofBefore = new Collector();
  const { first, second } = createSharedReaders();
  const read = (some: readonly string[], own: Collector, parse: ReadOptions['parse']): RenderInput => {
    const texts = readFiles(some, { ...options, missing: settings.allowEmpty ? undefined : 'error' }, reports);
    return readInput(texts, settings, readerWith({ ...options, parse }), own);
  };
  if (settings.against === '') {
    const [old = '', newer = ''] = paths;
    return { before: read([old], ofBefore, first), after: read([newer], reports, second), ofBefore };
  }
  const after = read(paths, reports, first);
  const beside = [...settings.definitions, ...settings.observed, settings.openapi].filter((path) => path !== '');
  const checkout = checkOut(settings.against, [...paths, ...beside], reports);
  if (checkout === undefined) return { before: undefined, after, ofBefore };
  try {
    reportMissing(checkout, paths, settings, reports);
    return { before: readCheckout(checkout, paths, settings, ofBefore, second), after, ofBefore };
  } finally {
    checkout.remove();
  }
}

/** Reports missing definitions of the older version, without which all of the newer one would be added. */
function reportMissing(
  { at }: Checkout,
  paths: readonly string[],
  { against, definitions, observed, openapi }: VersionSettings,
  reports: Collector,
): void {
  if (!paths.some((path) => existsSync(at(path)))) return;
  const named = { definitions, observed, openapi: openapi === '' ? [] : [openapi] };
  for (const [option, all] of Object.entries(named))
    for (const path of all.filter((one) => !existsSync(at(one)) && existsSync(one))) {
      const message = composeText`--${trusted.argument(option)} ${trusted.file(path)}: ${trusted.file(against)} has no such file or folder with YAML or JSON`;
      const hint = composeText`if it is new or was renamed, check ${trusted.file(against)} out with 'git worktree add' and compare the two folders`;
      reports.add(unplaced('unreadable-file', message, hint));
    }
}

/** A path that did not exist yet is empty. */
function readCheckout(
  checkout: Checkout,
  paths: readonly string[],
  settings: VersionSettings,
  reports: Collector,
  parse: ReadOptions['parse'],
): RenderInput {
  const there = (some: readonly string[]): string[] => some.map(checkout.at).filter((path) => existsSync(path));
  const own = new Collector();
  const options: ReadOptions = { exclude: settings.exclude, parse };
  const [openapi = ''] = settings.openapi === '' ? [] : there([settings.openapi]);
  const [definitions, observed] = [there(settings.definitions), there(settings.observed)];
  const at: VersionSettings = { ...settings, definitions, observed, openapi };
  const renamed = <Named extends { file: string }>(one: Named): Named => ({ ...one, file: checkout.nameOf(one.file) });
  const texts: FoundText[] = readFiles(there(paths), options, own);
  const input = readInput(texts, at, readerWith(options), own);
  for (const report of own) {
    const message = mapText(report.message, (one) => one.replaceAll(`${checkout.folder}/`, `${settings.against}:`));
    reports.add({ ...report, message, ...(report.source && { source: renamed(report.source) }) });
  }
  const named = (objects: RenderInput['objects'] = []): RenderInput['objects'] =>
    objects.map((one) => (one.source === undefined ? one : { ...one, source: renamed(one.source) }));
  return {
    ...input,
    objects: named(input.objects),
    definitions: named(input.definitions),
    observed: named(input.observed),
  };
}
