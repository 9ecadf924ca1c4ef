import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { type InputObject, isKubeObject, type KubeObject, type Source } from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { readStream, type TextStream } from '../../yaml/parse/index.ts';
import { entriesOf, runsRenderRgd } from '../kustomization/index.ts';

export interface Layer {
  /** The folder, as in the names of its files. */
  folder: string;
  value: ValueMap;
  source: Source;
  /** Whether it lists render-rgd as a transformer. */
  lists: boolean;
  /** Whether it does, a component of it does, or it lists unread transformers or components. */
  mayRender: boolean;
  resources: readonly string[];
  components: readonly string[];
  below: Layer[];
}

/** Returns the kustomizations among the files, linked by their resources. */
export function layersOf(streams: readonly TextStream[], objects: readonly InputObject[]): Layer[] {
  const layers = streams.filter(({ file }) => isKustomizationFile(file)).flatMap((stream) => layerOf(stream, objects));
  const byFolder = new Map(layers.map((layer) => [layer.folder, layer]));
  const own = new Map(layers.map(({ folder, mayRender }) => [folder, mayRender]));
  for (const layer of layers) {
    layer.below = [...layer.resources, ...layer.components].flatMap((path) => byFolder.get(path) ?? []);
    // A component transforms the resources of the layer that names it.
    layer.mayRender ||= layer.components.some((path) => own.get(path) ?? true);
  }
  return layers;
}

/** Returns a layer and those below it, as far as a condition holds. */
export function withBelow(layer: Layer, holds = (_: Layer): boolean => true, found = new Set<Layer>()): Set<Layer> {
  if (found.has(layer) || !holds(layer)) return found;
  found.add(layer);
  for (const one of layer.below) withBelow(one, holds, found);
  return found;
}

function layerOf({ file, text }: TextStream, objects: readonly InputObject[]): Layer[] {
  const entries = entriesOf(readStream(text).documents[0]?.value);
  if (entries === undefined) return [];
  const folder = joined(file, '..');
  const at = (path: string): string => joined(folder, path);
  const listed = entries.transformers.map((entry) => objectsAt(folder, entry, objects));
  const lists = listed.flat().some(runsRenderRgd);
  const mayRender = lists || listed.some((read) => read.length === 0);
  const [resources, components] = [entries.resources.map(at), entries.components.map(at)];
  const source = { file, text, document: 0, path: [] };
  return [{ folder, value: entries.value, source, lists, mayRender, resources, components, below: [] }];
}

/** Returns the objects of an entry: inline, in a file, or in a folder. */
export function objectsAt(folder: string, entry: string, objects: readonly InputObject[]): KubeObject[] {
  if (/[\n{]/.test(entry))
    return readStream(entry).documents.flatMap(({ value }) => (isKubeObject(value) ? value : []));
  const path = joined(folder, entry);
  const isThere = (file: string): boolean => file === path || file.startsWith(`${path}/`);
  return objects
    .filter(({ source }) => source !== undefined && isThere(joined(source.file, '.')))
    .map((one) => one.object);
}

/** Joins a path to a folder, without `.` and, if possible, without `..`. */
export function joined(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
}
