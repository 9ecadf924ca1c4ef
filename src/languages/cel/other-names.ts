import names from '../../../data/cel-aliases.json';
import words from '../../../data/other-words.json';
import { hintsByWord } from '../../core/text/nearest.ts';

/** The names of CEL's functions, by their names in other languages. */
export const aliases: ReadonlyMap<string, string> = hintsByWord(names);

/** Functions of other languages that CEL has no counterpart of. */
const ABSENT = hintsByWord(words.cel);

/** Returns what to do without a function of other languages; `undefined` if CEL has one or the name is unknown. */
export const functionWithout = (name: string): string | undefined => ABSENT.get(name.toLowerCase());

/** Returns a read with a fallback: `schema.spec.?image.orValue(FALLBACK)`. */
export const withFallback = (read: string | undefined, fallback: string): string =>
  `${read?.includes('.') === true ? read.replace(/\.(?=[^.]*$)/, '.?') : 'OBJECT.?FIELD'}.orValue(${fallback})`;

/** Returns how to call a function that is written after a pipe, as in templates of Go: `image | default "x"`. */
export function pipeHint(before: string, rest: string): string | undefined {
  const [, piped, argument] = /^\|\s*([A-Za-z_]\w*)\s*\(?\s*("[^"]*"|'[^']*'|[\w.]+)?/.exec(rest) ?? [];
  if (piped === undefined) return undefined;
  const alias = aliases.get(piped.toLowerCase());
  const read = /(?:^|\s)([A-Za-z_]\w*(?:\.\w+)+)\s*$/.exec(before)?.[1];
  if (alias === 'orValue') return `write ${withFallback(read, argument ?? 'OTHER')}`;
  return functionWithout(piped) ?? `write || for a logical or; functions are called: ${alias ?? piped}(...)`;
}
