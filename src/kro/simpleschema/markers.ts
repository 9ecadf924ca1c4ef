import words from '../../../data/other-words.json';
import data from '../../../data/simpleschema.json';
import { askFor, type Hint, hint, phrase, quotedHint, type Remedy } from '../../core/diagnostics/index.ts';
import { hintsByWord, nearest } from '../../core/text/nearest.ts';
import type { FieldProblem, ReportFieldProblem } from './budget.ts';
import { builtInTypes, foreignTypeHint, isSpace, trimSpace } from './type-expression.ts';

export interface Marker {
  name: MarkerName;
  /** Without the quotes around it. */
  value: string;
  /** The offset of its value in the text of the field. */
  offset: number;
  end: number;
}

interface State {
  text: string;
  markers: (Marker & { quoted: boolean })[];
  open: { name: MarkerName; offset: number } | undefined;
  /** The start of the text that belongs to no marker yet. */
  loose: number;
}

/** Parses `required=true default="a b"` (kro: ParseMarkers); no white space is allowed around `=`, nor at the end. */
export function parseMarkers(text: string, start: number, report: ReportFieldProblem): Marker[] | undefined {
  const state: State = { text, markers: [], open: undefined, loose: start };
  const fault = scan(state, start);
  if (fault === undefined) return state.markers;
  report(fault);
  return undefined;
}

function scan(state: State, start: number): FieldProblem | undefined {
  const { text } = state;
  let quoted = false;
  let brackets = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') {
      at = closingQuote(text, at);
      quoted = at === text.length;
    } else if (char === '{' || char === '[') brackets++;
    else if (char === '}' || char === ']') {
      if (--brackets < 0) return syntax(`'${char}' closes nothing`, at, hint('put the value in quotes'));
    } else if (brackets > 0) continue;
    else if (char === '=' && state.open === undefined) {
      const fault = openMarker(state, at);
      if (fault !== undefined) return fault;
    } else if (isSpace(char)) closeMarker(state, at);
  }
  if (quoted) return syntax('a quote is not closed', state.open?.offset ?? state.loose, hint('close it with "'));
  if (brackets > 0) return syntax('a bracket is not closed', state.open?.offset ?? state.loose, hint('close it'));
  if (state.open === undefined) return missingValue(state);
  closeMarker(state, text.length);
  return undefined;
}

/** Returns the index of the quote that closes the one at `start`; the length of the text if there is none. */
function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function openMarker(state: State, at: number): FieldProblem | undefined {
  const written = state.text.slice(state.loose, at);
  // White space inside a name is skipped (kro: ParseMarkers).
  const name = [...written].filter((char) => !isSpace(char)).join('');
  const known = markerNames.find((marker) => marker === name);
  if (known === undefined) return unknownMarker(state, name, written, at);
  state.open = { name: known, offset: at + 1 };
  return undefined;
}

function closeMarker(state: State, end: number): void {
  if (state.open === undefined) return;
  const { name, offset } = state.open;
  const raw = state.text.slice(offset, end);
  const quoted = raw.length > 1 && raw.startsWith('"') && raw.endsWith('"');
  state.markers.push({ name, value: quoted ? unescaped(raw.slice(1, -1)) : trimSpace(raw), offset, end, quoted });
  state.open = undefined;
  state.loose = end;
}

/** Removes the backslash of `\"` and `\\`; every other backslash stays (kro: unescapeString). */
const unescaped = (text: string): string => text.replace(/\\(["\\])/g, '$1');

function unknownMarker(state: State, name: string, written: string, at: number): FieldProblem {
  const offset = state.loose + written.length - written.trimStart().length;
  if (name === '') return syntax("a marker has no name before '='", at);
  const words = trimSpace(written).split(/\s+/);
  const last = words.at(-1) ?? '';
  const given = name.startsWith('|')
    ? hint('only the first | separates, the markers after it are separated by spaces')
    : ((words.length > 1 && isMarker(last) ? quoteHint(state, at - last.length) : undefined) ??
      unknownMarkerHint(name));
  return {
    code: 'unknown-marker',
    message: phrase`unknown marker '${{ marker: name }}'`,
    offset,
    hint: quotedHint(given),
  };
}

/** Returns the error of a text that ends with a word without `=`, or with white space. */
function missingValue(state: State): FieldProblem {
  const written = state.text.slice(state.loose);
  const word = trimSpace(written);
  if (word === '') {
    const text = state.markers.length > 0 ? 'remove the white space at the end' : 'add a marker, or remove the |';
    return syntax('a marker is expected', state.loose, hint(text));
  }
  const offset = state.loose + written.indexOf(word);
  const previous = state.markers.at(-1);
  const given =
    previous?.value === ''
      ? joinHint(previous.name, word)
      : ((isMarker(word) ? undefined : quoteHint(state, state.text.length)) ?? markerHint(word));
  return syntax(`'${word}' has no value`, offset, given);
}

const joinHint = (marker: string, value: string): Hint =>
  hint(`write ${marker}=${value}, without spaces around =`, { kind: 'join-marker', marker, value });

/** Returns the hint for several words after an unquoted value, which probably belong to it. */
function quoteHint(state: State, end: number): Hint | undefined {
  const previous = state.markers.at(-1);
  if (previous === undefined || previous.quoted || previous.value === '') return undefined;
  const value = trimSpace(state.text.slice(previous.offset, end));
  const quoted = JSON.stringify(value);
  return hint(`quote the value: ${previous.name}=${quoted}`, {
    kind: 'quote-marker',
    marker: previous.name,
    value,
  });
}

const syntax = (message: string, offset: number, given?: Hint): FieldProblem => ({
  code: 'marker-syntax',
  message: phrase`${message}`,
  hint: quotedHint(given),
  offset,
});

const { markers } = data;

/** Every marker of SimpleSchema (kro: markers.go). */
export const markerNames = Object.keys(markers) as readonly (keyof typeof markers)[];

export type MarkerName = (typeof markerNames)[number];

const FLAGS: ReadonlySet<string> = new Set<MarkerName>(['required', 'immutable', 'uniqueItems']);
/** Words of other languages for optional fields. */
const OPTIONAL = /^(optional|nullable|omitempty|not[ -]?required)$/i;
const leaveOut = (what: string): Hint => hint(`a field is optional unless required=true: leave ${what} out`);

/** Markers of other languages, which are not similar in spelling. */
const OTHERS = hintsByWord(words.markers);

const isMarker = (word: string): boolean => markerNames.some((marker) => marker === word);

/** Returns the hint for a word in the place of `name=value`. */
function markerHint(word: string): Hint {
  if (isMarker(word)) return writeHint(word, word, FLAGS.has(word) ? 'true' : undefined);
  if (OPTIONAL.test(word)) return leaveOut('this');
  const [head = '', before = ''] = /^(\w+)\s*:\s*/.exec(word) ?? [];
  const after = head === '' ? '' : word.slice(head.length);
  if (isMarker(before)) return writeHint(word, before, after === '' ? undefined : after);
  const [intended] = nearest(word, markerNames, 1);
  if (intended !== undefined)
    return askFor([intended], `did you mean ${intended}=${FLAGS.has(intended) ? 'true' : '...'}?`);
  const value = /^["[{]/.test(word) || !/\s/.test(word) ? word : JSON.stringify(word);
  return hint(`if it is the default, write default=${value}`, {
    kind: 'write-marker',
    word: value,
    marker: `default=${value}`,
  });
}

/** Names a marker with its value; without one the author must complete it. */
function writeHint(word: string, name: string, value: string | undefined): Hint {
  const text = `write ${name}=${value ?? '...'}`;
  return value === undefined ? hint(text) : hint(text, { kind: 'write-marker', word, marker: `${name}=${value}` });
}

function unknownMarkerHint(name: string): Hint {
  if (OPTIONAL.test(name)) return leaveOut('this');
  const other = OTHERS.get(name);
  if (other !== undefined) return other;
  const close = nearest(name, markerNames);
  const [first] = close;
  if (first === undefined) return hint(`the markers are ${markerNames.join(', ')}`);
  return askFor([first], `did you mean ${first}?`);
}

/** Returns the hint for a type followed by words, which are markers without the `|`. */
export function missingBarHint(name: string, isCustom: (type: string) => boolean): Hint | undefined {
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
  const asked = assigned === undefined ? markerHint(rest) : undefined;
  const markers = asked === undefined ? '' : ` (${asked.text})`;
  const bar = `a | is missing before ${word}: ${type} | ${rest}${markers}`;
  if (foreign !== undefined) return hint(`${bar}; and ${foreign.text}`);
  const wanted = asked === undefined ? rest : markerIn(asked);
  const remedies: Remedy[] = wanted === undefined ? [] : [{ kind: 'replace', text: name, by: `${type} | ${wanted}` }];
  return hint(bar, remedies);
}

/** Returns the marker that a hint names with its value. */
function markerIn({ remedies }: Hint): string | undefined {
  for (const remedy of remedies) if (remedy.kind === 'write-marker') return remedy.marker;
  return undefined;
}
