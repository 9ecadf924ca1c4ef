import { Collector, type Diagnostic, hasErrors, type Report } from '../core/diagnostics/index.ts';
import { groupBy } from '../core/model/group-by.ts';
import { type Document, nameOf } from '../core/model/object.ts';
import { isMap, sameValue, type Value } from '../core/model/value.ts';
import { compilePackage } from '../render/pipeline.ts';
import { toDiagnostics } from '../yaml/locate/index.ts';
import { objectIn } from './arguments.ts';
import { readOptions } from './options.ts';
import { openapiOf, type ReadPackage, type RenderResult, readPackageInput } from './package.ts';
import { isText, readSource } from './sources.ts';
import type { CompileOptions, InstanceInput, InstanceOptions, LiveInput, LiveOptions, Source } from './types.ts';
import { crdsRead, observeWith, type PendingResult, pendingRead, renderRead } from './verbs.ts';

interface ReadSource {
  inputs: readonly Document[];
  reports: readonly Report[];
}

/** The definitions that were read last: unchanged ones keep their values, for which the core keeps what it compiled. */
interface Memory {
  texts: ReadonlyMap<string, ReadSource>;
  objects: ReadonlyMap<string, readonly Value[]>;
}

const NOTHING: Memory = { texts: new Map(), objects: new Map() };

/** Reads definitions, reusing the values of earlier ones, and returns the new memory. */
function readDefinitions(definitions: readonly Source[], strict: boolean, memory: Memory) {
  if (!Array.isArray(definitions)) throw new TypeError('definitions must be a list of texts and objects');
  const texts = new Map<string, ReadSource>();
  const read = definitions.map((source: Source, index) => {
    const key = isWholeText(source) ? `${source.file}\n${source.text}` : '';
    const one = memory.texts.get(key) ?? readAnew(source, index, strict, memory);
    if (key !== '') texts.set(key, one);
    return one;
  });
  const inputs = read.flatMap((one) => one.inputs);
  const objects = inputs.map(({ object }) => object);
  return { inputs, reports: read.flatMap((one) => one.reports), memory: { texts, objects: groupBy(objects, titleOf) } };
}

const isWholeText = (source: Source) =>
  typeof source === 'object' && source !== null && isText(source) && typeof source.text === 'string';

function readAnew(source: Source, index: number, strict: boolean, memory: Memory): ReadSource {
  const reports = new Collector();
  const inputs = readSource(source, ['definitions', index], strict, reports);
  return { inputs: inputs.map((input) => remembered(input, memory)), reports: reports.all };
}

/** Returns the input with the value of an earlier one, if nothing changed. */
function remembered(input: Document, { objects }: Memory): Document {
  const object = objects.get(titleOf(input.object))?.find((one) => sameValue(one, input.object));
  return object === undefined ? input : { ...input, object };
}

const titleOf = (value: Value): string => (isMap(value) ? `${String(value.kind)}/${nameOf(value)}` : '');

/** RGDs and CRDs that were read and compiled once. The arguments of its methods are not kept. */
export interface CompiledDefinitions {
  /** The diagnostics of the definitions and the options. If one is an error, nothing is rendered. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Renders a set of instances. Returns the same as `render({ ...input, definitions }, options)`, including the
   * diagnostics of the definitions. `options` override those of `compile`.
   * @throws TypeError for arguments of the wrong type, and for objects that JSON cannot represent, with the path
   */
  render(input: InstanceInput, options?: InstanceOptions): RenderResult;
  /** Returns the CustomResourceDefinitions that the RGDs generate, sorted by name. */
  crds(): RenderResult;
  /** Returns the pending values of a set of instances, as `pending` does. */
  pending(input: InstanceInput, options?: InstanceOptions): PendingResult;
  /** Returns what a set of instances reads of live objects, as `observe` does. */
  observe(input: InstanceInput & LiveInput, options?: InstanceOptions & LiveOptions): RenderResult;
  /**
   * Compiles other definitions with the same options. RGDs that did not change, and whose kinds did not change, are
   * reused; the others are compiled. The original does not change.
   */
  recompile(definitions: readonly Source[]): CompiledDefinitions;
}

/**
 * Reads and compiles RGDs and CRDs once, to render many sets of instances with them. Errors in the definitions are in
 * `diagnostics`, never thrown.
 * @throws TypeError for arguments of the wrong type, and for objects that JSON cannot represent, with the path
 */
export const compile = (definitions: readonly Source[], options: CompileOptions = {}): CompiledDefinitions =>
  compileWith(definitions, options, NOTHING);

function compileWith(definitions: readonly Source[], given: CompileOptions, earlier: Memory): CompiledDefinitions {
  const { openapi, ...ofCompile } = objectIn(given, 'options');
  const wrong = new Collector();
  const options = readOptions(ofCompile, wrong);
  const { inputs, reports: ofReading, memory } = readDefinitions(definitions, options.strict, earlier);
  const known = { definitions: inputs, ...openapiOf(openapi), reports: ofReading };

  const read = (given: InstanceInput, own: InstanceOptions | undefined, more: readonly string[] = []): ReadPackage => {
    const reports = new Collector();
    reports.addAll(wrong);
    const settings = own === undefined ? options : readOptions(own, reports, options);
    const input = readPackageInput(given, options, reports, { more, compiled: known });
    const objects = input.objects.map((one) => remembered(one, memory));
    return { input: { ...input, objects }, options: settings, reports: reports.all };
  };

  const own: ReadPackage = {
    input: { ...openapiOf(openapi), objects: inputs, definitions: [] },
    options,
    reports: [...wrong, ...ofReading],
  };
  return {
    diagnostics: toDiagnostics(compiledReports(own)),
    render: (input, options) => renderRead(read(input, options)),
    crds: () => crdsRead(own),
    pending: (input, options) => pendingRead(read(input, options)),
    observe: (input, given = {}) =>
      observeWith(input, objectIn(given, 'options'), (own, more) => read(input, own, more)),
    recompile: (others) => compileWith(others, given, memory),
  };
}

function compiledReports({ input, options, reports }: ReadPackage): readonly Report[] {
  return hasErrors(reports) ? reports : [...reports, ...compilePackage(input, options).reports];
}
