import { addressOf } from '../authoring/address/index.ts';
import { Collector } from '../core/diagnostics/index.ts';
import { groupVersionKind, nameOf } from '../core/model/object.ts';
import { visibleOnOneLine } from '../core/text/visible.ts';
import { isResourceSet } from '../flux/index.ts';
import { definedKinds, groupKind, isRgd } from '../kro/definition/index.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import { readFiles } from './files.ts';
import { namesOfRefs } from './git/index.ts';

/**
 * The words that a shell may complete: the kinds that RGDs define, their instances by address, the names of RGDs, and
 * the branches and tags of git.
 */
const WORD_SOURCES = ['kinds', 'instances', 'rgds', 'refs'] as const;
export type WordSource = (typeof WORD_SOURCES)[number];

export const isWordSource = (word: string): word is WordSource => WORD_SOURCES.some((one) => one === word);

/** Returns the words in the files below some paths, one per line, sorted. Unreadable files have none. */
export function wordsIn(source: WordSource, paths: readonly string[]): string[] {
  if (source === 'refs') return plainWords(namesOfRefs(paths[0] ?? '.'));
  const reports = new Collector();
  const texts = readFiles(paths, { exclude: [], stdin: new Uint8Array() }, reports);
  const documents = readStreams(texts, reports);
  const objects = objectsIn(documents).filter(({ secret }) => secret === undefined);
  const kinds = definedKinds(documents);
  const known = new Set(kinds.map(groupKind));
  const words = {
    kinds: () => kinds.map(({ kind }) => kind),
    rgds: () => objects.flatMap(({ object }) => (isRgd(object) ? nameOf(object) : [])),
    instances: () =>
      objects.flatMap(({ object }) =>
        known.has(groupKind(groupVersionKind(object))) || isResourceSet(object) ? addressOf(object) : [],
      ),
  };
  return plainWords(words[source]());
}

/** Words with a space, or a special character of the shell, are not completed. */
function plainWords(words: readonly string[]): string[] {
  const plain = words.filter((word) => /^[\w./-]+$/.test(word) && visibleOnOneLine(word) === word);
  return [...new Set(plain)].sort();
}
