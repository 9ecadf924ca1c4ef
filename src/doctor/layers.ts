import {
  annotationOf,
  groupVersionKind,
  type InputObject,
  isKubeObject,
  type KubeObject,
  type Source,
} from '../model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../model/value.ts';
import { readStream, type TextStream } from '../parse/index.ts';

/** A kustomization and what it reads. */
export interface Layer {
  /** The folder, as the files below it are named. */
  folder: string;
  value: ValueMap;
  source: Source;
  /** Whether it lists render-rgd as a transformer. */
  renders: boolean;
  /** The layers among its resources. */
  below: Layer[];
}

const KUSTOMIZATION = /(^|\/)kustomization\.ya?ml$/;

/** The kustomizations among the files, linked by their resources. */
export function layersOf(streams: readonly TextStream[], objects: readonly InputObject[]): Layer[] {
  const layers = streams.filter(({ file }) => KUSTOMIZATION.test(file)).flatMap((stream) => layerOf(stream, objects));
  const byFolder = new Map(layers.map((layer) => [layer.folder, layer]));
  for (const layer of layers) {
    const paths = [...stringsOf(layer.value, 'resources'), ...stringsOf(layer.value, 'bases')];
    layer.below = paths.flatMap((path) => byFolder.get(joined(layer.folder, path)) ?? []);
  }
  return layers;
}

/** A layer and all that it stands on. */
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
  const listed = stringsOf(value, 'transformers').flatMap((entry) => objectsAt(folder, entry, objects));
  const source = { file, text, document: 0, path: [] };
  return [{ folder, value, source, renders: listed.some(isRenderer), below: [] }];
}

/** What an entry names: objects written in place, in a file, or in a folder. */
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
  return isOwnKind || (annotationOf(object, 'config.kubernetes.io/function') ?? '').includes('render-rgd');
}

function stringsOf(value: ValueMap, key: string): string[] {
  const list: Value | undefined = get(value, key);
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** A path from a folder, without `.` and without `..` where it can be helped. */
function joined(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
}
