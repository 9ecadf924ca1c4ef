import type { Pattern, Rows } from './model.ts';

/**
 * Returns the pattern of items that a field can hold as they are: each value in them is a field of its own, and nothing
 * in them is fixed or read from elsewhere.
 */
export function shapeOf(item: Pattern, rows: Rows): Pattern | undefined {
  const seen = new Set<unknown>();
  const isOwn = (pattern: Pattern): boolean => {
    if (pattern.type === 'map') {
      return pattern.rest === undefined && pattern.entries.every((entry) => isKey(entry.key) && isOwn(entry.pattern));
    }
    if (pattern.type !== 'hole') return false;
    const [term, ...more] = pattern.terms ?? [];
    if (term?.type !== 'field' || more.length > 0 || term.converts !== undefined) return false;
    if (term.field.rows !== rows || seen.has(term.field)) return false;
    seen.add(term.field);
    return true;
  };
  return item.type === 'map' && item.entries.length > 1 && isOwn(item) ? item : undefined;
}

const isKey = (key: string): boolean => /^[A-Za-z][A-Za-z0-9]*$/.test(key);
