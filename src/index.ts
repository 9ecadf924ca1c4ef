import { type Diagnostic, isError, type Report } from './diagnostics/diagnostic.ts';
import { toDiagnostic } from './diagnostics/resolve.ts';
import { renderOverEarlier } from './earlier/index.ts';
import { fromPlain, type Plain, toPlain } from './library/plain.ts';
import type { InputObject, KubeObject } from './model/object.ts';
import { defaultRenderOptions, type RenderInput, type RenderOptions } from './model/render.ts';
import { createLocator } from './parse/locate.ts';
import { readStreams } from './parse/streams.ts';
import { crdsOf } from './pipeline.ts';
import { objectsToPrint } from './print/index.ts';

export type { Stage } from './diagnostics/codes.ts';
export type { Diagnostic, Severity } from './diagnostics/diagnostic.ts';
export type { Plain } from './library/plain.ts';
export type { OnPending, Order, RenderOptions } from './model/render.ts';

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

export interface Options extends Partial<RenderOptions> {
  /** Give out the other objects of the input too. */
  all?: boolean;
}

export interface Output {
  /** In order; empty when there is an error among the diagnostics. Integers beyond 2^53 are bigint. */
  objects: PlainObject[];
  diagnostics: Diagnostic[];
}

/**
 * Renders a package: every instance becomes its objects. Pure: no clock, files, network or randomness. What is wrong
 * with the input is told in `diagnostics`, never thrown; a TypeError means that an object holds no JSON.
 */
export function render(input: Input, options: Options = {}): Output {
  const { all = false, ...given } = options;
  const reports: Report[] = [];
  const read = readInput(input, given.strict === true, reports);
  if (failed(reports)) return outputOf([], reports);
  const rendered = renderOverEarlier(read, { ...defaultRenderOptions, ...given });
  return outputOf(objectsToPrint(rendered, all).objects, [...reports, ...rendered.reports]);
}

/** The CustomResourceDefinitions that the RGDs of a package generate, sorted by name. */
export function generateCrds(input: Input, options: Partial<RenderOptions> = {}): Output {
  const reports: Report[] = [];
  const read = readInput(input, options.strict === true, reports);
  if (failed(reports)) return outputOf([], reports);
  const generated = crdsOf(read, { ...defaultRenderOptions, ...options });
  return outputOf(generated.crds, [...reports, ...generated.reports]);
}

function readInput(
  { objects, definitions = [], observed = [], openapi }: Input,
  strict: boolean,
  reports: Report[],
): RenderInput {
  const read = (sources: readonly Source[]): InputObject[] =>
    sources.flatMap((source) => readSource(source, strict, reports));
  const input = { objects: read(objects), definitions: read(definitions), observed: read(observed) };
  return openapi === undefined ? input : { ...input, openapi: fromPlain(openapi) };
}

function readSource(source: Source, strict: boolean, reports: Report[]): InputObject[] {
  const isText = typeof source.text === 'string' && !('kind' in source);
  if (isText) return readStreams([source as Text], reports, strict);
  return [{ object: fromPlain(source as PlainObject) as KubeObject }];
}

function outputOf(objects: readonly KubeObject[], reports: readonly Report[]): Output {
  const plain = failed(reports) ? [] : objects.map((object) => toPlain(object) as unknown as PlainObject);
  const locator = createLocator();
  return { objects: plain, diagnostics: reports.map((report) => toDiagnostic(report, locator)) };
}

const failed = (reports: readonly Report[]): boolean => reports.some(isError);
