import { Collector, type Report } from '../core/diagnostics/index.ts';
import type { Document } from '../core/model/object.ts';
import { nameOf } from '../core/model/object.ts';
import { isMap, sameValue, type Value } from '../core/model/value.ts';
import { isText, readSource } from './sources.ts';
import type { Source, TextSource } from './types.ts';

/** The result of reading one source. */
interface ReadSource {
  inputs: readonly Document[];
  reports: readonly Report[];
}

/**
 * The definitions that were read last. Unchanged definitions keep their values, so that the core can reuse what it
 * compiled; their locations are updated.
 */
export interface Memory {
  texts: ReadonlyMap<string, ReadSource>;
  objects: ReadonlyMap<string, readonly Value[]>;
}

export const NOTHING: Memory = { texts: new Map(), objects: new Map() };

/** Reads definitions, reusing the values of earlier ones, and returns the new memory. */
export function readDefinitions(
  definitions: readonly Source[],
  strict: boolean,
  memory: Memory,
): ReadSource & { memory: Memory } {
  if (!Array.isArray(definitions)) throw new TypeError('definitions must be a list of texts and objects');
  const texts = new Map<string, ReadSource>();
  const read = definitions.map((source: Source, index) => {
    const key = isWholeText(source) ? `${source.file}\n${source.text}` : '';
    const one = memory.texts.get(key) ?? readAnew(source, index, strict, memory);
    if (key !== '') texts.set(key, one);
    return one;
  });
  const inputs = read.flatMap((one) => one.inputs);
  return { inputs, reports: read.flatMap((one) => one.reports), memory: { texts, objects: byName(inputs) } };
}

const isWholeText = (source: Source): source is TextSource =>
  typeof source === 'object' && source !== null && isText(source) && typeof source.text === 'string';

function readAnew(source: Source, index: number, strict: boolean, memory: Memory): ReadSource {
  const reports = new Collector();
  const inputs = readSource(source, ['definitions', index], strict, reports);
  return { inputs: inputs.map((input) => remembered(input, memory)), reports: reports.all };
}

/** Returns the input with the value of an earlier one, if nothing changed. */
export function remembered(input: Document, { objects }: Memory): Document {
  const object = objects.get(titleOf(input.object))?.find((one) => sameValue(one, input.object));
  return object === undefined ? input : { ...input, object };
}

function byName(inputs: readonly Document[]): Map<string, Value[]> {
  const objects = new Map<string, Value[]>();
  for (const { object } of inputs) objects.set(titleOf(object), [...(objects.get(titleOf(object)) ?? []), object]);
  return objects;
}

const titleOf = (value: Value): string => (isMap(value) ? `${String(value.kind)}/${nameOf(value)}` : '');
