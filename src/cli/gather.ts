import { type FoundText, pathsBeside, type Reader, readInput } from '../authoring/input/index.ts';
import { Collector, composeText, type Report, trusted, unplaced } from '../core/diagnostics/index.ts';
import type { RenderInput } from '../core/model/render.ts';
import type { Invocation } from './command.ts';
import { type ReadOptions, readFiles } from './files.ts';
import { rootsOf, withTraces } from './traces.ts';

/** The content of the paths of a command. */
export interface Gathered {
  input: RenderInput;
  reports: Collector;
  /** How these files were read, for other files of a command. */
  readOptions: ReadOptions;
}

/** What a command reads besides its paths and the files of shared options. */
interface AdditionalPaths {
  /** Other paths that may be `-`. */
  others?: readonly string[];
  /** A folder that is not read: the output of an earlier run. */
  skip?: string;
}

/** Reads all files of a command: its paths, and those of its options. */
export async function gather(
  { paths, settings, io, within }: Pick<Invocation, 'paths' | 'settings' | 'io' | 'within'>,
  { others = [], skip }: AdditionalPaths = {},
): Promise<Gathered> {
  const reports = new Collector();
  const isPiped = [...paths, ...pathsBeside(settings), ...others].includes('-');
  const readOptions = {
    exclude: settings.exclude,
    stdin: isPiped ? await io.stdin() : undefined,
    ...(skip !== undefined && { skip }),
    ...(within !== undefined && { within }),
  };
  const missing = settings.allowEmpty ? undefined : 'error';
  const texts = readFiles(paths, { ...readOptions, missing }, reports);
  const read = { ...readInput(texts, settings, readerWith(readOptions), reports), isNamedFile: isOneFile(texts) };
  const roots = within === undefined ? rootsOf([...paths, ...(skip === undefined ? [] : [skip])]) : () => ['.'];
  const input = withTraces(read, roots, within);
  if (input.objects.length === 0 && !settings.allowEmpty && !reports.hasErrors) reports.add(nothingIn(paths));
  return { input, reports, readOptions };
}

const isOneFile = ([one, ...others]: readonly FoundText[]): boolean =>
  one !== undefined && others.length === 0 && one.found === undefined && one.file !== '-';

function nothingIn(paths: readonly string[]): Report {
  const isPipe = paths.includes('-');
  const message = isPipe
    ? composeText`standard input is empty`
    : composeText`${trusted.file(paths.join(', '))}: no documents found`;
  const hint = isPipe
    ? composeText`the command before the pipe may have failed`
    : composeText`--allow-empty renders nothing without an error`;
  return unplaced('nothing-to-read', message, hint);
}

export const readerWith = (options: ReadOptions): Reader => ({
  read: (paths, reports) => readFiles(paths, { ...options, missing: 'warning' }, reports),
  ...(options.parse && { parse: options.parse }),
});
