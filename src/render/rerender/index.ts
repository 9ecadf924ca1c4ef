import { Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { type TextDigest, textDigest } from '../../core/digest/hashes.ts';
import { isItemKey, withoutRunnerNotes } from '../../core/model/bookkeeping.ts';
import { DIGEST, RENDERED } from '../../core/model/keys.ts';
import { lazily } from '../../core/model/lazily.ts';
import {
  annotated,
  annotationOf,
  type Document,
  groupVersionKind,
  type InputObject,
  identityOf,
  type KubeObject,
  titleOf,
} from '../../core/model/object.ts';
import type { Entry, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { get, isMap, ownValue, type Value, type ValueMap } from '../../core/model/value.ts';
import type { FrontEnd } from '../../kubernetes/front-end/index.ts';
import { jsonNumber } from '../../yaml/emit/index.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import { FRONT_ENDS } from '../front-ends.ts';
import { type RenderOutput, renderPackage } from '../pipeline.ts';
import { definedKindAsOrigin, type Known, knownOf, originKind, originLabel } from './known.ts';

/** Parses the annotation of an object; returns `undefined` if it has none, because an earlier version rendered it. */
function digestIn(object: KubeObject): { digest: string; packageName: string } | undefined {
  const note = annotationOf(object, DIGEST);
  if (note === undefined) return undefined;
  const slash = note.lastIndexOf('/');
  return { digest: note.slice(slash + 1), packageName: note.slice(0, Math.max(slash, 0)) };
}

/**
 * Returns the first 16 hex digits of the SHA-256 of an object as JSON with sorted keys, without the annotations of
 * runners and of this project: the order of keys, style and comments have no effect.
 */
export const digestOf = (object: KubeObject, digest = textDigest): string =>
  digest(canonical(withoutNotes(withoutRunnerNotes(object))), 16);

function withoutNotes(object: KubeObject): KubeObject {
  const metadata = get(object, 'metadata');
  const annotations = get(metadata, 'annotations');
  if (!isMap(metadata) || !isMap(annotations)) return object;
  const remaining = Object.entries(annotations).filter(([key]) => key !== DIGEST && key !== RENDERED);
  const { annotations: _, ...rest } = metadata;
  return {
    ...object,
    metadata: remaining.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(remaining) },
  };
}

/** A surrogate, perhaps paired: a fast check before the slow one. */
const HALF = /[\uD800-\uDFFF]/;

function canonical(value: Value): string {
  if (typeof value === 'string')
    return JSON.stringify(HALF.test(value) ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : value);
  if (typeof value === 'number') return jsonNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isMap(value)) return String(value);
  let text = '';
  for (const key of sortedKeys(value)) {
    text += `${text === '' ? '' : ','}${canonical(key)}:${canonical(value[key] as Value)}`;
  }
  return `{${text}}`;
}

/** The keys in the order of their code units. Most maps have them in order, or nearly so, and sorting makes copies. */
function sortedKeys(map: ValueMap): string[] {
  const keys = Object.keys(map);
  if (keys.length > FEW) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let at = index;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

const FEW = 16;

/** Labels and annotations of every object of a package: an earlier function set them. */
export interface Common {
  labels: ValueMap;
  annotations: ValueMap;
}

/** Why an object may not be unchanged output; `undefined` if it certainly is. */
export type KeepReason = 'no digest' | 'another package' | 'changed';

/** Returns why an object may not be unchanged output of one of the packages. */
export function keepReasonOf(
  object: KubeObject,
  here: ReadonlySet<string> | undefined,
  common: () => Common,
): KeepReason | undefined {
  const noted = digestIn(object);
  if (noted === undefined) return 'no digest';
  if (here !== undefined && !here.has(noted.packageName)) return 'another package';
  if (noted.digest === digestOf(object)) return undefined;
  return noted.digest === digestOf(without(object, common())) ? undefined : 'changed';
}

/** Returns the labels and annotations that all objects share, without those that only runners read. */
export function commonTo(objects: readonly KubeObject[]): Common {
  const own = objects.filter((object) => !/^(fn\.)?kpt\.dev$/.test(groupVersionKind(object).group));
  return { labels: shared(own, 'labels'), annotations: shared(own, 'annotations') };
}

function shared(objects: readonly KubeObject[], field: string): ValueMap {
  const maps = objects.map((object) => get(get(object, 'metadata'), field));
  const [first, ...others] = maps;
  if (!isMap(first) || others.length === 0) return {};
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => others.every((map) => get(map, key) === value)),
  );
}

/** The maps that functions such as set-labels change, anywhere in an object. */
const LABEL_FIELDS: ReadonlySet<string> = new Set(['labels', 'matchLabels', 'selector']);

function without(object: KubeObject, { labels, annotations }: Common): KubeObject {
  const clean = (value: Value, field: string): Value => {
    if (Array.isArray(value)) return value.map((item) => clean(item, ''));
    if (!isMap(value)) return value;
    const added = LABEL_FIELDS.has(field) ? labels : field === 'annotations' ? annotations : {};
    const entries = Object.entries(value).filter(
      ([key, inner]) => !(Object.hasOwn(added, key) && added[key] === inner),
    );
    const cleaned = entries.map(([key, inner]): [string, Value] => [key, clean(inner, key)]);
    // A map that was created for the added labels is removed with them.
    return Object.fromEntries(
      cleaned.filter(([key, inner]) => !isNewlyEmpty(key, inner, ownValue(value, key) as Value)),
    );
  };
  return clean(object, '') as KubeObject;
}

function isNewlyEmpty(key: string, cleaned: Value, before: Value): boolean {
  const isWritten = LABEL_FIELDS.has(key) || key === 'annotations';
  return (
    isWritten && isMap(cleaned) && isMap(before) && Object.keys(cleaned).length === 0 && Object.keys(before).length > 0
  );
}

interface Renderer {
  name: string;
  packageName: string;
  /** The digest of texts; ours is slower than that of a platform. */
  digest?: TextDigest;
}

const UNNAMED = 'default';
/** The name of a functionConfig that kpt writes itself: for `kpt fn eval`, and for options in the Kptfile. */
const FUNCTION_INPUT = 'function-input';

export const functionName = (name: string): string => (name === '' || name === FUNCTION_INPUT ? UNNAMED : name);

/** Returns an object with the annotation of this function, in the file of the earlier object of the same identity. */
export function stamped(object: KubeObject, renderer: Renderer, earlier: KubeObject | undefined): KubeObject {
  const { name, packageName, digest = textDigest } = renderer;
  const prefix = packageName === '' ? '' : `${packageName}/`;
  const notes = { [RENDERED]: stampOf(object, name, digest), [DIGEST]: `${prefix}${digestOf(object, digest)}` };
  return annotated(object, { ...itemAnnotations(earlier), ...notes });
}

/** Classifies an item by its annotation: output of this function, of another, altered since, or none of these. */
export function originOf(object: KubeObject, name: string): 'ours' | 'foreign' | 'altered' | 'plain' {
  const stamp = annotationOf(object, RENDERED);
  if (stamp === undefined) return 'plain';
  if (stamp === stampOf(object, name)) return 'ours';
  if (name === UNNAMED && stamp === stampOf(object, FUNCTION_INPUT)) return 'ours';
  return isRendered(object) ? 'foreign' : 'altered';
}

/** Reports whether some function rendered the object, without a later copy or rename. */
const isRendered = (object: KubeObject): boolean =>
  annotationOf(object, RENDERED)?.endsWith(`/${identityHash(object)}`) ?? false;

const stampOf = (object: KubeObject, name: string, digest = textDigest): string =>
  `${name}/${identityHash(object, digest)}`;

/** The first 10 hex digits of the SHA-256 of `group/kind/namespace/name`. */
const identityHash = (object: KubeObject, digest = textDigest): string => digest(identityOf(object), 10);

function itemAnnotations(object: KubeObject | undefined): Record<string, string> {
  const annotations = get(get(object, 'metadata') as ValueMap | undefined, 'annotations');
  if (!isMap(annotations)) return {};
  const own = Object.entries(annotations).filter(([key, value]) => isItemKey(key) && typeof value === 'string');
  return Object.fromEntries(own) as Record<string, string>;
}

export { definedKindAsOrigin, type Known, knownOf, originKind, originLabel } from './known.ts';

/** Renders a package with earlier output, which is set aside if its RGD is here; some of it may be ordinary objects. */
export function renderOverEarlier(input: RenderInput, options: RenderOptions, frontEnds = FRONT_ENDS): RenderOutput {
  const reports = new Collector();
  const objects = flattenObjects(input.objects, reports);
  const earlier = setAside(objects, input.definitions ?? [], frontEnds);
  if (earlier.size === 0) return renderPackage(input, options, frontEnds);
  const fresh = objects.filter((one) => !earlier.has(one));
  const output = renderPackage({ ...input, objects: fresh }, options, frontEnds);
  reports.addAll(output.reports);
  if (reports.hasErrors) return { ...output, entries: [], reports: reports.all };

  const known = knownOf(output, options);
  const common = lazily(() => commonTo(objects.map(({ object }) => object)));
  const entryOf = new Map(output.entries.map((entry) => [entry.input, entry]));
  const entries = objects.flatMap(
    (one) => entryOf.get(one) ?? (makesWay(one, known, common, reports) ? [] : plain(one)),
  );
  return { ...output, entries, reports: reports.all };
}

export function withoutEarlier(input: RenderInput, frontEnds = FRONT_ENDS): RenderInput {
  const objects = objectsIn(input.objects);
  const earlier = setAside(objects, input.definitions ?? [], frontEnds);
  return earlier.size === 0 ? input : { ...input, objects: objects.filter((one) => !earlier.has(one)) };
}

function setAside(
  objects: readonly InputObject[],
  definitions: readonly Document[],
  frontEnds: readonly FrontEnd[],
): Set<InputObject> {
  const stamped = objects.filter(({ object }) => isRendered(object));
  if (stamped.length === 0) return new Set();
  const all = [...objects, ...objectsIn(definitions)].map(({ object }) => object);
  const kinds = new Set(frontEnds.flatMap((one) => one.kindsIn(all)).map(definedKindAsOrigin));
  return new Set(stamped.filter(({ object }) => kinds.has(originKind(object))));
}

/** Reports whether an earlier object is rendered again, or no longer rendered by an instance that is here. */
function makesWay(input: InputObject, known: Known, common: () => Common, reports: Collector): boolean {
  const { object } = input;
  if (known.again(object) !== undefined) return true;
  const { report } = reporterFor(input, reports);
  if (!known.answered(object)) {
    const from = `${originLabel(object, 'kind')}/${originLabel(object, 'name')}`;
    const message = phrase`was rendered earlier from ${{ origin: from }}, which is not in the input, so it is treated as your own object`;
    report({ code: 'earlier-elsewhere', message, path: [], severity: 'info' });
    return false;
  }
  if (keepReasonOf(object, undefined, common) !== undefined) {
    const message = phrase`is no longer rendered, and is treated as your own object: it was changed after it was rendered`;
    const hint = phrase`remove it, or its annotation ${shown(RENDERED)}`;
    report({ code: 'earlier-doubtful', message, path: [], severity: 'warning', hint });
    return false;
  }
  const message = phrase`${{ object: titleOf(object) }} is no longer rendered and was omitted`;
  report({ code: 'earlier-removed', message, path: [], severity: 'info' });
  return true;
}

const plain = (input: InputObject): Entry => ({ input, role: 'other', rendered: [], passedThrough: false });
