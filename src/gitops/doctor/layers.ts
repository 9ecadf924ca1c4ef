import { addTo } from '../../core/model/group-by.ts';
import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import {
  groupVersionKind,
  type InputObject,
  isKubeObject,
  type KubeObject,
  type Source,
} from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { entriesOf, runsRenderRgd } from '../../kubernetes/kustomization/index.ts';
import { readStream, type TextStream } from '../../yaml/parse/index.ts';

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
export function layersOf(streams: readonly TextStream[], entries: Entries): Layer[] {
  const layers = streams.filter(({ file }) => isKustomizationFile(file)).flatMap((stream) => layerOf(stream, entries));
  const byFolder = new Map(layers.map((layer) => [layer.folder, layer]));
  const own = new Map(layers.map(({ folder, mayRender }) => [folder, mayRender]));
  for (const layer of layers) {
    layer.below = [...layer.resources, ...layer.components].flatMap((path) => byFolder.get(path) ?? []);
    // A component transforms the resources of the layer that names it.
    layer.mayRender ||= layer.components.some((path) => own.get(path) ?? true);
  }
  return layers;
}

/** Returns those of a layer and the layers below it, as far as a condition holds, that are not among `found`; adds them. */
export function withBelow(layer: Layer, holds: (layer: Layer) => boolean, found: Set<Layer>): Layer[] {
  const all: Layer[] = [];
  const left = [layer];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (found.has(next) || !holds(next)) continue;
    found.add(next);
    all.push(next);
    for (let index = next.below.length - 1; index >= 0; index -= 1) left.push(next.below[index] as Layer);
  }
  return all;
}

/** Returns for each layer that renders the nearest one that lists render-rgd: itself, or one below it. */
export function renderersOf(layers: readonly Layer[]): ReadonlyMap<Layer, Layer> {
  const above = new Map<Layer, Layer[]>();
  for (const layer of layers) for (const one of new Set(layer.below)) addTo(above, one, layer);
  const listing = layers.filter(({ lists }) => lists);
  const renderers = new Map(listing.map((layer) => [layer, layer]));
  for (const [layer, renderer] of renderers) {
    for (const one of above.get(layer) ?? []) if (!renderers.has(one)) renderers.set(one, renderer);
  }
  return renderers;
}

function layerOf({ file, text }: TextStream, read: Entries): Layer[] {
  const entries = entriesOf(readStream(text).documents[0]?.value);
  if (entries === undefined) return [];
  const folder = joined(file, '..');
  const at = (path: string): string => joined(folder, path);
  const listed = [...new Set(entries.transformers)].map((entry) => read(folder, entry));
  const lists = listed.some((found) => found.runsRenderRgd());
  const mayRender = lists || listed.some((found) => found.objects.length === 0);
  const resources = entries.resources.map(at);
  const components = entries.components.map(at);
  const source = { file, text, document: 0, path: [] };
  return [{ folder, value: entries.value, source, lists, mayRender, resources, components, below: [] }];
}

/** Finds the objects of an entry of a kustomization: inline, in a file, or in a folder. */
export type Entries = (folder: string, entry: string) => Entry;

/** What is known of an entry; the same for all entries of one path. */
interface Entry {
  objects: readonly KubeObject[];
  /** Whether one of them runs render-rgd. */
  runsRenderRgd: () => boolean;
  kinds: () => ReadonlySet<string>;
}

export function entriesIn(objects: readonly InputObject[]): Entries {
  const byPath = new Map<string, KubeObject[]>();
  const pathOf = onceFor((file: string) => joined(file, '.'));
  for (const { source, object } of objects) {
    if (source === undefined) continue;
    for (const path of withParents(pathOf(source.file))) addTo(byPath, path, object);
  }
  const at = onceFor((path: string) => entryOf(byPath.get(path) ?? []));
  return (folder, entry) => {
    if (!/[\n{]/.test(entry)) return at(joined(folder, entry));
    return entryOf(readStream(entry).documents.flatMap(({ value }) => (isKubeObject(value) ? value : [])));
  };
}

const entryOf = (objects: readonly KubeObject[]): Entry => ({
  objects,
  runsRenderRgd: lazily(() => objects.some(runsRenderRgd)),
  kinds: lazily(() => new Set(objects.map((object) => groupVersionKind(object).kind))),
});

/** Returns a path and the folders that it is in. */
function withParents(path: string): string[] {
  const found = [path];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at));
  return found;
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
