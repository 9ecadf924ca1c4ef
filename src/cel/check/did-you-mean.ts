import { didYouMean } from '../../text/nearest.ts';

/** A hint with the names closest to a mistyped one; empty when there are none. */
export function hintAt(name: string, candidates: Iterable<string>): { hint?: string } {
  const hint = didYouMean(name, candidates);
  return hint === undefined ? {} : { hint };
}
