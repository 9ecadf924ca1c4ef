import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { type InputObject, isKubeObject, type KubeObject, type Source } from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { readStream, type TextStream } from '../../yaml/parse/index.ts';
import { entriesOf, runsRenderRgd } from '../kustomization/index.ts';

/** A kustomization and what it reads. */
export interface Layer {
  /** The folder, as in the names of its files. */
  folder: string;
  value: ValueMap;
  source: Source;
  /** Whether it lists render-rgd as a transformer. */
  lists: boolean;
  /** Whether it, or a component of it, lists render-rgd as a transformer. */
  renders: boolean;
  /** Whether it renders, or lists unread transformers or components. */
  mayRender: boolean;
  resources: readonly string[];
  components: readonly string[];
  /** The layers among its resources. */
  below: Layer[];
}

/** Returns the kustomizations among the files, linked by their resources. */
export function layersOf(streams: readonly TextStream[], objects: readonly InputObject[]): Layer[] {
  const layers = streams.filter(({ file }) => isKustomizationFile(file)).flatMap((stream) => layerOf(stream, objects));
  const byFolder = new Map(layers.map((layer) => [layer.folder, layer]));
  const at = (paths: readonly string[]): Layer[] => paths.flatMap((path) => byFolder.get(path) ?? []);
  for (const layer of layers) layer.below = at([...layer.resources, ...layer.components]);
  // A component transforms the resources of the layer that names it.
  const own = new Map(layers.map(({ folder, lists, mayRender }) => [folder, { lists, mayRender }]));
  for (const layer of layers) {
    const components = layer.components.map((path) => own.get(path));
    layer.renders ||= components.some((one) => one?.lists);
    layer.mayRender ||= components.some((one) => one === undefined || one.mayRender);
  }
  return layers;
}

export function withBelow(layer: Layer, found = new Set<Layer>()): Set<Layer> {
  if (found.has(layer)) return found;
  found.add(layer);
  for (const one of layer.below) withBelow(one, found);
  return found;
}

function layerOf({ file, text }: TextStream, objects: readonly InputObject[]): Layer[] {
  const entries = entriesOf(readStream(text).documents[0]?.value);
  if (entries === undefined) return [];
  const folder = joined(file, '..');
  const at = (path: string): string => joined(folder, path);
  const listed = entries.transformers.map((entry) => objectsAt(folder, entry, objects));
  const source = { file, text, document: 0, path: [] };
  const lists = listed.flat().some(runsRenderRgd);
  const mayRender = lists || listed.some((read) => read.length === 0);
  const [resources, components] = [entries.resources.map(at), entries.components.map(at)];
  return [{ folder, value: entries.value, source, lists, renders: lists, mayRender, resources, components, below: [] }];
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
