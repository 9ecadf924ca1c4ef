/** What a kustomization lists, and whether a function, a program or a plugin is render-rgd. */

import { FUNCTION } from '../../core/model/keys.ts';
import { annotationOf, groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import { get, getAt, isMap, listAt, textAt, textsOf, type Value, type ValueMap } from '../../core/model/value.ts';
import { readStream } from '../../yaml/parse/index.ts';

/** The entries of a kustomization: paths, URLs, or texts in place. */
export interface KustomizationEntries {
  value: ValueMap;
  /** With those of `bases`, the older name. */
  resources: string[];
  components: string[];
  /** The resources and the components. */
  listed: string[];
  transformers: string[];
  /** Files, folders or texts that configure functions. */
  functions: string[];
  /** Files of patches and of generated objects, whose content is no object of the output. */
  parts: string[];
}

/** Returns the entries of a kustomization, which may lack `apiVersion` and `kind`; undefined for other values. */
export function entriesOf(value: Value | undefined): KustomizationEntries | undefined {
  if (!isMap(value)) return undefined;
  const patches = ['patches', 'patchesJson6902', 'replacements'].flatMap((key) => listAt(value, key));
  const generators = ['configMapGenerator', 'secretGenerator'].flatMap((key) => listAt(value, key));
  const resources = [...textsAt(value, 'resources'), ...textsAt(value, 'bases')];
  const components = textsAt(value, 'components');
  return {
    value,
    resources,
    components,
    listed: [...resources, ...components],
    transformers: textsAt(value, 'transformers'),
    functions: ['transformers', 'generators', 'validators', 'configurations'].flatMap((key) => textsAt(value, key)),
    parts: [
      ...textsAt(value, 'patchesStrategicMerge'),
      ...patches.flatMap((patch) => textsOf([get(patch, 'path') ?? null])),
      ...generators.flatMap((one) => textsAt(one, 'files').map((file) => file.slice(file.indexOf('=') + 1))),
    ],
  };
}

const textsAt = (value: Value, key: string): string[] => textsOf(get(value, key));

/** Reports whether a program, an image or a plugin is render-rgd: with a folder, a tag, a digest or a version. */
export const isRenderRgd = (reference: string): boolean =>
  /(^|[\\/])render-rgd(\.js|\.exe)?([:@-].*)?$/.test(reference);

/**
 * Reports whether an entry of the pipeline of a Kptfile runs render-rgd: a word of its command, its image, or the name
 * that a person gave it.
 */
export function isRenderRgdStep(step: Value): boolean {
  const words = textAt(step, 'exec').split(/\s+/);
  if ([...words, textAt(step, 'image')].some(isRenderRgd)) return true;
  return textAt(step, 'name').includes('render-rgd');
}

/** Reports whether a functionConfig runs render-rgd, as an executable or as an image, or is of its kind. */
export function runsRenderRgd(config: Value): boolean {
  if (!isKubeObject(config)) return false;
  const { group, kind } = groupVersionKind(config);
  if (group === 'fn.kpt.dev' && kind === 'RenderRGD') return true;
  const runtime = readStream(annotationOf(config, FUNCTION) ?? '').documents[0]?.value ?? null;
  const named = [getAt(runtime, ['exec', 'path']), getAt(runtime, ['container', 'image']), get(runtime, 'image')];
  return named.some((one) => typeof one === 'string' && isRenderRgd(one));
}
