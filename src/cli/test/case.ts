import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import {
  compareExpected,
  type Ran,
  readExpected,
  readPartial,
  renderForTest,
  type Verdict,
} from '../../author/golden/index.ts';
import { readDocuments } from '../../check/documents/index.ts';
import { withFiles } from '../../check/validate/index.ts';
import { reviewAlone } from '../../compare/review/index.ts';
import { Collector, type Diagnostic, isError, withoutConsequences } from '../../core/diagnostics/index.ts';
import { type Evidence, NO_EVIDENCE } from '../../core/ledger/index.ts';
import { type Document, type InputObject, type KubeObject, textsByFile } from '../../core/model/object.ts';
import { isMap, ownValue, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import type { CoverageCollector } from '../../describe/coverage/index.ts';
import { readInput } from '../../describe/input/index.ts';
import { defaultSettings, libraryOptions, settingFromValue, sharedOptions } from '../../render/options/index.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { flattenObjects, readStreams } from '../../yaml/parse/index.ts';
import { byteOrder, entriesIn, linkStatOf, readFault, readRegularText } from '../file-system.ts';
import { readerWith, readFiles } from '../files.ts';
import { notCheckedOut } from '../git/missing.ts';
import { MetFiles, TOOL_FOLDERS } from '../met-files.ts';
import { readPolicyFiles } from '../settings-file.ts';
import { Walk } from '../walk.ts';

export const FILES = {
  test: 'test.yaml',
  objects: 'expected.yaml',
  diagnostics: 'expected-diagnostics.yaml',
  observed: 'observed.yaml',
} as const;

interface TestCase {
  folder: string;
  /** Objects with only the relevant fields. */
  partial: readonly KubeObject[] | undefined;
  paths: readonly string[];
  /** Other files of the folder, if its files are the input: they are not read because of their names. */
  others: readonly string[];
  settings: typeof defaultSettings;
  policies: readonly string[];
}

/** The folders with a test: those that run, and those in hidden folders, which do not. */
export interface FoundTests {
  folders: readonly string[];
  hidden: readonly string[];
}

/** Returns the folders with a test, below a folder and itself; in byte order. @throws {FileError} if there are too many */
export function findTests(path: string): FoundTests {
  if (basename(path) === FILES.test && existsSync(path)) return { folders: [dirname(path)], hidden: [] };
  const found = { folders: [], hidden: [] };
  addTestsBelow({ path, level: 0, isHidden: false }, new Walk(), found);
  return found;
}

function addTestsBelow(
  { path, level, isHidden }: { path: string; level: number; isHidden: boolean },
  walk: Walk,
  found: { folders: string[]; hidden: string[] },
): void {
  const entries = walk.read(path, level);
  const isTest = entries.some((entry) => !entry.isDirectory() && entry.name === FILES.test);
  if (isTest) (isHidden ? found.hidden : found.folders).push(path);
  const folders = entries.filter((entry) => entry.isDirectory() && !TOOL_FOLDERS.has(entry.name));
  for (const name of folders.map((entry) => entry.name).sort(byteOrder)) {
    const below = { path: join(path, name), level: level + 1, isHidden: isHidden || name.startsWith('.') };
    addTestsBelow(below, walk, found);
  }
}

/** The fields of a test.yaml besides `input`: paths, and options by their names in a functionConfig. */
const PATHS = ['input', 'definitions', 'observed', 'policies'] as const;
const { exclude, openapi, inputsFrom, defaults } = sharedOptions;
const OPTIONS = { ...libraryOptions, exclude, openapi, inputsFrom, defaults };
export class Broken extends Error {
  constructor(
    readonly file: string,
    message: string,
  ) {
    super(message);
  }
}

function orBroken<T extends object>(file: string, given: T | { fault: string }): T {
  if ('fault' in given) throw new Broken(file, given.fault);
  return given;
}

/** Reads the test.yaml of a folder. @throws {Broken} */
export function readTest(folder: string): TestCase {
  const file = join(folder, FILES.test);
  const value = readYaml(file);
  if (value !== undefined && !isMap(value)) throw new Broken(file, 'it must hold a map of options, or nothing');
  const { expected, ...given }: ValueMap = value ?? {};
  const partial = expected === undefined ? undefined : orBroken(file, readPartial(expected));
  const settings: Record<string, unknown> = { ...defaultSettings };
  for (const [name, option] of Object.entries(given)) {
    const fault = set(settings, name, option);
    if (fault !== undefined) throw new Broken(file, fault);
  }
  // Paths start at the folder of the test.
  const placed = (path: string): string => (isAbsolute(path) || path === '' ? path : join(folder, path));
  const at = (name: string): string[] => ((ownValue(settings, name) ?? []) as string[]).map(placed);
  const observed = join(folder, FILES.observed);
  // A link that leads nowhere is read, which reports it.
  const hasObserved = linkStatOf(observed) !== undefined;
  const options = settings as unknown as typeof defaultSettings;
  const files = {
    openapi: placed(options.openapi),
    inputsFrom: placed(options.inputsFrom),
    defaults: placed(options.defaults),
  };
  return {
    folder,
    partial,
    policies: at('policies'),
    paths: given.input === undefined ? ownFiles(folder, Object.values(files)) : at('input'),
    others: given.input === undefined ? filesIn(folder).filter((path) => !READ.test(path)) : [],
    settings: {
      ...options,
      definitions: at('definitions'),
      observed: given.observed === undefined && hasObserved ? [observed] : at('observed'),
      ...files,
    },
  };
}

function set(settings: Record<string, unknown>, name: string, value: Value): string | undefined {
  if (PATHS.some((path) => path === name)) {
    if (!Array.isArray(value) || !value.every((path) => typeof path === 'string' && path !== '')) {
      return `${name} must be a list of paths`;
    }
    setKey(settings, name, value);
    return undefined;
  }
  const known: readonly string[] = [...PATHS, 'expected', ...Object.keys(OPTIONS)];
  const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as keyof typeof OPTIONS] : undefined;
  if (option === undefined) {
    return `there is no '${name}' in a test; ${didYouMean(name, known, 1) ?? `it may hold ${known.join(', ')}`}`;
  }
  const parsed = settingFromValue(option, value);
  if ('fault' in parsed) return `${name}: ${[parsed.fault, parsed.hint].filter(Boolean).join('; ')}`;
  setKey(settings, name, parsed.value);
  return undefined;
}

const READ = /\.(ya?ml|json)$/;

/** Returns the files of the folder itself. Reading a pipe or a device reports it. */
const filesIn = (folder: string): string[] =>
  entriesIn(folder)
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort(byteOrder);

/** Returns the files of the folder that are read as its input, without those that the options name. */
function ownFiles(folder: string, others: readonly string[]): string[] {
  const known: readonly string[] = Object.values(FILES);
  return filesIn(folder).filter((path) => READ.test(path) && !known.includes(basename(path)) && !others.includes(path));
}

function read<T>(file: string, take: (documents: Document[], reports: Collector) => T): T {
  const reports = new Collector();
  let text: string;
  try {
    text = readRegularText(file);
  } catch (error) {
    throw new Broken(file, `it cannot be read: ${readFault(error)}`);
  }
  const taken = take(readStreams([{ file, text }], reports), reports);
  const [first] = reports;
  if (first !== undefined) throw new Broken(file, first.message);
  return taken;
}

function readYaml(file: string): Value | undefined {
  const documents = read(file, (all) => all);
  if (documents.length > 1) throw new Broken(file, 'it holds more than one document');
  return documents[0]?.object as Value | undefined;
}

export interface Outcome {
  folder: string;
  /** Why it cannot run; then the other fields are meaningless. */
  fault?: { file: string; message: string };
  verdict: Verdict;
  objects: Ran['objects'];
  diagnostics: readonly Diagnostic[];
  sources: ReadonlyMap<string, string>;
  expectsDiagnostics: boolean;
  expected: readonly InputObject[];
  /** What became of the files of the input, and of the documents and objects in them that are not rendered. */
  evidence: Evidence;
}

const NOTHING: Omit<Outcome, 'folder'> = {
  verdict: { passed: false, comparison: undefined, unexpected: [], missing: [] },
  objects: [],
  diagnostics: [],
  sources: new Map(),
  expectsDiagnostics: false,
  expected: [],
  evidence: NO_EVIDENCE,
};

export function runTest(folder: string, collector: CoverageCollector | undefined, updating: boolean): Outcome {
  try {
    return run(folder, collector, updating);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { ...NOTHING, folder, fault: { file: error.file, message: error.message } };
  }
}

/** @throws {Broken} */
function run(folder: string, collector: CoverageCollector | undefined, updating: boolean): Outcome {
  const test = readTest(folder);
  const list = join(folder, FILES.diagnostics);
  const file = join(folder, FILES.objects);
  const diagnostics = linkStatOf(list) !== undefined ? orBroken(list, readExpected(readYaml(list) ?? [])) : undefined;
  const wanted = linkStatOf(file) !== undefined ? read(file, flattenObjects) : undefined;
  const isSilent = wanted === undefined && diagnostics === undefined && test.partial === undefined;
  if (!updating && isSilent) {
    const message = `nothing is expected: there is no ${FILES.objects}, which --update writes`;
    throw new Broken(join(folder, FILES.test), message);
  }
  const rendered = render(test, collector);
  const shown = rendered.diagnostics.map((one) =>
    one.file === undefined ? one : { ...one, file: relative(folder, one.file) },
  );
  const objects = wanted?.map(({ object }) => reviewAlone(object)) ?? (isSilent ? [] : undefined);
  const verdict = compareExpected({ objects, partial: test.partial, diagnostics }, rendered.objects, shown);
  return { ...rendered, folder, verdict, expectsDiagnostics: diagnostics !== undefined, expected: wanted ?? [] };
}

function render(
  { folder, paths, others, settings, policies }: TestCase,
  collector: CoverageCollector | undefined,
): Pick<Outcome, 'objects' | 'diagnostics' | 'sources' | 'evidence'> {
  const reports = new Collector();
  const options = { exclude: settings.exclude };
  const met = new MetFiles();
  const texts = readFiles(paths, { ...options, missing: 'error', met }, reports);
  const beside = readPolicyFiles(policies, {}, options, reports);
  const read = readInput(texts, settings, readerWith(options), reports);
  refuseUnreadable(folder, met, reports);
  const ran = renderForTest({ ...read, policies: beside }, settings, collector);
  const all = withoutConsequences([...reports, ...ran.reports]);
  const { templates = [] } = read;
  met.recordMissing(notCheckedOut(paths));
  for (const path of others) met.probe(path, 'other-name', () => true);
  const files = withFiles(NO_EVIDENCE, { met: met.entries, templates, reports: reports.all });
  const documents = readDocuments([...read.objects, ...(read.definitions ?? [])]);
  return {
    objects: ran.objects,
    diagnostics: toDiagnostics(all),
    sources: textsByFile(all),
    evidence: { ...files, documents: [...files.documents, ...documents.others], given: ran.unrendered },
  };
}

/** A test without one of its files would say nothing about it. An expected diagnostic does not change that. @throws {Broken} */
function refuseUnreadable(folder: string, met: MetFiles, reports: Collector): void {
  const unreadable = reports.all.find(
    (one) => isError(one) && (one.source === undefined || one.code === 'unreadable-file'),
  );
  if (unreadable === undefined) return;
  const failed = met.entries.find(({ outcome }) => outcome.is === 'failed');
  throw new Broken(failed?.file ?? join(folder, FILES.test), unreadable.message);
}
