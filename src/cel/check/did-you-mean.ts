import { nearest } from '../../diagnostics/nearest.ts';

/** A hint with the names closest to a mistyped one; empty when there are none. */
export function didYouMean(name: string, candidates: Iterable<string>): { hint?: string } {
  const names = nearest(name, candidates);
  return names.length === 0 ? {} : { hint: `did you mean ${names.map((found) => `'${found}'`).join(' or ')}?` };
}
