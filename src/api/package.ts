import { Collector, type Diagnostic, hasErrors, type Report, toReport } from '../core/diagnostics/index.ts';
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

/** A package as the core takes it, and what was found while it was read. */
export interface ReadPackage {
  readonly input: PackageInput;
  readonly options: LibraryOptions;
  readonly reports: readonly Report[];
}

export interface RenderResult {
  /** In order; empty when there is an error among the diagnostics. */
  readonly objects: KubernetesObject[];
  /** Everything that was found, warnings and infos included, in a stable order. */
  readonly diagnostics: Diagnostic[];
}

/** @throws TypeError for arguments of the wrong type, and for objects that hold no JSON, with the place */
export function readRenderInput(input: RenderInput, given: RenderOptions, more: readonly string[] = []): ReadPackage {
  const reports = new Collector();
  const options = checkedOptions(given, reports);
  return { input: readPackageInput(input, options, reports, [], more), options, reports: reports.all };
}

/**
 * Reads the texts and objects of one package; `at` is where it is among the arguments.
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
  return { objects, definitions, observed, ...openapiOf(input.openapi), ...inputSetsOf(input.inputsFrom) };
}

const MEMBERS: readonly string[] = [
  'objects',
  'definitions',
  'observed',
  'openapi',
  'inputsFrom',
] satisfies (keyof RenderInput)[];

/** @throws TypeError for what is no list, and for what holds no JSON */
export const inputSetsOf = (inputSets: readonly JsonValue[] | undefined): Pick<PackageInput, 'inputSets'> =>
  inputSets === undefined ? {} : { inputSets: { value: fromPlain(listIn(inputSets, 'inputsFrom'), ['inputsFrom']) } };

/** The options as the core takes them; what is wrong with them is reported. */
export const checkedOptions = (given: RenderOptions, reports: Collector): LibraryOptions =>
  taken(readOptions(given), reports);

/** The options of one call, laid over those of `compile`. */
export const optionsOver = (compiled: LibraryOptions, given: RenderOptions, reports: Collector): LibraryOptions =>
  taken(readOptionsOver(compiled, given), reports);

function taken({ options, problems }: ReturnType<typeof readOptions>, reports: Collector): LibraryOptions {
  for (const problem of problems) reports.add({ ...toReport(problem), object: 'options' });
  return options;
}

export const openapiOf = (openapi: JsonValue | undefined): Pick<PackageInput, 'openapi'> =>
  openapi === undefined ? {} : { openapi: fromPlain(openapi, ['openapi']) };

/** The finished form: objects as JavaScript holds them, unless something is wrong. */
export function resultOf(objects: Iterable<KubeObject>, reports: readonly Report[]): RenderResult {
  const plain = hasErrors(reports)
    ? []
    : Array.from(objects, (object) => toPlain(object) as unknown as KubernetesObject);
  return { objects: plain, diagnostics: toDiagnostics(reports) };
}
