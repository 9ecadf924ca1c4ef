import { DIALECT, rgdJsonSchema as rgdSchema } from '../../authoring/jsonschema/index.ts';
import { documentPackage, samplePackage, schemaOfPackage } from '../../authoring/offers/index.ts';
import { projectFiles } from '../../authoring/project/index.ts';
import type { Diagnostic } from '../../core/diagnostics/index.ts';
import { functionConfigSchema } from '../../render/options/index.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { textIn } from '../arguments.ts';
import { askPackage } from '../package.ts';
import { toPlain } from '../plain.ts';
import type { JsonValue, KubernetesObject, RenderInput, RenderOptions, TextSource } from '../types.ts';

export interface SampleResult {
  /** YAML with comments: `##` describes a field, and a line after `# ` is an optional field. */
  readonly text?: string;
  /** The object in the text. */
  readonly object?: KubernetesObject;
  /** Why the sample is not valid yet: CEL rules that it does not satisfy. Empty if it is valid. */
  readonly faults: readonly string[];
  /** `not-found` (an error) if no RGD, or more than one, defines the kind. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Returns a sample instance with a comment on every field. `kind` is `Kind`, or `Kind.group` if several groups have it.
 * RGDs are taken from `objects`, or else from `definitions`.
 * @throws TypeError as `render` does
 */
export function sample(input: RenderInput, kind: string, options: RenderOptions = {}): SampleResult {
  const asked = textIn(kind, 'kind');
  const { answer, reports } = askPackage(input, options, (pack, checked) => samplePackage(pack, asked, checked));
  const diagnostics = toDiagnostics(reports);
  if (answer?.offer === undefined) return { faults: [], diagnostics };
  const { text, object, faults } = answer.offer;
  return { text, object: toPlain(object) as unknown as KubernetesObject, faults, diagnostics };
}

export interface JsonSchemaResult {
  /** In the dialect 2020-12. Absent if the RGD of the kind is broken. */
  readonly schema?: JsonValue;
  /** `not-found` (an error) if no RGD, or more than one, defines the kind. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Returns the JSON Schema of the instances of a kind, for editors and for checks without this library; `kind` as for
 * `sample`.
 * @throws TypeError as `render` does
 */
export function jsonSchema(input: RenderInput, kind: string, options: RenderOptions = {}): JsonSchemaResult {
  const asked = textIn(kind, 'kind');
  const { answer, reports } = askPackage(input, options, (pack, checked) => schemaOfPackage(pack, asked, checked));
  const diagnostics = toDiagnostics(reports);
  return answer?.offer === undefined ? { diagnostics } : { schema: toPlain(answer.offer), diagnostics };
}

/** Returns the JSON Schema of files with RGDs. */
export const rgdJsonSchema = (): JsonValue => toPlain(rgdSchema);

/** Returns the JSON Schema of the functionConfig of the KRM function. */
export const configJsonSchema = (): JsonValue => toPlain(functionConfigSchema(DIALECT));

export interface ReferenceResult {
  /** A Markdown page about the RGDs without errors. Absent if there are none. */
  readonly markdown?: string;
  /** `not-found` (an error) if there is no RGD. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Returns a page about the RGDs: fields, objects, status. RGDs are taken from `objects`, or else from `definitions`.
 * @throws TypeError as `render` does
 */
export function reference(input: RenderInput, options: RenderOptions = {}): ReferenceResult {
  const { answer, reports } = askPackage(input, options, documentPackage);
  const diagnostics = toDiagnostics(reports);
  return answer?.offer === undefined ? { diagnostics } : { markdown: answer.offer, diagnostics };
}

/**
 * Returns a small new project: an RGD, an instance, a test, a kustomization and a workflow. `file` is a path from the
 * folder of the project, with `/`. Nothing is written.
 */
export const project = (): TextSource[] => [...projectFiles()].map(([file, text]) => ({ file, text }));
