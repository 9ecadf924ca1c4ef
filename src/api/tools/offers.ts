import { DIALECT, rgdJsonSchema as rgdSchema } from '../../authoring/jsonschema/index.ts';
import { documentPackage, type Offered, samplePackage, schemaOfPackage } from '../../authoring/offers/index.ts';
import { type Diagnostic, hasErrors } from '../../core/diagnostics/index.ts';
import type { RenderOptions as CoreOptions, RenderInput as PackageInput } from '../../core/model/render.ts';
import { functionConfigSchema } from '../../render/options/index.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { readRenderInput } from '../package.ts';
import { toPlain } from '../plain.ts';
import type { JsonValue, KubernetesObject, RenderInput, RenderOptions } from '../types.ts';
import { textIn, withFault } from './read.ts';

export interface SampleResult {
  /** YAML with comments: `##` tells about a field, and a line behind `# ` is a field that may be left out. */
  readonly text?: string;
  /** What the text says without its comments. */
  readonly object?: KubernetesObject;
  /** Why it is not valid yet, if it is not: a rule in CEL wants something that only a person knows. */
  readonly faults: readonly string[];
  /** `not-found` (an error) when no RGD, or more than one, defines the kind. */
  readonly diagnostics: Diagnostic[];
}

/**
 * An instance to start from, with a comment on every field. `kind` is `Kind`, or `Kind.group` where several groups have it.
 * RGDs are among `objects`, or else among `definitions`.
 * @throws TypeError as `render` does
 */
export function sample(input: RenderInput, kind: string, options: RenderOptions = {}): SampleResult {
  const asked = textIn(kind, 'kind');
  const { offer, diagnostics } = ask(input, options, (pack, checked) => samplePackage(pack, asked, checked));
  if (offer === undefined) return { faults: [], diagnostics };
  const { text, object, faults } = offer;
  return { text, object: toPlain(object) as unknown as KubernetesObject, faults, diagnostics };
}

export interface JsonSchemaResult {
  /** Of the dialect 2020-12. Not there when the RGD of the kind is broken. */
  readonly schema?: JsonValue;
  /** `not-found` (an error) when no RGD, or more than one, defines the kind. */
  readonly diagnostics: Diagnostic[];
}

/**
 * The JSON Schema of the instances of a kind, for editors and for checks without this library; `kind` as for `sample`.
 * @throws TypeError as `render` does
 */
export function jsonSchema(input: RenderInput, kind: string, options: RenderOptions = {}): JsonSchemaResult {
  const asked = textIn(kind, 'kind');
  const { offer, diagnostics } = ask(input, options, (pack, checked) => schemaOfPackage(pack, asked, checked));
  return offer === undefined ? { diagnostics } : { schema: toPlain(offer), diagnostics };
}

/** The JSON Schema of files of RGDs. */
export const rgdJsonSchema = (): JsonValue => toPlain(rgdSchema);

/** The JSON Schema of the functionConfig of the KRM function. */
export const configJsonSchema = (): JsonValue => toPlain(functionConfigSchema(DIALECT));

export interface ReferenceResult {
  /** A page in Markdown about the RGDs without errors. Not there when there is none. */
  readonly markdown?: string;
  /** `not-found` (an error) when there is no RGD. */
  readonly diagnostics: Diagnostic[];
}

/**
 * A page about the RGDs: fields, objects, status. RGDs are among `objects`, or else among `definitions`.
 * @throws TypeError as `render` does
 */
export function reference(input: RenderInput, options: RenderOptions = {}): ReferenceResult {
  const { offer, diagnostics } = ask(input, options, documentPackage);
  return offer === undefined ? { diagnostics } : { markdown: offer, diagnostics };
}

function ask<Offer>(
  input: RenderInput,
  given: RenderOptions,
  verb: (pack: PackageInput, options: CoreOptions) => Offered<Offer>,
): { offer?: Offer; diagnostics: Diagnostic[] } {
  const { input: pack, options, reports } = readRenderInput(input, given);
  if (hasErrors(reports)) return { diagnostics: toDiagnostics(reports) };
  const { offer, fault, reports: found } = verb(pack, options);
  const all = withFault(fault, [...reports, ...found]);
  const diagnostics = toDiagnostics(all);
  // A broken RGD leaves what the others offer.
  return offer === undefined ? { diagnostics } : { offer, diagnostics };
}
