import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { readPartial } from '../../authoring/golden/index.ts';
import { Collector } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import {
  defaultSettings,
  libraryOptions,
  type OptionSet,
  type Settings,
  settingFromValue,
  sharedOptions,
} from '../../render/options/index.ts';
import { readStreams } from '../../yaml/parse/index.ts';
import { byteOrder } from '../file-system.ts';
import { readFault, readRegularText } from '../regular-file.ts';

/** The special files of a test; all others are its input. */
export const FILES = {
  test: 'test.yaml',
  objects: 'expected.yaml',
  diagnostics: 'expected-diagnostics.yaml',
  observed: 'observed.yaml',
} as const;

export interface TestCase {
  folder: string;
  /** Objects with only the relevant fields. */
  partial: readonly KubeObject[] | undefined;
  paths: readonly string[];
  settings: Settings;
  policies: readonly string[];
}

/** Returns the folders with a test, below a folder and itself; in byte order. */
export function findTests(path: string): string[] {
  if (basename(path) === FILES.test && existsSync(path)) return [dirname(path)];
  const entries = readdirSync(path, { withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => name)
    .sort(byteOrder)
    .flatMap((name) => findTests(join(path, name)));
  return entries.some((entry) => !entry.isDirectory() && entry.name === FILES.test) ? [path, ...below] : below;
}

/** The fields of a test.yaml besides `input`: paths, and options by their names in a functionConfig. */
const PATHS = ['input', 'definitions', 'observed', 'policies'] as const;
const { exclude, openapi, inputsFrom, defaults } = sharedOptions;
const OPTIONS: OptionSet = { ...libraryOptions, exclude, openapi, inputsFrom, defaults };
/** Those that name a file. */
const FILE_OPTIONS = ['openapi', 'inputsFrom', 'defaults'] as const;

/** Reads the test.yaml of a folder, or returns its error. */
export function readTest(folder: string): TestCase | { fault: string } {
  const file = join(folder, FILES.test);
  const written = readYaml(file);
  if ('fault' in written) return written;
  const { value } = written;
  if (value !== undefined && !isMap(value)) return { fault: 'it must hold a map of options, or nothing' };
  const { expected, ...given }: ValueMap = value ?? {};
  const partial = expected === undefined ? undefined : readPartial(expected);
  if (partial !== undefined && 'fault' in partial) return partial;
  const settings: Record<string, unknown> = { ...defaultSettings };
  for (const [name, option] of Object.entries(given)) {
    const fault = set(settings, name, option);
    if (fault !== undefined) return { fault };
  }
  // Paths start at the folder of the test.
  const placed = (path: string): string => (isAbsolute(path) || path === '' ? path : join(folder, path));
  const at = (name: string): string[] => ((settings[name] ?? []) as string[]).map(placed);
  const observed = join(folder, FILES.observed);
  const files = Object.fromEntries(FILE_OPTIONS.map((name) => [name, placed(settings[name] as string)])) as Pick<
    Settings,
    (typeof FILE_OPTIONS)[number]
  >;
  return {
    folder,
    partial,
    policies: at('policies'),
    paths: given.input === undefined ? ownFiles(folder, Object.values(files)) : at('input'),
    settings: {
      ...(settings as unknown as Settings),
      definitions: at('definitions'),
      observed: given.observed === undefined && existsSync(observed) ? [observed] : at('observed'),
      ...files,
    },
  };
}

/** Sets an option, or returns its error. */
function set(settings: Record<string, unknown>, name: string, value: Value): string | undefined {
  if (PATHS.some((path) => path === name)) {
    if (!Array.isArray(value) || !value.every((path) => typeof path === 'string' && path !== '')) {
      return `${name} must be a list of paths`;
    }
    settings[name] = value;
    return undefined;
  }
  const known: readonly string[] = [...PATHS, 'expected', ...Object.keys(OPTIONS)];
  const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (option === undefined) {
    return `there is no '${name}' in a test; ${didYouMean(name, known, 1) ?? `it may hold ${known.join(', ')}`}`;
  }
  const parsed = settingFromValue(option, value);
  if ('fault' in parsed) return `${name}: ${[parsed.fault, parsed.hint].filter(Boolean).join('; ')}`;
  settings[name] = parsed.value;
  return undefined;
}

/** Returns the other files of the folder itself, without those that the options name. */
function ownFiles(folder: string, others: readonly string[]): string[] {
  const known: readonly string[] = Object.values(FILES);
  return (
    readdirSync(folder, { withFileTypes: true })
      // Reading a pipe or a device reports it.
      .filter((entry) => !entry.isDirectory() && /\.(ya?ml|json)$/.test(entry.name) && !known.includes(entry.name))
      .map(({ name }) => join(folder, name))
      .filter((path) => !others.includes(path))
      .sort(byteOrder)
  );
}

/** Returns the text of a file of a test, or why it cannot be read. */
export function readExpectation(file: string): string | { fault: string } {
  try {
    return readRegularText(file);
  } catch (error) {
    return { fault: `it cannot be read: ${readFault(error)}` };
  }
}

/** Returns the single document of a file, undefined if there is none. */
export function readYaml(file: string): { value: Value | undefined } | { fault: string } {
  const reports = new Collector();
  const text = readExpectation(file);
  if (typeof text !== 'string') return text;
  const objects = readStreams([{ file, text }], reports);
  const [first] = reports;
  if (first !== undefined) return { fault: first.message };
  if (objects.length > 1) return { fault: 'it holds more than one document' };
  return { value: objects[0]?.object as Value | undefined };
}
