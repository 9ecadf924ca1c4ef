import {
  Collector,
  composeText,
  type Diagnostic,
  hasErrors,
  type Report,
  toReport,
} from '../core/diagnostics/index.ts';
import type { KubeObject } from '../core/model/object.ts';
import { formatPath } from '../core/model/path.ts';
import type { RenderInput as PackageInput } from '../core/model/render.ts';
import type { Path } from '../core/model/value.ts';
import { toDiagnostics } from '../yaml/locate/index.ts';
import { listIn, objectIn, reportUnknown } from './arguments.ts';
import { type LibraryOptions, readOptions, readOptionsOver } from './options.ts';
import { fromPlain, toPlain } from './plain.ts';
import { readSources } from './sources.ts';
import type { JsonValue, KubernetesObject, RenderInput, RenderOptions, Source } from './types.ts';

/** A package for the core, and the diagnostics of reading it. */
export interface ReadPackage {
  readonly input: PackageInput;
  readonly options: LibraryOptions;
  readonly reports: readonly Report[];
}

export interface RenderResult {
  /** In order; empty if one of the diagnostics is an error. */
  readonly objects: KubernetesObject[];
  /** All diagnostics, warnings and infos included, in a stable order. */
  readonly diagnostics: Diagnostic[];
}

/** @throws TypeError for arguments of the wrong type, and for objects that JSON cannot represent, with the path */
export function readRenderInput(input: RenderInput, given: RenderOptions, more: readonly string[] = []): ReadPackage {
  const reports = new Collector();
  const options = checkedOptions(given, reports);
  return { input: readPackageInput(input, options, reports, [], more), options, reports: reports.all };
}

/**
 * Reads the texts and objects of one package; `at` is its path in the arguments.
 * @throws TypeError as `readRenderInput` does
 */
export function readPackageInput(
  input: RenderInput,
  { strict }: LibraryOptions,
  reports: Collector,
  at: Path = [],
  more: readonly string[] = [],
): PackageInput {
  objectIn(input, at.length === 0 ? 'the input' : formatPath(at), 'a list of objects');
  reportUnknown(input, [...MEMBERS, ...more], at, reports);
  const read = (sources: readonly Source[], name: string) => readSources(sources, [...at, name], strict, reports);
  const objects = read(input.objects, 'objects');
  const definitions = read(input.definitions ?? [], 'definitions');
  const observed = read(input.observed ?? [], 'observed');
  const defaults = read(input.defaults ?? [], 'defaults');
  return { objects, definitions, observed, defaults, ...openapiOf(input.openapi), ...inputSetsOf(input.inputsFrom) };
}

const MEMBERS: readonly string[] = [
  'objects',
  'definitions',
  'observed',
  'openapi',
  'inputsFrom',
  'defaults',
] satisfies (keyof RenderInput)[];

/** @throws TypeError for other values than lists, and for values that JSON cannot represent */
export const inputSetsOf = (inputSets: readonly JsonValue[] | undefined): Pick<PackageInput, 'inputSets'> =>
  inputSets === undefined ? {} : { inputSets: { value: fromPlain(listIn(inputSets, 'inputsFrom'), ['inputsFrom']) } };

/** Returns the options for the core; reports invalid ones. */
export const checkedOptions = (given: RenderOptions, reports: Collector): LibraryOptions =>
  reportProblems(readOptions(given), reports);

/** Returns the options of one call, which override those of `compile`. */
export const optionsOver = (compiled: LibraryOptions, given: RenderOptions, reports: Collector): LibraryOptions =>
  reportProblems(readOptionsOver(compiled, given), reports);

function reportProblems({ options, problems }: ReturnType<typeof readOptions>, reports: Collector): LibraryOptions {
  for (const problem of problems) reports.add({ ...toReport(problem), object: composeText`options` });
  return options;
}

export const openapiOf = (openapi: JsonValue | undefined): Pick<PackageInput, 'openapi'> =>
  openapi === undefined ? {} : { openapi: fromPlain(openapi, ['openapi']) };

/** Returns the result of the library: plain objects, or none after an error. */
export function resultOf(objects: Iterable<KubeObject>, reports: readonly Report[]): RenderResult {
  const plain = hasErrors(reports)
    ? []
    : Array.from(objects, (object) => toPlain(object) as unknown as KubernetesObject);
  return { objects: plain, diagnostics: toDiagnostics(reports) };
}
