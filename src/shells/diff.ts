import { existsSync } from 'node:fs';
import { hasErrors, type Report } from '../diagnostics/index.ts';
import { comparisonJson, comparisonMarkdown, comparisonText, diffPackages, toldOnce } from '../diff/index.ts';
import type { RenderInput } from '../model/render.ts';
import { parseArguments, type Settings } from '../options/index.ts';
import { concludeWith } from './conclude.ts';
import { type FoundText, type ReadOptions, readFiles } from './files.ts';
import { refuse } from './gather.ts';
import { type Checkout, checkOut } from './git.ts';
import { exitCode, type Io } from './io.ts';
import { painter } from './paint.ts';
import { readInput } from './read-input.ts';

/** `render-rgd diff OLD NEW [options]` and `render-rgd diff PATH... --against REF [options]` */
export async function diffCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(args, 'diff');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const { settings, paths } = parsed;
  const fault = faultIn(paths, settings);
  if (fault !== undefined) return refuse(fault, io);
  const named = [...paths, ...settings.definitions, ...settings.observed, settings.openapi];
  const stdin = named.includes('-') ? await io.stdin() : new Uint8Array();
  const reports: Report[] = [];
  const [before, after] = readVersions(paths, settings, stdin, reports);
  if (before === undefined || after === undefined || hasErrors(reports)) {
    return concludeWith(() => [], reports, settings, io);
  }
  const { comparison, reports: found } = diffPackages(before, after, settings);
  const write = (): string[] => {
    if (settings.output === 'json') return [comparisonJson(comparison)];
    if (settings.output === 'markdown') return [comparisonMarkdown(comparison)];
    return [comparisonText(comparison, painter(io))];
  };
  const code = concludeWith(write, toldOnce([...reports, ...found]), settings, io);
  return code === exitCode.ok && settings.exitCode && comparison.changes.length > 0 ? exitCode.input : code;
}

function faultIn(paths: readonly string[], { against, definitions, observed, openapi }: Settings): string | undefined {
  if (against === '') {
    if (paths.length === 2) return paths[0] === '-' && paths[1] === '-' ? 'diff: OLD and NEW are both -' : undefined;
    return 'diff needs OLD and NEW, or PATH... and --against REF';
  }
  if (paths.length === 0) return 'diff --against needs a PATH';
  const isPiped = [...paths, ...definitions, ...observed, openapi].includes('-');
  return isPiped ? 'diff --against reads files of git, and standard input is none' : undefined;
}

type Versions = [RenderInput | undefined, RenderInput | undefined];

function readVersions(
  paths: readonly string[],
  settings: Settings,
  stdin: ReadOptions['stdin'],
  reports: Report[],
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
  reports: Report[],
): RenderInput {
  const there = (some: readonly string[]): string[] => some.map(checkout.at).filter((path) => existsSync(path));
  const own: Report[] = [];
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
    reports.push({ ...report, message, ...(report.source && { source: renamed(report.source) }) });
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
