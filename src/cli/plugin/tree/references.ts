import { isMap, type Path, type Value } from '../../../core/model/value.ts';
import type { Fields, Meaning } from './fields.ts';

/** A text in a kustomization that refers to something, or a field that is not allowed. */
export interface Found {
  path: Path;
  meaning: Exclude<Meaning, 'data'> | 'unknown';
  text: string;
}

/** Returns all references in a kustomization, or the configuration of a plugin. */
export function foundIn(value: Value, fields: Fields): Found[] {
  const found: Found[] = [];
  const visit = (at: Value, meaning: Meaning | Fields | undefined, path: Path): void => {
    if (meaning === 'data' || at === null) return;
    if (Array.isArray(at)) at.forEach((item, index) => void visit(item, meaning, [...path, index]));
    else if (meaning === undefined || meaning === 'helm') found.push({ path, meaning: meaning ?? 'unknown', text: '' });
    else if (typeof meaning === 'string') {
      const isText = typeof at === 'string';
      found.push({ path, meaning: isText ? meaning : 'unknown', text: isText ? at : '' });
    } else if (!isMap(at)) found.push({ path, meaning: 'unknown', text: '' });
    else for (const [key, member] of Object.entries(at)) visit(member, fieldNamed(key, meaning), [...path, key]);
  };
  visit(value, fields, []);
  return found;
}

/** Keys are compared as in Go's JSON decoder, ignoring case. */
function fieldNamed(key: string, fields: Fields): Meaning | Fields | undefined {
  const name = Object.keys(fields).find((one) => folding(one) === folding(key));
  return name === undefined ? undefined : fields[name];
}

/** Go folds the long s and the Kelvin sign too. */
const folding = (key: string): string => key.toUpperCase().toLowerCase();
