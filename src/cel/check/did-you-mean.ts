import { didYouMean as suggestion } from '../../text/nearest.ts';

/** A hint with the names closest to a mistyped one; empty when there are none. */
export function didYouMean(name: string, candidates: Iterable<string>): { hint?: string } {
  const hint = suggestion(name, candidates);
  return hint === undefined ? {} : { hint };
}
