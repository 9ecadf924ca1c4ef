import words from '../../../data/other-words.json';
import data from '../../../data/simpleschema.json';
import { nearest } from '../../core/text/nearest.ts';
import { hintsByWord } from '../../core/text/other-words.ts';
import { isSpace } from './go-text.ts';
import { builtInTypes, foreignTypeHint } from './type-expression.ts';

const { markers } = data;

/** Every marker of SimpleSchema (kro: markers.go). */
export const markerNames = Object.keys(markers) as readonly (keyof typeof markers)[];

export type MarkerName = (typeof markerNames)[number];

const FLAGS: ReadonlySet<string> = new Set<MarkerName>(['required', 'immutable', 'uniqueItems']);
/** Words of other languages for optional fields. */
const OPTIONAL = /^(optional|nullable|omitempty|not[ -]?required)$/i;
const leaveOut = (what: string): string => `a field is optional unless required=true: leave ${what} out`;

/** Markers of other languages, which are not similar in spelling. */
const OTHERS = hintsByWord(words.markers);

const isMarker = (word: string): boolean => markerNames.some((marker) => marker === word);

/** Returns the hint for a word in the place of `name=value`. */
export function markerHint(word: string): string {
  if (isMarker(word)) return `write ${word}=${FLAGS.has(word) ? 'true' : '...'}`;
  if (OPTIONAL.test(word)) return leaveOut('this');
  const [, before = '', after = ''] = /^(\w+)\s*:\s*(.*)$/s.exec(word) ?? [];
  if (isMarker(before)) return `write ${before}=${after === '' ? '...' : after}`;
  const [intended] = nearest(word, markerNames, 1);
  if (intended !== undefined) return `did you mean ${intended}=${FLAGS.has(intended) ? 'true' : '...'}?`;
  const value = /^["[{]/.test(word) || !/\s/.test(word) ? word : JSON.stringify(word);
  return `if it is the default, write default=${value}`;
}

export function unknownMarkerHint(name: string): string {
  if (OPTIONAL.test(name)) return leaveOut('this');
  const other = OTHERS.get(name);
  if (other !== undefined) return other;
  const close = nearest(name, markerNames);
  return close.length > 0 ? `did you mean ${close[0]}?` : `the markers are ${markerNames.join(', ')}`;
}

/** Returns the hint for a type followed by words, which are markers without the `|`. */
export function missingBarHint(name: string, isCustom: (type: string) => boolean): string | undefined {
  if (name.endsWith('?')) return leaveOut('the ?');
  const end = [...name].findIndex((char) => isSpace(char) || char === ',' || char === ';');
  if (end < 0) return undefined;
  const type = name.slice(0, end);
  const rest = name
    .slice(end)
    .replace(/^[\s,;]+/, '')
    .trim();
  const isKnown = builtInTypes.includes(type) || isCustom(type);
  const foreign = isKnown ? undefined : foreignTypeHint(type);
  if (!isKnown && foreign === undefined) return undefined;
  const [, word = rest, assigned] = /^([^\s=]+)\s*(=)?/.exec(rest) ?? [];
  const markers = assigned === undefined ? ` (${markerHint(rest)})` : '';
  const bar = `a | is missing before ${word}: ${type} | ${rest}${markers}`;
  return foreign === undefined ? bar : `${bar}; and ${foreign}`;
}
