import type { Value } from '../../core/model/value.ts';

/** The merge keys of an item of a list, with their values. */
export interface ItemKey {
  keys: readonly (readonly [name: string, value: Value])[];
}

/** A path to a field: keys of maps, indexes of lists, and items by their merge keys. */
export type FieldPath = readonly (string | number | ItemKey)[];

const PLAIN = /^[A-Za-z0-9_-]+$/;
/** Cannot be confused with an index, and does not end the brackets. */
const PLAIN_ITEM = /^(?!\d+$)[A-Za-z0-9_(][^[\]"=,\s]*(, \w+\)|\))?$/;

/** `spec.template.spec.containers[web].env[DB_URL].value`, `data["prod.conf"]`, `spec.ports[80,TCP]` */
export function formatFieldPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (typeof step === 'object') text += `[${formatKey(step)}]`;
    else if (!PLAIN.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/** `web`, `80,TCP`, `port=80`, `name="x y"` */
export function formatKey({ keys }: ItemKey): string {
  const texts = keys.map(([, value]) => String(value));
  const isPlain = keys.length > 1 ? texts.every((text) => /^[\w./:-]*$/.test(text)) : PLAIN_ITEM.test(texts[0] ?? '');
  if (isPlain) return texts.join(',');
  return keys
    .map(([name, value]) => `${name}=${typeof value === 'string' ? JSON.stringify(value) : String(value)}`)
    .join(',');
}

/** Returns the key at the end of a path; undefined for an item of a list. */
export function lastKey(path: string): string | undefined {
  const plain = /(?:^|\.)([A-Za-z0-9_-]+)$/.exec(path)?.[1];
  if (plain !== undefined) return plain;
  const quoted = /\[("(?:[^"\\]|\\.)*")\]$/.exec(path)?.[1];
  return quoted === undefined ? undefined : (JSON.parse(quoted) as string);
}
