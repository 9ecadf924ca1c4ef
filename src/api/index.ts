import { type Diagnostic, isError, type Report } from '../diagnostics/index.ts';
import { toDiagnostics } from '../locate/index.ts';
import type { InputObject, KubeObject } from '../model/object.ts';
import { formatPath } from '../model/path.ts';
import type { RenderInput } from '../model/render.ts';
import type { Path } from '../model/value.ts';
import { readStreams } from '../parse/index.ts';
import { crdsOf } from '../pipeline.ts';
import { renderOverEarlier } from '../rerender/index.ts';
import { objectsToPrint } from '../select/index.ts';
import { type GivenOptions, type LibraryOptions, readOptions } from './options.ts';
import { fromPlain, type Plain, toPlain } from './plain.ts';

export type { Diagnostic, Severity, Stage } from '../diagnostics/index.ts';
export type { OnPending, Order, RenderOptions } from '../model/render.ts';
export type { Plain } from './plain.ts';

/** A Kubernetes object as JavaScript holds it. */
export interface PlainObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [key: string]: Plain | undefined;
}

/** A text of YAML or JSON documents; `file` is its name in diagnostics. */
export interface Text {
  readonly file: string;
  readonly text: string;
}

/** Texts and objects may be mixed. Only what comes from texts has a file, line and column in diagnostics. */
export type Source = Text | PlainObject;

export interface Input {
  /** RGDs, CRDs, instances and anything else, in any order. */
  objects: readonly Source[];
  /** RGDs and CRDs that are read but never become output. */
  definitions?: readonly Source[];
  /** Live objects, status included. */
  observed?: readonly Source[];
  /** A cluster's OpenAPI document (v2 or v3) in place of the built-in Kubernetes types. */
  openapi?: Plain;
}

/**
 * How to render, as docs/options.md describes it. What is undefined is as if left out; a name or a value that the table
 * of options does not have is an error among the diagnostics.
 */
export interface Options extends Omit<GivenOptions, 'all'> {
  /** Give out the other objects of the input too. */
  readonly all?: boolean | undefined;
}

export interface Output {
  /** In order; empty when there is an error among the diagnostics. Integers beyond 2^53 are bigint. */
  objects: PlainObject[];
  diagnostics: Diagnostic[];
}

/**
 * Renders a package: every instance becomes its objects. Pure: no clock, files, network or randomness. What is wrong
 * with the input or the options is told in `diagnostics`, never thrown; a TypeError means that an argument is of the
 * wrong type, or that an object holds no JSON, and names the place.
 */
export function render(input: Input, options: Options = {}): Output {
  const reports: Report[] = [];
  const { all, ...given } = readChecked(options, reports);
  const read = readInput(input, given.strict, reports);
  if (failed(reports)) return outputOf([], reports);
  const rendered = renderOverEarlier(read, given);
  return outputOf(objectsToPrint(rendered, all).objects, [...reports, ...rendered.reports]);
}

/** The CustomResourceDefinitions that the RGDs of a package generate, sorted by name. */
export function generateCrds(input: Input, options: Options = {}): Output {
  const reports: Report[] = [];
  const given = readChecked(options, reports);
  const read = readInput(input, given.strict, reports);
  if (failed(reports)) return outputOf([], reports);
  const generated = crdsOf(read, given);
  return outputOf(generated.crds, [...reports, ...generated.reports]);
}

function readChecked(given: Options, reports: Report[]): LibraryOptions {
  const { options, problems } = readOptions(given);
  for (const problem of problems) reports.push({ ...problem, object: 'options' });
  return options;
}

function readInput(
  { objects, definitions = [], observed = [], openapi }: Input,
  strict: boolean,
  reports: Report[],
): RenderInput {
  const read = (sources: readonly Source[], name: string): InputObject[] => {
    if (!Array.isArray(sources)) throw new TypeError(`${name} must be a list of texts and objects`);
    return sources.flatMap((source, index) => readSource(source, { path: [name, index], strict }, reports));
  };
  const input = {
    objects: read(objects, 'objects'),
    definitions: read(definitions, 'definitions'),
    observed: read(observed, 'observed'),
  };
  return openapi === undefined ? input : { ...input, openapi: fromPlain(openapi, ['openapi']) };
}

function readSource(
  source: Source,
  { path, strict }: { path: Path; strict: boolean },
  reports: Report[],
): InputObject[] {
  if (typeof source !== 'object' || source === null)
    throw new TypeError(`${formatPath(path)} must be a text or an object`);
  const isText = typeof source.text === 'string' && !('kind' in source);
  if (!isText) return [{ object: fromPlain(source as PlainObject, path) as KubeObject }];
  if (typeof source.file !== 'string') throw new TypeError(`${formatPath([...path, 'file'])} must be a string`);
  return readStreams([source as Text], reports, strict);
}

function outputOf(objects: readonly KubeObject[], reports: readonly Report[]): Output {
  const plain = failed(reports) ? [] : objects.map((object) => toPlain(object) as unknown as PlainObject);
  return { objects: plain, diagnostics: toDiagnostics(reports) };
}

const failed = (reports: readonly Report[]): boolean => reports.some(isError);
