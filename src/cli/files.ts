import { type Dirent, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Collector, composeText, type Report, type Text, told, trusted, unplaced } from '../core/diagnostics/index.ts';
import {
  type Allowance,
  allowance,
  MAX_READ_BYTES,
  MAX_WALK_ENTRIES,
  MAX_WALK_LEVELS,
  spend,
} from '../core/model/limits.ts';
import type { RenderInput } from '../core/model/render.ts';
import { enumerated } from '../core/text/clip.ts';
import { type FoundText, isGoldenTest, pathsBeside, type Reader, readInput } from '../describe/input/index.ts';
import { GlobBudget, globTest } from '../languages/glob/index.ts';
import { LIST } from '../render/tree/index.ts';
import { objectsIn } from '../yaml/parse/index.ts';
import { withoutSecretValues } from '../yaml/withhold/index.ts';
import type { Invocation } from './command.ts';
import {
  addOnce,
  byteOrder,
  codeOf,
  decode,
  entriesIn,
  ifPossible,
  NOT_REGULAR,
  outside,
  placeOf,
  readRegularFile,
  readRegularText,
  slashed,
  unreadable,
  type Within,
} from './file-system.ts';
import { ignoredReports } from './git/ignored.ts';
import { type MetFiles, TOOL_FOLDERS } from './met-files.ts';
import { type OutputFolder, outputFolderReports, readOutputFolder } from './output-folders.ts';
import { rootsOf, withTraces } from './traces.ts';

export interface ReadOptions {
  exclude?: readonly string[];
  /** Standard input, for `-`, or why it cannot be read; empty by default. */
  stdin?: Uint8Array | Error | undefined;
  /** A folder, with links followed, that is skipped. */
  skip?: string;
  /** The boundary of what may be read; no limit by default. */
  within?: Within;
  /** Takes the outcome of every file that is met, if the command accounts for them. */
  met?: MetFiles | undefined;
  /** Whether texts are read without values of Secrets. */
  withholdsSecrets?: boolean;
  /** Takes the folders below the paths that `render --output-dir` wrote. They are read as input by default. */
  outputs?: OutputFolder[] | undefined;
  /** The severity of a path without files; ignored by default. */
  missing?: 'error' | 'warning' | undefined;
  /** Parses documents; by default they are read. */
  parse?: Reader['parse'] | undefined;
}

const EXTENSION = /\.(ya?ml|json)$/;
const OTHER_CASE = new RegExp(EXTENSION, 'i');

/** In a folder every .yaml, .yml and .json file below, sorted, without dot entries and node_modules; each once. */
export function readFiles(paths: readonly string[], options: ReadOptions, reports: Collector): FoundText[] {
  const { exclude = [], within = () => true, met } = options;
  const room = new GlobBudget();
  const budget: WalkBudget = { entries: allowance(MAX_WALK_ENTRIES), bytes: allowance(MAX_READ_BYTES) };
  const excluded = exclude.map((glob) => globTest(glob, room));
  const isExcluded = (path: string): boolean => excluded.some((test) => test(path));
  const reading: Reading = { options, within, budget, seen: new Set(), reports };
  const skipped: string[] = [];
  const texts = paths.flatMap((path) => {
    const own = reports.part();
    const walk: Walk = {
      isExcluded,
      within,
      entered: new Set(options.skip === undefined ? [] : [options.skip]),
      charts: [],
      tests: 0,
      skipped,
      met,
      outputs: options.outputs,
      budget,
    };
    const files = path === '-' ? [path] : filesAt(path, walk, own);
    const isMissing = files.length === 0 && own.all.length === 0;
    if (isMissing && options.missing !== undefined) reports.add(noFiles(path, options, walk.tests));
    return files.flatMap((file) => {
      const isFound = file !== path;
      const text = attempt(file, reports, () => textOf(file, reading), isFound ? met : undefined);
      if (text === undefined) {
        met?.record(file, { is: 'failed' });
        return [];
      }
      met?.record(file, { is: 'read' });
      return !isFound ? [{ file, text }] : [{ file, text, found: isOfChart(file, walk) ? 'chart' : 'folder' }];
    });
  });
  if (room.isFull) reports.add(TOO_COSTLY);
  if (budget.bytes.left < 0)
    reports.add(tooMuch(composeText`the files have more than ${MAX_READ_BYTES} bytes together`));
  if (budget.entries.left < 0)
    reports.add(tooMuch(composeText`there are more than ${MAX_WALK_ENTRIES} files and folders`));
  // A part of the files would be a part of the objects.
  if (budget.bytes.left < 0 || budget.entries.left < 0) return [];
  if (skipped.length > 0) reports.add(skippedFiles(skipped.sort(byteOrder)));
  return texts;
}

/** What is shared by the files that are read together. */
interface Reading {
  options: ReadOptions;
  within: Within;
  budget: WalkBudget;
  /** The files so far, with links followed. */
  seen: Set<string>;
  reports: Collector;
}

/** Returns the text of a file; `undefined` if it is outside of the boundary, was read before or exceeds the budget. */
function textOf(file: string, { options, within, budget, seen, reports }: Reading): string | undefined {
  const real = file === '-' ? file : inside(file, within, reports);
  if (real === undefined || budget.bytes.left < 0) return undefined;
  if (!addOnce(seen, real)) {
    options.met?.ignore(file, 'read-before');
    return undefined;
  }
  if (file === '-') {
    const { stdin = new Uint8Array() } = options;
    if (stdin instanceof Error) throw stdin;
    return decode(stdin);
  }
  const bytes = readRegularFile(real, { within: options.within });
  if (!spend(budget.bytes, bytes.length)) return undefined;
  const text = decode(bytes);
  return options.withholdsSecrets === true ? withheld(file, text, reports) : text;
}

/** Returns a text without values of Secrets. */
function withheld(file: string, text: string, reports: Collector): string {
  const { text: known, isIncomplete } = withoutSecretValues(text);
  if (isIncomplete) reports.add(unreadSecret(file));
  return known;
}

/** Reports files that are not read because of their names, all at once. */
export function skippedFiles(paths: readonly string[]): Report {
  const names = enumerated(
    paths.map((path) => trusted.file(path)),
    5,
  );
  const hint = composeText`files are read whose names end in .yaml, .yml or .json, and which are not hidden; rename those with objects`;
  return unplaced('skipped-file', composeText`not read: ${names}`, hint, 'warning');
}

function unreadSecret(file: string): Report {
  const message = told`${{ file: trusted.file(file) }}: a document that may contain a Secret is not valid YAML, or has no kind, and is not read`;
  return unplaced('yaml-syntax', message, composeText`render-rgd validate shows where`);
}

const tooMuch = (message: Text): Report =>
  unplaced('budget-exceeded', message, composeText`pass the folders that have objects, or use --exclude`);

const TOO_COSTLY = unplaced(
  'budget-exceeded',
  composeText`matching paths with the globs of --exclude takes too many steps`,
  composeText`use fewer and shorter globs`,
);

/** A golden test contains expected output, and its own input. */
const isTestFolder = (folder: string, names: readonly string[], within: Within): boolean =>
  ifPossible(() => isGoldenTest(names, () => readRegularText(join(folder, 'test.yaml'), { within }))) === true;

function noFiles(path: string, { exclude = [], missing = 'error' }: ReadOptions, passedOver: number): Report {
  const report = (what: Text, hint: Text): Report =>
    unplaced('nothing-to-read', composeText`${trusted.file(path)} holds ${what}`, hint, missing);
  if (passedOver > 0)
    return report(composeText`nothing but golden tests`, composeText`render-rgd test ${trusted.file(path)} runs them`);
  const hint =
    exclude.length > 0 ? composeText`--exclude may leave out too much` : composeText`pass the intended folder or file`;
  return report(composeText`no .yaml, .yml or .json file`, hint);
}

interface WalkBudget {
  entries: Allowance;
  bytes: Allowance;
}

interface Walk {
  budget: WalkBudget;
  isExcluded: (path: string) => boolean;
  within: Within;
  entered: Set<string>;
  charts: string[];
  tests: number;
  /** The files and folders that are not read because of their names. */
  skipped: string[];
  met: MetFiles | undefined;
  outputs: OutputFolder[] | undefined;
}

const isOfChart = (file: string, { charts }: Walk): boolean =>
  charts.some((chart) => slashed(relative(chart, file)).startsWith('templates/'));

function filesAt(path: string, walk: Walk, reports: Collector): string[] {
  const found: string[] = [];
  if (!walk.within(placeOf(path))) {
    reports.add(outside(path));
    return found;
  }
  attempt(path, reports, () => {
    const stat = statSync(path);
    if (stat.isDirectory()) readFolder({ root: path, folder: path, level: 0 }, walk, found, reports);
    else if (walk.isExcluded(slashed(path))) walk.met?.ignore(path, 'excluded');
    else if (stat.isFile()) found.push(path);
    else throw NOT_REGULAR;
  });
  return found.sort(byteOrder);
}

interface FolderAt {
  /** The path that was given. */
  root: string;
  folder: string;
  level: number;
}

/** Reports whether a folder may be entered; folders that link to one of their own parents are entered once. */
function mayEnter({ folder, level }: FolderAt, walk: Walk, reports: Collector): boolean {
  const real = inside(folder, walk.within, reports);
  if (real === undefined) return false;
  if (!addOnce(walk.entered, real)) {
    walk.met?.ignore(folder, 'read-before');
    return false;
  }
  if (level > MAX_WALK_LEVELS) {
    reports.add(tooMuch(composeText`${trusted.file(folder)} is nested more than ${MAX_WALK_LEVELS} levels deep`));
    return false;
  }
  return true;
}

/** Reads a folder. */
function readFolder(at: FolderAt, walk: Walk, found: string[], reports: Collector): void {
  const { root, folder, level } = at;
  if (!mayEnter(at, walk, reports)) return;
  const entries = entriesIn(folder);
  const names = entries.map(({ name }) => name);
  if (folder !== root && isTestFolder(folder, names, walk.within)) {
    walk.tests += 1;
    walk.met?.ignore(folder, 'golden-test');
    return;
  }
  if (folder !== root && walk.outputs !== undefined && names.includes(LIST)) {
    walk.outputs.push(readOutputFolder(folder, walk, reports));
    return;
  }
  for (const entry of entries) {
    if (!spend(walk.budget.entries, 1)) return;
    const path = join(folder, entry.name);
    // helm renders a folder that is a chart itself; it is not read for files beside a chart.
    if (folder !== root && /^Chart\.ya?ml$/.test(entry.name)) walk.charts.push(folder);
    if (isPassedOver(entry, path, root, walk)) continue;
    const hasOtherCase = OTHER_CASE.test(entry.name) && !EXTENSION.test(entry.name);
    if (hasOtherCase && walk.met === undefined && !entry.isDirectory()) walk.skipped.push(path);
    if (entry.isSymbolicLink() && !walk.within(placeOf(path))) {
      reports.add(outside(path));
      continue;
    }
    attempt(
      path,
      reports,
      () => {
        const linked = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: EXTENSION.test(entry.name) }) : entry;
        if (linked?.isDirectory()) readFolder({ root, folder: path, level: level + 1 }, walk, found, reports);
        else if (linked === undefined || !EXTENSION.test(entry.name))
          walk.met?.probeEntry(entry, path, 'other-name', walk.within);
        else if (linked.isFile()) found.push(path);
        else throw NOT_REGULAR;
      },
      walk.met,
    );
  }
}

/** Reports whether an entry of a folder is not read, whatever it is, and notes why. */
function isPassedOver(entry: Dirent, path: string, root: string, walk: Walk): boolean {
  if (TOOL_FOLDERS.has(entry.name)) {
    walk.met?.ignore(path, 'tool-folder');
    return true;
  }
  if (walk.isExcluded(slashed(relative(root, path))) || walk.isExcluded(slashed(path))) {
    walk.met?.ignore(path, 'excluded');
    return true;
  }
  if (entry.name.startsWith('.')) {
    walk.met?.probeEntry(entry, path, 'hidden', walk.within);
    return true;
  }
  return false;
}

/** Returns the path with links followed; undefined, and reported, if it is outside of the boundary. */
function inside(path: string, within: Within, reports: Collector): string | undefined {
  const real = realpathSync(path);
  if (within(real)) return real;
  reports.add(outside(path));
  return undefined;
}

/** The report of a file that was found has the file as its place, because the others are still looked at. */
function attempt<T>(path: string, reports: Collector, read: () => T, met?: MetFiles): T | undefined {
  try {
    return read();
  } catch (error) {
    const report = faultOf(path, error);
    met?.record(path, { is: 'failed' });
    reports.add(met === undefined ? report : { ...report, source: { file: path, text: '', document: 0, path: [] } });
    return undefined;
  }
}

function faultOf(path: string, error: unknown): Report {
  if (codeOf(error) !== 'ENOENT' || !isReplaced(path, error)) return unreadable(path, error);
  const message = told`cannot read ${{ file: trusted.file(path) }}: a name in its path is not UTF-8`;
  const hint = composeText`rename it; --exclude leaves a file out that is found in a folder`;
  return unplaced('unreadable-file', message, hint);
}

/** Node returns bytes of a name that are not UTF-8 as U+FFFD, which does not open the file. */
const isReplaced = (path: string, error: unknown): boolean =>
  path.includes('\uFFFD') || (error instanceof Error && 'path' in error && String(error.path).includes('\uFFFD'));

/** The content of the paths of a command. */
export interface Gathered {
  input: RenderInput;
  reports: Collector;
  /** How these files were read, for other files of a command. */
  readOptions: ReadOptions;
}

export interface GatherOptions {
  /** The paths of options, which may be standard input. */
  others?: readonly string[];
  /** A folder that is skipped. */
  skip?: string;
  met?: MetFiles;
  /** Whether folders below the paths that `render --output-dir` wrote are no input. Default: false. */
  skipsOutputs?: boolean;
  /** Whether files that git ignores are reported. Default: false. */
  reportsIgnored?: boolean;
}

/** Reads all files of a command: its paths, and those of its options. */
export async function gather(
  {
    paths,
    settings,
    io,
    within,
    withholdsSecrets,
  }: Pick<Invocation, 'paths' | 'settings' | 'io' | 'within' | 'withholdsSecrets'>,
  { others = [], skip, met, skipsOutputs = false, reportsIgnored = false }: GatherOptions = {},
): Promise<Gathered> {
  const reports = new Collector();
  const outputs: OutputFolder[] | undefined = skipsOutputs ? [] : undefined;
  const isPiped = [...paths, ...pathsBeside(settings), ...others].includes('-');
  const readOptions = {
    exclude: settings.exclude,
    stdin: isPiped ? await io.stdin() : undefined,
    ...(skip !== undefined && { skip }),
    ...(within !== undefined && { within }),
    ...(withholdsSecrets && { withholdsSecrets }),
  };
  const missing = settings.allowEmpty ? undefined : 'error';
  const texts = readFiles(paths, { ...readOptions, missing, met, outputs }, reports);
  const read = { ...readInput(texts, settings, readerWith(readOptions), reports), isNamedFile: isOneFile(texts) };
  reports.addAll(outputFolderReports(outputs ?? [], [...read.objects, ...objectsIn(read.definitions ?? [])], reports));
  if (reportsIgnored && within === undefined) reports.addAll(ignoredReports(foundFiles(texts)));
  const roots = within === undefined ? rootsOf([...paths, ...(skip === undefined ? [] : [skip])]) : () => ['.'];
  const input = withTraces(read, roots, { within, withholdsSecrets });
  if (input.objects.length === 0 && !settings.allowEmpty && !reports.hasErrors) reports.add(nothingIn(paths));
  return { input, reports, readOptions };
}

/** Returns the files that were found in folders. */
const foundFiles = (texts: readonly FoundText[]): string[] =>
  texts.flatMap(({ file, found }) => (found === undefined ? [] : [file]));

const isOneFile = ([one, ...others]: readonly FoundText[]): boolean =>
  one !== undefined && others.length === 0 && one.found === undefined && one.file !== '-';

function nothingIn(paths: readonly string[]): Report {
  const isPipe = paths.includes('-');
  const message = isPipe
    ? composeText`standard input is empty`
    : told`${{ file: trusted.file(paths.join(', ')) }}: no documents found`;
  const hint = isPipe
    ? composeText`the command before the pipe may have failed`
    : composeText`--allow-empty renders nothing without an error`;
  return unplaced('nothing-to-read', message, hint);
}

export const readerWith = (options: ReadOptions): Reader => ({
  read: (paths, reports) => readFiles(paths, { ...options, missing: 'warning' }, reports),
  ...(options.parse && { parse: options.parse }),
});
