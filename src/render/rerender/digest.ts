import { type TextDigest, textDigest } from '../../core/digest/text-digest.ts';
import { withoutRunnerNotes } from '../../core/model/bookkeeping.ts';
import { DIGEST, RENDERED } from '../../core/model/keys.ts';
import { annotationOf, type KubeObject } from '../../core/model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { jsonNumber } from '../../yaml/emit/index.ts';

/** Returns the value of the annotation for a rendered object of a package; '' for a package without a name. */
export function digestNote(object: KubeObject, packageName: string, digest: TextDigest): string {
  return packageName === '' ? digestOf(object, digest) : `${packageName}/${digestOf(object, digest)}`;
}

/** Parses the annotation of an object; returns `undefined` if it has none, because an earlier version rendered it. */
export function digestIn(object: KubeObject): { digest: string; packageName: string } | undefined {
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

/** So many keys are sorted in place. */
const FEW = 16;
