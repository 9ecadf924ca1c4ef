import fc from 'fast-check';
import type { Texts } from '../gitops/plan/repository.ts';

/** Edits of one file. */
export const edits = fc.oneof(
  fc.record({ what: fc.constant('remove' as const) }),
  fc.record({ what: fc.constant('move' as const) }),
  // Replaces a number or a word of the file.
  fc.record({ what: fc.constant('word' as const), at: fc.nat(), word: fc.constantFrom('7', 'other', 'true', '""') }),
  // Removes a line.
  fc.record({ what: fc.constant('line' as const), at: fc.nat() }),
);
export type Edit = typeof edits extends fc.Arbitrary<infer Of> ? Of : never;

/** Returns the files with one of them edited. */
export function edited(texts: Texts, path: string, edit: Edit): Texts {
  const { [path]: text = '', ...others } = texts;
  if (edit.what === 'remove') return others;
  if (edit.what === 'move') return { ...others, [`moved/${path}`]: text };
  if (edit.what === 'line') {
    const lines = text.split('\n');
    return { ...others, [path]: lines.filter((_, index) => index !== edit.at % lines.length).join('\n') };
  }
  const words = [...text.matchAll(/(?<=[:=-] ?)[\w.]+/g)];
  const word = words[edit.at % Math.max(1, words.length)];
  if (word === undefined) return texts;
  return { ...others, [path]: text.slice(0, word.index) + edit.word + text.slice(word.index + word[0].length) };
}
