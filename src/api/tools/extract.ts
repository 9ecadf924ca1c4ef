import descriptions from '../../../data/kubernetes-descriptions.json';
import {
  type Answers,
  type ExtractReport,
  extract as extractCopies,
  extractText,
  filesOf as filesOfExtracted,
} from '../../author/extract/index.ts';
import { Collector, type Diagnostic } from '../../core/diagnostics/index.ts';
import type { Value } from '../../core/model/value.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { objectIn, textIn } from '../arguments.ts';
import { openapiOf } from '../package.ts';
import { toPlain } from '../plain.ts';
import { readSources } from '../sources.ts';
import type { JsonValue, KubernetesObject, Source } from '../types.ts';

/** A set of objects that may be written as an instance. */
export interface CopyInput {
  /** What the set is called: the last part of its path. */
  readonly name: string;
  readonly objects: readonly Source[];
}

export interface ExtractInput {
  readonly copies: readonly CopyInput[];
  /** CRDs that describe kinds of the objects. */
  readonly definitions?: readonly Source[] | undefined;
  /** An OpenAPI document of a cluster. */
  readonly openapi?: JsonValue | undefined;
}

export interface ExtractOptions {
  /** The kind of the instances, such as `WebApp`. */
  readonly kind: string;
  /** Default: `platform.example.com`. */
  readonly group?: string | undefined;
  /** Default: `v1alpha1`. */
  readonly version?: string | undefined;
  /** Kinds of objects that are not part of an instance, such as `Secret`. */
  readonly without?: readonly string[] | undefined;
  /** Whether the copies are copies of one thing however little they have in common. */
  readonly together?: boolean | undefined;
  /** New names of fields, by the names that were chosen. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
  /** Fields of nodes that stay as they are: `deployment.spec.replicas`. */
  readonly keep?: readonly string[] | undefined;
  /** Lists of names of fields that are one field. */
  readonly same?: readonly (readonly string[])[] | undefined;
}

export interface ExtractResult {
  /** Absent after an error. */
  readonly rgd?: KubernetesObject;
  /** An instance for each copy, in their order; empty after an error. */
  readonly instances: readonly KubernetesObject[];
  /** The texts of the RGD, the instances and a golden test, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly report?: ExtractReport;
  readonly diagnostics: Diagnostic[];
}

/**
 * Finds the RGD of which sets of objects are instances. There is only a result if rendering each instance gives back
 * exactly the objects of its copy.
 * @throws TypeError for arguments of the wrong type, with the place
 */
export function extract(input: ExtractInput, options: ExtractOptions): ExtractResult {
  const { copies, definitions = [], openapi } = objectIn(input, 'the input', 'copies');
  const { kind, group, version, without, together, rename, keep, same } = objectIn(options, 'options', 'kind');
  const reports = new Collector();
  if (!Array.isArray(copies)) throw new TypeError('copies must be a list');
  const read = copies.map(({ name, objects }: CopyInput, index) => ({
    name: textIn(name, `copies[${index}].name`),
    objects: objectsIn(readSources(objects, ['copies', index, 'objects'], false, reports)),
  }));
  const beside = { definitions: readSources(definitions, 'definitions', false, reports), ...openapiOf(openapi) };
  if (reports.hasErrors) return { instances: [], files: {}, diagnostics: toDiagnostics(reports.all) };
  const answers: Answers = { rename: rename ?? {}, keep: keep ?? [], same: same ?? [] };
  const target = { kind: textIn(kind, 'kind'), group: group ?? 'platform.example.com', version: version ?? 'v1alpha1' };
  const { extracted, reports: found } = extractCopies(
    { copies: read, beside, descriptions: descriptions.text },
    { ...target, without: without ?? [], together: together ?? false, answers },
  );
  const diagnostics = toDiagnostics([...reports.all, ...found]);
  if (extracted === undefined) return { instances: [], files: {}, diagnostics };
  return {
    rgd: plain(extracted.rgd),
    instances: extracted.instances.map(plain),
    files: Object.fromEntries(filesOfExtracted(extracted)),
    report: extracted.report,
    diagnostics,
  };
}

const plain = (object: Value): KubernetesObject => toPlain(object) as unknown as KubernetesObject;

/** Formats a report as `render-rgd extract` prints it. */
export const formatExtractReport = (report: ExtractReport): string => extractText(objectIn(report, 'the report'));
