import { FUNCTION } from '../../core/model/keys.ts';
import {
  annotationOf,
  groupVersionKind,
  type InputObject,
  isKubeObject,
  type KubeObject,
  type Source,
} from '../../core/model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { readStream, type TextStream } from '../../yaml/parse/index.ts';

/** A kustomization and what it reads. */
export interface Layer {
  /** The folder, as in the names of its files. */
  folder: string;
  value: ValueMap;
  source: Source;
  /** Whether it, or a component of it, lists render-rgd as a transformer. */
  renders: boolean;
  /** Whether it renders, or lists unread transformers or components. */
  mayRender: boolean;
  /** The paths of its resources. */
  resources: readonly string[];
  /** The layers among its resources. */
  below: Layer[];
}

const KUSTOMIZATION = /(^|\/)kustomization\.ya?ml$/;

/** Returns the kustomizations among the files, linked by their resources. */
export function layersOf(streams: readonly TextStream[], objects: readonly InputObject[]): Layer[] {
  const layers = streams.filter(({ file }) => KUSTOMIZATION.test(file)).flatMap((stream) => layerOf(stream, objects));
  const byFolder = new Map(layers.map((layer) => [layer.folder, layer]));
  const at = (paths: readonly string[]): Layer[] => paths.flatMap((path) => byFolder.get(path) ?? []);
  for (const layer of layers) layer.below = at([...layer.resources, ...componentsOf(layer)]);
  // A component transforms the resources of the layer that names it.
  const own = layers.map(({ renders, mayRender }) => ({ renders, mayRender }));
  const ownOf = (layer: Layer | undefined) => (layer === undefined ? undefined : own[layers.indexOf(layer)]);
  for (const layer of layers) {
    const components = componentsOf(layer).map((path) => ownOf(byFolder.get(path)));
    layer.renders ||= components.some((one) => one?.renders);
    layer.mayRender ||= components.some((one) => one === undefined || one.mayRender);
  }
  return layers;
}

const componentsOf = ({ folder, value }: Layer): string[] =>
  stringsOf(value, 'components').map((path) => joined(folder, path));

/** Returns a layer and all layers below it. */
export function withBelow(layer: Layer, found = new Set<Layer>()): Set<Layer> {
  if (found.has(layer)) return found;
  found.add(layer);
  for (const one of layer.below) withBelow(one, found);
  return found;
}

function layerOf({ file, text }: TextStream, objects: readonly InputObject[]): Layer[] {
  const value = readStream(text).documents[0]?.value;
  if (!isMap(value)) return [];
  const folder = joined(file, '..');
  const listed = stringsOf(value, 'transformers').map((entry) => objectsAt(folder, entry, objects));
  const source = { file, text, document: 0, path: [] };
  const resources = [...stringsOf(value, 'resources'), ...stringsOf(value, 'bases')];
  const paths = resources.map((path) => joined(folder, path));
  const renders = listed.flat().some(isRenderer);
  const mayRender = renders || listed.some((read) => read.length === 0);
  return [{ folder, value, source, renders, mayRender, resources: paths, below: [] }];
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

function isRenderer(object: KubeObject): boolean {
  const isOwnKind = groupVersionKind(object).group === 'fn.kpt.dev' && object.kind === 'RenderRGD';
  return isOwnKind || (annotationOf(object, FUNCTION) ?? '').includes('render-rgd');
}

function stringsOf(value: ValueMap, key: string): string[] {
  const list: Value | undefined = get(value, key);
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
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
