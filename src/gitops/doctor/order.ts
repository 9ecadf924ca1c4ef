import { type Collector, composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import { onceFor } from '../../core/model/lazily.ts';
import { get, getAt, isMap, listAt, type Path, type Value } from '../../core/model/value.ts';
import { isRgd, outlineOf } from '../../kro/definition/index.ts';
import { type Entries, type Layer, renderersOf } from './layers.ts';
import type { Examined } from './unrendered.ts';

/** Fields that change objects before the transformers of a layer run. `namespace` is missing: it is inherited. */
const BEFORE_TRANSFORMERS = [
  'namePrefix',
  'nameSuffix',
  'labels',
  'commonLabels',
  'commonAnnotations',
  'images',
  'replicas',
];

/** Reports what kustomize ignores: patches that miss the rendering, fields that change no rendered object. */
export function reportOrder(layers: readonly Layer[], entries: Entries, examined: Examined, reports: Collector): void {
  const { sources, rendered } = kindsOf(examined);
  const renderers = renderersOf(layers);
  const missedSource = firstIn(sources);
  const missedObject = firstIn(rendered);
  for (const layer of layers) {
    const report = (severity: 'error' | 'warning', path: Path, message: Text, hint: Text): void =>
      reports.add({ code: 'kustomize-order', message, path, hint, severity, source: layer.source });
    // kustomize runs a component before all fields of the layer that names it.
    const renderer = renderers.get(layer);
    if (renderer === undefined) continue;
    const isAbove = renderer !== layer;
    const missed = isAbove ? missedSource : missedObject;
    for (const { path, kinds } of patchesOf(layer, entries)) {
      const kind = kinds.map(missed).find((one) => one !== undefined);
      if (kind === undefined) continue;
      const why = isAbove
        ? composeText`was rendered in ${trusted.file(renderer.folder || '.')} before`
        : composeText`is rendered after it`;
      const where = isAbove ? 'that layer, or below it' : 'a layer above this one';
      const message = composeText`the patch changes nothing: ${trusted.definition(kind)} ${why}`;
      report('error', path, message, composeText`move the patch to ${where}`);
    }
    if (isAbove) continue;
    for (const field of BEFORE_TRANSFORMERS.filter((key) => Object.hasOwn(layer.value, key))) {
      const message = composeText`${trusted.definition(field)} changes RGDs and instances here, not the rendered objects`;
      const hint = composeText`move ${trusted.definition(field)} to a layer above this one, if you intend to change rendered objects`;
      report('warning', [field], message, hint);
    }
  }
}

/** Returns the kinds that are rendered, and those that only rendering creates. */
function kindsOf({ objects, definitions }: Examined): { sources: Set<string>; rendered: Set<string> } {
  const rgds = [...objects, ...definitions]
    .filter(({ object }) => isRgd(object))
    .map(({ object }) => outlineOf(object));
  const sources = new Set(['ResourceGraphDefinition', ...rgds.map(({ kind }) => kind)]);
  const plain = new Set(objects.map(({ object }) => object.kind));
  const rendered = rgds.flatMap(({ nodes }) => nodes.map(({ kind }) => kind));
  return { sources, rendered: new Set(rendered.filter((kind) => !plain.has(kind))) };
}

/** Returns a function that finds the first of some kinds that is among `missed`. */
const firstIn = (missed: ReadonlySet<string>): ((kinds: ReadonlySet<string>) => string | undefined) =>
  onceFor((kinds) => [...kinds].find((kind) => missed.has(kind)));

const patchesOf = ({ folder, value }: Layer, entries: Entries) =>
  ['patches', 'patchesStrategicMerge', 'patchesJson6902'].flatMap((key) =>
    listAt(value, key).map((patch, index) => ({ path: [key, index], kinds: kindsOfPatch(patch, folder, entries) })),
  );

/** Returns the kinds of a patch: that of its target, or those of its objects. */
function kindsOfPatch(patch: Value, folder: string, entries: Entries): ReadonlySet<string>[] {
  const kind = getAt(patch, ['target', 'kind']);
  if (typeof kind === 'string') return [new Set([kind])];
  if (isMap(patch) && Object.hasOwn(patch, 'target')) return [];
  const given = isMap(patch) ? [get(patch, 'patch'), get(patch, 'path')] : [patch];
  const texts = given.filter((entry) => typeof entry === 'string');
  return texts.map((text) => entries(folder, text).kinds());
}
