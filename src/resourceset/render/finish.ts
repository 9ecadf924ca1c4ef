import type { Problem } from '../../diagnostics/index.ts';
import { ownerLabels } from '../../label/index.ts';
import { get, isMap, type Path, setKey, type Value, type ValueMap } from '../../model/value.ts';
import type { SetPlace } from '../inputs/providers.ts';
import { RECONCILE } from '../kinds.ts';
import type { ResourceSetSpec } from '../spec.ts';

/** Whether an object is not to be rendered. */
export const isDisabled = (object: ValueMap): boolean =>
  get(get(get(object, 'metadata'), 'annotations'), RECONCILE) === 'disabled';

/** Checks that labels and annotations are texts; a null is an empty one where the map is written anew. */
export function metadataFault(object: ValueMap, path: Path, about: () => string): Problem | undefined {
  const metadata = get(object, 'metadata') ?? null;
  const fault = (message: string, hint?: string): Problem => ({
    code: 'rendered-metadata',
    message: `${message}${about()}`,
    path,
    ...(hint !== undefined && { hint }),
  });
  if (metadata !== null && !isMap(metadata)) return fault('metadata must be a map');
  for (const field of ['name', 'namespace']) {
    const value = get(metadata ?? undefined, field) ?? null;
    if (value !== null && typeof value !== 'string')
      return fault(`metadata.${field} must be a string, it is ${String(value)}`, quoteHint(value));
  }
  for (const field of ['labels', 'annotations']) {
    const map = get(metadata ?? undefined, field) ?? null;
    if (map !== null && !isMap(map)) return fault(`metadata.${field} must be a map`);
    for (const [key, value] of Object.entries(map ?? {})) {
      if (value !== null && typeof value !== 'string') {
        return fault(
          `metadata.${field}: the value of '${key}' must be a string, it is ${String(value)}`,
          quoteHint(value),
        );
      }
    }
  }
  return undefined;
}

/** How to make a text of what was rendered as something else. */
function quoteHint(value: Value): string {
  const quote = 'quotes around an action do not reach the object: pipe its value through quote';
  if (typeof value !== 'boolean') return quote;
  return `YAML reads y, n, on, off, yes and no as booleans: put them in quotes; ${quote}`;
}

/** The object with the common metadata and the labels that name its ResourceSet. */
export function finished(object: ValueMap, { labels, annotations }: ResourceSetSpec, set: SetPlace): ValueMap {
  const metadata = get(object, 'metadata');
  const made: ValueMap = isMap(metadata) ? { ...metadata } : {};
  made.labels = merged(get(metadata, 'labels'), { ...labels, ...ownerLabels(set.name, set.namespace) });
  if (Object.keys(annotations).length > 0) made.annotations = merged(get(metadata, 'annotations'), annotations);
  return { ...object, metadata: made };
}

function merged(own: Value | undefined, over: ValueMap): ValueMap {
  const map: ValueMap = {};
  for (const [key, value] of Object.entries(isMap(own) ? own : {})) setKey(map, key, value ?? '');
  for (const [key, value] of Object.entries(over)) setKey(map, key, value);
  return map;
}
