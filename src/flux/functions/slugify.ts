import { transliterate } from './transliterate.ts';

/** The maximum length of a label value. */
const MAX_LENGTH = 63;
/** Replaced first; quotes are removed. */
const SUBSTITUTES = new Map([
  ['&', 'and'],
  ['@', 'at'],
  ['"', ''],
  ["'", ''],
  ['’', ''],
  ['‒', '-'],
  ['–', '-'],
  ['—', '-'],
  ['―', '-'],
]);

/** A text as a slug: lower case, ASCII letters, digits, `-` and `_`, at most 63 characters, cut off at a `-`. */
export function slugify(text: string): string {
  const substituted = Array.from(text.trim(), (char) => SUBSTITUTES.get(char) ?? char).join('');
  const slug = transliterate(substituted)
    .toLowerCase()
    .replace(/[^a-z0-9\-_]+/g, '-')
    .replace(/-+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
  if (slug.length <= MAX_LENGTH) return slug;
  const dash = slug.lastIndexOf('-', MAX_LENGTH);
  return slug.slice(0, dash < 0 ? MAX_LENGTH : dash);
}
