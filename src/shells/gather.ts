import { Collector, type Report } from '../diagnostics/index.ts';
import type { RenderInput } from '../model/render.ts';
import { parseArguments, type Settings, type Where } from '../options/index.ts';
import { visible } from '../text/visible.ts';
import { placeOf } from './boundary.ts';
import { type ReadOptions, readFiles } from './files.ts';
import { exitCode, type Io } from './io.ts';
import { readInput } from './read-input.ts';

export interface Gathered {
  settings: Settings;
  /** What the command line names to read. */
  paths: readonly string[];
  input: RenderInput;
  /** What went wrong while reading. */
  reports: Collector;
  /** How these files were read, for others that a command names. */
  readOptions: ReadOptions;
}

/** Reads the arguments of a command and all files that they name, or yields the exit code when that is all to do. */
export async function gather(
  command: string,
  args: readonly string[],
  io: Io,
  takes: Where = 'cli',
): Promise<Gathered | number> {
  const parsed = parseArguments(args, takes);
  if ('fault' in parsed) return refuse(parsed.fault, io);
  if (parsed.paths.length === 0) return refuse(`${command} needs a PATH; - reads standard input`, io);
  return gatherPaths(parsed.paths, parsed.settings, io);
}

/** Reads the files that a command names: its paths, and those of its options. */
export async function gatherPaths(paths: readonly string[], settings: Settings, io: Io): Promise<Gathered> {
  const reports = new Collector();
  const named = [
    ...paths,
    ...settings.definitions,
    ...settings.observed,
    settings.openapi,
    settings.inputsFrom,
    ...settings.from,
  ];
  const stdin = named.includes('-') ? await io.stdin() : new Uint8Array();
  // What was written below an input in an earlier run is no input.
  const readOptions = {
    exclude: settings.exclude,
    stdin,
    ...(settings.outputDir === '' ? {} : { skip: placeOf(settings.outputDir) }),
  };
  const missing = settings.allowEmpty ? undefined : 'error';
  const input = readInput(readFiles(paths, { ...readOptions, missing }, reports), settings, readOptions, reports);
  if (input.objects.length === 0 && !settings.allowEmpty && !reports.hasErrors) reports.add(nothingIn(paths));
  return { settings, paths, input, reports, readOptions };
}

function nothingIn(paths: readonly string[]): Report {
  const isPipe = paths.includes('-');
  const message = isPipe ? 'standard input is empty' : `${paths.join(', ')}: there is no document`;
  const hint = isPipe
    ? 'the command before the pipe may have failed'
    : '--allow-empty renders nothing without an error';
  return { code: 'nothing-to-read', message, path: [], hint };
}

/** Says what is wrong with a command line. */
export function refuse(fault: string, io: Io): number {
  io.stderr(visible(`render-rgd: ${fault}\n`));
  return exitCode.usage;
}
