import { projectFiles } from '../../author/project/index.ts';
import { type CompatException, comparePackages, faultInName } from '../../compare/compat/index.ts';
import type { Diagnostic } from '../../core/diagnostics/index.ts';
import type { Value } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { parseAddress } from '../../describe/address/index.ts';
import { type Explanation, explainPackage, explanationText, parseFieldPath } from '../../describe/explain/index.ts';
import { type DrawOptions, drawPackage, graphWriters, type Picture } from '../../describe/graph/index.ts';
import { DIALECT, rgdJsonSchema as rgdSchema } from '../../describe/jsonschema/index.ts';
import { documentPackage, samplePackage, schemaOfPackage } from '../../describe/offers/index.ts';
import { functionConfigSchema } from '../../render/options/index.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { formatIn, listIn, objectIn, textIn } from '../arguments.ts';
import { askPackage, readVersions, type VersionsInput } from '../package.ts';
import { fromPlain, toPlain } from '../plain.ts';
import { readSources } from '../sources.ts';
import type { JsonValue, KubernetesObject, RenderInput, RenderOptions, Source, TextSource } from '../types.ts';

/** The subject of an explanation; `node`, `field` and `expression` exclude each other. */
export interface ExplainQuestion {
  /** An instance, or with `field` a rendered object: `KIND/NAME` or `KIND/NAMESPACE/NAME`. */
  readonly object: string;
  /** The id of a node of the instance. Default: a summary of all nodes. */
  readonly node?: string | undefined;
  /** A field of the rendered object: `.spec.ports[0].name`, `.metadata.labels["a.b/c"]`. */
  readonly field?: string | undefined;
  /** A CEL expression to evaluate in the instance, as one of its nodes would. */
  readonly expression?: string | undefined;
}

export interface ExplainResult {
  /** Absent after an error that prevents the expansion of the package, or `not-found`. */
  readonly explanation?: Explanation;
  /** Other diagnostics of the package; the explanation reports those of the instance. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Explains why the nodes of an instance are included, skipped or pending, with the value of every expression part by
 * part, or which sources a field of a rendered object has. Values of Secrets are hidden.
 * @throws TypeError as `render` does, and for an invalid question
 */
export function explain(input: RenderInput, question: ExplainQuestion, options: RenderOptions = {}): ExplainResult {
  const asked = readQuestion(question);
  const { answer, diagnostics } = askPackage(input, options, (pack, checked) => {
    const { explanation, fault, reports: found } = explainPackage(pack, asked, checked);
    // An explanation has the reports of its instance.
    return { explanation, fault, reports: explanation === undefined && fault === undefined ? found : [] };
  });
  if (answer?.explanation === undefined) return { diagnostics };
  return { explanation: toPlain(answer.explanation as object as Value) as object as Explanation, diagnostics };
}

function readQuestion(question: ExplainQuestion): Parameters<typeof explainPackage>[1] {
  const { object, node, field, expression } = objectIn(question, 'the question', 'object');
  if (parseAddress(textIn(object, 'object')) === undefined) {
    throw new TypeError(`object must be KIND/NAME or KIND/NAMESPACE/NAME, got ${object}`);
  }
  if ([node, field, expression].filter((one) => one !== undefined).length > 1) {
    throw new TypeError('explain takes node or field or expression');
  }
  if (expression !== undefined) return { object, expression: textIn(expression, 'expression') };
  if (node !== undefined) return { object, node: textIn(node, 'node') };
  if (field === undefined) return { object };
  const path = parseFieldPath(textIn(field, 'field'));
  if (path === undefined) throw new TypeError(`field must be like .spec.ports[0].name, got ${field}`);
  return { object, field: path };
}

/** Formats the result of `explain` as `render-rgd explain` prints it. */
export const formatExplanation = (explanation: Explanation): string =>
  explanationText(fromPlain(objectIn(explanation, 'the explanation') as object as JsonValue) as object as Explanation);

export interface GraphOptions extends RenderOptions {
  /** The names of the RGDs to draw. Default: all of `objects`, or else all of `definitions`. */
  readonly rgds?: readonly string[] | undefined;
  /**
   * An instance to draw instead of RGDs, with the states of its nodes: `KIND/NAME` or `KIND/NAMESPACE/NAME`. Pending
   * nodes are drawn and are not errors.
   */
  readonly instance?: string | undefined;
}

export interface GraphResult {
  /** One picture for each RGD without errors; with `instance`, empty if one of the diagnostics is an error. */
  readonly pictures: readonly Picture[];
  /** `not-found` (an error) if the requested objects do not exist. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Returns the graphs of RGDs: nodes and their dependencies. `formatGraph` draws them.
 * @throws TypeError as `render` does, and for `rgds` together with `instance`
 */
export function graph(input: RenderInput, given: GraphOptions = {}): GraphResult {
  const { rgds = [], instance, ...others } = objectIn(given, 'options');
  if (!Array.isArray(rgds) || !rgds.every((name) => typeof name === 'string')) {
    throw new TypeError('rgds must be a list of names');
  }
  if (instance !== undefined && rgds.length > 0) throw new TypeError('graph takes rgds or instance');
  const subject = { rgds, instance: instance === undefined ? '' : textIn(instance, 'instance') };
  const { answer, diagnostics } = askPackage(input, others, (pack, options) => drawPackage(pack, options, subject));
  const isShown = instance === undefined || !diagnostics.some(({ severity }) => severity === 'error');
  return { pictures: (isShown && answer?.pictures) || [], diagnostics };
}

export type { DrawOptions };

/**
 * Formats pictures as text: `mermaid`, `dot` of Graphviz, or `svg`, which is self-contained and has colours for light
 * and dark pages.
 * @throws TypeError for another format
 */
export function formatGraph(
  pictures: readonly Picture[],
  format: 'mermaid' | 'dot' | 'svg' = 'mermaid',
  options: DrawOptions = {},
): string {
  return visible(formatIn(graphWriters, format, 'graphs')(pictures, options));
}

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
  const { answer, diagnostics } = askPackage(input, options, (pack, checked) => samplePackage(pack, asked, checked));
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
  const { answer, diagnostics } = askPackage(input, options, (pack, checked) => schemaOfPackage(pack, asked, checked));
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
  const { answer, diagnostics } = askPackage(input, options, documentPackage);
  return answer?.offer === undefined ? { diagnostics } : { markdown: answer.offer, diagnostics };
}

/**
 * Returns a small new project: an RGD, an instance, a test, a kustomization and a workflow. `file` is a path from the
 * folder of the project, with `/`. Nothing is written.
 */
export const project = (): TextSource[] => [...projectFiles()].map(([file, text]) => ({ file, text }));

export interface CompatInput extends VersionsInput {
  /** Instances to check against a change, besides those of both versions. Default: none. */
  readonly instances?: readonly Source[] | undefined;
}

export interface CompatOptions extends RenderOptions {
  /**
   * Reports everything that may break an instance, as kro 0.10 does with the gate ConservativeCRDComparison. Default:
   * false.
   */
  readonly conservative?: boolean | undefined;
  /** Accepted breaking changes, which become warnings. Default: []. */
  readonly allow?: readonly AllowedChange[] | undefined;
}

export interface AllowedChange {
  /** The name of the change, such as `property-removed`; `*` for any. */
  readonly change: string;
  /** The field, and all below it: `spec.replicas`. Default: every field. */
  readonly field?: string | undefined;
  /** The reason; it must not be empty. */
  readonly reason: string;
}

export interface CompatResult {
  /** Whether every instance stays valid; false if one of the diagnostics is an error. */
  readonly compatible: boolean;
  /** `breaking-change` (an error) and `compatible-change` (an info), at the field of the newer RGD. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Compares the schemas of two versions of RGDs by the rules by which kro accepts an update.
 * @throws TypeError as `render` does
 */
export function compat(input: CompatInput, given: CompatOptions = {}): CompatResult {
  const { conservative = false, allow = [], ...options } = objectIn(given, 'options');
  if (typeof conservative !== 'boolean') throw new TypeError('conservative must be a boolean');
  const exceptions = exceptionsIn(allow);
  const { before, after, options: checked, reports } = readVersions(input, options, ['instances']);
  const others = readSources(input.instances ?? [], 'instances', checked.strict, reports);
  if (!reports.hasErrors) {
    reports.addAll(comparePackages(before, after, others, { ...checked, conservative, exceptions }).reports);
  }
  return { compatible: !reports.hasErrors, diagnostics: toDiagnostics(reports.all) };
}

/** @throws TypeError for values that are not a list of changes with reasons */
function exceptionsIn(allow: readonly AllowedChange[]): CompatException[] {
  listIn(allow, 'allow');
  return allow.map((one, index) => {
    const at = `allow[${index}]`;
    const { change, field = '', reason } = objectIn(one, at, 'change and reason');
    const exception = { rule: textIn(change, `${at}.change`), path: textIn(field, `${at}.field`), reason };
    const fault = faultInName(exception.rule);
    if (fault !== undefined) throw new TypeError(`${at}.change: ${fault}`);
    if (textIn(reason, `${at}.reason`).trim() === '') throw new TypeError(`${at}.reason must not be empty`);
    return exception;
  });
}
