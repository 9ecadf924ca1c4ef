import { Collector, type Diagnostic, hasErrors, type Report, type Text } from '../core/diagnostics/index.ts';
import type { Document, KubeObject } from '../core/model/object.ts';
import type { RenderInput as PackageInput } from '../core/model/render.ts';
import { formatPath, type Path } from '../core/model/value.ts';
import { toDiagnostics } from '../yaml/locate/index.ts';
import { listIn, objectIn, reportUnknown } from './arguments.ts';
import { type LibraryOptions, readOptions } from './options.ts';
import { fromPlain, toPlain } from './plain.ts';
import { readSources } from './sources.ts';
import type { InstanceInput, JsonValue, KubernetesObject, RenderInput, RenderOptions, Source } from './types.ts';

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
  const options = readOptions(given, reports);
  return { input: readPackageInput(input, options, reports, { more }), options, reports: reports.all };
}

/** Asks a tool about a package without errors. The `fault` that it does not find what was asked for is an error too. */
export function askPackage<A extends { fault?: Text | undefined; reports: readonly Report[] }>(
  input: RenderInput,
  given: RenderOptions,
  tool: (pack: PackageInput, options: LibraryOptions) => A,
): { answer?: A; diagnostics: Diagnostic[] } {
  const { input: pack, options, reports } = readRenderInput(input, given);
  if (hasErrors(reports)) return { diagnostics: toDiagnostics(reports) };
  const answer = tool(pack, options);
  const all = [...reports, ...answer.reports];
  if (answer.fault !== undefined && !hasErrors(all)) all.push({ code: 'not-found', message: answer.fault, path: [] });
  return { answer, diagnostics: toDiagnostics(all) };
}

/** Two versions of a package. */
export interface VersionsInput {
  readonly before: RenderInput;
  readonly after: RenderInput;
}

interface ReadVersions {
  before: PackageInput;
  after: PackageInput;
  options: LibraryOptions;
  /** What is wrong with the input. */
  reports: Collector;
}

/** Reads two versions of a package; `more` names other members of the input. @throws TypeError as `render` does */
export function readVersions(input: VersionsInput, given: RenderOptions, more: readonly string[] = []): ReadVersions {
  const reports = new Collector();
  const options = readOptions(given, reports);
  objectIn(input, 'the input', 'before and after');
  reportUnknown(input, ['before', 'after', ...more], [], reports);
  const read = (name: 'before' | 'after'): PackageInput =>
    readPackageInput(input[name], options, reports, { at: [name] });
  return { before: read('before'), after: read('after'), options, reports };
}

interface PackageContext {
  /** The path of the package in the arguments. */
  at?: Path;
  /** The names of other members of the input. */
  more?: readonly string[];
  /** What `compile` read: the input has no definitions then. */
  compiled?: Pick<PackageInput, 'openapi'> & { definitions: readonly Document[]; reports: readonly Report[] };
}

/** Reads the texts and objects of one package. @throws TypeError as `readRenderInput` does */
export function readPackageInput(
  input: RenderInput,
  { strict }: LibraryOptions,
  reports: Collector,
  { at = [], more = [], compiled }: PackageContext = {},
): PackageInput {
  objectIn(input, at.length === 0 ? 'the input' : formatPath(at), 'a list of objects');
  reportUnknown(input, [...MEMBERS, ...(compiled === undefined ? OF_COMPILE : []), ...more], at, reports);
  const read = (name: 'definitions' | 'observed' | 'defaults', sources: readonly Source[] = []) =>
    readSources(sources, [...at, name], strict, reports);
  const objects = readSources(input.objects, [...at, 'objects'], strict, reports);
  reports.addAll(compiled?.reports ?? []);
  const { definitions, openapi } = compiled ?? {
    definitions: read('definitions', input.definitions),
    ...openapiOf(input.openapi),
  };
  const observed = read('observed', input.observed);
  const defaults = read('defaults', input.defaults);
  const sets = input.inputsFrom;
  return {
    objects,
    definitions,
    observed,
    defaults,
    ...(openapi !== undefined && { openapi }),
    ...(sets !== undefined && { inputSets: { value: fromPlain(listIn(sets, 'inputsFrom'), ['inputsFrom']) } }),
  };
}

const MEMBERS: readonly string[] = ['objects', 'observed', 'inputsFrom', 'defaults'] satisfies (keyof InstanceInput)[];
const OF_COMPILE: readonly string[] = ['definitions', 'openapi'] satisfies (keyof RenderInput)[];

export const openapiOf = (openapi: JsonValue | undefined): Pick<PackageInput, 'openapi'> =>
  openapi === undefined ? {} : { openapi: fromPlain(openapi, ['openapi']) };

/** Returns the result of the library: plain objects, or none after an error. */
export function resultOf(objects: Iterable<KubeObject>, reports: readonly Report[]): RenderResult {
  const plain = hasErrors(reports)
    ? []
    : Array.from(objects, (object) => toPlain(object) as unknown as KubernetesObject);
  return { objects: plain, diagnostics: toDiagnostics(reports) };
}
