/** What an address opens: one's own files, or a package that has an address of its own. */
export interface Place {
  readonly kind: 'own' | 'example' | 'lesson' | 'link' | 'kept';
  /** The name of an example, the id of a lesson or of a changed link, or what a link contains. */
  readonly id: string;
}

export const OWN: Place = { kind: 'own', id: '' };

const KINDS = { example: 'example', lesson: 'lesson', s: 'link', kept: 'kept' } as const;

/** Returns the place of a fragment. @throws Error with the problem, in a sentence for the user */
export function placeOf(hash: string): Place {
  const [, key = '', value = ''] = /^#(\w+)=(.*)$/s.exec(hash) ?? [];
  if (!Object.hasOwn(KINDS, key)) return OWN;
  try {
    return { kind: KINDS[key as keyof typeof KINDS], id: decodeURIComponent(value) };
  } catch {
    throw new Error(`The address is cut off or changed: #${key}=${value.slice(0, 40)} cannot be read.`);
  }
}

/** Returns the fragment of a place. */
export function hashOf({ kind, id }: Place): string {
  if (kind === 'own') return '';
  return `#${kind === 'link' ? 's' : kind}=${encodeURIComponent(id)}`;
}

/** The number of characters of a fragment that a key contains as they are. */
const SHORT = 80;
const END = 40;

/** Returns the fragment of a place; for a long link its length, a digest and its end, which tell it from others. */
export function shortHashOf(place: Place): string {
  const hash = hashOf(place);
  return hash.length > SHORT ? `${hash.length}:${digestOf(hash)}:${hash.slice(-END)}` : hash;
}

/** Returns 32 bits of a text of any length (FNV-1a). */
function digestOf(text: string): string {
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return (digest >>> 0).toString(36);
}
