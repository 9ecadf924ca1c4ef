import { existsSync } from 'node:fs';
import { Collector } from '../diagnostics/index.ts';
import type { RenderInput } from '../model/render.ts';
import type { Settings } from '../options/index.ts';
import { type FoundText, type ReadOptions, readFiles } from './files.ts';
import { type Checkout, checkOut } from './git.ts';
import { readInput } from './read-input.ts';

/** What is wrong with the paths of a command that takes OLD and NEW, or PATH... and --against REF. */
export function faultInVersions(
  command: string,
  paths: readonly string[],
  { against, definitions, observed, openapi }: Settings,
): string | undefined {
  if (against === '') {
    if (paths.length === 2)
      return paths[0] === '-' && paths[1] === '-' ? `${command}: OLD and NEW are both -` : undefined;
    return `${command} needs OLD and NEW, or PATH... and --against REF`;
  }
  if (paths.length === 0) return `${command} --against needs a PATH`;
  const isPiped = [...paths, ...definitions, ...observed, openapi].includes('-');
  return isPiped ? `${command} --against reads files of git, and standard input is none` : undefined;
}

/** The older and the newer one; without one, what keeps it from being read was reported. */
export type Versions = [RenderInput | undefined, RenderInput | undefined];

/** Reads two paths, or the paths of a commit and of the working tree. */
export function readVersions(
  paths: readonly string[],
  settings: Settings,
  stdin: ReadOptions['stdin'],
  reports: Collector,
): Versions {
  const options: ReadOptions = { exclude: settings.exclude, stdin };
  const read = (some: readonly string[]): RenderInput =>
    readInput(readFiles(some, { ...options, missing: missingIn(settings) }, reports), settings, options, reports);
  if (settings.against === '') return paths.map((path) => read([path])) as Versions;
  const young = read(paths);
  const beside = [...settings.definitions, ...settings.observed, settings.openapi].filter((path) => path !== '');
  const checkout = checkOut(settings.against, [...paths, ...beside], reports);
  if (checkout === undefined) return [undefined, young];
  try {
    return [readCheckout(checkout, paths, settings, reports), young];
  } finally {
    checkout.remove();
  }
}

const missingIn = ({ allowEmpty }: Settings): 'error' | undefined => (allowEmpty ? undefined : 'error');

/** What was not there yet is nothing. */
function readCheckout(
  checkout: Checkout,
  paths: readonly string[],
  settings: Settings,
  reports: Collector,
): RenderInput {
  const there = (some: readonly string[]): string[] => some.map(checkout.at).filter((path) => existsSync(path));
  const own = new Collector();
  const options: ReadOptions = { exclude: settings.exclude, stdin: new Uint8Array() };
  const [openapi = ''] = settings.openapi === '' ? [] : there([settings.openapi]);
  const at: Settings = {
    ...settings,
    definitions: there(settings.definitions),
    observed: there(settings.observed),
    openapi,
  };
  const renamed = <Named extends { file: string }>(one: Named): Named => ({ ...one, file: checkout.nameOf(one.file) });
  const texts: FoundText[] = readFiles(there(paths), options, own);
  const input = readInput(texts, at, options, own);
  for (const report of own) {
    const message = report.message.replaceAll(`${checkout.folder}/`, `${settings.against}:`);
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
